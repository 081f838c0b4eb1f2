/* MFU, HFU and tokens per second, with the formula. */
#include "analyze/llm/llm.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/matrix_dtype.h"
#include "analyze/facts/peaks.h"
#include "analyze/llm/kernel_flops.h"
#include "analyze/llm/serving.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <math.h>

/* What a sum of costs may be over the peak, which clocks move. */
#define MOST_SHARE 1.25

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
			: tp_arena_printf(ctx->keep, "products are of %s, and of that peak: %.*s",
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

/* "the dense peak of fp8, in which 93 % of the time of matrix products is": whose peak it is, and why. */
static struct tp_slice
which_peak(const struct tp_pass_ctx *ctx, const struct tp_llm *m)
{
	if (ctx->options->peak.flop_per_s == m->peak_flop_per_s)
		return TP_S("as --peak says");
	if (m->products.most == TP_DTYPE_NOT_TOLD)
		return TP_S("the dense peak of 16 bit, for nothing says what matrix products work on");
	return tp_arena_printf(ctx->keep, "the dense peak of %s, in which %s of matrix products %s",
		tp_dtype_name(m->products.most),
		m->products.share >= 0.9995
			? "all"
			: tp_arena_printf(ctx->keep, "%.3g %%", 100 * m->products.share).ptr,
		m->products.by_flop ? "are, by their FLOP" : "are, by the time of their kernels");
}

/* "6 × 16.8 G × 4,096 + 26.0 GFLOP of attention = …": with the numbers put in. */
static struct tp_slice
formula(const struct tp_pass_ctx *ctx, const struct tp_llm *m)
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

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_llm *m = result;
	const struct tp_serving *serving = tp_result(ctx, &tp_pass_serving);
	struct tp_value none = tp_missing(tp_skipped_itself(ctx));
	struct tp_value hfu = m != NULL ? hardware(ctx, m, doc) : none;
	struct tp_value mfu = m != NULL ? model(ctx, m, hfu) : none;
	bool shown = m != NULL && m->from != TP_LLM_NOTHING && tp_known(mfu);

	tp_doc_metric(doc, TP_S("llm.mfu_share"), "Model FLOPs utilisation (MFU)", mfu,
		TP_S(
			"FLOPs that the model needs / (time × devices × peak FLOP/s of the type that most matrix "
			"products work on, dense, unless --peak says otherwise). FLOPs: --model-flops; or 6 × parameters × tokens (inference: 2 ×) + attention, "
			"12 × layers × hidden × seq × tokens (inference: 4 ×), half of it where causal; else of "
			"operators with shapes where nothing is computed twice. Time: a step and the gap behind it"),
		shown ? formula(ctx, m) : TP_S(""));
	tp_doc_metric(doc, TP_S("llm.hfu_share"), "Hardware FLOPs utilisation (HFU)", hfu,
		TP_S(
			"FLOPs of recorded operations, recomputed ones too / (time × devices × peak FLOP/s); time and peak "
			"as of MFU"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("llm.model_flop_per_s"), "Model FLOP/s of a device",
		!tp_known(mfu) ? mfu
			: m->peak_flop_per_s > 0
			? tp_number(mfu.number * m->peak_flop_per_s, TP_UNIT_FLOP_PER_S)
			: tp_missing(TP_S("devices have different peaks")),
		TP_S("MFU × peak FLOP/s: FLOPs that the model needs / (time × devices)"), TP_S(""));
	tp_doc_metric(doc, TP_S("llm.tokens_per_s"), "Tokens per second",
		m != NULL ? tokens_per_s(m, serving) : none,
		TP_S(
			"training: --tokens-per-step / (mean step + the gap behind it); inference: tokens that iterations "
			"make, one for each request decoded and for each prompt / time from the first iteration to the "
			"end of the last"),
		TP_S(""));
}

static const struct tp_column kind_columns[] = {
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("tokens", "Tokens, in and decoded"),
	TP_COLUMN("gflop", "FLOP", .unit = TP_UNIT_GFLOP, .decimals = 1),
	TP_COLUMN("time_ms", "Time", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("mfu_share", "MFU", .unit = TP_UNIT_SHARE, .decimals = 2),
};
struct kind_cells {
	struct tp_cell kind, tokens, flop, time, mfu;
};
TP_CELLS_ARE_COLUMNS(struct kind_cells, kind_columns);

/* Of inference, each kind of iteration by itself: over its own time, without the gaps. */
static void
by_kind(const struct tp_pass_ctx *ctx, const struct tp_llm *m, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_serving *s = tp_result(ctx, &tp_pass_serving);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "llm/kinds", kind_columns);

	for (int k = 0; k < TP_SERVING_KINDS; k++) {
		const struct tp_serving_sum *sum = &s->kinds[k];
		struct tp_slice label = tp_slice_of(tp_serving_kind_info((enum tp_serving_kind)k)->label);

		if (sum->count == 0)
			continue;
		double in = sum->tokens_in > 0 ? (double)sum->tokens_in : 0;
		double out = sum->decoded > 0 ? (double)sum->decoded : 0;
		struct tp_model_flops f = tp_inference_flops(&ctx->options->model, in, out);
		/* Ranks of one model make the same tokens; each engine has its own time beside the others. */
		double seconds = sum->time_ps / 1e12 / s->engines;
		struct kind_cells *c = tp_draft_row_of(&draft, label, TP_ROW_NORMAL, 0, NULL);

		c->kind.value = tp_text_value(label);
		c->tokens.value = tp_number(in + out, TP_UNIT_COUNT);
		c->flop.value = tp_number((f.products + f.attention) / s->traces, TP_UNIT_FLOP);
		c->time.value = tp_number(seconds, TP_UNIT_S);
		c->mfu.value = tp_share((f.products + f.attention) / s->traces,
			seconds * m->devices * m->peak_flop_per_s, TP_S("these took no time"));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("MFU of each kind of iteration over its own time, without the gaps between them");
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_llm *m = result;
	const struct tp_model_wish *wish = &ctx->options->model;

	if (!(wish->flops > 0) && !(wish->params > 0) && !(wish->tokens_per_step > 0))
		return;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "llm", "MFU and tokens per second");
	const struct tp_metric *mfu = tp_doc_find_metric(doc, TP_S("llm.mfu_share"));
	const struct tp_metric *tokens = tp_doc_find_metric(doc, TP_S("llm.tokens_per_s"));

	section->section.key_figure = mfu->value;
	section->section.answer = tp_known(mfu->value)
		? TP_SAY0(doc, "The model uses {llm.mfu_share} of what its devices could compute.")
		: TP_SAY(doc, "MFU is unknown: {}.", tp_text_value(mfu->value.text));
	if (tp_known(mfu->value))
		section->section.so_what = TP_SAY0(doc,
			"A device computes {llm.model_flop_per_s} of the model; {llm.tokens_per_s} tokens per second.");
	else if (tp_known(tokens->value))
		section->section.so_what =
			TP_SAY0(doc, "It works through {llm.tokens_per_s} tokens per second.");
	if (tp_known(mfu->value))
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "llm/formula",
			TP_SAY(doc, "MFU = {} = {llm.mfu_share}.", tp_text_value(formula(ctx, m))));
	if (m->from == TP_LLM_OF_PARAMS && m->inference && tp_known(mfu->value))
		by_kind(ctx, m, doc, section);
	tp_say_how(ctx, doc, section, "llm/how",
		"MFU compares what the model needs with what devices could compute: parameters that only look up "
		"rows, as embeddings, compute nothing and do not belong to --params. HFU counts what ran, so it is "
		"above MFU where activations are recomputed. The peak is the dense one of the type that most matrix "
		"products work on, by the names of their kernels, else by operators' inputs or the HLO; of 16 bit "
		"where nothing says it. --peak flops=N gives another one, fp8=N that of one type. Formulas: PaLM, appendix B; MaxText "
		"calculate_tflops_training_per_device; Megatron-Core num_floating_point_operations.");
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
	.metrics = metrics,
	.present = present,
	.lacks_nothing = "options say what no capture holds",
};
