/* Operations by category, and what they are together. Nested time is counted once: the peer's root figure divides by the
 * total times of loops and of their bodies both. */
#include "analyze/ops/ops.h"
#include "analyze/core/pass.h"

#include "analyze/core/lack_words.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/op_framework.h"
#include "analyze/ops/op_totals.h"
#include "analyze/ops/op_use.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

static int
by_category(const void *left, const void *right)
{
	const struct tp_op_total *a = left, *b = right;
	int order = tp_slice_cmp(a->category, b->category);

	if (order == 0 && a->self_ps != b->self_ps)
		return a->self_ps > b->self_ps ? -1 : 1;
	return order != 0 ? order : tp_slice_cmp(a->op->label, b->op->label);
}

static int
by_self(const void *left, const void *right)
{
	const struct tp_category_total *a = left, *b = right;

	if (a->self_ps != b->self_ps)
		return a->self_ps > b->self_ps ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

/* Groups sorted operations, then puts categories, and their operations with them, in order of self time. */
static void
group(const struct tp_pass_ctx *ctx, struct tp_op_total *sorted, size_t count, struct tp_ops *out)
{
	out->categories = tp_new_array(ctx->keep, struct tp_category_total, count);
	for (size_t i = 0; i < count; i++) {
		const struct tp_op_total *t = &sorted[i];

		if (i == 0 || !tp_slice_eq(sorted[i - 1].category, t->category))
			out->categories[out->category_count++] =
				(struct tp_category_total){.name = t->category, .hue = t->hue, .first = i};
		struct tp_category_total *c = &out->categories[out->category_count - 1];

		c->count++;
		c->occurrences += t->occurrences;
		c->self_ps = tp_add_ps(c->self_ps, t->self_ps);
		c->flops = tp_add_cost(c->flops, t->flops);
		c->hbm_bytes = tp_add_cost(c->hbm_bytes, t->hbm_bytes);
	}
	qsort(out->categories, out->category_count, sizeof *out->categories, by_self);
	out->ops = tp_new_array(ctx->keep, struct tp_op_total, count);
	for (size_t c = 0; c < out->category_count; c++) {
		struct tp_category_total *category = &out->categories[c];

		memcpy(out->ops + out->count, sorted + category->first, category->count * sizeof *sorted);
		category->first = out->count;
		out->count += category->count;
	}
}

static void
sum_up(struct tp_ops *o)
{
	o->wasted_ps = NAN;
	for (size_t i = 0; i < o->count; i++) {
		const struct tp_op_total *t = &o->ops[i];

		o->has_costs |= t->has_costs;
		if (isfinite(t->wasted_ps))
			o->wasted_ps = t->wasted_ps + (isfinite(o->wasted_ps) ? o->wasted_ps : 0);
		o->busy_ps = tp_add_ps(o->busy_ps, t->self_ps);
		o->flops = tp_add_cost(o->flops, t->flops);
		o->hbm_bytes = tp_add_cost(o->hbm_bytes, t->hbm_bytes);
		if (!t->left_out && (o->ops[o->top].left_out || t->self_ps > o->ops[o->top].self_ps))
			o->top = i;
		if (t->hue == TP_HUE_MEMORY)
			o->copy_ps = tp_add_ps(o->copy_ps, t->self_ps);
		if (t->hue != TP_HUE_COMPUTE)
			continue;
		o->compute_ps = tp_add_ps(o->compute_ps, t->self_ps);
		o->half_ps = tp_add_ps(o->half_ps, t->half ? t->self_ps : 0);
	}
}

/* Of two figures of which each may be unknown. */
static double
add_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Sums of what a does not name itself by; costs are known when any are. */
void
tp_op_add(struct tp_op_total *a, const struct tp_op_total *b)
{
	/* Of some it is not known how often they ran. */
	bool first = a->occurrences == 0 && a->total_ps == 0;

	a->min_ps = first || b->min_ps < a->min_ps ? b->min_ps : a->min_ps;
	a->max_ps = first || b->max_ps > a->max_ps ? b->max_ps : a->max_ps;
	a->occurrences = tp_add_cost(a->occurrences, b->occurrences);
	a->self_ps = tp_add_ps(a->self_ps, b->self_ps);
	a->total_ps = tp_add_ps(a->total_ps, b->total_ps);
	a->wasted_ps = first ? b->wasted_ps : add_known(a->wasted_ps, b->wasted_ps);
	a->flops_at_peak_ps =
		first ? b->flops_at_peak_ps : add_known(a->flops_at_peak_ps, b->flops_at_peak_ps);
	a->hbm_at_peak_ps = first ? b->hbm_at_peak_ps : add_known(a->hbm_at_peak_ps, b->hbm_at_peak_ps);
	a->uses_precomputed |= b->uses_precomputed;
	a->has_costs |= b->has_costs;
	a->has_overrun |= b->has_overrun;
	a->flops = tp_add_cost(a->flops, b->flops);
	a->model_flops = tp_add_cost(a->model_flops, b->model_flops);
	a->bytes = tp_add_cost(a->bytes, b->bytes);
	a->hbm_bytes = tp_add_cost(a->hbm_bytes, b->hbm_bytes);
	a->cmem_read_bytes = tp_add_cost(a->cmem_read_bytes, b->cmem_read_bytes);
	a->cmem_write_bytes = tp_add_cost(a->cmem_write_bytes, b->cmem_write_bytes);
	a->vmem_read_bytes = tp_add_cost(a->vmem_read_bytes, b->vmem_read_bytes);
	a->vmem_write_bytes = tp_add_cost(a->vmem_write_bytes, b->vmem_write_bytes);
	a->dma_stall_ps = tp_add_ps(a->dma_stall_ps, b->dma_stall_ps);
}

/* amount over Σ time × peak, both in picosecond units; NaN when the peak is not known, or the amount more than it allows: then
 * sets *impossible. */
static double
utilisation(uint64_t amount, double peak_ps, bool *impossible)
{
	double use = peak_ps > 0 ? (double)amount * 1e12 / peak_ps : NAN;

	*impossible |= use > TP_MORE_THAN_POSSIBLE;
	return use > TP_MORE_THAN_POSSIBLE ? NAN : use;
}

void
tp_ops_group(const struct tp_pass_ctx *ctx, struct tp_buf *buf, const struct tp_op_peaks *peaks,
	struct tp_ops *o)
{
	struct tp_op_total *totals = buf->data;

	for (size_t i = 0; i < buf->count; i++)
		totals[i].wasted_ps = tp_op_find_waste(&totals[i], peaks);
	qsort(totals, buf->count, sizeof *totals, by_category);
	group(ctx, totals, buf->count, o);
	tp_buf_free(buf);
	sum_up(o);
	tp_op_frameworks(ctx, o);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct tp_ops *o = tp_new(ctx->keep, struct tp_ops);
	struct tp_op_peaks peaks = tp_op_peaks(ctx);
	struct tp_buf buf = tp_op_totals(ctx, o);

	if (buf.count == 0)
		return tp_fail(err, TP_ABSENT, "the profile holds no operations of a device or of XLA");
	tp_ops_group(ctx, &buf, &peaks, o);
	bool known = o->has_costs && d != NULL;

	o->flops_share = o->flops_busy_share = o->hbm_share = o->hbm_busy_share = NAN;
	if (known) {
		o->flops_share = utilisation(o->flops, d->peak_flop_ps, &o->flops_impossible);
		o->flops_busy_share = utilisation(o->flops, d->busy_peak_flop_ps, &o->flops_impossible);
		o->hbm_share = utilisation(o->hbm_bytes, d->peak_byte_ps, &o->hbm_impossible);
		o->hbm_busy_share = utilisation(o->hbm_bytes, d->busy_peak_byte_ps, &o->hbm_impossible);
	}
	*result = o;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_op_times, &tp_pass_devices, &tp_pass_steps, NULL};

static const struct tp_lack lacks[] = {
	{"operations", "What a device did: each operation", TP_LACK_ON_CPU,
		.jax = "Let steps run while the trace is on, and end it after "
			   "`jax.block_until_ready(...)`. On a GPU: " TP_LACK_CUPTI,
		.tensorflow =
			"If a GPU was in use: "
			"`tf.profiler.experimental.ProfilerOptions(device_tracer_level=1)`. " TP_LACK_CUPTI,
		.any = "Let steps run while the profiler is on. On a GPU: " TP_LACK_CUPTI},
	{0},
};

const struct tp_pass tp_pass_ops = {
	.name = "operations",
	.title = "Operations",
	.summary =
		"the op profile by category: self time, occurrences, FLOPS and bandwidth utilisation",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.after = after,
	.place = TP_PLACE_OPERATIONS,
	.analyze = analyze,
	.metrics = tp_ops_metrics,
	.present = tp_ops_present,
	.present_skipped = tp_ops_skipped,
	.lacks = lacks,
};
