/* What the report says about scalars of the whole run. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "analyze/job/scalars_columns.h"
#include "analyze/job/scalars_words.h"
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
	return tp_text_value(tp_slice_eq(run->name, TP_S(".")) ? TP_S(text_own_files) : run->name);
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
		return TP_SAY0(doc, text_no_scalars);
	if (isnan(s->runs[s->main].pace.step_s))
		return TP_SAY(doc, text_scalars, tp_say_number(ctx, s->points, "point", "points"),
			tp_say_number(ctx, s->scalar_count, "scalar", "scalars"));
	if (!tp_scalars_several(s))
		return TP_SAY0(doc, text_step);
	return TP_SAY(doc, text_step_of, run_words(&s->runs[s->main]));
}

static struct tp_text
so_what(const struct tp_scalars *s, struct tp_doc *doc)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_value wall = tp_pace_wall(pace);

	if (s->scalar_count == 0)
		return (struct tp_text){NULL, 0};
	if (pace->evaluation)
		return TP_SAY0(doc, text_evaluation);
	if (isnan(pace->step_s))
		return TP_SAY0(doc, text_no_step_times);
	if (tp_pace_unknown(pace).len != 0)
		return TP_SAY(doc, text_steps_unknown, wall, tp_text_value(tp_pace_unknown(pace)));
	/* What is written as 100 % has no rest to speak of. */
	return TP_SAY(doc,
		tp_value_in(tp_pace_goodput(pace), TP_UNIT_SHARE) >= .9995 ? text_in_steps
																   : text_in_steps_rest,
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
	struct tp_slice more = count == 1 ? TP_S("")
									  : tp_arena_printf(ctx->keep, text_not_finite_more, count - 1,
											tp_plural(count - 1, "scalar is", "scalars are"));

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/not-finite",
		tp_doc_judged(doc, TP_JUDGE_WARN,
			TP_SAY(doc, text_not_finite, tp_text_value(name_of(ctx, s, first)),
				tp_count(first->not_finite), tp_say_number(ctx, first->points, "point", "points"),
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
			TP_SAY(doc, text_thinned, tp_say_number(ctx, thinned, "scalar", "scalars"),
				tp_say_number(ctx, stretch, "point", "points")));
	if (left_out != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/left-out",
			TP_SAY(doc, text_left_out,
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
			TP_SAY(doc, text_captured, tp_number(pace->window_from_step, TP_UNIT_COUNT),
				tp_number(pace->window_to_step, TP_UNIT_COUNT), run_words(main)));
	if (s->purged != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/purged",
			TP_SAY(doc, text_discarded, tp_say_number(ctx, s->purged, "point was", "points were")));
	if (pace->backwards != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/clock",
			TP_SAY(doc, text_clock_back, tp_say_number(ctx, pace->backwards, "place", "places"),
				run_words(main)));
	if (pace->overlaps != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/overlaps",
			TP_SAY(doc, text_both_back, tp_say_number(ctx, pace->overlaps, "place", "places"),
				run_words(main)));
	if (pace->turns != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/turns",
			TP_SAY(doc, text_steps_back, tp_say_number(ctx, pace->turns, "place", "places"),
				run_words(main)));
}

static struct tp_value
with_step(const struct tp_pass_ctx *ctx, double value, int64_t step)
{
	if (isnan(value))
		return tp_missing(TP_S(why_not_finite));
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

	cells->tag.value = tp_say_text(tag, why_no_tag);
	cells->run.value = tp_text_value(s->runs[scalar->run].name);
	cells->steps.value = tp_text_value(scalar->least_step == scalar->most_step
			? tp_arena_printf(ctx->keep, "%lld", (long long)scalar->least_step)
			: tp_arena_printf(ctx->keep, "%lld to %lld", (long long)scalar->least_step,
				  (long long)scalar->most_step));
	cells->wall.value = scalar->points > 1
		? tp_number_or(wall_s, TP_UNIT_S, TP_S(why_no_point_time))
		: tp_missing(TP_S(why_one_point));
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
	tp_draft_finish(&draft, TAGS_OPEN)->caption = TP_S(caption_scalars);
	tp_say_left_out(ctx, doc, section, "whole-run/more-scalars", s->scalar_count, MOST_TAGS,
		"more tag", "more tags");
}

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
	tp_draft_finish(&draft, RUNS_OPEN)->caption = TP_S(caption_runs);
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
	tp_say_how(ctx, doc, section, "whole-run/scalars-how", how_scalars);
}
