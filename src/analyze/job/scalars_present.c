/* What the report says about scalars of the whole run. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/events.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>
#include <stdio.h>

enum { TAGS_OPEN = 12, MOST_TAGS = 2000, RUNS_OPEN = 8, MOST_RUNS = 500 };

struct tp_slice
tp_scalars_digits(const struct tp_pass_ctx *ctx, double value)
{
	char buf[TP_VALUE_BUF];

	if (!isfinite(value))
		return tp_arena_printf(ctx->keep, "%g", value);
	return tp_arena_copy(
		ctx->keep, tp_value_raw(tp_number(tp_number_of_single(value), TP_UNIT_NONE), buf));
}

struct tp_slice
tp_scalars_name(
	const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar *scalar)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, scalar->series->tag);

	if (s->run_count == 1)
		return tag;
	return tp_arena_printf(
		ctx->keep, "%.*s (%.*s)", TP_ARG(tag), TP_ARG(s->runs[scalar->run].name));
}

static const struct tp_column tag_columns[] = {
	TP_COLUMN("tag", "Tag", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COUNT_COLUMN("points", "Points"),
	TP_COLUMN("steps", "Steps"),
	TP_COLUMN("wall_s", "Wall time", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("first", "First"),
	TP_COLUMN("last", "Last"),
	TP_COLUMN("least", "Least, at step"),
	TP_COLUMN("most", "Most, at step"),
	TP_COUNT_COLUMN("not_finite", "NaN, infinite"),
};
enum { TAG_COLUMNS = sizeof tag_columns / sizeof *tag_columns };

static struct tp_value
with_step(const struct tp_pass_ctx *ctx, double value, int64_t step)
{
	if (isnan(value))
		return tp_missing(TP_S("no value is finite"));
	return tp_text_value(tp_arena_printf(
		ctx->keep, "%.*s, %lld", TP_ARG(tp_scalars_digits(ctx, value)), (long long)step));
}

static void
tag_row(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar *scalar,
	struct tp_draft *draft)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, scalar->series->tag);
	struct tp_cell *cell = tp_draft_row(draft, tp_scalars_name(ctx, s, scalar), TP_ROW_NORMAL, 0);
	double wall_s = scalar->last_wall_s - scalar->first_wall_s;

	cell[0].value = tag.len != 0 ? tp_text_value(tag) : tp_missing(TP_S("the tag is empty"));
	cell[1].value = tp_text_value(s->runs[scalar->run].name);
	cell[2].value = tp_count(scalar->points);
	cell[3].value = tp_text_value(scalar->least_step == scalar->most_step
			? tp_arena_printf(ctx->keep, "%lld", (long long)scalar->least_step)
			: tp_arena_printf(ctx->keep, "%lld to %lld", (long long)scalar->least_step,
				  (long long)scalar->most_step));
	cell[4].value = isfinite(wall_s) ? tp_number(wall_s, TP_UNIT_S)
									 : tp_missing(TP_S("a point has no time of any clock"));
	cell[5].value = tp_text_value(tp_scalars_digits(ctx, scalar->first));
	cell[6].value = tp_text_value(tp_scalars_digits(ctx, scalar->last));
	cell[7].value = with_step(ctx, scalar->least, scalar->least_at);
	cell[8].value = with_step(ctx, scalar->most, scalar->most_at);
	cell[9].value = tp_count(scalar->not_finite);
	if (scalar->not_finite != 0)
		cell[9].judge = TP_JUDGE_WARN;
}

static void
tags(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "whole-run/scalars", tag_columns, TAG_COLUMNS);

	draft.block->table.caption = TP_S(
		"Every scalar: a row is a tag of a run; wall time is from its first point to its last");
	for (uint32_t i = 0; i < s->scalar_count && i < MOST_TAGS; i++)
		tag_row(ctx, s, &s->scalars[i], &draft);
	tp_draft_finish(&draft, TAGS_OPEN);
	if (s->scalar_count > MOST_TAGS)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/more-scalars",
			TP_SAY(doc, "{} are left out.",
				tp_say_number(ctx, s->scalar_count - MOST_TAGS, "more tag", "more tags")));
}

static const struct tp_column run_columns[] = {
	TP_COLUMN("run", "Run"),
	TP_COUNT_COLUMN("files", "Files"),
	TP_COUNT_COLUMN("records", "Records"),
	TP_COUNT_COLUMN("points", "Points"),
	TP_COLUMN("wall_s", "Wall time", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("step_ms", "A step, median", .unit = TP_UNIT_MS, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("steps_per_s", "Steps a second"),
	TP_SHARE_COLUMN("in_steps", "In steps", .bar = true),
	TP_COUNT_COLUMN("gaps", "Gaps"),
	TP_COLUMN("gap_s", "In gaps", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COUNT_COLUMN("starts", "Session starts"),
	TP_COUNT_COLUMN("purged", "Points done again"),
	TP_COUNT_COLUMN("damaged", "Damaged"),
};
enum { RUN_COLUMNS = sizeof run_columns / sizeof *run_columns };

/* beside: what an evaluation wrote beside a training. */
static void
run_row(const struct tp_pass_ctx *ctx, const struct tp_scalar_run *r, bool beside,
	struct tp_draft *draft)
{
	const struct tp_scalar_pace *pace = &r->pace;
	bool paced = !isnan(pace->step_s) && !beside, told = paced && tp_pace_unknown(pace).len == 0;
	struct tp_value none =
		tp_missing(beside ? TP_S("an evaluation is no step") : tp_pace_unknown(pace));
	struct tp_cell *cell = tp_draft_row(draft, r->name, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(r->name);
	cell[1].value = tp_count(r->run->files);
	cell[2].value = tp_count(r->run->records);
	cell[3].value = tp_count(r->run->points);
	cell[4].value = tp_pace_wall(pace);
	cell[5].value = paced ? tp_number(pace->step_s * 1e3, TP_UNIT_MS) : none;
	cell[6].value =
		paced ? tp_text_value(tp_arena_printf(ctx->keep, "%.4g", 1 / pace->step_s)) : none;
	cell[7].value = beside ? none : tp_pace_goodput(pace);
	cell[8].value = told ? tp_count(pace->gap_count) : none;
	cell[9].value = told ? tp_number(pace->gap_s, TP_UNIT_S) : none;
	cell[10].value = tp_count(r->run->starts);
	cell[11].value = tp_count(r->run->purged);
	cell[12].value = tp_count(r->run->damaged);
	if (r->run->damaged != 0)
		cell[12].judge = TP_JUDGE_WARN;
}

static void
runs(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "whole-run/runs", run_columns, RUN_COLUMNS);

	draft.block->table.caption = TP_S("Every folder with event files is a run");
	for (uint32_t i = 0; i < s->run_count && i < MOST_RUNS; i++)
		run_row(ctx, &s->runs[i], s->runs[i].evaluation && i != s->main, &draft);
	tp_draft_finish(&draft, RUNS_OPEN);
	if (s->run_count > MOST_RUNS)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/more-runs",
			TP_SAY(doc, "{} are left out.",
				tp_say_number(ctx, s->run_count - MOST_RUNS, "more run", "more runs")));
}

void
tp_scalars_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_scalars *s = result;
	const struct tp_profile *p = ctx->profile;

	/* A file that only marks a folder for TensorBoard is nothing to tell beside a profile. */
	if (s->scalar_count == 0 && (p->host_count != 0 || p->torch != NULL || p->phases != NULL))
		return;
	struct tp_block *section = tp_doc_find_section(doc, "whole-run");

	if (section == NULL) {
		section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "whole-run", "Whole run");
		section->section.key_figure = tp_pace_wall(&s->runs[s->main].pace);
		section->section.answer = tp_scalars_answer(ctx, s, doc);
		section->section.so_what = tp_scalars_so_what(s, doc);
	} else {
		section = tp_doc_section(doc, section, TP_SECTION_SUB, "whole-run/events", "Scalars");
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/pace",
			tp_doc_join(doc, tp_scalars_answer(ctx, s, doc),
				tp_doc_join(doc, TP_SAY0(doc, " "), tp_scalars_so_what(s, doc))));
	}
	tp_scalars_not_finite(ctx, s, doc, section);
	tp_scalars_time(ctx, s, doc, section);
	if (s->scalar_count != 0) {
		tp_scalars_chart(ctx, s, doc, section);
		tags(ctx, s, doc, section);
	}
	runs(ctx, s, doc, section);
	tp_scalars_remarks(ctx, s, doc, section);
	tp_scalars_hparams(ctx, s, doc, section);
	tp_scalars_others(ctx, s, doc, section);
	tp_say_how(ctx, doc, section, "whole-run/scalars-how",
		"Each folder with event files is a run; its files follow each other by name. A session "
		"that starts at a step makes points at that step and later ones void, as in TensorBoard, "
		"but for the first of a run, which begins it. A step's time is the wall time between "
		"neighbouring points of the tag with the most points, by the steps between them. Where "
		"that is more than five times the median, what is beyond the median is a gap: evaluation, "
		"saving, a restart or waiting. Time in steps is the rest, beside the wall time from the "
		"first record to the last that does not open a file.");
}
