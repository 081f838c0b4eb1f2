/* By the names of the CUDA and HIP libraries: what neither launches, copies, fills, records nor waits sets up. */
#include "analyze/torch_steps/torch_setup.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_busy.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#define LONG_PS 1000000000 /* 1 ms: shorter ones are none that wait for the driver */

static bool
sets_up(struct tp_slice name)
{
	static const char *const others[] = {
		"Launch", "Memcpy", "Memset", "Synchronize", "Event", "Wait"};

	if (!tp_slice_starts(name, TP_S("cu")) && !tp_slice_starts(name, TP_S("hip")))
		return false;
	if (tp_slice_has(name, TP_S("EventCreate")))
		return true;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (tp_slice_has(name, tp_slice_of(others[i])))
			return false;
	}
	return true;
}

static bool
counts(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t, uint32_t e)
{
	return tp_torch_is_call(t->kind[e]) && t->duration_ps[e] >= LONG_PS &&
		sets_up(tp_torch_name(ctx->profile, t, e));
}

size_t
tp_torch_setup_calls(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t)
{
	size_t calls = 0;

	for (uint32_t e = 0; e < t->count; e++)
		calls += counts(ctx, t, e);
	return calls;
}

int64_t
tp_torch_setup_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_trace_steps *steps, struct tp_torch_busy *busy, int64_t *by_op)
{
	struct tp_interval *in_steps = tp_new_array(ctx->scratch, struct tp_interval, steps->count);
	uint64_t *before_ps = tp_new_array(ctx->scratch, uint64_t, steps->count);

	for (uint32_t i = 0; i < steps->count; i++)
		in_steps[i] = (struct tp_interval){steps->steps[i].start_ps, steps->steps[i].end_ps};
	const struct tp_cover cover =
		tp_cover_of(in_steps, tp_intervals_unite(in_steps, steps->count), before_ps);

	for (uint32_t e = 0; e < t->count; e++) {
		if (!counts(ctx, t, e))
			continue;
		struct tp_interval call = {t->start_ps[e], t->start_ps[e] + t->duration_ps[e]};

		busy->s[busy->count++] = call;
		by_op[t->op[e]] =
			tp_add_ps(by_op[t->op[e]], tp_cover_within(&cover, call.start_ps, call.end_ps));
	}
	return tp_torch_busy_more_ps(busy, steps);
}
