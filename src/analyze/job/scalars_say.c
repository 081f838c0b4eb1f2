/* What event files come to, in sentences. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/doc.h"

#include <math.h>

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
		count += !isnan(s->runs[i].pace.step_s) && !s->runs[i].evaluation;
	return count > 1;
}

struct tp_text
tp_scalars_answer(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc)
{
	if (s->scalar_count == 0)
		return TP_SAY0(doc, "The event files hold no scalar.");
	if (isnan(s->runs[s->main].pace.step_s))
		return TP_SAY(doc, "The event files hold {} of {}.",
			tp_say_number(ctx, s->points, "point", "points"),
			tp_say_number(ctx, s->scalar_count, "scalar", "scalars"));
	if (!tp_scalars_several(s))
		return TP_SAY0(doc, "A step takes {events.step_time_ms} of wall time.");
	return TP_SAY(doc, "A step of {} takes {events.step_time_ms} of wall time.",
		run_words(&s->runs[s->main]));
}

struct tp_text
tp_scalars_so_what(const struct tp_scalars *s, struct tp_doc *doc)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_value wall = tp_pace_wall(pace);

	if (s->scalar_count == 0)
		return (struct tp_text){NULL, 0};
	if (isnan(pace->step_s))
		return TP_SAY0(doc, "How long steps take they do not tell.");
	if (tp_pace_unknown(pace).len != 0)
		return TP_SAY(doc, "How much of {} are steps is not known: {}.", wall,
			tp_text_value(tp_pace_unknown(pace)));
	/* What is written as 100 % has no rest to speak of. */
	return TP_SAY(doc,
		tp_value_in(tp_pace_goodput(pace), TP_UNIT_SHARE) >= .9995
			? "{events.goodput_share} of {} are steps."
			: "{events.goodput_share} of {} are steps; the rest is before, between and after.",
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

void
tp_scalars_not_finite(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
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
				tp_text_value(tp_scalars_name(ctx, s, first)), tp_count(first->not_finite),
				tp_say_number(ctx, first->points, "point", "points"),
				tp_integer(first->not_finite_at, TP_UNIT_COUNT), tp_text_value(more))));
}

void
tp_scalars_remarks(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_scalar_run *main = &s->runs[s->main];
	const struct tp_scalar_pace *pace = &main->pace;

	if (isfinite(pace->window_from_step))
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/window",
			TP_SAY(doc, "The profile was taken between steps {} and {} of {}.",
				tp_number(pace->window_from_step, TP_UNIT_COUNT),
				tp_number(pace->window_to_step, TP_UNIT_COUNT), run_words(main)));
	if (s->purged != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "whole-run/purged",
			TP_SAY(doc,
				"{} written before a restart went back to an earlier step; they are left out, for "
				"their steps were done again.",
				tp_say_number(ctx, s->purged, "point was", "points were")));
	if (pace->backwards != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/clock",
			TP_SAY(doc, "In {} of {} steps go on and the clock goes back.",
				tp_say_number(ctx, pace->backwards, "place", "places"), run_words(main)));
	if (pace->overlaps != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/overlaps",
			TP_SAY(doc,
				"In {} of {} step and clock both go back: several programs wrote into one folder. "
				"Time that they cover together counts once.",
				tp_say_number(ctx, pace->overlaps, "place", "places"), run_words(main)));
	if (pace->turns != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/turns",
			TP_SAY(doc,
				"In {} of {} steps go back without a mark of a new session: taken for a restart, "
				"and the time of the steps before it as done again.",
				tp_say_number(ctx, pace->turns, "place", "places"), run_words(main)));
}
