/* Roofline figures as in xprof's op_metrics_to_record.h and op_stats_to_roofline_model: rates over total time, shares of the
 * peaks, the largest of which is the efficiency and says what the work is bound by. The program is the sum of innermost
 * operations; loops and calls only hold others.
 *
 * Where xprof divides a program's rate by the span of steps on the host's clock, we take the chip's, with which operations
 * are measured; and it prints GiB/s where we print GB/s, as makers state peaks. */
#include "analyze/roofline/roofline.h"
#include "analyze/core/pass.h"

#include "analyze/facts/devices.h"
#include "analyze/facts/occupancy.h"
#include "analyze/facts/op_times.h"
#include "analyze/roofline/roofline_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/pool.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

void
tp_roof_find(struct tp_roof *r, const double peak[static TP_OP_LIMITS])
{
	r->efficiency = NAN;
	r->bound = TP_PEAK_COUNT;
	r->impossible = false;
	r->intensity =
		r->amount[TP_PEAK_HBM] > 0 ? r->amount[TP_PEAK_FLOP] / r->amount[TP_PEAK_HBM] : NAN;
	for (int k = 0; k < TP_OP_LIMITS; k++) {
		r->rate[k] = r->time_ps > 0 ? r->amount[k] * 1e12 / r->time_ps : NAN;
		r->share[k] = peak[k] > 0 ? r->rate[k] / peak[k] : NAN;
		if (!(r->share[k] > 0) || r->share[k] <= r->efficiency)
			continue;
		r->efficiency = r->share[k];
		r->bound = (enum tp_peak_kind)k;
	}
	r->impossible = r->efficiency > TP_MORE_THAN_POSSIBLE;
}

static struct tp_roof
roof_of(const struct tp_op_total *t, const double *peak)
{
	struct tp_roof roof = {.time_ps = (double)t->total_ps};

	for (int k = 0; k < TP_OP_LIMITS; k++)
		roof.amount[k] = (double)t->amount[k];
	tp_roof_find(&roof, peak);
	return roof;
}

static bool
costs_anything(const struct tp_roof *roof)
{
	for (int k = 0; k < TP_OP_LIMITS; k++) {
		if (roof->amount[k] > 0)
			return true;
	}
	return false;
}

TP_ORDER(by_self, struct tp_roof_op, TP_DOWN(op->self_ps), TP_UP(op));

static bool
feeds(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S("infeed")) || tp_slice_eq(category, TP_S("outfeed"));
}

static void
add_operations(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_roofline *r)
{
	r->ops = tp_new_array(ctx->keep, struct tp_roof_op, o->count);
	for (size_t i = 0; i < o->count; i++) {
		struct tp_roof roof = roof_of(&o->ops[i], r->peak);

		if (!tp_op_is_container(o->ops[i].category))
			r->operations.time_ps += roof.time_ps;
		bool feed = feeds(o->ops[i].category);

		r->has_feeds |= feed;
		r->unfed.time_ps -= feed ? (double)o->ops[i].self_ps : 0;
		for (int k = 0; k < TP_OP_LIMITS; k++) {
			r->program.amount[k] += roof.amount[k];
			r->unfed.amount[k] += feed ? 0 : roof.amount[k];
		}
		if (costs_anything(&roof))
			r->ops[r->count++] = (struct tp_roof_op){&o->ops[i], roof};
	}
	memcpy(r->operations.amount, r->program.amount, sizeof r->operations.amount);
	qsort(r->ops, r->count, sizeof *r->ops, by_self);
}

/* An operation's costs, an occurrence. */
struct cost {
	bool container, by_event; /* by_event: custom calls cost what each call says */
	double amount[TP_OP_LIMITS];
};

static const struct cost *
costs_of(const struct tp_profile *p, struct tp_arena *scratch)
{
	struct cost *costs = tp_new_array(scratch, struct cost, p->op_count);

	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];
		uint64_t amount[TP_OP_LIMITS];

		costs[i] = (struct cost){
			.container = tp_op_is_container(op->category),
			.by_event = tp_op_costs_by_event(op->category),
		};
		tp_op_costs(op, amount);
		for (int k = 0; k < TP_OP_LIMITS; k++)
			costs[i].amount[k] = (double)amount[k];
	}
	return costs;
}

/* A step on a core, by the chip's clock. */
struct window {
	int64_t start_ps, duration_ps;
};

TP_ORDER(by_start, struct window, TP_UP(start_ps));

static void
add_event(const struct tp_line *ops, uint32_t event, const struct cost *cost, size_t *tag,
	struct tp_roof *sum)
{
	int64_t flops, bytes;

	sum->time_ps += (double)tp_line_chip_duration_ps(ops, event);
	if (cost->by_event && tp_tag_find(ops, tag, event, TP_TAG_FLOPS, &flops) && flops >= 0) {
		sum->amount[TP_PEAK_FLOP] += (double)flops;
		if (tp_tag_find(ops, tag, event, TP_TAG_BYTES, &bytes) && bytes > 0)
			sum->amount[TP_PEAK_HBM] += (double)bytes;
		return;
	}
	for (int k = 0; k < TP_OP_LIMITS; k++)
		sum->amount[k] += cost->amount[k];
}

/* A core: its operations, its steps in order of time, and what the operations of these add up to. */
struct core {
	const struct cost *costs;
	const struct tp_line *ops; /* NULL: none */
	struct window *windows;
	size_t count;
	struct tp_roof sum;
};

/* An operation belongs to the step that began last before it and has not ended, as in the steps' own times. */
static void
add_core(void *with, size_t index)
{
	struct core *core = &((struct core *)with)[index];
	const struct tp_line *ops = core->ops;
	const struct window *windows = core->windows;
	const struct cost *costs = core->costs;
	struct tp_roof sum = {0};
	size_t w = 0, tag = 0;

	for (uint32_t i = 0; core->count != 0 && ops != NULL && i < ops->count; i++) {
		int64_t start = tp_line_chip_start_ps(ops, i);

		while (w + 1 < core->count && windows[w + 1].start_ps <= start)
			w++;
		if (start < windows[w].start_ps || start - windows[w].start_ps >= windows[w].duration_ps ||
			costs[tp_line_op(ops, i)].container)
			continue;
		add_event(ops, i, &costs[tp_line_op(ops, i)], &tag, &sum);
	}
	core->sum = sum;
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

/* Adds up the innermost operations of complete steps on TPU cores, those that begin in a step, by the chip's clock: amounts and
 * the length of the steps into step, the same amounts and the operations' own time into operations. False: the steps are not
 * those of TPU cores. */
static bool
sum_steps(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_roof *step,
	struct tp_roof *operations)
{
	const struct tp_profile *p = ctx->profile;
	const struct cost *costs = costs_of(p, ctx->scratch);
	const struct tp_line **ops =
		tp_new_array(ctx->scratch, const struct tp_line *, p->device_count);
	struct core *cores = tp_new_array(ctx->scratch, struct core, steps->timelines);

	if (steps->cells == NULL)
		return false;
	for (uint32_t i = p->line_count; i-- > 0;) {
		if (p->lines[i].device != TP_NONE && p->lines[i].kind == TP_LINE_OPS)
			ops[p->lines[i].device] = &p->lines[i];
	}
	for (size_t c = 0; c < steps->timelines; c++) {
		cores[c].costs = costs;
		cores[c].ops = ops[steps->cores[c].device];
		cores[c].windows = tp_new_array(ctx->scratch, struct window, steps->count);
		cores[c].count = windows_of(steps, c, cores[c].windows, step);
	}
	tp_pool_each(ctx->options->pool, steps->timelines, add_core, cores);
	for (size_t c = 0; c < steps->timelines; c++) {
		operations->time_ps += cores[c].sum.time_ps;
		for (int k = 0; k < TP_OP_LIMITS; k++)
			operations->amount[k] += cores[c].sum.amount[k];
	}
	memcpy(step->amount, operations->amount, sizeof step->amount);
	return step->time_ps > 0;
}

static void
add_steps(const struct tp_pass_ctx *ctx, struct tp_roofline *r)
{
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);
	struct tp_roof step = {0}, operations = {0};

	if (steps == NULL || !sum_steps(ctx, steps, &step, &operations))
		return;
	r->has_step = true;
	r->step_count = steps->count;
	r->steps_inferred = steps->inferred;
	r->step = step;
	r->operations = operations;
	tp_roof_find(&r->step, r->peak);
}

/* The peak that all devices with operations share. */
static double
common_peak(const struct tp_peaks *peaks, const struct tp_devices *d, int kind)
{
	double first = peaks->devices[d->devices[0].device].of[kind].value;

	for (size_t i = 1; i < d->count; i++) {
		if (peaks->devices[d->devices[i].device].of[kind].value != first)
			return 0;
	}
	return first;
}

/* A roof needs both. */
static enum tp_status
need_peaks(const struct tp_peaks *peaks, const struct tp_devices *d, const struct tp_roofline *r,
	struct tp_err *err)
{
	static const enum tp_peak_kind needed[] = {TP_PEAK_FLOP, TP_PEAK_HBM};

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (r->peak[needed[i]] > 0)
			continue;
		for (size_t k = 0; k < d->count; k++) {
			const struct tp_peak *peak = &peaks->devices[d->devices[k].device].of[needed[i]];

			if (!(peak->value > 0))
				return tp_fail(err, TP_ABSENT, why_no_peak_of,
					needed[i] == TP_PEAK_FLOP ? "FLOP/s" : "memory bandwidth", TP_ARG(peak->how));
		}
		return tp_fail(err, TP_ABSENT, why_peaks_differ);
	}
	return TP_OK;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	struct tp_roofline *r = tp_new(ctx->keep, struct tp_roofline);

	if (o == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(tp_skipped(ctx, &tp_pass_ops)));
	if (o->on_host)
		return tp_fail(err, TP_ABSENT, why_on_host);
	if (!o->has_costs)
		return tp_fail(err, TP_ABSENT, why_no_costs);
	if (d == NULL || peaks == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(tp_skipped(ctx, &tp_pass_devices)));
	for (int k = 0; k < TP_OP_LIMITS; k++)
		r->peak[k] = common_peak(peaks, d, k);
	if (need_peaks(peaks, d, r, err) != TP_OK)
		return err->status;
	add_operations(ctx, o, r);
	add_steps(ctx, r);
	r->program.time_ps = (double)d->total_ps;
	r->unfed.time_ps += r->program.time_ps;
	tp_roof_find(&r->program, r->peak);
	tp_roof_find(&r->unfed, r->peak);
	tp_roof_find(&r->operations, r->peak);
	*result = r;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_peaks, &tp_pass_devices, &tp_pass_steps, &tp_pass_ops, NULL};

/* Operations that are missing themselves are told by their own pass. */
static struct tp_slice
without_costs(const struct tp_pass_ctx *ctx)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);

	return o != NULL && !o->on_host && !o->has_costs ? tp_skipped(ctx, &tp_pass_roofline)
													 : TP_S("");
}

static bool
is_of_amd(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (tp_slice_eq(p->devices[i].vendor, TP_S("AMD")) ||
			tp_amd_target(&p->devices[i]).len != 0)
			return true;
	}
	return false;
}

static struct tp_slice
without_costs_on_amd(const struct tp_pass_ctx *ctx)
{
	return is_of_amd(ctx->profile) ? without_costs(ctx) : TP_S("");
}

static struct tp_slice
without_costs_elsewhere(const struct tp_pass_ctx *ctx)
{
	return is_of_amd(ctx->profile) ? TP_S("") : without_costs(ctx);
}

static struct tp_slice
without_peaks(const struct tp_pass_ctx *ctx)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);

	return o != NULL && !o->on_host && o->has_costs ? tp_skipped(ctx, &tp_pass_roofline) : TP_S("");
}

static const struct tp_lack lacks[] = {
	{"gpu-costs", "The roofline: operations against compute and memory limits", TP_LACK_ON_GPU,
		.why = without_costs_elsewhere,
		.any = "XLA's profiler states costs only on TPUs: measure the kernels that matter with "
			   "Nsight Compute (`ncu --set roofline`)."},
	{"amd-costs", "The roofline: operations against compute and memory limits", TP_LACK_ON_GPU,
		.why = without_costs_on_amd,
		.any = "XLA's profiler states costs only on TPUs: measure the kernels that matter with "
			   "`rocprof-compute profile`."},
	{"tpu-costs", "The roofline: operations against compute and memory limits", TP_LACK_ON_TPU,
		.why = without_costs,
		.any = "Give the run's `*.xplane.pb` as written by libtpu: it states operation costs."},
	{"peaks", "The roofline: operations against compute and memory limits",
		TP_LACK_ON_GPU | TP_LACK_ON_TPU, .why = without_peaks,
		.any = "Give the device's peaks with `--peak`."},
	{0},
};

const struct tp_pass tp_pass_roofline = {
	.name = "roofline",
	.title = "Roofline",
	.summary = "operations, the average step and the program against compute and memory limits",
	.after = after,
	.place = TP_PLACE_ROOFLINE,
	.analyze = analyze,
	.metrics = tp_roofline_metrics,
	.present = tp_roofline_present,
	.present_skipped = tp_roofline_skipped,
	.lacks = lacks,
};
