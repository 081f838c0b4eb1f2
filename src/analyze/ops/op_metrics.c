/* The headline figures of operations: utilisation, 16-bit arithmetic, the most expensive operation; as measured, and as an op
 * profile has them. */
#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/op_use.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

/* Why a utilisation is not known. */
static struct tp_slice
why_no_utilisation(const struct tp_pass_ctx *ctx, const struct tp_ops *o, enum tp_peak_kind peak)
{
	if (o == NULL)
		return tp_skipped_itself(ctx);
	if (o->on_host)
		return TP_S("the operations ran on the host's CPU, whose peak is unknown");
	if (peak == TP_PEAK_FLOP ? !o->has_flops : !o->has_costs)
		return peak == TP_PEAK_FLOP || !o->has_flops
			? TP_S("the profile does not give the FLOP and bytes of each kernel")
			: TP_S("the profile does not give the bytes of each kernel");
	if (peak == TP_PEAK_FLOP ? o->flops_impossible : o->hbm_impossible)
		return TP_S(TP_IMPOSSIBLE);
	struct tp_value value = tp_peak_value(ctx, peak);

	return tp_known(value) ? TP_S("not every device with operations has a known peak") : value.text;
}

static double
mean_matrix_unit_share(const struct tp_profile *p)
{
	double sum = 0;
	uint32_t count = 0;

	for (uint32_t h = 0; h < p->host_count; h++) {
		double share = p->hosts[h].matrix_unit_share;

		if (!isfinite(share))
			continue;
		sum += share;
		count++;
	}
	return count != 0 ? sum / count : NAN;
}

/* From so many points on they are not the same figure with another error. */
#define POINTS 0.05

bool
tp_above_matrix_unit(const struct tp_doc *doc)
{
	struct tp_value stated = tp_doc_value(doc, "flops.utilization_share");
	struct tp_value counted = tp_doc_value(doc, "matrix_unit.utilization_share");

	return tp_known(stated) && tp_known(counted) && stated.number - counted.number > POINTS;
}

static void
utilisation_metrics(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct tp_slice no_flops = why_no_utilisation(ctx, o, TP_PEAK_FLOP);
	struct tp_slice no_bytes = why_no_utilisation(ctx, o, TP_PEAK_HBM);
	bool rate = o != NULL && o->has_flops && d != NULL && d->total_ps > 0;

	struct tp_slice of = o != NULL && o->has_flops && !o->has_costs
		? TP_S("FLOP of matmuls only, by the HLO of their programs")
		: TP_S("");

	tp_doc_metric(doc, TP_S("flops.utilization_share"), "FLOPS utilisation",
		tp_number_or(o ? o->flops_share : NAN, TP_UNIT_SHARE, no_flops),
		TP_S(
			"Σ FLOP of operations (occurrences × the compiler's estimate, loops counted once; of a "
			"GPU's kernels, those of matmuls by the program's HLO) / (Σ device time, idle "
			"included, × peak FLOP/s)"),
		of);
	tp_say_metric(doc, "flops.busy_utilization_share", "FLOPS utilisation while busy",
		tp_number_or(o ? o->flops_busy_share : NAN, TP_UNIT_SHARE, no_flops),
		"Σ FLOP of operations (counted as for the utilisation with idle time) / (Σ busy device time × peak FLOP/s)");
	tp_say_metric(doc, "flops.rate_per_s", "FLOP/s per device",
		rate ? tp_number((double)o->flops / ((double)d->total_ps / 1e12), TP_UNIT_FLOP_PER_S)
			 : tp_missing(no_flops),
		"Σ FLOP / Σ device time, idle included");
	tp_say_metric(doc, "memory_bandwidth.utilization_share", "Memory-bandwidth utilisation",
		tp_number_or(o ? o->hbm_share : NAN, TP_UNIT_SHARE, no_bytes),
		"Σ HBM bytes of operations / (Σ device time, idle included, × peak bytes/s)");
	tp_say_metric(doc, "memory_bandwidth.busy_utilization_share",
		"Memory-bandwidth utilisation while busy",
		tp_number_or(o ? o->hbm_busy_share : NAN, TP_UNIT_SHARE, no_bytes),
		"Σ HBM bytes of operations / (Σ busy device time × peak bytes/s)");
	tp_say_metric(doc, "matrix_unit.utilization_share", "Matrix-unit utilisation",
		tp_number_or(mean_matrix_unit_share(ctx->profile), TP_UNIT_SHARE,
			TP_S("the profile has no performance counter for the matrix unit")),
		"performance counter in the profile, mean over hosts");
}

/* Arrays of which less is data are what makes the operation slow. */
#define MOSTLY_PADDING 0.5

static bool
is_padded(const struct tp_padding *p, size_t op)
{
	const struct tp_padding_fit *f = p != NULL ? tp_padding_of(p, op) : NULL;

	return f != NULL && f->product.fit < MOSTLY_PADDING;
}

struct tp_op_poor
tp_op_poor(const struct tp_pass_ctx *ctx)
{
	const struct tp_ops *o = tp_ops_known(ctx);
	const struct tp_padding *p = tp_padding_known(ctx);
	struct tp_op_poor poor = {0};

	for (size_t i = 0; o != NULL && i < o->count; i++) {
		const struct tp_op_total *t = &o->ops[i];

		if ((t->hue != TP_HUE_COMPUTE && t->hue != TP_HUE_HOST) || !isfinite(t->wasted_ps) ||
			tp_op_is_container(t->category))
			continue;
		poor.known = true;
		if (t->wasted_ps <= (1 - TP_OP_USE_POOR) * (double)t->self_ps || is_padded(p, i))
			continue;
		poor.self_ps = tp_add_ps(poor.self_ps, t->self_ps);
		poor.wasted_ps += t->wasted_ps;
		if (!t->left_out && (poor.worst == NULL || t->wasted_ps > poor.worst->wasted_ps))
			poor.worst = t;
	}
	return poor;
}

static void
waste_metrics(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	struct tp_op_poor poor = tp_op_poor(ctx);
	struct tp_slice none = why_no_utilisation(ctx, o, TP_PEAK_FLOP);
	struct tp_slice no_time = TP_S("no operation took any time");

	tp_say_metric(doc, "op.wasted_share", "Busy time wasted",
		o != NULL && isfinite(o->wasted_ps) ? tp_share(o->wasted_ps, (double)o->busy_ps, no_time)
											: tp_missing(none),
		"Σ over operations of self time × (1 − the larger share of peak FLOP/s and memory "
		"bandwidth) / busy time");
	tp_say_metric(doc, "op.poor_share", "Operations below a quarter of both peaks",
		o != NULL && poor.known ? tp_share((double)poor.self_ps, (double)o->busy_ps, no_time)
								: tp_missing(none),
		"self time of arithmetic that reaches less than a quarter of both peaks, over busy time; "
		"mostly padded operations excluded");
}

static void
other_metrics(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	struct tp_slice none = tp_skipped_itself(ctx);
	struct tp_value half = tp_missing(none), top = tp_missing(none), name = tp_missing(none);

	if (o != NULL) {
		half = o->half_known
			? tp_share((double)o->half_ps, (double)o->compute_ps, TP_S("no operation computes"))
			: tp_missing(TP_S("the profile does not give operand types"));
		top = tp_share(
			(double)o->ops[o->top].self_ps, (double)o->busy_ps, TP_S("no operation took any time"));
		name = tp_text_value(o->ops[o->top].op->label);
	}
	tp_doc_metric(doc, TP_S("precision.compute_16bit_share"), "Compute time in 16-bit precision",
		half,
		o != NULL && o->half_by_kernels
			? TP_S(
				  "self time of kernels with a half or bfloat16 operand or result, by the event or the "
				  "program's HLO, or, if operands are not recorded, with a name that says so (half, fp16, bf16, "
				  "h884 …), over self time of all arithmetic")
			: TP_S("self time of operations with a bf16 or f16 result or operand over self time of "
				   "all arithmetic"),
		TP_S(""));
	tp_say_metric(doc, "op.top.self_share", "Share of the top operation", top,
		"self time of the most expensive operation over busy time");
	tp_say_metric(doc, "op.top.name", "Top operation", name, "");
	waste_metrics(ctx, o, doc);
}

void
tp_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	utilisation_metrics(ctx, result, doc);
	other_metrics(ctx, result, doc);
}

/* Those of an op profile, whose FLOPS are of the peak over busy time and idle time both. */
static struct tp_value
share(double of)
{
	return tp_number(of, TP_UNIT_SHARE);
}

static void
precomputed_padding(
	const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	struct tp_slice file = tp_precomputed(ctx)->program_ops.from;

	if (p->padding.state != TP_PADDING_JUDGED && p->padding.state != TP_PADDING_NO_PRODUCT)
		return;
	tp_precomputed_fill(ctx, doc, "padding.lost_share",
		share(p->padding.lost_ps / (double)p->ops.busy_ps), "from its layouts", file);
	tp_precomputed_fill(ctx, doc, "padding.lost_ms",
		tp_op_time(&p->ops, tp_ps_in_ms(p->padding.lost_ps)), "from its layouts", file);
}

static void
precomputed_precision(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	struct tp_slice file = tp_precomputed(ctx)->program_ops.from;
	double half = (double)o->half_ps / (double)o->compute_ps;

	if (!o->half_known)
		return;
	tp_precomputed_fill(
		ctx, doc, "precision.compute_16bit_share", share(half), "from its HLO", file);
	tp_precomputed_fill(
		ctx, doc, "precision.compute_32bit_share", share(1 - half), "from its HLO", file);
}

void
tp_op_profile_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_op_profile *p = tp_result(ctx, &tp_pass_op_profile);

	if (p == NULL)
		return;
	const struct tp_ops *o = &p->ops;
	struct tp_slice file = tp_precomputed(ctx)->program_ops.from;
	struct tp_op_poor poor = tp_op_poor(ctx);
	double busy_ps = (double)o->busy_ps, all_ps = busy_ps + p->idle_ps;
	const struct {
		const char *metric;
		double share;
		const char *field;
	} figures[] = {
		{"flops.utilization_share", o->flops_share, "shares of the peak"},
		{"flops.busy_utilization_share", o->flops_busy_share, "shares of the peak"},
		{"memory_bandwidth.utilization_share", o->hbm_share, "shares of the peak"},
		{"memory_bandwidth.busy_utilization_share", o->hbm_busy_share, "shares of the peak"},
		{"device.idle_share", p->idle_ps / all_ps, "IDLE"},
		{"device.busy_share", busy_ps / all_ps, "the rest of IDLE"},
		{"op.wasted_share", o->wasted_ps / busy_ps, "what its operations left unused"},
		{"op.poor_share", poor.known ? (double)poor.self_ps / busy_ps : NAN,
			"what its operations left unused"},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_precomputed_fill(
			ctx, doc, figures[i].metric, share(figures[i].share), figures[i].field, file);
	precomputed_precision(ctx, o, doc);
	precomputed_padding(ctx, p, doc);
}
