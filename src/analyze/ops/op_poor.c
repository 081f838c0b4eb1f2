/* Which operations use little of the device, and what a finding says of them. */
#include "analyze/ops/op_poor.h"

#include "analyze/facts/op_times.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/padding.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"

#include <math.h>

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

		if (t->hue != TP_HUE_COMPUTE || !isfinite(t->wasted_ps) || tp_op_is_container(t->category))
			continue;
		poor.known = true;
		if (t->wasted_ps <= (1 - TP_OP_USE_POOR) * (double)t->self_ps || is_padded(p, i))
			continue;
		poor.count++;
		poor.self_ps = tp_add_ps(poor.self_ps, t->self_ps);
		poor.wasted_ps += t->wasted_ps;
		if (!t->left_out && (poor.worst == NULL || t->wasted_ps > poor.worst->wasted_ps))
			poor.worst = t;
	}
	return poor;
}

double
tp_op_poor_saving_ps(const struct tp_pass_ctx *ctx, const struct tp_op_poor *poor)
{
	const struct tp_ops *o = tp_ops_known(ctx);

	return tp_steps_part_of_busy_ps(
		tp_result(ctx, &tp_pass_steps), poor->wasted_ps, o != NULL ? (double)o->busy_ps : 0);
}

void
tp_op_poor_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	struct tp_op_poor poor = tp_op_poor(ctx);
	const struct tp_ops *o = tp_ops_known(ctx);
	struct tp_op_peaks peaks = tp_op_peaks(ctx);

	if (poor.worst == NULL)
		return;
	struct tp_value use, limit = tp_op_bound_by(poor.worst, &peaks, &use);
	struct tp_value name = tp_text_value(tp_op_short_name(ctx, poor.worst->op->label));
	struct tp_value share = tp_op_busy_share(o, poor.worst->self_ps);

	finding->saw = tp_doc_join(doc, finding->saw,
		tp_known(limit)
			? TP_SAY(doc, " Most is wasted by `{}`: {} of busy time, with {} of {} in use.", name,
				  share, use, limit)
			: TP_SAY(doc, " Most is wasted by `{}`: {} of busy time.", name, share));
}
