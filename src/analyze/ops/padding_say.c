/* What several tables of the padding section say of an operation: how much of the unit it fills, and its name. */
#include "analyze/ops/padding_present.h"

#include "analyze/ops/ops.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

struct tp_value
tp_padding_fit_value(double fit)
{
	return isfinite(fit) ? tp_number(fit, TP_UNIT_SHARE)
						 : tp_missing(TP_S("the layout has no tiles"));
}

struct tp_slice
tp_padding_row_name(const struct tp_pass_ctx *ctx, const struct tp_op_total *t)
{
	return tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(t->program), TP_ARG(t->op->label));
}
