/* A look at the other runs of a log directory, so that a report can show what there is beside its own. */
#ifndef TP_CLI_GLANCE_H
#define TP_CLI_GLANCE_H

#include "analyze/pass.h"

struct tp_args;
struct tp_found;

/* Fills options->others with the figures of all runs but number `chosen`, newest first (of so many that the newest count),
 * where these are PyTorch runs: folders of one log directory are variants of a job there. Memory from arena. */
void tp_glance_others(const struct tp_args *args, const struct tp_found *found, size_t chosen,
	struct tp_arena *arena, struct tp_pass_options *options);

#endif
