/* What event files hold besides scalars: hyperparameters that the program noted; by tag histograms, images, texts … */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "analyze/job/scalars_columns.h"
#include "analyze/job/scalars_words.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/events.h"
#include "report/draft.h"

#include <math.h>

enum { HPARAMS_OPEN = 12, MOST_HPARAMS = 500, TAGS_OPEN = 12, MOST_TAGS = 500 };

struct tp_slice
tp_scalars_digits(const struct tp_pass_ctx *ctx, double value)
{
	char buf[TP_VALUE_BUF];

	if (!isfinite(value))
		return tp_arena_printf(ctx->keep, "%g", value);
	return tp_arena_copy(
		ctx->keep, tp_value_raw(tp_number(tp_number_of_single(value), TP_UNIT_NONE), buf));
}

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

static void
hparams(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	uint64_t count = 0;
	uint32_t shown = 0;

	for (uint32_t i = 0; i < s->run_count; i++)
		count += s->runs[i].run->hparam_count;
	if (count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "whole-run/hparams", hparam_columns);

	for (uint32_t i = 0; i < s->run_count; i++) {
		const struct tp_event_hparam *h = s->runs[i].run->hparams;

		for (; h != NULL && shown < MOST_HPARAMS; h = h->next, shown++) {
			struct tp_slice name = tp_utf8_clean(ctx->keep, h->name);
			struct hparam_cells *cells = tp_draft_row_of(
				&draft, name.len != 0 ? name : TP_S("without a name"), TP_ROW_NORMAL, 0, NULL);

			cells->name.value = tp_say_text(name, why_no_name);
			cells->run.value = tp_text_value(s->runs[i].name);
			cells->value.value = value_of(ctx, h);
		}
	}
	tp_draft_finish(&draft, HPARAMS_OPEN)->caption = TP_S(caption_hyperparameters);
	tp_say_left_out(ctx, doc, section, "whole-run/more-hparams", count, shown,
		"more hyperparameter", "more hyperparameters");
}

static const char *const names[TP_EVENT_OTHER_COUNT][2] = {
	[TP_EVENT_HISTOGRAMS] = {"histogram", "histograms"},
	[TP_EVENT_IMAGES] = {"image", "images"},
	[TP_EVENT_AUDIO] = {"sound", "sounds"},
	[TP_EVENT_TEXTS] = {"text", "texts"},
	[TP_EVENT_GRAPHS] = {"graph", "graphs"},
	[TP_EVENT_META_GRAPHS] = {"meta graph", "meta graphs"},
	[TP_EVENT_RUN_METADATA] = {"run metadata", "run metadata"},
	[TP_EVENT_LOG_MESSAGES] = {"log message", "log messages"},
	[TP_EVENT_OTHERS] = {"other value", "other values"},
};

/* "2 histograms, 1 graph" */
static struct tp_slice
counts(const struct tp_pass_ctx *ctx, const struct tp_scalars *s)
{
	struct tp_slice list = TP_S("");

	for (int k = 0; k < TP_EVENT_OTHER_COUNT; k++) {
		uint64_t count = 0;

		for (uint32_t i = 0; i < s->run_count; i++)
			count += s->runs[i].run->others[k];
		if (count != 0)
			list = tp_arena_printf(ctx->keep, "%.*s%s%llu %s", TP_ARG(list), list.len ? ", " : "",
				(unsigned long long)count, names[k][count != 1]);
	}
	return list;
}

static void
row(const struct tp_pass_ctx *ctx, const struct tp_scalar_run *run,
	const struct tp_event_series *series, struct tp_draft *draft)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, series->tag);
	struct other_cells *cells = tp_draft_row_of(
		draft, tag.len != 0 ? tag : TP_S("without a tag"), TP_ROW_NORMAL, 0, series);

	cells->tag.value = tp_say_text(tag, why_no_tag);
	cells->run.value = tp_text_value(run->name);
	cells->what.value = tp_text_value(tp_slice_of(names[series->other_kind][0]));
	cells->plugin.value = tp_say_text(tp_utf8_clean(ctx->keep, series->plugin), why_no_plugin);
}

/* Returns how many tags there are; rows of the first of them go to draft, unless that is NULL. */
static uint32_t
rows(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_draft *draft)
{
	uint32_t tags = 0;

	for (uint32_t i = 0; i < s->run_count; i++) {
		const struct tp_event_run *run = s->runs[i].run;

		for (uint32_t k = 0; k < run->tags.count && k < run->series_capacity; k++) {
			if (run->series[k].others != 0 && tags++ < MOST_TAGS && draft != NULL)
				row(ctx, &s->runs[i], &run->series[k], draft);
		}
	}
	return tags;
}

static void
others(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_slice list = counts(ctx, s);

	if (list.len == 0)
		return;
	if (rows(ctx, s, NULL) == 0) {
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/others",
			TP_SAY(doc, text_others, tp_text_value(list)));
		return;
	}
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, "whole-run/others",
		tp_arena_printf(ctx->keep, title_others, TP_ARG(list)).ptr);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "whole-run/other-tags", other_columns);

	fold->section.off_paper = true;
	uint32_t tags = rows(ctx, s, &draft);

	tp_draft_finish(&draft, TAGS_OPEN)->caption = TP_S(caption_others);
	tp_say_left_out(
		ctx, doc, fold, "whole-run/more-other-tags", tags, MOST_TAGS, "more tag", "more tags");
}

void
tp_scalars_others(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	hparams(ctx, s, doc, section);
	others(ctx, s, doc, section);
}
