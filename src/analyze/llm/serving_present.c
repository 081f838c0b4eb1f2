/* The section on serving. */
#include "analyze/llm/serving.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/llm/serving_words.h"
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
		return TP_SAY(doc, text_decode_and_prefill, all, tp_count(decode->count),
			tp_ps_in_ms(decode->time.p50), tp_count(prefill->count),
			tp_ps_in_ms(prefill->time.p50));
	if (decode->count == s->count)
		return TP_SAY(doc, s->count == 1 ? text_one_decode : text_all_decode, all,
			tp_ps_in_ms(decode->time.p50));
	if (decode->count != 0)
		return TP_SAY(
			doc, text_some_decode, all, tp_count(decode->count), tp_ps_in_ms(decode->time.p50));
	return TP_SAY(doc, s->count == 1 ? text_one : text_all, all, tp_ps_in_ms(s->all.time.p50));
}

static struct tp_text
so_what(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_serving *s)
{
	struct tp_text text = {NULL, 0};

	if (s->engine != NULL)
		text = TP_SAY(doc, text_annotated, tp_text_value(tp_slice_of(s->engine)));
	if (s->of_kernels)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, text_by_kernels,
				tp_text_value(
					tp_arena_printf(ctx->keep, "%.2f", floor(s->confidence * 100) / 100))));
	if (s->all.unmarked != 0)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, text_without_annotation,
				tp_say_number(ctx, s->all.unmarked, "iteration is", "iterations are")));
	if (s->engines > s->traces)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, text_engines, tp_say_number(ctx, s->engines, "engine", "engines"),
				tp_say_number(ctx, s->traces, "trace", "traces")));
	if (isfinite(s->tokens_out) && s->seconds > 0)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, text_tokens, tp_number(s->tokens_out, TP_UNIT_COUNT),
				tp_number(s->seconds, TP_UNIT_S),
				tp_number(round(s->tokens_out / s->seconds), TP_UNIT_COUNT)));
	else
		text = tp_doc_join(doc, text, TP_SAY(doc, text_no_tokens, tp_text_value(s->no_tokens)));
	return text;
}

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
	tp_say_how(ctx, doc, section, "serving/how", how_serving);
	tp_say_source(ctx, doc, section, "serving/source", source_serving);
}
