/* Which steps of PyTorch's workers are one step: those of the same name and span, in traces that were captured together. */
#ifndef TP_ANALYZE_STEP_WORKERS_H
#define TP_ANALYZE_STEP_WORKERS_H

#include "analyze/core/ctx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_steps;
struct tp_torch;
struct tp_torch_step;
struct tp_torch_stepped;

/* A step of one worker. */
struct tp_step_part {
	uint32_t group; /* the same step of all workers */
	uint32_t trace, set, nth;
	const struct tp_torch_step *step;
};

/* The same step of several workers: same set, same name; of several with one name in a trace the first, the second …. */
struct tp_step_group {
	uint32_t set, parts;
	bool kept; /* as many workers have it as any step of the set */
};

struct tp_step_workers {
	struct tp_step_part *parts; /* by set, then worker, then time */
	struct tp_step_group *groups;
	size_t part_count, group_count;
	const uint32_t
		*set_of; /* by trace: traces of one span and one job, numbered from 0 in order of spans */
	uint32_t set_count;
	uint32_t jobs; /* that traces are of: captured at one time, or of as many workers */
	uint32_t last_span;
};

/* The result lives in ctx->scratch. */
struct tp_step_workers tp_step_workers_of(
	const struct tp_pass_ctx *ctx, const struct tp_torch_stepped *stepped);

/* One of them as a step of its worker alone (step_workers_split.c). */
struct tp_step tp_step_of_part(
	const struct tp_torch *torch, const struct tp_step_part *part, struct tp_slice name);

/* The hosts of out: the steps of each worker by itself, where there are several and each has all steps. number: of each group, which of the
 * steps of all it is; TP_NONE: none. */
void tp_step_workers_split(const struct tp_pass_ctx *ctx, const struct tp_step_workers *w,
	const uint32_t *number, struct tp_steps *out);

#endif
