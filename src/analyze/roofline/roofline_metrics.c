/* The roofline's headline figures. */
#include "analyze/roofline/roofline.h"

#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

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
	struct tp_slice why = tp_skipped(ctx, &tp_pass_roofline);

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
	tp_doc_metric(doc, TP_S("roofline.ridge_flop_per_byte"), "Ridge point",
		r ? tp_roof_ridge(r, TP_PEAK_HBM) : tp_missing(why),
		TP_S("peak FLOP/s over peak memory bandwidth: with fewer FLOP a byte memory is the limit"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("flops.relative_to_roofline_share"), "FLOPS relative to the roofline",
		r ? of_roof(&r->operations) : tp_missing(why),
		TP_S("FLOP/s while operations run over the smaller of peak FLOP/s and FLOP a byte × peak "
			 "memory bandwidth"),
		coverage(ctx, r));
}
