/* What the report says about scalars of the whole run. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/saturate.h"
#include "base/utf8.h"
#include "model/events.h"
#include "model/profile.h"
#include "rank.pb-c.h"
#include "report/draft.h"

#include <math.h>

enum { TAGS_OPEN = 12, MOST_TAGS = 2000, RUNS_OPEN = 8, MOST_RUNS = 500 };

/* The tag, and its run where there are several. */
static struct tp_slice
name_of(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar *scalar)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, scalar->series->tag);

	if (s->run_count == 1)
		return tag;
	return tp_arena_printf(
		ctx->keep, "%.*s (%.*s)", TP_ARG(tag), TP_ARG(s->runs[scalar->run].name));
}

static struct tp_value
run_words(const struct tp_scalar_run *run)
{
	return tp_text_value(
		tp_slice_eq(run->name, TP_S(".")) ? TP_S("the log directory's own files") : run->name);
}

bool
tp_scalars_several(const struct tp_scalars *s)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->run_count; i++)
		count += !isnan(s->runs[i].pace.step_s);
	return count > 1;
}

static struct tp_text
answer(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc)
{
	if (s->scalar_count == 0)
		return TP_SAY0(doc, "The event files hold no scalars.");
	if (isnan(s->runs[s->main].pace.step_s))
		return TP_SAY(doc, "The event files hold {} of {}.",
			tp_say_number(ctx, s->points, "point", "points"),
			tp_say_number(ctx, s->scalar_count, "scalar", "scalars"));
	if (!tp_scalars_several(s))
		return TP_SAY0(doc, "A step takes {events.step_time_ms} of wall time.");
	return TP_SAY(doc, "A step of {} takes {events.step_time_ms} of wall time.",
		run_words(&s->runs[s->main]));
}

static struct tp_text
so_what(const struct tp_scalars *s, struct tp_doc *doc)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_value wall = tp_pace_wall(pace);

	if (s->scalar_count == 0)
		return (struct tp_text){NULL, 0};
	if (pace->evaluation)
		return TP_SAY0(doc,
			"They are of an evaluation, by its folder's name: its points do not say how long training "
			"steps took.");
	if (isnan(pace->step_s))
		return TP_SAY0(doc, "They do not record step times.");
	if (tp_pace_unknown(pace).len != 0)
		return TP_SAY(doc, "How much of {} was spent in steps is unknown: {}.", wall,
			tp_text_value(tp_pace_unknown(pace)));
	/* What is written as 100 % has no rest to speak of. */
	return TP_SAY(doc,
		tp_value_in(tp_pace_goodput(pace), TP_UNIT_SHARE) >= .9995
			? "{events.goodput_share} of {} was spent in steps."
			: "{events.goodput_share} of {} was spent in steps; the rest is before, between and "
			  "after steps.",
		wall);
}

/* The scalar that is not finite first, and how many are at all. */
static const struct tp_scalar *
first_not_finite(const struct tp_scalars *s, uint32_t *count)
{
	const struct tp_scalar *first = NULL;

	*count = 0;
	for (uint32_t i = 0; i < s->scalar_count; i++) {
		const struct tp_scalar *scalar = &s->scalars[i];

		if (scalar->not_finite == 0)
			continue;
		++*count;
		if (first == NULL || scalar->not_finite_at < first->not_finite_at)
			first = scalar;
	}
	return first;
}

static void
not_finite(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	uint32_t count;
	const struct tp_scalar *first = first_not_finite(s, &count);

	if (first == NULL)
		return;
	struct tp_slice more = count == 1
		? TP_S("")
		: tp_arena_printf(ctx->keep, "; %u more %s at some step", count - 1,
			  tp_plural(count - 1, "scalar is", "scalars are"));

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/not-finite",
		tp_doc_judged(doc, TP_JUDGE_WARN,
			TP_SAY(doc, "`{}` is NaN or infinite at {} of {}, first at step {}{}.",
				tp_text_value(name_of(ctx, s, first)), tp_count(first->not_finite),
				tp_say_number(ctx, first->points, "point", "points"),
				tp_integer(first->not_finite_at, TP_UNIT_COUNT), tp_text_value(more))));
}

/* What summaries leave out of points and tags. */
static void
say_left_out(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	uint64_t thinned = 0, stretch = 0, left_out = 0;

	for (uint32_t i = 0; i < s->scalar_count; i++) {
		const Tp__RankScalar *g = s->scalars[i].series->given;

		thinned += g != NULL && g->stretch != 0;
		stretch = g != NULL && g->stretch > stretch ? g->stretch : stretch;
	}
	for (uint32_t i = 0; i < s->run_count; i++)
		left_out = tp_plus(left_out, s->runs[i].run->left_out);
	if (thinned != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/thinned",
			TP_SAY(doc,
				"For {}, the curve shows some points only: the first, the last, and the min and "
				"max of each interval of at most {}. All figures in the table are exact.",
				tp_say_number(ctx, thinned, "scalar", "scalars"),
				tp_say_number(ctx, stretch, "point", "points")));
	if (left_out != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/left-out",
			TP_SAY(doc, "{} not in the summaries, which list 500 of each folder.",
				tp_say_number(ctx, left_out, "more scalar is", "more scalars are")));
}

static void
remarks(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_scalar_run *main = &s->runs[s->main];
	const struct tp_scalar_pace *pace = &main->pace;

	say_left_out(ctx, s, doc, section);
	if (isfinite(pace->window_from_step))
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/window",
			TP_SAY(doc, "The profile was captured between steps {} and {} of {}.",
				tp_number(pace->window_from_step, TP_UNIT_COUNT),
				tp_number(pace->window_to_step, TP_UNIT_COUNT), run_words(main)));
	if (s->purged != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/purged",
			TP_SAY(doc,
				"{} written before a restart went back to an earlier step; they are left out "
				"because their steps were repeated.",
				tp_say_number(ctx, s->purged, "point was", "points were")));
	if (pace->backwards != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/clock",
			TP_SAY(doc, "In {} of {}, steps advance while the clock goes back.",
				tp_say_number(ctx, pace->backwards, "place", "places"), run_words(main)));
	if (pace->overlaps != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/overlaps",
			TP_SAY(doc,
				"In {} of {}, step and clock both go back: several programs wrote to one folder. "
				"Overlapping time counts once.",
				tp_say_number(ctx, pace->overlaps, "place", "places"), run_words(main)));
	if (pace->turns != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/turns",
			TP_SAY(doc,
				"In {} of {}, steps go back without a session mark: treated as a restart that "
				"repeats the steps before it.",
				tp_say_number(ctx, pace->turns, "place", "places"), run_words(main)));
}

static const struct tp_column tag_columns[] = {
	TP_COLUMN("tag", "Tag", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COUNT_COLUMN("points", "Points", TP_COUNT_FIELD(struct tp_scalar, points)),
	TP_COLUMN("steps", "Steps"),
	TP_COLUMN("wall_s", "Wall time", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("first", "First"),
	TP_COLUMN("last", "Last"),
	TP_COLUMN("least", "Min, at step"),
	TP_COLUMN("most", "Max, at step"),
	TP_COUNT_COLUMN("not_finite", "Not finite", TP_COUNT_FIELD(struct tp_scalar, not_finite)),
};
struct tag_cells {
	struct tp_cell tag, run, points, steps, wall, first, last, least, most, not_finite;
};
TP_CELLS_ARE_COLUMNS(struct tag_cells, tag_columns);

static struct tp_value
with_step(const struct tp_pass_ctx *ctx, double value, int64_t step)
{
	if (isnan(value))
		return tp_missing(TP_S("no value is finite"));
	return tp_text_value(tp_arena_printf(
		ctx->keep, "%.*s at %lld", TP_ARG(tp_scalars_digits(ctx, value)), (long long)step));
}

static void
tag_row(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar *scalar,
	struct tp_draft *draft)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, scalar->series->tag);
	struct tag_cells *cells =
		tp_draft_row_of(draft, name_of(ctx, s, scalar), TP_ROW_NORMAL, 0, scalar);
	double wall_s = scalar->last_wall_s - scalar->first_wall_s;

	cells->tag.value = tp_say_text(tag, "the tag is empty");
	cells->run.value = tp_text_value(s->runs[scalar->run].name);
	cells->steps.value = tp_text_value(scalar->least_step == scalar->most_step
			? tp_arena_printf(ctx->keep, "%lld", (long long)scalar->least_step)
			: tp_arena_printf(ctx->keep, "%lld to %lld", (long long)scalar->least_step,
				  (long long)scalar->most_step));
	cells->wall.value = tp_number_or(wall_s, TP_UNIT_S, TP_S("a point has no time"));
	cells->first.value = tp_text_value(tp_scalars_digits(ctx, scalar->first));
	cells->last.value = tp_text_value(tp_scalars_digits(ctx, scalar->last));
	cells->least.value = with_step(ctx, scalar->least, scalar->least_at);
	cells->most.value = with_step(ctx, scalar->most, scalar->most_at);
	if (scalar->not_finite != 0)
		cells->not_finite.judge = TP_JUDGE_WARN;
}

static void
tags(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "whole-run/scalars", tag_columns);

	for (uint32_t i = 0; i < s->scalar_count && i < MOST_TAGS; i++)
		tag_row(ctx, s, &s->scalars[i], &draft);
	tp_draft_finish(&draft, TAGS_OPEN)->caption =
		TP_S("Scalars by run and tag; wall time is from first to last point");
	tp_say_left_out(ctx, doc, section, "whole-run/more-scalars", s->scalar_count, MOST_TAGS,
		"more tag", "more tags");
}

static const struct tp_column run_columns[] = {
	TP_COLUMN("run", "Run"),
	TP_COUNT_COLUMN("files", "Files", TP_COUNT_FIELD(struct tp_event_run, files)),
	TP_COUNT_COLUMN("records", "Records", TP_COUNT_FIELD(struct tp_event_run, records)),
	TP_COUNT_COLUMN("points", "Points", TP_COUNT_FIELD(struct tp_event_run, points)),
	TP_COLUMN("wall_s", "Wall time", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("step_ms", "Median step", .unit = TP_UNIT_MS, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("steps_per_s", "Steps per second"),
	TP_SHARE_COLUMN("in_steps", "In steps", .bar = true),
	TP_COUNT_COLUMN("gaps", "Gaps"),
	TP_COLUMN("gap_s", "In gaps", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COUNT_COLUMN("starts", "Session starts", TP_COUNT_FIELD(struct tp_event_run, starts)),
	TP_COUNT_COLUMN("purged", "Points repeated", TP_COUNT_FIELD(struct tp_event_run, purged)),
	TP_COUNT_COLUMN("damaged", "Damaged", TP_COUNT_FIELD(struct tp_event_run, damaged)),
};
struct run_cells {
	struct tp_cell run, files, records, points, wall, step, steps_per_s, in_steps, gaps, gap_s;
	struct tp_cell starts, purged, damaged;
};
TP_CELLS_ARE_COLUMNS(struct run_cells, run_columns);

static void
run_row(const struct tp_pass_ctx *ctx, const struct tp_scalar_run *r, struct tp_draft *draft)
{
	const struct tp_scalar_pace *pace = &r->pace;
	bool paced = !isnan(pace->step_s), told = tp_pace_unknown(pace).len == 0;
	struct tp_value none = tp_missing(tp_pace_unknown(pace));
	struct run_cells *cells = tp_draft_row_of(draft, r->name, TP_ROW_NORMAL, 0, r->run);

	cells->run.value = tp_text_value(r->name);
	cells->wall.value = tp_pace_wall(pace);
	cells->step.value = paced ? tp_number(pace->step_s * 1e3, TP_UNIT_MS) : none;
	cells->steps_per_s.value =
		paced ? tp_text_value(tp_arena_printf(ctx->keep, "%.4g", 1 / pace->step_s)) : none;
	cells->in_steps.value = tp_pace_goodput(pace);
	cells->gaps.value = told ? tp_count(pace->gap_count) : none;
	cells->gap_s.value = told ? tp_number(pace->gap_s, TP_UNIT_S) : none;
	if (r->run->damaged != 0)
		cells->damaged.judge = TP_JUDGE_WARN;
}

static void
runs(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "whole-run/runs", run_columns);

	for (uint32_t i = 0; i < s->run_count && i < MOST_RUNS; i++)
		run_row(ctx, &s->runs[i], &draft);
	tp_draft_finish(&draft, RUNS_OPEN)->caption = TP_S("Runs: one per folder with event files");
	tp_say_left_out(
		ctx, doc, section, "whole-run/more-runs", s->run_count, MOST_RUNS, "more run", "more runs");
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
		section->section.answer = answer(ctx, s, doc);
		section->section.so_what = so_what(s, doc);
	} else {
		section = tp_doc_section(doc, section, TP_SECTION_SUB, "whole-run/events", "Scalars");
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/pace",
			tp_doc_join(
				doc, answer(ctx, s, doc), tp_doc_join(doc, TP_SAY0(doc, " "), so_what(s, doc))));
	}
	not_finite(ctx, s, doc, section);
	tp_scalars_time(ctx, s, doc, section);
	if (s->scalar_count != 0) {
		tp_scalars_chart(ctx, s, doc, section);
		tags(ctx, s, doc, section);
	}
	runs(ctx, s, doc, section);
	remarks(ctx, s, doc, section);
	tp_scalars_others(ctx, s, doc, section);
	tp_say_how(ctx, doc, section, "whole-run/scalars-how",
		"Each folder with event files is a run; its files are ordered by name. A session that "
		"starts at a step discards points at that and later steps, as in TensorBoard, except the "
		"run's first session. Step time is the wall time between neighbouring points of the tag "
		"with the most points / the steps between them; points of an evaluation are no steps. Above five times the median, the excess "
		"over the median is a gap: evaluation, saving, a restart or waiting. Time in steps is the "
		"rest, of the wall time from the first record to the last that does not open a file.");
}
