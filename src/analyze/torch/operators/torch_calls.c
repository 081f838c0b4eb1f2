/* Calls of operators, one by one: what sections on operators and on memory both build on. */
#include "analyze/core/pass.h"
#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_torch_calls *calls = tp_new(ctx->keep, struct tp_torch_calls);

	(void)err;
	calls->traces = tp_new_array(ctx->keep, const struct tp_torch_op_call *, torch->trace_count);
	for (uint32_t i = 0; i < torch->trace_count; i++)
		calls->traces[i] = tp_torch_op_calls_of(
			ctx->profile, torch->traces[i], &linked->traces[i], ctx->keep, ctx->scratch);
	*result = calls;
	return TP_OK;
}

const struct tp_pass tp_pass_torch_calls = {
	.name = "torch-calls",
	.title = "Calls of operators",
	.summary =
		"what each call of an operator took on host and device, alone and with what it called",
	.needs_all = TP_HAS_TORCH,
	.after = TP_AFTER(&tp_pass_torch_correlation),
	.place = TP_PLACE_METHOD,
	.analyze = analyze,
	.lacks_nothing = "the table of operators says what is missing",
};
