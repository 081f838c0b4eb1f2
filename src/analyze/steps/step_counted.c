#include "analyze/steps/step_counted.h"

#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

struct tp_counted_steps
tp_steps_counted(const struct tp_pass_ctx *ctx, const struct tp_steps *s, uint32_t trace)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_trace_steps *own = &stepped->traces[trace];
	struct tp_counted_steps out = {*own, 1, own->sum_ps};

	out.steps.covered_ps = NULL;
	if (s == NULL || s->traces == NULL)
		return out;
	const struct tp_trace_steps *of = &s->traces[trace];

	out.weight = of->weight;
	out.whole_ps = 0;
	out.steps.steps = tp_new_array(ctx->scratch, struct tp_torch_step, own->count);
	out.steps.count = 0;
	for (uint32_t i = 0; i < own->count; i++) {
		if (of->step[i] == TP_NONE)
			continue;
		out.steps.steps[out.steps.count++] = own->steps[i];
		out.whole_ps += of->weight * s->steps[of->step[i]].time_ps;
	}
	return out;
}
