/* The views of a report: reading and analysing, beside each other, what else there is to look at beside its run. */
#ifndef TP_CLI_VIEWS_H
#define TP_CLI_VIEWS_H

#include "analyze/core/ctx.h"

struct tp_args;
struct tp_coming;
struct tp_found;
struct tp_progress;

struct tp_viewing;

/* Plans the views of run number `chosen`: each worker and span, and where nothing was chosen on the command line each other run of
 * PyTorch beside it, newest first; so many of both that the page stays small. NULL for `get` unless it asks for a figure of one, and for
 * the first screen alone. Looks at all but those of one file of the run. No more are in memory at a time than there are threads
 * (args->pool), and nothing but their excerpts after that. Memory from arena, which options outlive. */
struct tp_viewing *tp_views_plan(const struct tp_args *args, const struct tp_found *found,
	size_t chosen, struct tp_progress *progress, struct tp_arena *arena,
	const struct tp_pass_options *options);

/* Looks at those of this file of the run, which was just read. In any thread, but of a file only once. v may be NULL. */
void tp_views_came(struct tp_viewing *v, const char *path, const struct tp_coming *coming);

/* Looks at what is left, and fills options->views. v may be NULL. */
void tp_views_finish(struct tp_viewing *v, struct tp_pass_options *options);

#endif
