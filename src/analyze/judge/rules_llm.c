/* Rules on inference engines: the device waits for the host between iterations, decode that is launched kernel by kernel, prompts that
 * hold up what is decoded, and batches too small for the weights that are read. They are ours. Options of engines that advice names
 * are in vLLM 0.10.1 to 0.33.0 (vllm/engine/arg_utils.py), SGLang 0.4.10 to 0.5.23 (sglang/srt/server_args.py, arg_groups/fields) and
 * TensorRT-LLM 1.0 to 1.3 (CudaGraphConfig of its LLM API), but where advice itself names a version. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/peaks.h"
#include "analyze/llm/serving.h"

#include <math.h>

static const struct tp_serving *
serving(const struct tp_evaluation *e)
{
	return tp_result(e->ctx, &tp_pass_serving);
}

static void
host_gap(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_serving *s = serving(e);

	if (s->count < 2)
		tp_rule_not_applicable(r, "the capture holds a single iteration");
	else
		tp_rule_decide(r, s->all.gap_sum_ps / s->window_ps, s->all.gap_sum_ps / s->count);
}

/* Time of decode iterations without a graph in which nothing runs on the device. */
static double
eager_idle_ps(const struct tp_serving *s)
{
	double ps = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_serving_iteration *it = &s->iterations[i];

		if (it->kind == TP_SERVING_DECODE && it->graphs == 0 && isfinite(it->busy_ps))
			ps += fmax(0, it->time_ps - it->busy_ps);
	}
	return ps;
}

static void
graph_unused(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_serving *s = serving(e);
	const struct tp_serving_sum *decode = &s->kinds[TP_SERVING_DECODE];

	if (decode->count == 0)
		tp_rule_not_applicable(r, "no iteration is decode");
	else if (!(decode->busy_sum_ps > 0))
		tp_rule_undecided(r, TP_S("no device work of decode was recorded"));
	else
		tp_rule_decide(r, eager_idle_ps(s) / s->window_ps, eager_idle_ps(s) / s->count);
}

/* How long requests that are being decoded wait for prompts of others: iterations of prefill between two that decode, and what mixed
 * ones take beyond a usual decode. */
static double
held_up_ps(const struct tp_serving *s)
{
	double usual = s->kinds[TP_SERVING_DECODE].time.p50, ps = 0;
	bool decoding = false;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_serving_iteration *it = &s->iterations[i];

		if (i != 0 && (it->trace != it[-1].trace || it->engine != it[-1].engine))
			decoding = false;
		if (it->kind == TP_SERVING_MIXED)
			ps += fmax(0, it->time_ps - usual);
		else if (it->kind == TP_SERVING_PREFILL && decoding)
			ps += it->time_ps;
		decoding |= it->kind == TP_SERVING_DECODE;
	}
	return ps;
}

static void
prefill_holds_up(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_serving *s = serving(e);

	if (s->kinds[TP_SERVING_DECODE].count == 0)
		tp_rule_not_applicable(r, "no iteration is decode");
	else if (s->kinds[TP_SERVING_PREFILL].count + s->kinds[TP_SERVING_MIXED].count == 0)
		tp_rule_not_applicable(r, "no iteration processes prompts");
	else
		tp_rule_decide(r, held_up_ps(s) / s->window_ps, NAN);
}

/* Weights of two bytes are read once for two FLOP a token: from so many tokens on arithmetic takes longer than reading. */
static double
balanced_batch(const struct tp_pass_ctx *ctx)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);

	if (peaks == NULL || !(peaks->common.of[TP_PEAK_HBM].value > 0) ||
		!(peaks->common.of[TP_PEAK_FLOP].value > 0))
		return NAN;
	return peaks->common.of[TP_PEAK_FLOP].value / peaks->common.of[TP_PEAK_HBM].value;
}

static double
mean_batch(const struct tp_serving *s)
{
	const struct tp_serving_sum *decode = &s->kinds[TP_SERVING_DECODE];

	return decode->tokens_told == decode->count && decode->count != 0
		? (double)decode->tokens_out / decode->count
		: NAN;
}

static void
small_batch(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_serving *s = serving(e);
	double batch = mean_batch(s), balanced = balanced_batch(e->ctx);

	if (s->kinds[TP_SERVING_DECODE].count == 0)
		tp_rule_not_applicable(r, "no iteration is decode");
	else if (!isfinite(batch))
		tp_rule_undecided(
			r, s->no_tokens.len != 0 ? s->no_tokens : TP_S("names do not state the batch size"));
	else if (!isfinite(balanced))
		tp_rule_undecided(r, TP_S("the GPU's peak FLOP/s or memory bandwidth is unknown"));
	else
		tp_rule_decide(r, fmin(1, batch / balanced), NAN);
}

static void
gap_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	(void)ctx;
	TP_SAY_MORE(doc, finding->saw, " Median {llm.host_gap.p50_ms} after an iteration.");
}

static void
graph_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_serving *s = tp_result(ctx, &tp_pass_serving);
	const struct tp_serving_sum *decode = &s->kinds[TP_SERVING_DECODE];

	TP_SAY_MORE(doc, finding->saw, " {} of {} replay no graph; each of these launches {} kernels.",
		tp_count(decode->count - decode->with_graph),
		tp_say_number(ctx, decode->count, "decode iteration", "decode iterations"),
		tp_number(round(decode->launches), TP_UNIT_COUNT));
}

static void
batch_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	TP_SAY_MORE(doc, finding->saw,
		" A decode iteration produces {} tokens on average. With 2-byte weights, this GPU becomes "
		"compute-bound at about {}.",
		tp_number(mean_batch(tp_result(ctx, &tp_pass_serving)), TP_UNIT_COUNT),
		tp_number(round(balanced_batch(ctx)), TP_UNIT_COUNT));
}

const struct tp_finding_rule tp_rules_llm[] = {
	{
		.info = {"TPR-LLM-001", "Host gap between iterations", "the time of all iterations", 0.15,
			0.05, false, TP_HUE_HOST},
		.scope = TP_RULE_OF_SERVING,
		.saves_of = TP_SAVED_BETWEEN,
		.evaluate = host_gap,
		.title =
			"Between the kernels of two iterations the GPU waits for the host for {} of the time",
		.passed = "between iterations the GPU waits for the host for {} of the time (limit {})",
		.any = {"Prepare the next batch while the GPU works: asynchronous scheduling.",
			{"vLLM before 0.14: `--async-scheduling`; later it is on, unless `--no-async-scheduling` is given. "
			 "SGLang overlaps unless `--disable-overlap-schedule` is given.",
				"Move detokenising and streaming to other processes; give the engine's process "
				"dedicated cores.",
				"Sample on the GPU, and read tokens back one iteration later."}},
		.check = "`llm.host_gap_share` below {}",
		.evidence = "[Serving](#serving)",
		.saves = "an iteration",
		.particulars = gap_particulars,
	},
	{
		.info = {"TPR-LLM-002", "Decode without CUDA graphs", "the time of all iterations", 0.15,
			0.05, false, TP_HUE_HOST},
		.scope = TP_RULE_OF_SERVING,
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED,
		.evaluate = graph_unused,
		.title = "In decode without CUDA graphs the GPU is idle for {} of the time",
		.passed = "in decode without CUDA graphs the GPU is idle for {} of the time (limit {})",
		.any = {"Replay decode from CUDA graphs for every batch size in use.",
			{"vLLM: no `--enforce-eager`; add the batch sizes that lack a graph to "
			 "`cudagraph_capture_sizes` of `--compilation-config`.",
				"SGLang: no `--disable-cuda-graph`, nor `--disable-decode-cuda-graph`; the largest batch at most "
				"`--cuda-graph-max-bs-decode` (before 0.5.14 `--cuda-graph-max-bs`). TensorRT-LLM from 1.0: "
				"`max_batch_size` and `enable_padding` of `cuda_graph_config`.",
				"Or keep batches within the sizes that are captured: `--max-num-seqs`, "
				"`--max-running-requests`."}},
		.check = "`llm.graph_replay_share` at 100 %",
		.evidence = "[Serving](#serving)",
		.saves = "an iteration",
		.particulars = graph_particulars,
	},
	{
		.info = {"TPR-LLM-003", "Prefill stalls decode", "the time of all iterations", 0.40, 0.20,
			false, TP_HUE_INPUT},
		.scope = TP_RULE_OF_SERVING,
		.evaluate = prefill_holds_up,
		.title = "Decoding requests wait for prefill for {} of the time",
		.passed = "decoding requests wait for prefill for {} of the time (limit {})",
		.any = {"Split prefill into smaller chunks, or run it on separate GPUs.",
			{"vLLM: a smaller `--max-num-batched-tokens`. SGLang: a smaller `--chunked-prefill-size`.",
				"Prefill and decode on separate instances (disaggregated prefill), where prompts are long."}},
		.check = "`llm.time_per_output_token.p50_ms`; p95 of [iterations](#serving/iterations)",
		.evidence = "[Serving](#serving)",
		.unbounded =
			"This delays tokens but costs no throughput: prompts have to be computed at some point.",
	},
	{
		.info = {"TPR-LLM-004", "Small decode batch",
			"the batch at which decode becomes compute-bound", NAN, 0.25, true, TP_HUE_MEMORY},
		.scope = TP_RULE_OF_SERVING,
		.evaluate = small_batch,
		.title =
			"Decode is memory-bound: its batch is {} of the size at which it becomes compute-bound",
		.passed =
			"the decode batch is {} of the size at which decode becomes compute-bound (limit {})",
		.any = {"Decode more requests at once, where latency allows.",
			{"More concurrent requests: `--max-num-seqs` in vLLM, `--max-running-requests` in SGLang.",
				"More room for keys and values: a larger memory share, an fp8 cache.",
				"With few requests: speculative decoding, which produces several tokens each time "
				"the weights are read."}},
		.check = "`llm.tokens_per_s`",
		.evidence = "[Serving](#serving)",
		.unbounded =
			"Up to that size, a larger batch hardly lengthens an iteration. How much throughput "
			"that gains depends on the number of requests.",
		.particulars = batch_particulars,
	},
	{.evaluate = NULL},
};
