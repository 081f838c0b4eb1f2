/* Marks of the Steps lines. */
#include "analyze/steps/step_marks.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "model/profile.h"

const uint32_t *
tp_first_lines(const struct tp_profile *p, enum tp_line_kind kind, struct tp_arena *scratch)
{
	uint32_t *first = tp_new_array(scratch, uint32_t, p->device_count);

	memset(first, 0xff, p->device_count * sizeof *first);
	for (uint32_t i = p->line_count; i-- > 0;) {
		if (p->lines[i].device != TP_NONE && p->lines[i].kind == kind && p->lines[i].count != 0)
			first[p->lines[i].device] = i;
	}
	return first;
}

struct tp_marked_cores
tp_cores_with_ops(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	const uint32_t *ops = tp_first_lines(p, TP_LINE_OPS, ctx->scratch);
	struct tp_marked_cores all = {
		.cores = tp_new_array(ctx->scratch, struct tp_marked_core, p->device_count)};

	for (uint32_t d = 0; times != NULL && d < p->device_count; d++) {
		if (p->devices[d].kind == TP_DEVICE_TPU && ops[d] != TP_NONE)
			all.cores[all.count++] = (struct tp_marked_core){
				.device = d,
				.host = p->devices[d].host,
				.ops = &p->lines[ops[d]],
				.self_ps = times->self_ps[ops[d]],
			};
	}
	return all;
}

struct tp_marked_cores
tp_marks_of_steps_lines(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const uint32_t *steps = tp_first_lines(p, TP_LINE_STEPS, ctx->scratch);
	struct tp_marked_cores all = tp_cores_with_ops(ctx), marked = {.cores = all.cores};

	for (uint32_t c = 0; c < all.count; c++) {
		struct tp_marked_core core = all.cores[c];

		if (steps[core.device] == TP_NONE)
			continue;
		const struct tp_line *line = &p->lines[steps[core.device]];

		core.mark_count = line->count;
		core.marks = tp_new_array(ctx->scratch, struct tp_step_mark, line->count);
		for (uint32_t i = 0; i < line->count; i++)
			core.marks[i] = (struct tp_step_mark){
				.name = p->ops[line->op[i]].name,
				.start_ps = line->chip_start_ps[i],
				.duration_ps = line->chip_duration_ps[i],
				.host_start_ps = line->start_ps[i],
				.host_duration_ps = line->duration_ps[i],
			};
		marked.cores[marked.count++] = core;
	}
	return marked;
}
