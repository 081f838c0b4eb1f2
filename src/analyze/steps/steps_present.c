/* What the report says about steps: metrics, the strip, the table of classes, the slowest step. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { ENOUGH_FOR_PERCENTILES = 20 };

struct tp_slice
tp_steps_confidence(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	return tp_arena_printf(ctx->keep, "%.2f", floor(s->repetition.confidence * 100) / 100);
}

struct tp_text
tp_steps_say_inferred(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	return TP_SAY(doc, text_inferred, tp_say_number(ctx, s->repetition.runs, "run", "runs"),
		tp_text_value(s->inferred_from), tp_text_value(tp_steps_confidence(ctx, s)));
}

struct tp_text
tp_steps_say_launched(struct tp_doc *doc, const struct tp_steps *s)
{
	switch (s->launched.timing) {
	case TP_TIMED_BY_MARKER:
		break;
	case TP_TIMED_BY_START:
		return TP_SAY0(doc, text_to_marker);
	case TP_TIMED_BY_WORK:
		return TP_SAY0(doc, text_to_work);
	case TP_TIMED_BY_RUN:
		return s->launched.program.len != 0
			? TP_SAY(doc, text_to_run_of, tp_text_value(s->launched.program))
			: TP_SAY0(doc, text_to_run);
	}
	return (struct tp_text){NULL, 0};
}

/* As much as the sample can carry. */
static struct tp_text
answer(struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_stats *t = &s->time;
	struct tp_value one = tp_text_value(tp_slice_of(tp_steps_word(s, 1)));

	if (s->count == 1)
		return TP_SAY(doc, text_only_step, one, tp_ps_in_ms(t->p50));
	if (tp_steps_equal(s))
		return TP_SAY(doc, text_equal_steps, one, tp_ps_in_ms(t->p50), tp_ps_in_ms(t->sd));
	if (s->count < ENOUGH_FOR_PERCENTILES)
		return TP_SAY(doc, text_few_steps,
			tp_text_value(s->inferred ? TP_S("Inferred steps") : TP_S("Steps")),
			tp_ps_in_ms(t->min), tp_ps_in_ms(t->max), tp_ps_in_ms(t->p50));
	return TP_SAY(doc, text_many_steps, one, tp_ps_in_ms(t->p50), tp_ps_in_ms(t->p95));
}

/* Which class makes whole steps differ: the one whose deviation stands out. */
static struct tp_text
spread(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	double *values = tp_new_array(ctx->scratch, double, s->count), most = 0, second = 0;
	size_t widest = 0;

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		size_t n = 0;

		for (size_t i = 0; i < s->count; i++) {
			if (!s->steps[i].open_start && !s->steps[i].open_end)
				values[n++] = tp_step_part_ps(&s->steps[i], k);
		}
		double sd = tp_stats_of(values, n, ctx->scratch).sd;

		if (sd > most) {
			second = most;
			most = sd;
			widest = k;
		} else if (sd > second) {
			second = sd;
		}
	}
	if (!(s->whole.time.sd > TP_STEPS_EQUAL_SHARE * s->whole.time.mean) || most < 2 * second)
		return (struct tp_text){NULL, 0};
	return TP_SAY(doc, text_spread, tp_text_value(tp_slice_of(tp_step_part(widest).label)),
		tp_ps_in_ms(most), tp_ps_in_ms(second));
}

enum { MOST_LACKING = 3 };

/* Who lacks steps. */
static struct tp_text
lacking(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	struct tp_text text = {NULL, 0};

	for (size_t i = 0; i < s->lacking_count && i < MOST_LACKING; i++)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, i == 0 ? text_lacking : text_lacking_next,
				tp_text_value(tp_steps_timeline_name(ctx, s, s->lacking[i].timeline)),
				tp_text_value(s->lacking[i].has == 0 ? TP_S(text_none_counts)
													 : tp_arena_printf(ctx->keep, text_of_the_seen,
														   s->lacking[i].has, s->seen))));
	if (s->lacking_count > MOST_LACKING)
		text = tp_doc_join(
			doc, text, TP_SAY(doc, text_lacking_more, tp_count(s->lacking_count - MOST_LACKING)));
	return s->lacking_count != 0 ? tp_doc_join(doc, text, TP_SAY0(doc, ".")) : text;
}

static struct tp_text
so_what(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	struct tp_text counts =
		TP_SAY(doc, text_counts, tp_count(s->count), tp_say_number(ctx, s->seen, "step", "steps"),
			tp_text_value(tp_slice_of(tp_plural(s->count, "counts", "count"))),
			tp_ps_in_ms(s->time.mean));

	counts = tp_doc_join(doc, counts, lacking(ctx, doc, s));
	counts = tp_doc_join(doc, counts, spread(ctx, doc, s));
	if (s->launched.timing != TP_TIMED_BY_MARKER) {
		double all_ps = s->launched.inside_ps + s->launched.outside_ps;
		struct tp_text only = s->launched.outside_ps > s->launched.inside_ps
			? TP_SAY(doc, text_launched, tp_ps_in_ms(s->launched.outside_ps), tp_ps_in_ms(all_ps))
			: TP_SAY0(doc, text_launched_unseen);

		only = tp_doc_join(
			doc, only, tp_doc_join(doc, tp_steps_say_launched(doc, s), TP_SAY0(doc, ". ")));
		return tp_doc_join(doc, only, counts);
	}
	if (!s->inferred)
		return s->count > 1 ? counts : (struct tp_text){NULL, 0};
	struct tp_text from = tp_doc_join(doc, TP_SAY0(doc, s->source->inferred.say),
		tp_doc_join(doc, tp_steps_say_inferred(ctx, doc, s), TP_SAY0(doc, ". ")));

	if (s->inferred_group.len != 0)
		from = tp_doc_join(doc, from,
			TP_SAY(doc, text_group, tp_text_value(s->inferred_group), tp_count(s->repetition.group),
				tp_count(s->repetition.group)));

	return s->count > 1 ? tp_doc_join(doc, from, counts) : from;
}

/* Which columns of the strip are open, and what lies outside the capture besides. */
static void
say_cut(struct tp_doc *doc, const struct tp_steps *s, struct tp_block *section)
{
	struct tp_text names = {NULL, 0};

	if (s->open_count == 0)
		return;
	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step *step = &s->steps[i];

		if (step->open_start || step->open_end)
			names = tp_doc_join(doc, names,
				TP_SAY(doc, names.count == 0 ? "{}" : " and {}", tp_text_value(step->name)));
	}
	struct tp_text what =
		s->open_count == 1 ? TP_SAY0(doc, text_cut_step) : TP_SAY0(doc, text_cut_steps);

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "steps/cut",
		tp_doc_join(doc, TP_SAY0(doc, s->open_count == 1 ? "Step " : "Steps "),
			tp_doc_join(doc, names, tp_doc_join(doc, what, TP_SAY0(doc, text_without_cut)))));
}

static struct tp_block *
open_section(struct tp_doc *doc)
{
	return tp_doc_section(doc, NULL, TP_SECTION_MAIN, "steps", "Steps");
}

void
tp_steps_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	struct tp_block *section = open_section(doc);

	section->section.key_figure = tp_missing(TP_S(why_no_steps));
	section->section.answer = TP_SAY0(doc, text_no_steps);
	section->section.so_what = TP_SAY(doc, text_because, tp_text_value(tp_skipped_itself(ctx)));
}

/* How steps and their classes are worked out, in words. */
static void
say_how(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	static const char *const lasts[] = {
		[TP_TIMED_BY_MARKER] = "",
		[TP_TIMED_BY_START] = how_last_start,
		[TP_TIMED_BY_WORK] = how_last_work,
		[TP_TIMED_BY_RUN] = how_last_run,
	};
	const char *said = s->launched.timing != TP_TIMED_BY_MARKER
		? tp_arena_printf(ctx->keep, how_launched, lasts[s->launched.timing]).ptr
		: s->source->how;

	if (s->inferred)
		said = tp_arena_printf(ctx->keep, how_inferred_steps, s->source->inferred.nothing,
			s->source->inferred.chosen, s->source->inferred.runs, s->source->timeline,
			s->source->inferred.threshold > 0 ? s->source->inferred.threshold
											  : TP_INFERENCE_THRESHOLD,
			s->source->inferred.rest)
				   .ptr;
	if (s->input_of_host)
		said = tp_arena_printf(ctx->keep, "%s%s", said, how_input_of_host).ptr;
	tp_say_how(ctx, doc, section, "steps/how", said);
}

void
tp_steps_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_steps *s = result;
	struct tp_block *section = open_section(doc);

	section->section.key_figure = tp_ps_in_ms(s->time.p50);
	section->section.answer = answer(doc, s);
	section->section.so_what = so_what(ctx, doc, s);
	tp_step_strip(ctx, s, doc, section, "steps/strip", true);
	say_cut(doc, s, section);
	tp_step_class_table(ctx, s, doc, section);
	tp_step_slowest_say(ctx, s, doc, section);
	if (s->source->tables != NULL)
		s->source->tables(ctx, s, doc, section);
	if (s->count > 1)
		tp_step_each_table(ctx, s, doc, section);
	say_how(ctx, s, doc, section);
	if (s->precomputed_from.len != 0)
		tp_precomputed_source(ctx, doc, section, "steps/source", s->precomputed_from);
	else
		tp_say_source(ctx, doc, section, "steps/source",
			s->inferred ? s->source->inferred.from : s->source->from);
}
