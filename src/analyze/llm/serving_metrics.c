/* The headline figures of serving. */
#include "analyze/llm/serving.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/llm/serving_words.h"
#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

static struct tp_value
ms(double ps, const char *why)
{
	return tp_number_or(ps / 1e9, TP_UNIT_MS, tp_slice_of(why));
}

static void
kind_metrics(const struct tp_pass_ctx *ctx, const struct tp_serving *s, enum tp_serving_kind kind,
	struct tp_value none, struct tp_doc *doc)
{
	const struct tp_serving_kind_info *info = tp_serving_kind_info(kind);
	const struct tp_serving_sum *sum = s != NULL ? &s->kinds[kind] : NULL;
	struct tp_slice over = sum != NULL && sum->count != 0
		? tp_arena_printf(
			  ctx->keep, "%u %s", sum->count, tp_plural(sum->count, "iteration", "iterations"))
		: TP_S("");
	const struct {
		const char *what, *label, *how;
		struct tp_value value;
	} figures[] = {
		{"count", "iterations", "that the capture holds",
			sum != NULL ? tp_count(sum->count) : none},
		{"p50_ms", "iteration, median",
			"from the start of an iteration until its device work has ended",
			sum != NULL ? ms(sum->time.p50, why_none_of_kind) : none},
		{"p95_ms", "iteration, 95th percentile",
			"from the start of an iteration until its device work has ended",
			sum != NULL ? ms(sum->time.p95, why_none_of_kind) : none},
		{"busy_p50_ms", "device work of an iteration, median",
			"time in which any of the device work that an iteration launched runs",
			sum != NULL ? ms(sum->busy.p50, why_none_of_kind) : none},
	};

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		tp_doc_metric(doc,
			tp_arena_printf(ctx->keep, "llm.iteration.%s.%s", info->key, figures[i].what),
			tp_arena_printf(ctx->keep, "%s: %s", info->label, figures[i].label).ptr,
			figures[i].value, tp_slice_of(figures[i].how), over);
}

void
tp_serving_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_serving *s = result;
	struct tp_value none = tp_missing(tp_skipped_itself(ctx));
	const struct tp_serving_sum *decode = s != NULL ? &s->kinds[TP_SERVING_DECODE] : NULL;

	for (int k = 0; k < TP_SERVING_KINDS; k++)
		kind_metrics(ctx, s, (enum tp_serving_kind)k, none, doc);
	tp_say_metric(doc, "llm.host_gap.p50_ms", "Host gap, median",
		s != NULL ? ms(s->all.gap.p50, why_none_follows) : none,
		"from the last device work of an iteration to the first of the next on the same engine");
	tp_say_metric(doc, "llm.host_gap_share", "Host gap",
		s != NULL ? tp_share(s->all.gap_sum_ps, s->window_ps, TP_S(why_no_length)) : none,
		"Σ host gaps / time from the first iteration to the end of the last, over all engines");
	tp_say_metric(doc, "llm.graph_replay_share", "CUDA graph replay of decode",
		s != NULL ? tp_share((double)decode->with_graph, (double)decode->count, TP_S(why_no_decode))
				  : none,
		"decode iterations that launch a CUDA graph / all of them");
	tp_say_metric(doc, "llm.time_per_output_token.p50_ms", "Time per output token, median",
		s == NULL        ? none
			: s->drafted ? tp_missing(s->no_tokens)
						 : ms(s->per_token.p50, why_no_decode_follows),
		"from the end of an iteration to the end of the next one that decodes: every request of it gets a "
		"token");
	tp_say_metric(doc, "llm.prompt_tokens_per_s", "Prompt tokens per second",
		s == NULL ? none
			: isfinite(s->tokens_in)
			? tp_number_or(s->tokens_in / s->seconds, TP_UNIT_NONE, TP_S(why_no_length))
			: tp_missing(s->no_tokens),
		"prompt tokens that iterations process / time from the first iteration to the end of the "
		"last");
}
