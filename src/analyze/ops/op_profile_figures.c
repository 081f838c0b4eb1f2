/* Headline figures of an op profile. Its FLOPS are of the peak over busy time and idle time both. */
#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_poor.h"
#include "analyze/ops/op_profile.h"
#include "model/precomputed.h"

#include <math.h>

static struct tp_value
share(double of)
{
	return tp_number(of, TP_UNIT_SHARE);
}

static void
padding_metrics(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	struct tp_slice file = tp_precomputed(ctx)->program_ops.from;

	if (p->padding.state != TP_PADDING_JUDGED && p->padding.state != TP_PADDING_NO_PRODUCT)
		return;
	tp_precomputed_fill(ctx, doc, "padding.lost_share",
		share(p->padding.lost_ps / (double)p->ops.busy_ps), "by the layouts in it", file);
	tp_precomputed_fill(ctx, doc, "padding.lost_ms",
		tp_op_time(&p->ops, tp_number(p->padding.lost_ps / 1e9, TP_UNIT_MS)),
		"by the layouts in it", file);
}

static void
precision_metrics(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	struct tp_slice file = tp_precomputed(ctx)->program_ops.from;
	double half = (double)o->half_ps / (double)o->compute_ps;

	if (!o->half_known)
		return;
	tp_precomputed_fill(
		ctx, doc, "precision.compute_16bit_share", share(half), "by the HLO in it", file);
	tp_precomputed_fill(
		ctx, doc, "precision.compute_32bit_share", share(1 - half), "by the HLO in it", file);
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
	precision_metrics(ctx, o, doc);
	padding_metrics(ctx, p, doc);
}

/* A figure of it as a tile; without a value there is none. */
