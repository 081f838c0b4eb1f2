/* Rates follow xprof's op_metrics_to_record.h. Uses are over self time, so that time nested in an operation, which has
 * costs of its own, is not counted twice. */
#include "analyze/ops/op_use.h"

#include "analyze/facts/devices.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/peaks.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"

#include <math.h>

struct tp_op_peaks
tp_op_peaks(const struct tp_pass_ctx *ctx)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_peaks *p = tp_result(ctx, &tp_pass_peaks);

	if (d == NULL || p == NULL)
		return (struct tp_op_peaks){0};
	struct tp_op_peaks peaks = {
		.of = {[TP_PEAK_FLOP] = d->peak_flop_per_s, [TP_PEAK_HBM] = d->peak_bytes_per_s}};

	for (int k = TP_PEAK_CMEM_READ; k <= TP_PEAK_SHARED; k++)
		peaks.of[k] = p->common.of[k].value;
	return peaks;
}

struct tp_slice
tp_op_limit(enum tp_peak_kind kind)
{
	static const char *const names[TP_PEAK_COUNT] = {
		[TP_PEAK_FLOP] = "compute",
		[TP_PEAK_HBM] = "HBM",
		[TP_PEAK_CMEM_READ] = "CMEM read",
		[TP_PEAK_CMEM_WRITE] = "CMEM write",
		[TP_PEAK_VMEM_READ] = "VMEM read",
		[TP_PEAK_VMEM_WRITE] = "VMEM write",
		[TP_PEAK_SHARED] = "shared memory",
		[TP_PEAK_CAPACITY] = "",
	};

	return kind < TP_PEAK_COUNT ? tp_slice_of(names[kind]) : TP_S("");
}

struct tp_value
tp_use_of_peak(double amount, double at_peak, struct tp_slice no_peak)
{
	struct tp_value use = tp_share(amount, at_peak, no_peak);

	return tp_known(use) && use.number > TP_MORE_THAN_POSSIBLE ? tp_missing(TP_S(TP_IMPOSSIBLE))
															   : use;
}

static bool
overruns(uint64_t amount, int64_t time_ps, double peak)
{
	return peak > 0 && (double)amount * 1e12 / peak > TP_MORE_THAN_POSSIBLE * (double)time_ps;
}

/* FLOPs are counted, not estimated as bytes are: more than the peak is that of a call which its own author states, and all that
 * holds such a call has it too. */
static struct tp_value
at_most_the_peak(struct tp_value flops_use)
{
	bool more = tp_known(flops_use) && flops_use.number > 1 + 1e-6;

	return more ? tp_missing(TP_S(why_more_flop)) : flops_use;
}

/* As the profiler has it, which knew the peak. */
static struct tp_value
precomputed_use(const struct tp_op_total *t, double at_peak_ps)
{
	if (isnan(at_peak_ps))
		return tp_missing(TP_S(why_not_said));
	if (at_peak_ps > TP_MORE_THAN_POSSIBLE * (double)t->self_ps)
		return tp_missing(TP_S(why_asynchronous));
	return tp_share(at_peak_ps, (double)t->self_ps, TP_S(why_no_time));
}

/* No profile tells what of an operation's bytes went through a GPU's shared memory. */
static uint64_t
amount_of(const struct tp_op_total *t, enum tp_peak_kind kind)
{
	return kind == TP_PEAK_SHARED ? t->bytes : t->amount[kind];
}

static struct tp_value
use_of(const struct tp_op_total *t, enum tp_peak_kind kind, const struct tp_op_peaks *peaks)
{
	uint64_t amount = amount_of(t, kind);
	double peak = peaks->of[kind];

	if (t->uses_precomputed && kind == TP_PEAK_FLOP)
		return precomputed_use(t, t->flops_at_peak_ps);
	if (t->uses_precomputed && kind == TP_PEAK_HBM)
		return precomputed_use(t, t->hbm_at_peak_ps);
	if (kind == TP_PEAK_FLOP ? !t->has_flops : !t->has_costs)
		return tp_missing(TP_S(why_no_costs));
	if (!(peak > 0))
		return tp_missing(TP_S(why_no_peak));
	if (overruns(amount, t->self_ps, peak))
		return tp_missing(TP_S(why_asynchronous));
	return tp_share((double)amount * 1e12 / peak, (double)t->self_ps, TP_S(why_no_time));
}

struct tp_value
tp_op_use(const struct tp_op_total *t, enum tp_peak_kind kind, const struct tp_op_peaks *peaks)
{
	struct tp_value use = use_of(t, kind, peaks);

	return kind == TP_PEAK_FLOP ? at_most_the_peak(use) : use;
}

struct tp_value
tp_op_rate_of(const struct tp_op_total *t, uint64_t amount, enum tp_unit unit, double peak)
{
	if (unit == TP_UNIT_FLOP_PER_S ? !t->has_flops : !t->has_costs)
		return tp_missing(TP_S(why_no_costs));
	if (t->total_ps <= 0)
		return tp_missing(TP_S(why_no_time));
	if (overruns(amount, t->total_ps, peak))
		return tp_missing(TP_S(why_asynchronous));
	return tp_number((double)amount * 1e12 / (double)t->total_ps, unit);
}

struct tp_value
tp_op_rate(const struct tp_op_total *t, enum tp_peak_kind kind, const struct tp_op_peaks *peaks)
{
	return tp_op_rate_of(t, amount_of(t, kind),
		kind == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S, peaks->of[kind]);
}

struct tp_value
tp_op_intensity(const struct tp_op_total *t)
{
	if (!t->has_costs)
		return tp_missing(TP_S(why_no_costs));
	if (t->bytes == 0)
		return tp_missing(TP_S(why_no_bytes));
	return tp_number((double)t->amount[TP_PEAK_FLOP] / (double)t->bytes, TP_UNIT_FLOP_PER_BYTE);
}

double
tp_op_find_waste(struct tp_op_total *t, const struct tp_op_peaks *peaks)
{
	struct tp_value flops = tp_op_use(t, TP_PEAK_FLOP, peaks);
	struct tp_value hbm = tp_op_use(t, TP_PEAK_HBM, peaks);
	double most = 0;

	/* Not known how much of the time the copy that it began or ended kept the memory busy. */
	double possible_ps = TP_MORE_THAN_POSSIBLE * (double)t->self_ps;

	t->has_overrun = t->uses_precomputed
		? t->flops_at_peak_ps > possible_ps || t->hbm_at_peak_ps > possible_ps
		: t->has_costs &&
			(overruns(t->amount[TP_PEAK_FLOP], t->self_ps, peaks->of[TP_PEAK_FLOP]) ||
				overruns(t->amount[TP_PEAK_HBM], t->self_ps, peaks->of[TP_PEAK_HBM]));
	/* Of a kernel whose bytes are not known it is not known what it needed. */
	if (t->has_overrun || (!t->has_costs && !t->uses_precomputed) ||
		(!tp_known(flops) && !tp_known(hbm)))
		return NAN;
	if (tp_known(flops))
		most = flops.number;
	if (tp_known(hbm) && hbm.number > most)
		most = hbm.number;
	return (double)t->self_ps * (most < 1 ? 1 - most : 0);
}

struct tp_value
tp_op_wasted(const struct tp_op_total *t)
{
	if (isfinite(t->wasted_ps))
		return tp_number(t->wasted_ps, TP_UNIT_PS);
	if (t->has_overrun)
		return tp_missing(TP_S(why_asynchronous));
	return t->has_costs ? tp_missing(TP_S(why_no_peak)) : tp_missing(TP_S(why_no_costs));
}

struct tp_value
tp_op_bound_by(const struct tp_op_total *t, const struct tp_op_peaks *peaks, struct tp_value *use)
{
	struct tp_value most = {.kind = TP_VALUE_MISSING}, name = tp_missing(TP_S(why_no_costs));
	bool known = t->has_costs || t->uses_precomputed, any_peak = false;

	for (enum tp_peak_kind k = 0; known && k <= TP_PEAK_SHARED; k++) {
		struct tp_value one = tp_op_use(t, k, peaks);

		any_peak |= peaks->of[k] > 0 || (t->uses_precomputed && k <= TP_PEAK_HBM);
		if (!tp_known(one) || one.number <= (tp_known(most) ? most.number : 0))
			continue;
		most = one;
		name = tp_text_value(tp_op_limit(k));
	}
	if (known && t->has_overrun)
		name = most = tp_missing(TP_S(why_asynchronous));
	else if (known && !tp_known(most))
		name = most =
			any_peak ? tp_missing(TP_S(why_needs_nothing)) : tp_missing(TP_S(why_no_peak));
	if (use != NULL)
		*use = known ? most : name;
	return name;
}

struct tp_value
tp_op_time(const struct tp_ops *o, struct tp_value time)
{
	return o->only_shares ? tp_missing(TP_S(why_only_shares_of_time)) : time;
}

struct tp_value
tp_op_type(struct tp_slice type)
{
	return tp_slice_eq(type, TP_S(TP_OP_NO_TYPE))
		? tp_missing(TP_S("the profile does not state its type"))
		: tp_text_value(type);
}

struct tp_value
tp_op_busy_share(const struct tp_ops *o, int64_t time_ps)
{
	return tp_share((double)time_ps, (double)o->busy_ps, TP_S(why_no_time));
}

struct tp_value
tp_op_occurrences(const struct tp_op_total *t)
{
	return t->occurrences != 0 ? tp_count(t->occurrences) : tp_missing(TP_S(why_how_often));
}

struct tp_value
tp_op_each(const struct tp_ops *o, const struct tp_op_total *t, int64_t sum_ps)
{
	struct tp_value occurrences = tp_op_occurrences(t);

	return tp_known(occurrences)
		? tp_op_time(o, tp_number((double)sum_ps / (double)t->occurrences, TP_UNIT_PS))
		: occurrences;
}

/* What took less of busy time is not worth a judgement. */
#define NOTEWORTHY 0.01

/* More than this is above the peak, not rounded to it. */
#define ROUNDS_TO_PEAK 1.005

enum tp_judge
tp_op_judge(const struct tp_op_total *t, struct tp_value use, int64_t busy_ps)
{
	if (tp_known(use) && use.number > ROUNDS_TO_PEAK)
		return TP_JUDGE_UNDECIDED;
	if (!tp_known(use) || !isfinite(t->wasted_ps) || t->self_ps <= 0 ||
		(double)t->self_ps < NOTEWORTHY * (double)busy_ps)
		return TP_JUDGE_NONE;
	return use.number >= TP_OP_USE_GOOD ? TP_JUDGE_GOOD
		: use.number >= TP_OP_USE_POOR  ? TP_JUDGE_WARN
										: TP_JUDGE_BAD;
}

struct tp_slice
tp_op_short_name(const struct tp_pass_ctx *ctx, struct tp_slice name)
{
	enum { LONGEST = 48 };

	/* A kernel's C++ name would fill lines; the tables have it whole. */
	return tp_utf8_shorten(ctx->keep, tp_kernel_short_name(name, ctx->keep), LONGEST);
}

struct tp_slice
tp_op_framework_text(struct tp_slice text)
{
	text.len -= tp_slice_ends(text, TP_S(":"));
	return text;
}

struct tp_slice
tp_op_row_name(const struct tp_pass_ctx *ctx, const struct tp_op_total *t)
{
	return tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(t->program), TP_ARG(t->op->label));
}
