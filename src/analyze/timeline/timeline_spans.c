/* Finds the steps that are drawn: the slowest, beside it one near the median, or those that were asked for. */
#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/timeline.h"
#include "analyze/timeline/timeline_words.h"
#include "base/arena.h"

#include <math.h>

static void
add_step(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_timeline_found *t,
	const struct tp_step *step, const char *which, bool slowest)
{
	struct tp_stretch at = tp_timeline_step(ctx, t, s, step);
	struct tp_slice took = tp_say_value(ctx, tp_number(step->time_ps / 1e9, TP_UNIT_MS));
	double drawn_ps = (double)(step->end_ps - step->start_ps);

	if (at.to_ps <= at.from_ps)
		return;
	if (!tp_timeline_same_length(step->time_ps, drawn_ps))
		took = tp_arena_printf(ctx->keep, "%.*s; here %.*s", TP_ARG(took),
			TP_ARG(tp_say_value(ctx, tp_number(drawn_ps / 1e9, TP_UNIT_MS))));
	t->spans[t->span_count++] = (struct tp_timeline_span){
		.label = tp_arena_printf(ctx->keep, "Step %.*s", TP_ARG(step->name)),
		.note = tp_arena_printf(ctx->keep, "%s, %.*s", which, TP_ARG(took)),
		.from_ps = at.from_ps,
		.to_ps = at.to_ps,
		.step = step,
		.slowest = slowest,
	};
}

/* The step whose time is nearest to the median. */
static const struct tp_step *
median_step(const struct tp_steps *s)
{
	const struct tp_step *best = &s->steps[0];

	for (size_t i = 1; i < s->count; i++)
		best = fabs(s->steps[i].time_ps - s->time.p50) < fabs(best->time_ps - s->time.p50)
			? &s->steps[i]
			: best;
	return best;
}

/* As the profile has them. */
static const struct tp_timeline_line *
first_line(const struct tp_timeline_found *t)
{
	const struct tp_timeline_line *first = &t->lines[0];

	for (size_t i = 1; i < t->line_count; i++)
		first = t->lines[i].number < first->number ? &t->lines[i] : first;
	return first;
}

const struct tp_step *
tp_timeline_step_called(const struct tp_steps *s, struct tp_slice wish)
{
	if (tp_slice_eq(wish, TP_S("slowest")))
		return &s->steps[s->slowest];
	if (tp_slice_eq(wish, TP_S("median")))
		return median_step(s);
	for (size_t i = 0; i < s->count; i++) {
		if (tp_slice_eq(s->steps[i].name, wish))
			return &s->steps[i];
	}
	return NULL;
}

static void
add_asked(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_timeline_found *t)
{
	for (size_t i = 0; i < ctx->options->window_count; i++) {
		const struct tp_timeline_wish *wish = &ctx->options->windows[i];
		const struct tp_step *step =
			s != NULL && wish->step.len != 0 ? tp_timeline_step_called(s, wish->step) : NULL;
		struct tp_value took = tp_number((wish->to_s - wish->from_s) * 1e3, TP_UNIT_MS);

		if (step != NULL)
			add_step(ctx, s, t, step, text_asked_for, false);
		else if (wish->step.len == 0 && wish->to_s * 1e12 < (double)TP_TIMELINE_LATEST_PS)
			t->spans[t->span_count++] = (struct tp_timeline_span){
				.label = wish->asked,
				.note = tp_say_value(ctx, took),
				.from_ps = (uint64_t)(wish->from_s * 1e12),
				.to_ps = (uint64_t)(wish->to_s * 1e12),
			};
		else if (t->missing.len == 0)
			t->missing = wish->asked;
	}
}

/* Where workers are of different jobs, a step can be seen on its own worker alone. */
static bool
is_on_host(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	const struct tp_timeline_found *t, const struct tp_step *step)
{
	return s->jobs <= 1 || tp_timeline_step_host(ctx, s, step) == t->host;
}

/* The step that the slowest is compared with in the section on steps, or of the steps but the slowest the one whose time is nearest to
 * the median; NULL: none can be seen beside it. */
static const struct tp_step *
typical_step(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s, const struct tp_timeline_found *t)
{
	const struct tp_step *best = NULL;
	size_t pair[2];

	if (tp_step_slowest_pair(s, pair) && is_on_host(ctx, s, t, &s->steps[pair[0]]))
		return &s->steps[pair[0]];
	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step *step = &s->steps[i];

		if (i != s->slowest && is_on_host(ctx, s, t, step) &&
			(best == NULL || fabs(step->time_ps - s->time.p50) < fabs(best->time_ps - s->time.p50)))
			best = step;
	}
	return best;
}

/* Steps of one length look alike: one of them is enough. */
static void
add_slowest(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_timeline_found *t)
{
	const struct tp_step *slow = &s->steps[s->slowest], *typical = typical_step(ctx, s, t);
	bool alike = s->time.max <= s->time.min;

	if (typical != NULL && !alike)
		add_step(ctx, s, t, typical, s->count == 2 ? text_other_one : text_near_median, false);
	add_step(ctx, s, t, slow,
		s->count == 1 ? text_only_one
			: alike   ? text_like_every_other
					  : "slowest",
		s->count > 1 && !alike);
}

void
tp_timeline_find_spans(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s != NULL && (s->count == 0 || s->precomputed_from.len != 0))
		s = NULL;
	t->host = s != NULL ? tp_timeline_step_host(ctx, s, &s->steps[s->slowest])
						: first_line(t)->line->host;
	if (ctx->options->window_count != 0)
		add_asked(ctx, s, t);
	else if (s != NULL)
		add_slowest(ctx, s, t);
	tp_timeline_find_units(ctx, t);
}

#define RANGE "ProfilerStep#"

/* Where the range lies that marks a step on the host; to_ps 0: nowhere. */
static struct tp_stretch
range_of(
	const struct tp_timeline_found *t, const struct tp_timeline_line *line, struct tp_slice step)
{
	const struct tp_line *of = line->line;

	if (of->kind != TP_LINE_TORCH || of->device != TP_NONE || of->host != t->host)
		return (struct tp_stretch){0};
	for (uint32_t k = 0; k < tp_line_met_count(of); k++) {
		uint32_t op = tp_line_met(of, k);
		struct tp_slice name = t->profile->ops[op].name;

		if (!tp_slice_starts(name, TP_S(RANGE)) ||
			!tp_slice_eq(tp_slice_from(name, strlen(RANGE)), step))
			continue;
		for (uint32_t i = 0; i < of->count; i++) {
			if (tp_line_op(of, i) == op) {
				struct tp_timeline_place at = tp_timeline_place(line, i);

				return (struct tp_stretch){at.from_ps, at.to_ps};
			}
		}
	}
	return (struct tp_stretch){0};
}

struct tp_stretch
tp_timeline_host_range(const struct tp_timeline_found *t)
{
	const struct tp_timeline_span *span = &t->spans[t->span_count - 1];
	struct tp_stretch range = {0};

	for (size_t i = 0;
		 i < t->line_count && span->step != NULL && t->device != TP_NONE && range.to_ps == 0; i++) {
		if (t->lines[i].number < t->read_count)
			range = range_of(t, &t->lines[i], span->step->name);
	}
	return range;
}
