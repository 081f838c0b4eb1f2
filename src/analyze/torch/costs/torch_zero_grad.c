/* What it costs to set gradients to 0, where Optimizer.zero_grad could drop them instead (set_to_none=True, the default from
 * torch 2.0 on). */
#include "analyze/facts/op_times.h"
#include "analyze/steps/step_counted.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

/* "Optimizer.zero_grad#SGD.zero_grad" */
static bool
is_zero_grad(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	return tp_torch_is_range(t->kind[event]) &&
		tp_slice_starts(tp_torch_name(p, t, event), TP_S("Optimizer.zero_grad"));
}

static bool
fills(struct tp_slice name)
{
	return tp_texts_any(
		name, tp_slice_eq, TP_TEXTS("aten::zero_", "aten::fill_", "aten::_foreach_zero_"));
}

static bool
in_steps(const struct tp_torch_trace_steps *s, int64_t ps)
{
	return s->count != 0 && ps >= s->steps[0].start_ps && ps < s->steps[s->count - 1].end_ps;
}

/* By event: the zero_grad that it is or is in; TP_NONE: none. What holds an event comes before it. */
static uint32_t *
find_around(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_torch_trace_steps *steps,
	struct tp_torch_costs *out)
{
	uint32_t *around = tp_new_array(ctx->scratch, uint32_t, t->count);
	bool found = false;

	for (uint32_t e = 0; e < t->count; e++) {
		around[e] = links->parent[e] == TP_NONE ? TP_NONE : around[links->parent[e]];
		if (around[e] != TP_NONE || !is_zero_grad(ctx->profile, t, e))
			continue;
		found = true;
		if (!in_steps(steps, tp_torch_start_ps(t, e)))
			continue;
		around[e] = e;
		out->zero_grads++;
	}
	out->zero_grad_recorded |= found;
	return found ? around : NULL;
}

void
tp_torch_add_zero_grads(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_counted_steps *counted,
	const struct tp_interval *work, size_t work_count, struct tp_torch_costs *out)
{
	const struct tp_torch_trace_steps *steps = &counted->steps;
	const uint32_t *around = find_around(ctx, t, links, steps, out);
	const struct tp_cover cover =
		tp_cover_of(work, work_count, tp_new_array(ctx->scratch, uint64_t, work_count));

	out->zero_step_ps += counted->whole_ps;
	for (uint32_t e = 0; around != NULL && e < t->count; e++) {
		uint32_t call = links->call[e];

		if (tp_torch_is_work(t->kind[e])) {
			if (call != TP_NONE && around[call] != TP_NONE)
				out->zero_ps += counted->weight * (double)tp_torch_duration_ps(t, e);
		} else if (t->kind[e] == TP_TORCH_OPERATOR && around[e] != TP_NONE &&
			links->parent[e] == around[e] && fills(tp_torch_name(ctx->profile, t, e))) {
			out->zero_fills++;
			out->zero_ps += counted->weight *
				(double)(tp_torch_duration_ps(t, e) -
					tp_cover_within(&cover, tp_torch_start_ps(t, e), tp_torch_end_ps(t, e)));
		}
	}
}
