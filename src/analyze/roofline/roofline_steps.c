/* What the innermost operations of complete steps cost: those that begin in a step on a TPU core, by the chip's clock. */
#include "analyze/roofline/roofline.h"

#include "analyze/facts/op_times.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <stdlib.h>

/* An operation's costs, an occurrence. */
struct cost {
	bool container, by_event; /* by_event: custom calls cost what each call says */
	double amount[TP_ROOF_LIMITS];
};

static const struct cost *
costs_of(const struct tp_profile *p, struct tp_arena *scratch)
{
	struct cost *costs = tp_new_array(scratch, struct cost, p->op_count);

	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];

		costs[i] = (struct cost){
			.container = tp_op_is_container(op->category),
			.by_event = tp_slice_eq(op->category, TP_S("custom-call")),
			.amount =
				{
					[TP_PEAK_FLOP] = (double)op->flops,
					[TP_PEAK_HBM] = (double)op->hbm_bytes,
					[TP_PEAK_CMEM_READ] = (double)op->cmem_read_bytes,
					[TP_PEAK_CMEM_WRITE] = (double)op->cmem_write_bytes,
					[TP_PEAK_VMEM_READ] = (double)op->vmem_read_bytes,
					[TP_PEAK_VMEM_WRITE] = (double)op->vmem_write_bytes,
				},
		};
	}
	return costs;
}

/* A step on a core, by the chip's clock. */
struct window {
	int64_t start_ps, duration_ps;
};

static int
by_start(const void *left, const void *right)
{
	const struct window *a = left, *b = right;

	return a->start_ps < b->start_ps ? -1 : a->start_ps > b->start_ps;
}

static void
add_event(const struct tp_line *ops, uint32_t event, const struct cost *cost, size_t *tag,
	struct tp_roof *sum)
{
	int64_t flops, bytes;

	sum->time_ps += (double)ops->chip_duration_ps[event];
	if (cost->by_event && tp_tag_find(ops, tag, event, TP_TAG_FLOPS, &flops) && flops >= 0) {
		sum->amount[TP_PEAK_FLOP] += (double)flops;
		if (tp_tag_find(ops, tag, event, TP_TAG_BYTES, &bytes) && bytes > 0)
			sum->amount[TP_PEAK_HBM] += (double)bytes;
		return;
	}
	for (int k = 0; k < TP_ROOF_LIMITS; k++)
		sum->amount[k] += cost->amount[k];
}

/* An operation belongs to the step that began last before it and has not ended, as in the steps' own times. */
static void
add_line(const struct tp_line *ops, const struct window *windows, size_t count,
	const struct cost *costs, struct tp_roof *sum)
{
	size_t w = 0, tag = 0;

	for (uint32_t i = 0; i < ops->count; i++) {
		int64_t start = ops->chip_start_ps[i];

		while (w + 1 < count && windows[w + 1].start_ps <= start)
			w++;
		if (start < windows[w].start_ps || start - windows[w].start_ps >= windows[w].duration_ps ||
			costs[ops->op[i]].container)
			continue;
		add_event(ops, i, &costs[ops->op[i]], &tag, sum);
	}
}

/* The steps of one core in order of time; adds their length. */
static size_t
windows_of(const struct tp_steps *steps, size_t core, struct window *windows, struct tp_roof *step)
{
	size_t count = 0;

	for (size_t s = 0; s < steps->count; s++) {
		const struct tp_step_cell *cell = &steps->cells[s * steps->timelines + core];

		if (!cell->there)
			continue;
		windows[count++] = (struct window){cell->start_ps, cell->duration_ps};
		step->time_ps += (double)cell->duration_ps;
	}
	qsort(windows, count, sizeof *windows, by_start);
	return count;
}

bool
tp_roof_add_steps(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_roof *step,
	struct tp_roof *operations)
{
	const struct tp_profile *p = ctx->profile;
	const struct cost *costs = costs_of(p, ctx->scratch);
	const struct tp_line **ops =
		tp_new_array(ctx->scratch, const struct tp_line *, p->device_count);
	struct window *windows = tp_new_array(ctx->scratch, struct window, steps->count);

	if (steps->cells == NULL)
		return false;
	for (uint32_t i = p->line_count; i-- > 0;) {
		if (p->lines[i].device != TP_NONE && p->lines[i].kind == TP_LINE_OPS)
			ops[p->lines[i].device] = &p->lines[i];
	}
	for (size_t c = 0; c < steps->timelines; c++) {
		size_t count = windows_of(steps, c, windows, step);
		const struct tp_line *line = ops[steps->cores[c].device];

		if (count != 0 && line != NULL)
			add_line(line, windows, count, costs, operations);
	}
	memcpy(step->amount, operations->amount, sizeof step->amount);
	return step->time_ps > 0;
}
