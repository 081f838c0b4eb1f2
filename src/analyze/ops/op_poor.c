/* Which operations use little of the device. */
#include "analyze/ops/op_poor.h"

#include "analyze/facts/op_times.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/padding.h"

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
