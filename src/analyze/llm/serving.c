/* Which iterations are an inference engine's. */
#include "analyze/llm/serving.h"

#include "analyze/core/pass.h"
#include "analyze/llm/serving_iterations.h"
#include "analyze/llm/serving_kernels.h"
#include "analyze/llm/serving_sums.h"
#include "analyze/llm/serving_words.h"
#include "analyze/steps/steps.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_iteration_name.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* What vLLM writes, a patch of SGLang writes around SGLang's own annotations. */
static const char *
engine_among(const struct tp_profile *p, const char *engine)
{
	for (uint32_t i = 0; engine != NULL && i < p->op_count; i++) {
		const char *other = tp_slice_starts(p->ops[i].name, TP_S("step["))
			? tp_iteration_name(p->ops[i].name).engine
			: NULL;

		if (other != NULL)
			return other;
	}
	return engine;
}

static void
name_kinds(const struct tp_profile *p, struct tp_serving *s, const struct tp_torch_stepped *stepped,
	uint32_t traces)
{
	s->confidence = 1;
	for (uint32_t i = traces; i-- > 0;) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		if (t == NULL)
			continue;
		s->confidence = tp_smaller(s->confidence, t->confidence);
		s->of_kernels |= t->from == TP_TORCH_FROM_KERNELS;
		for (uint32_t f = 0; f < t->iterations.family_count; f++) {
			const struct tp_torch_family *family = &t->iterations.families[f];
			struct tp_serving_sum *sum = &s->kinds[tp_serving_kind_of(family->phase)];

			sum->pattern = family->pattern;
			sum->guessed |= family->guessed;
			s->engine = family->engine != NULL ? family->engine : s->engine;
		}
	}
	s->engine = engine_among(p, s->engine);
}

static enum tp_status
none_serves(const struct tp_torch_stepped *stepped, uint32_t traces, struct tp_err *err)
{
	for (uint32_t i = 0; i < traces; i++) {
		const struct tp_torch_trace_steps *t = &stepped->traces[i];

		if (t->from == TP_TORCH_FROM_KERNELS && t->iterations.no_phase != NULL)
			return tp_fail(err, TP_ABSENT, why_no_phase, t->iterations.no_phase);
	}
	return tp_fail(err, TP_ABSENT, why_no_iteration);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_serving *s = tp_new(ctx->keep, struct tp_serving);
	struct tp_serving_iteration *list;
	size_t most = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		for (uint32_t l = 0; t != NULL && l < t->lane_count; l++)
			most += t->lanes[l].count;
	}
	if (most == 0)
		return none_serves(stepped, torch->trace_count, err);
	s->iterations = list = tp_new_array(ctx->keep, struct tp_serving_iteration, most);
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace_steps *t = tp_torch_serving_of(stepped, i);

		for (uint32_t l = 0; t != NULL && l < t->lane_count; l++) {
			tp_serving_look_at(
				ctx, torch->traces[i], &linked->traces[i], t, &t->lanes[l], list + s->count);
			for (uint32_t k = 0; k < t->lanes[l].count; k++) {
				list[s->count + k].trace = s->traces;
				list[s->count + k].engine = l;
			}
			s->count += t->lanes[l].count;
			s->engines++;
		}
		s->traces += t != NULL;
	}
	tp_serving_sum_up(s, ctx->scratch);
	name_kinds(ctx->profile, s, stepped, torch->trace_count);
	tp_serving_find_rates(s, ctx->scratch);
	s->kernels = tp_serving_kernels_of(ctx, s);
	*result = s;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_steps, &tp_pass_torch_steps, &tp_pass_torch_correlation, NULL};

const struct tp_pass tp_pass_serving = {
	.name = "serving",
	.title = "Serving",
	.summary = "inference engines: iterations by kind, tokens per second, host gaps, CUDA graphs, "
			   "kernels by family, triage tables",
	.needs_all = TP_HAS_TORCH,
	.after = after,
	.place = TP_PLACE_SERVING,
	.analyze = analyze,
	.metrics = tp_serving_metrics,
	.present = tp_serving_present,
	.lacks_nothing = "the steps pass says what marks iterations",
};
