/* What evaluations of rules share. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/judge/what_if.h"
#include "analyze/llm/serving.h"
#include "analyze/ops/ops.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

bool
tp_rule_concerns(const struct tp_pass_ctx *ctx, const struct tp_finding_rule *rule)
{
	switch (rule->scope) {
	case TP_RULE_OF_XLA:
		return ctx->profile->torch == NULL;
	case TP_RULE_OF_TORCH:
		return ctx->profile->torch != NULL;
	case TP_RULE_OF_SERVING:
		return tp_result(ctx, &tp_pass_serving) != NULL;
	case TP_RULE_OF_TFPROF:
		return ctx->profile->tfprof_dumps != NULL;
	case TP_RULE_OF_ALL:
		break;
	}
	return true;
}

struct tp_limits
tp_rule_limits(const struct tp_pass_ctx *ctx, const struct tp_finding_rule *rule)
{
	return tp_limits_of(ctx, rule->info.id, (struct tp_limits){rule->info.medium, rule->info.high});
}

void
tp_rule_undecided(struct tp_finding_result *r, struct tp_slice reason)
{
	r->status = TP_FINDING_UNDECIDED;
	r->reason = reason;
}

void
tp_rule_not_applicable(struct tp_finding_result *r, const char *reason)
{
	r->status = TP_FINDING_NOT_APPLICABLE;
	r->reason = tp_slice_of(reason);
}

bool
tp_rule_without_tensor_cores(struct tp_finding_result *r, enum tp_tensor_cores cores)
{
	if (cores == TP_TENSOR_CORES_NONE)
		tp_rule_not_applicable(r, tp_no_tensor_cores(cores));
	else if (cores != TP_TENSOR_CORES_THERE)
		tp_rule_undecided(r, tp_slice_of(tp_no_tensor_cores(cores)));
	return cores != TP_TENSOR_CORES_THERE;
}

void
tp_rule_decide(struct tp_finding_result *r, double measured, double saving_ps)
{
	const struct tp_limits limits = r->limits;
	bool below = r->rule->info.below;

	if (!isfinite(measured)) {
		tp_rule_undecided(r, TP_S("there is no time to compare it with"));
		return;
	}
	bool medium = below ? measured < limits.medium : measured >= limits.medium;
	bool high = isfinite(limits.high) && (below ? measured < limits.high : measured >= limits.high);

	r->measured = r->told = measured;
	r->saving_ps = saving_ps;
	r->status = high || medium ? TP_FINDING_OPEN : TP_FINDING_PASSED;
	r->severity = high ? TP_JUDGE_BAD : medium ? TP_JUDGE_WARN : TP_JUDGE_NONE;
}

void
tp_rule_step_share(const struct tp_evaluation *e, struct tp_finding_result *r, double share)
{
	tp_rule_decide(r, share, e->steps != NULL ? share * e->steps->time.mean : NAN);
}

void
tp_rule_tell_mean(const struct tp_evaluation *e, struct tp_finding_result *r, enum tp_class c)
{
	double mean = tp_class_share(e->steps, c);

	if (r->status != TP_FINDING_OPEN)
		return;
	r->mean = mean;
	if (tp_steps_uneven(r->measured, mean, r->limits.medium))
		return;
	r->told = mean;
	r->saving_ps = tp_smaller(r->saving_ps, e->steps->class_mean_ps[c]);
}

struct tp_text
tp_say_told(struct tp_doc *doc, const char *said, const struct tp_finding_result *r)
{
	struct tp_text text = TP_SAY(doc, said, tp_number(r->told, TP_UNIT_SHARE));

	if (isfinite(r->mean) && r->told != r->mean)
		TP_SAY_MORE(
			doc, text, " on the worst core, {} on average", tp_number(r->mean, TP_UNIT_SHARE));
	return text;
}

bool
tp_rule_has_steps(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->steps == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_steps));
	return e->steps != NULL;
}

bool
tp_rule_knows_devices(const struct tp_evaluation *e)
{
	return tp_has_profile(e->ctx) && e->ctx->profile->precomputed == NULL &&
		!e->environment->unrecorded && e->environment->no_kernels.len == 0;
}

bool
tp_rule_may_be_of_tpu(
	const struct tp_evaluation *e, struct tp_finding_result *r, const char *why_not)
{
	const struct tp_profile *p = e->ctx->profile;

	if (e->steps != NULL || p->precomputed != NULL)
		return true;
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind == TP_DEVICE_TPU)
			return true;
	}
	tp_rule_not_applicable(r, why_not);
	return false;
}

void
tp_rule_step_class(const struct tp_evaluation *e, struct tp_finding_result *r, enum tp_class c)
{
	if (!tp_rule_has_steps(e, r))
		return;
	const struct tp_step_source *source = e->steps->source;
	bool told = tp_steps_tell(e->steps, c);

	if (!told && source->undecided.len != 0)
		tp_rule_undecided(r, source->undecided);
	else if (!told && source->not_applicable != NULL)
		tp_rule_not_applicable(r, source->not_applicable);
	else
		tp_rule_decide(
			r, e->steps->class_mean_ps[c] / e->steps->time.mean, tp_without_class_ps(e->steps, c));
}

bool
tp_rule_measured(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->devices != NULL && e->ops != NULL)
		return true;
	if (e->ops != NULL && e->ops->summed_up)
		tp_rule_undecided(
			r, TP_S("no device operation was recorded: an op profile holds only sums"));
	else if (e->environment != NULL && e->environment->cores != 0)
		tp_rule_undecided(r, TP_S("no device operation was recorded"));
	else
		tp_rule_not_applicable(r, "no TPU or GPU");
	return false;
}

bool
tp_rule_has_operations(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	return (e->ops != NULL && e->ops->summed_up) || tp_rule_measured(e, r);
}

bool
tp_rule_of_device_steps(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	return (e->steps != NULL && e->steps->source->tells_device) || tp_rule_measured(e, r);
}

void
tp_rule_add_action(const struct tp_pass_ctx *ctx, struct tp_finding *finding, struct tp_text action)
{
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, TP_MOST_ACTIONS);

	if (finding->action_count == TP_MOST_ACTIONS)
		return;
	if (finding->action_count != 0)
		memcpy(actions, finding->actions, finding->action_count * sizeof *actions);
	actions[finding->action_count++] = action;
	finding->actions = actions;
}

void
tp_rule_say_unprofiled(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);

	if (e->unprofiled == 0)
		return;
	TP_SAY_MORE(doc, finding->saw,
		" At least {} of the job were not profiled: this may be waiting for their input. Profile "
		"all hosts to be sure.",
		tp_say_number(ctx, e->unprofiled, "core", "cores"));
}
