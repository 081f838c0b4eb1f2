/* What is asked of steps, wherever they come from. */
#include "analyze/steps/steps.h"

#include "analyze/core/say.h"
#include "model/profile.h"

#include <math.h>

double
tp_steps_part_of_busy_ps(const struct tp_steps *s, double part_ps, double busy_ps)
{
	if (s == NULL || !s->source->of_cores || !(busy_ps > 0))
		return NAN;
	return fmin(part_ps / busy_ps * (s->time.mean - s->class_mean_ps[TP_CLASS_IDLE]),
		s->class_mean_ps[TP_CLASS_COMPUTE]);
}

const char *
tp_steps_word(const struct tp_steps *s, size_t count)
{
	return s->inferred ? tp_plural(count, "inferred step", "inferred steps")
					   : tp_plural(count, "step", "steps");
}

struct tp_value
tp_steps_of_whom(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	return s->jobs > 1
		? tp_say_number(ctx, s->jobs, "capture", "captures")
		: tp_say_number(ctx, s->timelines, s->source->timeline, s->source->timelines);
}

bool
tp_steps_tell(const struct tp_steps *s, enum tp_class c)
{
	return ((s->source->classes | s->classes) & 1u << c) != 0;
}

double
tp_steps_most_input_share(const struct tp_steps *s)
{
	return s->shows_input || !(s->idle_share < 1) ? NAN : s->idle_share;
}

double
tp_steps_outside_operations_ps(const struct tp_steps *s)
{
	double host = s->class_mean_ps[TP_CLASS_HOST_COMPUTE];

	if (s->class_mean_ps[TP_CLASS_COMPUTE] > 0 || !(s->idle_share < 1))
		return NAN;
	return fmax(host - (1 - s->idle_share) * s->time.mean, 0);
}

bool
tp_steps_python_traced(const struct tp_profile *p)
{
	for (uint32_t h = 0; h < p->host_count; h++) {
		if (p->hosts[h].options.python_level != 0)
			return true;
	}
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (tp_slice_starts(p->ops[i].name, TP_S("$")))
			return true;
	}
	return false;
}

enum tp_input_verdict
tp_input_verdict(const struct tp_steps *s)
{
	if (s == NULL || !isfinite(s->input_share))
		return TP_INPUT_UNKNOWN;
	if (s->input_share >= s->input_limits.high)
		return TP_INPUT_HIGH;
	if (s->input_share >= s->input_limits.medium)
		return TP_INPUT_MODERATE;
	if (tp_steps_most_input_share(s) < s->input_limits.medium || s->input_asked)
		return TP_INPUT_NONE;
	if (s->class_mean_ps[TP_CLASS_OTHER] >= TP_OTHER_SHARE * s->time.mean)
		return TP_INPUT_POTENTIAL;
	return s->shows_input ? TP_INPUT_NONE : TP_INPUT_UNKNOWN;
}

bool
tp_steps_uneven(double most_share, double mean_share, double limit)
{
	return most_share >= limit && (mean_share < limit || most_share - mean_share >= limit);
}

bool
tp_input_uneven(const struct tp_steps *s)
{
	return tp_steps_uneven(s->input_share, s->class_mean_ps[TP_CLASS_INPUT_WAIT] / s->time.mean,
		s->input_limits.medium);
}

const char *
tp_input_metric(const struct tp_steps *s)
{
	bool mean = s->shows_input && tp_steps_tell(s, TP_CLASS_INPUT_WAIT) && !tp_input_uneven(s);

	return mean ? "step.class.input_wait_share" : "input.wait_share";
}
