/* What some work reached of the limits: worked out, as values, and as the roofline's headline figures. */
#include "analyze/roofline/roofline.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

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

static struct tp_value
known(double number, enum tp_unit unit, const char *reason)
{
	return isfinite(number) ? tp_number(number, unit) : tp_missing(tp_slice_of(reason));
}

#define NO_TIME "it took no time"
#define NO_BYTES "it moves no bytes of HBM"
#define NO_PEAK "the peak is not known"
#define ASYNCHRONOUS "more than the peak allows in its own time: the work runs asynchronously"

struct tp_value
tp_roof_intensity(const struct tp_roof *r)
{
	return known(r->intensity, TP_UNIT_FLOP_PER_BYTE, NO_BYTES);
}

struct tp_value
tp_roof_rate(const struct tp_roof *r, enum tp_peak_kind kind)
{
	if (r->share[kind] > 0 && r->impossible)
		return tp_missing(TP_S(ASYNCHRONOUS));
	return known(
		r->rate[kind], kind == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S, NO_TIME);
}

struct tp_value
tp_roof_share(const struct tp_roof *r, enum tp_peak_kind kind)
{
	return r->impossible ? tp_missing(TP_S(ASYNCHRONOUS))
						 : known(r->share[kind], TP_UNIT_SHARE, NO_PEAK);
}

struct tp_value
tp_roof_efficiency(const struct tp_roof *r)
{
	return r->impossible ? tp_missing(TP_S(ASYNCHRONOUS))
						 : known(r->efficiency, TP_UNIT_SHARE, "it uses no limit that is known");
}

struct tp_value
tp_roof_bound(const struct tp_roof *r)
{
	if (r->impossible)
		return tp_missing(TP_S(ASYNCHRONOUS));
	return r->bound == TP_PEAK_COUNT ? tp_missing(TP_S("it uses no limit that is known"))
									 : tp_text_value(tp_op_limit(r->bound));
}

struct tp_value
tp_roof_ridge(const struct tp_roofline *r, enum tp_peak_kind kind)
{
	return r->peak[kind] > 0
		? tp_number(r->peak[TP_PEAK_FLOP] / r->peak[kind], TP_UNIT_FLOP_PER_BYTE)
		: tp_missing(TP_S(NO_PEAK));
}

/* FLOP/s over what the roof allows at this intensity: the larger share of compute and HBM. */
static struct tp_value
of_roof(const struct tp_roof *r)
{
	if (!(r->amount[TP_PEAK_FLOP] > 0))
		return tp_missing(TP_S("the operations state no FLOP"));
	return tp_number(fmax(r->share[TP_PEAK_FLOP], r->share[TP_PEAK_HBM]), TP_UNIT_SHARE);
}

static struct tp_slice
coverage(const struct tp_pass_ctx *ctx, const struct tp_roofline *r)
{
	if (r == NULL)
		return TP_S("");
	return r->has_step
		? tp_arena_printf(ctx->keep, "%zu complete %s%s", r->step_count,
			  tp_plural(r->step_count, "step", "steps"), r->steps_inferred ? ", inferred" : "")
		: TP_S("the whole capture, which has no steps of TPU cores");
}

static void
metrics_of(const struct tp_pass_ctx *ctx, const struct tp_roof *r, struct tp_slice why,
	const char *key, const char *name, struct tp_slice how, struct tp_slice covers,
	struct tp_doc *doc)
{
	const struct {
		const char *id, *label;
		struct tp_value value;
	} figures[] = {
		{"flop_per_s", "FLOP/s", r ? tp_roof_rate(r, TP_PEAK_FLOP) : tp_missing(why)},
		{"hbm_bytes_per_s", "HBM bytes a second",
			r ? tp_roof_rate(r, TP_PEAK_HBM) : tp_missing(why)},
		{"intensity_flop_per_byte", "FLOP a byte of HBM",
			r ? tp_roof_intensity(r) : tp_missing(why)},
		{"flops_share", "share of peak FLOP/s",
			r ? tp_roof_share(r, TP_PEAK_FLOP) : tp_missing(why)},
		{"hbm_share", "share of peak memory bandwidth",
			r ? tp_roof_share(r, TP_PEAK_HBM) : tp_missing(why)},
		{"efficiency_share", "roofline efficiency", r ? tp_roof_efficiency(r) : tp_missing(why)},
		{"bound_by", "bound by", r ? tp_roof_bound(r) : tp_missing(why)},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "roofline.%s.%s", key, figures[i].id),
			tp_arena_printf(ctx->keep, "%s: %s", name, figures[i].label).ptr, figures[i].value, how,
			covers);
}

void
tp_roofline_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_roofline *r = result;
	struct tp_slice why = tp_skipped_itself(ctx);

	metrics_of(ctx, r ? &r->program : NULL, why, "program", "Whole program",
		TP_S("Σ over innermost operations over device time, idle included; efficiency: the largest "
			 "share of a peak, that of what it is bound by"),
		TP_S(""), doc);
	metrics_of(ctx, r ? &r->unfed : NULL, why, "unfed", "Without infeed and outfeed",
		TP_S("the same without infeed and outfeed operations and their time"), TP_S(""), doc);
	metrics_of(ctx, r && r->has_step ? &r->step : NULL,
		r ? TP_S("no TPU core has complete steps") : why, "step", "Average step",
		TP_S("the same over the operations and the length of complete steps"), coverage(ctx, r),
		doc);
	metrics_of(ctx, r ? &r->operations : NULL, why, "operations", "While operations run",
		TP_S("the same over the time of the innermost operations alone, of complete steps where "
			 "there are any"),
		coverage(ctx, r), doc);
	tp_say_metric(doc, "roofline.ridge_flop_per_byte", "Ridge point",
		r ? tp_roof_ridge(r, TP_PEAK_HBM) : tp_missing(why),
		"peak FLOP/s over peak memory bandwidth: with fewer FLOP a byte memory is the limit");
	tp_doc_metric(doc, TP_S("flops.relative_to_roofline_share"), "FLOPS relative to the roofline",
		r ? of_roof(&r->operations) : tp_missing(why),
		TP_S("FLOP/s while operations run over the smaller of peak FLOP/s and FLOP a byte × peak "
			 "memory bandwidth"),
		coverage(ctx, r));
}
