#include "analyze/core/limits.h"

#include "analyze/core/ctx.h"

struct tp_limits
tp_limits_of(const struct tp_pass_ctx *ctx, const char *rule, struct tp_limits usual)
{
	for (size_t i = 0; i < ctx->options->limit_count; i++) {
		if (tp_slice_eq(ctx->options->limits[i].rule, tp_slice_of(rule)))
			return ctx->options->limits[i].limits;
	}
	return usual;
}
