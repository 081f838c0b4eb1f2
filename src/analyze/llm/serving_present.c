/* The section on serving. */
#include "analyze/llm/serving.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/draft.h"

#include <math.h>

static struct tp_text
answer(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_serving *s)
{
	const struct tp_serving_sum *prefill = &s->kinds[TP_SERVING_PREFILL];
	const struct tp_serving_sum *decode = &s->kinds[TP_SERVING_DECODE];
	struct tp_value all = tp_say_number(ctx, s->count, "iteration", "iterations");

	if (decode->count != 0 && prefill->count != 0)
		return TP_SAY(doc, "{}: {} decode of {} and {} prefill of {}, medians.", all,
			tp_count(decode->count), tp_ps_in_ms(decode->time.p50), tp_count(prefill->count),
			tp_ps_in_ms(prefill->time.p50));
	if (decode->count == s->count)
		return TP_SAY(doc, s->count == 1 ? "{}: decode, {}." : "{}, all decode, median {}.", all,
			tp_ps_in_ms(decode->time.p50));
	if (decode->count != 0)
		return TP_SAY(doc, "{}; {} decode, median {}.", all, tp_count(decode->count),
			tp_ps_in_ms(decode->time.p50));
	return TP_SAY(
		doc, s->count == 1 ? "{} of {}." : "{}, median {}.", all, tp_ps_in_ms(s->all.time.p50));
}

static struct tp_text
so_what(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_serving *s)
{
	struct tp_text text = {NULL, 0};

	if (s->engine != NULL)
		text = TP_SAY(doc, "Annotations are those of {}. ", tp_text_value(tp_slice_of(s->engine)));
	if (s->of_kernels)
		text = tp_doc_join(doc, text,
			TP_SAY(doc,
				"No annotation names them: the order of kernels shows them, confidence {}; the "
				"shorter and more frequent kind counts as decode. ",
				tp_text_value(
					tp_arena_printf(ctx->keep, "%.2f", floor(s->confidence * 100) / 100))));
	if (s->all.unmarked != 0)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, "{} without an annotation, known by the kernels. ",
				tp_say_number(ctx, s->all.unmarked, "iteration is", "iterations are")));
	if (s->engines > s->traces)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, "{} run in {}. ", tp_say_number(ctx, s->engines, "engine", "engines"),
				tp_say_number(ctx, s->traces, "trace", "traces")));
	if (isfinite(s->tokens_out) && s->seconds > 0)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, "{} output tokens in {} are {} per second.",
				tp_number(s->tokens_out, TP_UNIT_COUNT), tp_number(s->seconds, TP_UNIT_S),
				tp_number(round(s->tokens_out / s->seconds), TP_UNIT_COUNT)));
	else
		text = tp_doc_join(doc, text,
			TP_SAY(doc, "Tokens per second are unknown: {}.", tp_text_value(s->no_tokens)));
	return text;
}

static const char how[] =
	"An iteration lasts from its annotation's start until the device work that it launched has "
	"ended; of a capture without annotations from its first kernel to its last. Host gap: from the "
	"last device work of an iteration to the first of the next. Requests and tokens are what names "
	"say: vLLM `execute_context_R(T)_generation_R(T)`, SGLang step[EXTEND bs=R toks=T] and "
	"step[DECODE bs=R], TensorRT-LLM `_forward_step`: R ctx reqs, R gen reqs. Each request that is "
	"decoded, and each prompt, counts as one output token; with speculative decoding, no name says "
	"how many draft tokens are accepted. Engines in one trace each produce their own tokens; the "
	"ranks of one engine produce the same tokens together. Kernel times are sums over streams. "
	"Families come from kernel names. Alone: while nothing else runs on the GPU. A pair can be "
	"fused where the second kernel follows the first in 95 % of its runs or more; it saves at most "
	"the time of the shorter one. Rows share kernels, so savings do not add up.";

void
tp_serving_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_serving *s = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "serving", "Serving");
	const struct tp_serving_sum *decode = &s->kinds[TP_SERVING_DECODE];

	section->section.key_figure =
		tp_ps_in_ms(decode->count != 0 ? decode->time.p50 : s->all.time.p50);
	section->section.answer = answer(ctx, doc, s);
	section->section.so_what = so_what(ctx, doc, s);
	tp_serving_tables(ctx, s, doc, section);
	if (s->kernels != NULL)
		tp_serving_kernel_tables(ctx, s, doc, section);
	tp_say_how(ctx, doc, section, "serving/how", how);
	tp_say_source(
		ctx, doc, section, "serving/source", "annotations, calls that launch, GPU-stream work");
}
