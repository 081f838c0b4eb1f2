/* Step time: how long each training step took, how steady it is, and where the time goes. */
#include "analyze/steps.h"

#include "analyze/op_times.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

/* Steps at the edge of the capture may have begun before it or gone on after it. On a TPU the device writes whole steps
 * only, so nothing is trimmed there. */
static void
trim(struct tp_steps *s)
{
	if (s->tpu || s->count <= TP_STEPS_TRIM_ABOVE)
		return;
	s->steps++;
	s->count -= 2;
	s->trimmed = 2;
	s->incomplete = s->seen - s->count - s->trimmed;
}

static void
summarise(struct tp_steps *s, struct tp_arena *scratch)
{
	double *times = tp_new_array(scratch, double, s->count);
	double total = 0, input = 0, output = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step *step = &s->steps[i];

		times[i] = step->time_ps;
		total += step->time_ps;
		input += step->input_ps;
		output += step->output_ps;
		for (int c = 0; c < TP_CLASS_COUNT; c++)
			s->class_mean_ps[c] += step->class_ps[c] / (double)s->count;
		for (int t = 0; t < TP_TPU_PART_COUNT; t++)
			s->tpu_mean_ps[t] += step->tpu_ps[t] / (double)s->count;
		if (step->time_ps > s->steps[s->slowest].time_ps)
			s->slowest = i;
	}
	s->time = tp_stats_of(times, s->count, scratch);
	s->input_share = total > 0 ? input / total : NAN;
	s->output_share = total > 0 ? output / total : NAN;
}

static bool
has_tpu(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_steps *s = tp_new(ctx->keep, struct tp_steps);
	struct tp_slice reason = {NULL, 0};
	bool found = has_tpu(ctx->profile) ? tp_steps_from_tpu(ctx, s, &reason)
									   : tp_steps_from_markers(ctx, s, &reason);

	if (!found)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(reason));
	trim(s);
	summarise(s, ctx->scratch);
	*result = s;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_op_times, NULL};

const struct tp_pass tp_pass_steps = {
	.name = "steps",
	.title = "Steps",
	.summary = "step time with its spread, and the class of each part of a step: compute, input wait, collectives, idle …",
	.after = after,
	.place = TP_PLACE_STEPS,
	.analyze = analyze,
	.metrics = tp_steps_metrics,
	.present = tp_steps_present,
};
