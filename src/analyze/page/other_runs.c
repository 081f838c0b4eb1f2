/* The other runs of a log directory: their names, what each holds, and how to choose it. */
#include "analyze/page/other_runs.h"

#include "analyze/core/say.h"
#include "report/draft.h"

static const struct tp_column columns[] = {
	TP_COLUMN("run", "Run", .code = true, TP_TEXT_FIELD(struct tp_other_run, name)),
	TP_COLUMN("holds", "Holds", TP_TEXT_FIELD(struct tp_other_run, holds)),
	TP_COUNT_COLUMN("number", "Number", TP_COUNT_FIELD(struct tp_other_run, number)),
};

bool
tp_other_runs_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *out)
{
	const struct tp_other_runs *o = ctx->options->other_runs;

	if (o == NULL || o->count == 0)
		return false;
	*out = o->number == 1 ? TP_SAY(doc, "[newest of {} runs](#method/other-runs)", tp_count(o->all))
						  : TP_SAY(doc, "[number {} of {} runs](#method/other-runs)",
								tp_count(o->number), tp_count(o->all));
	if (o->all == 2)
		*out = tp_doc_join(doc, *out,
			TP_SAY(doc, ", the other is `{}` ({})", tp_text_value(o->runs[0].name),
				tp_text_value(o->runs[0].holds)));
	return true;
}

void
tp_other_runs_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_other_runs *o = ctx->options->other_runs;

	if (o == NULL || o->count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "method/other-runs", columns);

	for (size_t i = 0; i < o->count; i++)
		tp_draft_row_of(&draft, o->runs[i].name, TP_ROW_NORMAL, 0, &o->runs[i]);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Other runs of the log directory: --run NAME or --run NUMBER makes a report of one, "
			 "--run all of each");
	if (o->all - 1 > o->count)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "method/more-runs",
			TP_SAY(doc, "{} older ones are not in this table.", tp_count(o->all - 1 - o->count)));
}
