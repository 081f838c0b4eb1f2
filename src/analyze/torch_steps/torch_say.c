/* Naming traces. */
#include "analyze/torch_steps/torch_say.h"

#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

struct tp_scope
tp_torch_scope(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t)
{
	return (struct tp_scope){
		.worker = t->worker, .span = tp_arena_printf(ctx->keep, "%u", t->span_number)};
}

struct tp_slice
tp_torch_who(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t)
{
	const struct tp_torch *torch = ctx->profile->torch;

	if (torch->trace_count == 1)
		return TP_S("the trace");
	if (torch->trace_count == torch->worker_count)
		return t->worker;
	return tp_arena_printf(ctx->keep, "%.*s, span %u", TP_ARG(t->worker), t->span_number);
}

struct tp_slice
tp_torch_all(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;

	if (torch->trace_count == 1)
		return TP_S("the trace");
	return torch->worker_count == 1
		? tp_arena_printf(ctx->keep, "all spans of %.*s", TP_ARG(torch->traces[0]->worker))
		: TP_S("all workers and spans");
}
