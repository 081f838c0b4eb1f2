/* Hyperparameters that the program noted in its event files. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "base/utf8.h"
#include "model/events.h"
#include "report/draft.h"

enum { HPARAMS_OPEN = 12, MOST_HPARAMS = 500 };

static const struct tp_column columns[] = {
	TP_COLUMN("name", "Hyperparameter", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COLUMN("value", "Value"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct tp_value
value_of(const struct tp_pass_ctx *ctx, const struct tp_event_hparam *h)
{
	switch (h->kind) {
	case TP_EVENT_HPARAM_TEXT:
		return tp_text_value(tp_utf8_clean(ctx->keep, h->text));
	case TP_EVENT_HPARAM_TRUTH:
		return tp_text_value(h->number != 0 ? TP_S("true") : TP_S("false"));
	case TP_EVENT_HPARAM_NUMBER:
		break;
	}
	return tp_text_value(tp_scalars_digits(ctx, h->number));
}

void
tp_scalars_hparams(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	uint64_t count = 0;
	uint32_t shown = 0;

	for (uint32_t i = 0; i < s->run_count; i++)
		count += s->runs[i].run->hparam_count;
	if (count == 0)
		return;
	struct tp_draft draft = tp_draft_table(doc, section, "whole-run/hparams", columns, COLUMNS);

	draft.block->table.caption = TP_S("Hyperparameters as the program noted them");
	for (uint32_t i = 0; i < s->run_count; i++) {
		const struct tp_event_hparam *h = s->runs[i].run->hparams;

		for (; h != NULL && shown < MOST_HPARAMS; h = h->next, shown++) {
			struct tp_slice name = tp_utf8_clean(ctx->keep, h->name);
			struct tp_cell *cell = tp_draft_row(
				&draft, name.len != 0 ? name : TP_S("without a name"), TP_ROW_NORMAL, 0);

			cell[0].value =
				name.len != 0 ? tp_text_value(name) : tp_missing(TP_S("it has no name"));
			cell[1].value = tp_text_value(s->runs[i].name);
			cell[2].value = value_of(ctx, h);
		}
	}
	tp_draft_finish(&draft, HPARAMS_OPEN);
	if (count > shown)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/more-hparams",
			TP_SAY(doc, "{} are left out.",
				tp_say_number(ctx, count - shown, "more hyperparameter", "more hyperparameters")));
}
