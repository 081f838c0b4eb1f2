/* What steps that count have of each part of the host's time (torch_steps/torch_host_time.h), and which calls set devices up. */
#include "analyze/facts/op_times.h"
#include "analyze/steps/step_counted.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* Adds to by_op, by operation of the profile, how long each took in steps. */
static void
add_setup_calls(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_trace_steps *s, int64_t *by_op)
{
	struct tp_interval *in_steps = tp_new_array(ctx->scratch, struct tp_interval, s->count);
	uint64_t *before_ps = tp_new_array(ctx->scratch, uint64_t, s->count);

	for (uint32_t i = 0; i < s->count; i++)
		in_steps[i] = (struct tp_interval){s->steps[i].start_ps, s->steps[i].end_ps};
	const struct tp_cover cover =
		tp_cover_of(in_steps, tp_intervals_unite(in_steps, s->count), before_ps);

	for (uint32_t e = 0; e < t->count; e++) {
		if (tp_torch_sets_up(ctx->profile, t, e))
			by_op[tp_torch_op(t, e)] = tp_add_ps(by_op[tp_torch_op(t, e)],
				tp_cover_within(&cover, tp_torch_start_ps(t, e), tp_torch_end_ps(t, e)));
	}
}

void
tp_torch_add_host_bound(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_counted_steps *counted, int64_t *setup_by, struct tp_torch_costs *out)
{
	const struct tp_torch_trace_steps *s = &counted->steps;
	double sums_ps[TP_TORCH_HOST_PARTS] = {0};

	for (uint32_t i = 0; i < s->count; i++) {
		for (int k = 0; k < TP_TORCH_HOST_PARTS; k++)
			sums_ps[k] += (double)s->steps[i].host_ps[k];
	}
	out->step_count += s->count;
	out->step_ps += counted->whole_ps;
	out->queued_ps += counted->weight * sums_ps[TP_TORCH_HOST_QUEUED];
	out->setup_ps += counted->weight * sums_ps[TP_TORCH_HOST_SETUP];
	out->calls_ps += counted->weight * sums_ps[TP_TORCH_HOST_CALLS];
	out->operators_ps += counted->weight * sums_ps[TP_TORCH_HOST_OPERATORS];
	out->bound_ps += counted->weight *
		(sums_ps[TP_TORCH_HOST_CALLS] + sums_ps[TP_TORCH_HOST_OPERATORS] +
			sums_ps[TP_TORCH_HOST_NEITHER]);
	add_setup_calls(ctx, t, s, setup_by);
}
