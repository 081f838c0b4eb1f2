/* What tfprof's checkers say, each in a row. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_columns.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "report/draft.h"

static void
put(struct tp_draft *draft, const char *checker, struct tp_slice says, const char *limit)
{
	struct checker_cells *cells =
		tp_draft_row_of(draft, tp_slice_of(checker), TP_ROW_NORMAL, 0, NULL);

	cells->checker.value = tp_text_value(tp_slice_of(checker));
	cells->says.value = tp_text_value(tp_utf8_clean(draft->doc->arena, says));
	cells->limit.value = tp_say_text(tp_slice_of(limit), why_no_limit);
}

static void
utilization(
	const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_draft *draft)
{
	const struct tp_tfprof_advice *a = &s->advice;

	if (a->device_count == 0)
		put(draft, "AcceleratorUtilizationChecker", TP_S(text_no_accelerator), "50 %");
	if (a->device_count != 0 && s->tfprof->misses_stream)
		put(draft, "AcceleratorUtilizationChecker", TP_S("–, because " TP_TFPROF_NO_STREAM "."),
			"50 %");
	for (uint32_t i = 0; i < a->device_count && !s->tfprof->misses_stream; i++) {
		const struct tp_tfprof_device *d = &a->devices[i];
		double span_us = (double)d->end_us - (double)d->start_us;

		put(draft, "AcceleratorUtilizationChecker",
			tp_arena_printf(ctx->keep, text_busy, TP_ARG(d->name),
				TP_ARG(tp_say_value(ctx, tp_share((double)d->busy_us, span_us, TP_S("no time"))))),
			"50 %");
	}
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_draft *draft)
{
	const struct tp_tfprof_advice *a = &s->advice;

	if (s->tfprof->lacks_graph) {
		put(draft, "OperationChecker", TP_S(text_no_graph), "");
		return;
	}
	if (a->batch_norm != TP_MAP_NONE)
		put(draft, "OperationChecker",
			tp_arena_printf(ctx->keep, text_unfused, TP_ARG(s->tfprof->nodes[a->batch_norm].name)),
			"");
	if (a->nhwc != TP_MAP_NONE)
		put(draft, "OperationChecker",
			tp_arena_printf(ctx->keep, text_nhwc, TP_ARG(s->tfprof->nodes[a->nhwc].name)), "");
	if (a->batch_norm == TP_MAP_NONE && a->nhwc == TP_MAP_NONE)
		put(draft, "OperationChecker", TP_S(text_nothing_found), "");
}

static void
expensive(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_draft *draft)
{
	struct tp_slice text = TP_S("");
	double all_us = (double)s->ops.rows[0].total.of[TP_TFPROF_US];

	for (uint32_t i = 1; i < s->ops.count && i <= 3; i++) {
		const struct tp_tfprof_row *row = &s->ops.rows[i];

		if (row->own.of[TP_TFPROF_US] > 0)
			text = tp_arena_printf(ctx->keep, "%.*s%s%.*s %.*s", TP_ARG(text),
				text.len != 0 ? ", " : "", TP_ARG(row->name),
				TP_ARG(tp_say_value(
					ctx, tp_share((double)row->own.of[TP_TFPROF_US], all_us, TP_S("no time")))));
	}
	put(draft, "ExpensiveOperationChecker", text.len != 0 ? text : TP_S(text_no_step_ran),
		"the first 3");
}

void
tp_tfprof_checkers(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tfprof/advice", checker_columns);

	utilization(ctx, s, &draft);
	operations(ctx, s, &draft);
	expensive(ctx, s, &draft);
	put(&draft, "JobChecker", TP_S(text_google), "");
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(caption_advice);
}
