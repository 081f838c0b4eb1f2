/* MFU, HFU and tokens per second, with the formula. */
#include "analyze/llm/llm.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/matrix_dtype.h"
#include "analyze/llm/serving.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

/* What a sum of costs may be over the peak, which clocks move. */
#define MOST_SHARE 1.25

static struct tp_slice
no_peak(const struct tp_llm *m)
{
	return m->no_peak.len != 0 ? m->no_peak
							   : TP_S("the devices' peak FLOP/s is unknown: give --peak flops=N");
}

/* FLOPs over what devices could compute in that time. */
static struct tp_value
utilisation(const struct tp_llm *m, double flops)
{
	if (m->no_time.len != 0)
		return tp_missing(m->no_time);
	if (!(m->seconds > 0))
		return tp_missing(TP_S("steps have no length"));
	if (!(m->devices > 0))
		return tp_missing(TP_S("no TPU or GPU was recorded"));
	if (!(m->peak_flop_per_s > 0))
		return tp_missing(no_peak(m));
	double share = flops / (m->seconds * m->devices * m->peak_flop_per_s);

	return share <= 1
		? tp_number(share, TP_UNIT_SHARE)
		: tp_missing(TP_S("it would be above 100 %: the FLOPs given, or the peak, do not "
						  "fit this run"));
}

/* Whether activations are computed again for the backward pass, by what checkpointing calls its parts. */
static bool
recomputes(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->op_count; i++) {
		if (tp_slice_has(p->ops[i].name, TP_S("CheckpointFunction")) ||
			tp_slice_has(p->ops[i].name, TP_S("recompute_fn")) ||
			tp_slice_has(p->ops[i].name, TP_S("checkpoint.py")))
			return true;
	}
	return false;
}

/* FLOP/s of a device over the time of steps, as another pass worked it out. */
static struct tp_value
rate_of_steps(const struct tp_pass_ctx *ctx, const struct tp_llm *m, const struct tp_doc *doc)
{
	const char *id =
		ctx->profile->torch != NULL ? "torch.flops.rate_per_s" : "roofline.step.flop_per_s";
	const struct tp_metric *metric = tp_doc_find_metric(doc, tp_slice_of(id));

	if (metric != NULL && tp_known(metric->value))
		return metric->value;
	if (m->kernel_flops > 0 && m->step_seconds > 0 && m->recorded_devices > 0)
		return tp_number(
			m->kernel_flops / (m->step_seconds * m->recorded_devices), TP_UNIT_FLOP_PER_S);
	return metric != NULL ? metric->value
						  : tp_missing(TP_S("no operation of the profile has FLOPs"));
}

/* That over the time between steps too, against the peak of the type in use. */
static struct tp_value
hardware(const struct tp_pass_ctx *ctx, const struct tp_llm *m, const struct tp_doc *doc)
{
	struct tp_value rate = rate_of_steps(ctx, m, doc);

	if (!tp_known(rate))
		return tp_missing(rate.text);
	if (!(m->peak_flop_per_s > 0))
		return tp_missing(no_peak(m));
	double share = rate.number / m->peak_flop_per_s *
		(m->seconds > 0 && m->step_seconds > 0 ? m->step_seconds / m->seconds : 1);

	return share <= MOST_SHARE
		? tp_number(share, TP_UNIT_SHARE)
		: tp_missing(TP_S("it would be above 125 % of the peak: costs or peak are wrong"));
}

static struct tp_value
model(const struct tp_pass_ctx *ctx, const struct tp_llm *m, struct tp_value hfu)
{
	if (m->from != TP_LLM_NOTHING)
		return utilisation(m, m->flops);
	if (ctx->options->model.params > 0)
		return tp_missing(m->no_flops);
	if (ctx->profile->torch == NULL)
		return tp_missing(TP_S("the profile has the FLOPs of the hardware only: give --params with "
							   "--tokens-per-step, or --model-flops"));
	if (!tp_known(hfu))
		return tp_missing(m->no_flops);
	return recomputes(ctx->profile)
		? tp_missing(TP_S(
			  "activations are computed twice, so that operators compute more than the model: give "
			  "--params with --tokens-per-step, or --model-flops"))
		: hfu;
}

static struct tp_value
tokens_per_s(const struct tp_llm *m, const struct tp_serving *serving)
{
	if (m->inference)
		return isfinite(serving->tokens_out) ? tp_number_or(serving->tokens_out / serving->seconds,
												   TP_UNIT_NONE, TP_S("iterations have no length"))
											 : tp_missing(serving->no_tokens);
	if (!isfinite(m->tokens))
		return tp_missing(
			TP_S("--tokens-per-step was not given, and no iteration of an inference engine is "
				 "in the capture"));
	return m->no_time.len != 0
		? tp_missing(m->no_time)
		: tp_number_or(m->tokens / m->seconds, TP_UNIT_NONE, TP_S("steps have no length"));
}

/* "the dense peak of fp8, in which 93 % of matmul kernel time is": whose peak it is, and why. */
static struct tp_slice
which_peak(const struct tp_pass_ctx *ctx, const struct tp_llm *m)
{
	if (ctx->options->peak.flop_per_s == m->peak_flop_per_s)
		return TP_S("as --peak says");
	if (m->products.most == TP_DTYPE_NOT_TOLD)
		return TP_S("the dense 16-bit peak, because nothing says in which type matmuls compute");
	return tp_arena_printf(ctx->keep, "the dense peak of %s, in which %s matmul %s",
		tp_dtype_name(m->products.most),
		m->products.share >= 0.9995
			? "all"
			: tp_arena_printf(ctx->keep, "%.3g %% of", 100 * m->products.share).ptr,
		m->products.by_flop ? "FLOP are" : "kernel time is");
}

struct tp_slice
tp_llm_formula(const struct tp_pass_ctx *ctx, const struct tp_llm *m)
{
	struct tp_slice time = tp_say_value(ctx, tp_number(m->seconds, TP_UNIT_S));
	struct tp_slice flops = tp_say_value(ctx, tp_number(m->flops, TP_UNIT_FLOP));
	struct tp_slice over = tp_arena_printf(ctx->keep, "/ (%.*s × %.0f %s × %.*s, %.*s)",
		TP_ARG(time), m->devices, m->devices == 1 ? "device" : "devices",
		TP_ARG(tp_say_value(ctx, tp_number(m->peak_flop_per_s, TP_UNIT_FLOP_PER_S))),
		TP_ARG(which_peak(ctx, m)));

	if (m->from == TP_LLM_OF_OPTION)
		return tp_arena_printf(
			ctx->keep, "%.*s as --model-flops says %.*s", TP_ARG(flops), TP_ARG(over));
	return tp_arena_printf(ctx->keep,
		"(%d × %.*s parameters × %.*s tokens + %.*s of attention = %.*s) %.*s",
		m->inference ? 2 : 6,
		TP_ARG(tp_say_value(ctx, tp_number(ctx->options->model.params, TP_UNIT_COUNT))),
		TP_ARG(tp_say_value(ctx, tp_number(m->tokens, TP_UNIT_COUNT))),
		TP_ARG(tp_say_value(ctx, tp_number(m->of.attention, TP_UNIT_FLOP))), TP_ARG(flops),
		TP_ARG(over));
}

void
tp_llm_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_llm *m = result;
	const struct tp_serving *serving = tp_result(ctx, &tp_pass_serving);
	struct tp_value none = tp_missing(tp_skipped_itself(ctx));
	struct tp_value hfu = m != NULL ? hardware(ctx, m, doc) : none;
	struct tp_value mfu = m != NULL ? model(ctx, m, hfu) : none;
	bool shown = m != NULL && m->from != TP_LLM_NOTHING && tp_known(mfu);

	tp_doc_metric(doc, TP_S("llm.mfu_share"), "Model FLOPs utilisation (MFU)", mfu,
		TP_S(
			"FLOPs that the model needs / (time × devices × dense peak FLOP/s of the type in which "
			"most matmuls compute, unless --peak says otherwise). FLOPs: --model-flops; or 6 × "
			"parameters × tokens (inference: 2 ×) + attention, 12 × layers × hidden × seq × tokens "
			"(inference: 4 ×), half of it where causal; else of operators with shapes where "
			"nothing is computed twice. Time: a step and the gap after it"),
		shown ? tp_llm_formula(ctx, m) : TP_S(""));
	tp_doc_metric(doc, TP_S("llm.hfu_share"), "Hardware FLOPs utilisation (HFU)", hfu,
		TP_S("FLOPs of recorded operations, including recomputed ones / (time × devices × peak "
			 "FLOP/s); time and peak as for MFU"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("llm.model_flop_per_s"), "Model FLOP/s of a device",
		!tp_known(mfu) ? mfu
			: m->peak_flop_per_s > 0
			? tp_number(mfu.number * m->peak_flop_per_s, TP_UNIT_FLOP_PER_S)
			: tp_missing(TP_S("devices have different peaks")),
		TP_S("MFU × peak FLOP/s: FLOPs that the model needs / (time × devices)"), TP_S(""));
	tp_doc_metric(doc, TP_S("llm.tokens_per_s"), "Tokens per second",
		m != NULL ? tokens_per_s(m, serving) : none,
		TP_S("training: --tokens-per-step / (mean step + the gap after it); inference: tokens that "
			 "iterations produce, one for each request decoded and for each prompt / time from the "
			 "first iteration to the end of the last"),
		TP_S(""));
}
