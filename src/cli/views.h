/* The views of a report: reading and analysing, one after the other, what else there is to look at beside its run. */
#ifndef TP_CLI_VIEWS_H
#define TP_CLI_VIEWS_H

#include "analyze/core/ctx.h"

struct tp_args;
struct tp_found;
struct tp_progress;

/* Fills options->views: of run number `chosen` each worker and span, and where nothing was chosen on the command line each
 * other run of PyTorch beside it, newest first; so many of both that the page stays small. Only one is in memory at a
 * time, and nothing but its excerpt after that. None for `get` unless it asks for a figure of one, and
 * none for the first screen alone. Memory from arena. */
void tp_views_read(const struct tp_args *args, const struct tp_found *found, size_t chosen,
	struct tp_progress *progress, struct tp_arena *arena, struct tp_pass_options *options);

#endif
