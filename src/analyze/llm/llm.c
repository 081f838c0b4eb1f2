/* What a model computes, on what, and in which time. */
#include "analyze/llm/llm.h"

#include "analyze/core/pass.h"
#include "analyze/facts/matrix_dtype.h"
#include "analyze/facts/peaks.h"
#include "analyze/llm/kernel_flops.h"
#include "analyze/llm/serving.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

static double
recorded_devices(const struct tp_profile *p)
{
	double count = 0;

	for (uint32_t d = 0; d < p->device_count; d++)
		count += (p->devices[d].kind == TP_DEVICE_TPU || p->devices[d].kind == TP_DEVICE_GPU) &&
			!p->devices[d].again;
	return count;
}

/* Devices of the job: those of the profile, or as many as there are ranks where only some were captured; of hosts that were chosen, as
 * many on each of the others. */
static double
devices_of_job(const struct tp_pass_ctx *ctx, double recorded)
{
	const struct tp_profile *p = ctx->profile;
	double ranks = 0;

	for (uint32_t i = 0; p->torch != NULL && i < p->torch->trace_count; i++)
		ranks = fmax(ranks, (double)p->torch->traces[i]->distributed.world_size);
	if (p->host_count != 0 && ctx->options->hosts > p->host_count)
		recorded *= (double)ctx->options->hosts / p->host_count;
	return recorded != 0 ? fmax(recorded, ranks) : 0;
}

static void
take_peak(const struct tp_pass_ctx *ctx, struct tp_llm *m)
{
	const struct tp_matrix_dtype *products = tp_result(ctx, &tp_pass_matrix_dtype);

	m->recorded_devices = recorded_devices(ctx->profile);
	m->devices = devices_of_job(ctx, m->recorded_devices);
	if (products != NULL)
		m->products = *products;
	if (tp_result(ctx, &tp_pass_peaks) == NULL) {
		m->no_peak = tp_skipped(ctx, &tp_pass_peaks);
		return;
	}
	struct tp_peak peak = tp_peak_common(ctx, tp_dtype_peak(m->products.most));

	m->peak_flop_per_s = peak.value;
	if (!(m->peak_flop_per_s > 0))
		m->no_peak = m->products.most == TP_DTYPE_NOT_TOLD
			? peak.how
			: tp_arena_printf(ctx->keep, "matmuls compute in %s, and for that peak: %.*s",
				  tp_dtype_name(m->products.most), TP_ARG(peak.how));
}

/* Training: a step lasts until the next begins, so that the time between them counts, as in what a job logs. */
static void
take_steps(const struct tp_pass_ctx *ctx, struct tp_llm *m)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL) {
		m->no_time = tp_skipped(ctx, &tp_pass_steps);
		return;
	}
	if (strcmp(s->source->name, "none") == 0) {
		m->no_time = TP_S("nothing marks where steps start and end");
		return;
	}
	m->step_seconds = s->whole.count != 0 ? s->whole.time.mean / 1e12 : s->time.mean / 1e12;
	m->seconds = m->step_seconds;
	m->kernel_flops = tp_kernel_flops_of_step(ctx->profile, s);
	if (isfinite(s->gap_mean_ps) && s->gap_mean_ps > 0)
		m->seconds += s->gap_mean_ps / 1e12;
}

static void
of_options(const struct tp_model_wish *wish, const struct tp_serving *serving, struct tp_llm *m)
{
	if (wish->flops > 0) {
		m->from = TP_LLM_OF_OPTION;
		m->flops = wish->flops;
		return;
	}
	if (!(wish->params > 0)) {
		m->no_flops =
			TP_S("the FLOPs of the model are unknown: give --params with --tokens-per-step, or "
				 "--model-flops");
		return;
	}
	if (!isfinite(m->tokens)) {
		m->no_flops = serving != NULL ? serving->no_tokens
									  : TP_S("--params was given without --tokens-per-step");
		return;
	}
	m->from = TP_LLM_OF_PARAMS;
	m->of = m->inference
		? tp_inference_flops(wish, serving->tokens_in, m->tokens - serving->tokens_in)
		: tp_training_flops(wish, m->tokens);
	m->flops = m->of.products + m->of.attention;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_serving *serving = tp_result(ctx, &tp_pass_serving);
	const struct tp_model_wish *wish = &ctx->options->model;
	struct tp_llm *m = tp_new(ctx->keep, struct tp_llm);

	(void)err;
	/* Tokens that an engine's iterations name are those of its window; what the user says is of a step. */
	m->inference = serving != NULL && wish->tokens_per_step == 0 && wish->flops == 0;
	m->tokens = m->inference        ? serving->tokens_in + serving->decode_tokens
		: wish->tokens_per_step > 0 ? wish->tokens_per_step
									: NAN;
	take_peak(ctx, m);
	if (m->inference)
		m->seconds = m->step_seconds = serving->seconds;
	else
		take_steps(ctx, m);
	of_options(wish, serving, m);
	*result = m;
	return TP_OK;
}

static const struct tp_pass *const after[] = {
	&tp_pass_peaks, &tp_pass_matrix_dtype, &tp_pass_steps, &tp_pass_serving, NULL};

const struct tp_pass tp_pass_llm = {
	.name = "llm",
	.title = "MFU and tokens per second",
	.summary =
		"model FLOPs utilisation with its formula, hardware FLOPs utilisation, tokens per second",
	.needs_all = TP_HAS_PROFILE,
	.of_profile = true,
	.after = after,
	.place = TP_PLACE_LLM,
	.analyze = analyze,
	.metrics = tp_llm_metrics,
	.present = tp_llm_present,
	.lacks_nothing = "its figures come from options, as no capture holds them",
};
