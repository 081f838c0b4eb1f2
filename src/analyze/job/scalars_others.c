/* What event files hold besides scalars, by tag: histograms, images, texts … */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/events.h"
#include "report/draft.h"

enum { TAGS_OPEN = 12, MOST_TAGS = 500 };

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

static const struct tp_column columns[] = {
	TP_COLUMN("tag", "Tag", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COLUMN("what", "What"),
	TP_COLUMN("plugin", "Plugin", .code = true),
	TP_COUNT_COLUMN("values", "Values"),
	TP_COUNT_COLUMN("first_step", "First step"),
	TP_COUNT_COLUMN("last_step", "Last step"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void
row(const struct tp_pass_ctx *ctx, const struct tp_scalar_run *run,
	const struct tp_event_series *series, struct tp_draft *draft)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, series->tag);
	struct tp_cell *cell =
		tp_draft_row(draft, tag.len != 0 ? tag : TP_S("without a tag"), TP_ROW_NORMAL, 0);

	cell[0].value = tag.len != 0 ? tp_text_value(tag) : tp_missing(TP_S("the tag is empty"));
	cell[1].value = tp_text_value(run->name);
	cell[2].value = tp_text_value(tp_slice_of(names[series->other_kind][0]));
	cell[3].value = series->plugin.len != 0
		? tp_text_value(tp_utf8_clean(ctx->keep, series->plugin))
		: tp_missing(TP_S("written without one, as TensorFlow 1 does"));
	cell[4].value = tp_count(series->others);
	cell[5].value = tp_integer(series->other_first, TP_UNIT_COUNT);
	cell[6].value = tp_integer(series->other_last, TP_UNIT_COUNT);
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

void
tp_scalars_others(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_slice list = counts(ctx, s);

	if (list.len == 0)
		return;
	if (rows(ctx, s, NULL) == 0) {
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/others",
			TP_SAY(doc, "Besides scalars: {}.", tp_text_value(list)));
		return;
	}
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, "whole-run/others",
		tp_arena_printf(ctx->keep, "Besides scalars: %.*s", TP_ARG(list)).ptr);
	struct tp_draft draft = tp_draft_table(doc, fold, "whole-run/other-tags", columns, COLUMNS);

	fold->section.off_paper = true;
	draft.block->table.caption =
		TP_S("Values that are no scalars, by tag; graphs and log messages have none");
	uint32_t tags = rows(ctx, s, &draft);

	tp_draft_finish(&draft, TAGS_OPEN);
	if (tags > MOST_TAGS)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL, "whole-run/more-other-tags",
			TP_SAY(doc, "{} are left out.",
				tp_say_number(ctx, tags - MOST_TAGS, "more tag", "more tags")));
}
