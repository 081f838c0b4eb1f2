#include "analyze/timeline/unrecorded.h"

#include "analyze/core/intervals.h"
#include "analyze/core/pass.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/functions.h"
#include "base/buf.h"
#include "model/profile.h"

#include <string.h>

/* A gap between two calls is none to speak of. */
static const double least_share = 0.005;

struct covering {
	const struct tp_timeline_found *t;
	const struct tp_timeline_line *line;
	struct tp_stretch span;
	struct tp_functions_in functions;
	struct tp_buf covered; /* struct tp_interval */
};

static bool
is_asked(const struct tp_timeline_found *t, const struct tp_timeline_line *line)
{
	enum tp_line_kind kind = line->line->kind;

	if (line->line->device == TP_NONE)
		return line->number < t->read_count && line->line->host == t->host;
	return line->line->device == t->device && (kind == TP_LINE_OPS || kind == TP_LINE_STREAM);
}

/* A step and what is around all of it do not, and neither does a function of Python. */
static bool
says_what_runs(const struct covering *c, uint32_t event, struct tp_timeline_place at)
{
	const struct tp_op *op = &c->t->profile->ops[tp_line_op(c->line->line, event)];

	return at.to_ps > c->span.from_ps &&
		(at.from_ps > c->span.from_ps || at.to_ps < c->span.to_ps) &&
		!tp_is_function(&c->functions, c->line->line, event) &&
		!tp_slice_starts(op->name, TP_S("ProfilerStep#"));
}

/* One that begins before the last has ended goes on with it. */
static void
cover(struct covering *c, struct tp_timeline_place at)
{
	struct tp_interval *list = c->covered.data;
	struct tp_interval *last = c->covered.count != 0 ? &list[c->covered.count - 1] : NULL;
	int64_t from = (int64_t)at.from_ps, to = (int64_t)at.to_ps;

	if (last == NULL || from < last->start_ps || from > last->end_ps)
		TP_PUSH(&c->covered, struct tp_interval, from, to);
	else if (to > last->end_ps)
		last->end_ps = to;
}

/* Of what begins before the span, the last event of each lane may reach into it. */
static void
cover_line(struct covering *c)
{
	const struct tp_timeline_line *line = c->line;
	uint32_t first = tp_timeline_first_from(line, c->span.from_ps);

	for (unsigned lane = 0; lane < line->lanes; lane++) {
		const uint8_t *last = memrchr(line->lane_of, (int)lane, first);
		uint32_t event = last != NULL ? (uint32_t)(last - line->lane_of) : 0;
		struct tp_timeline_place at = tp_timeline_place(line, event);

		if (last != NULL && says_what_runs(c, event, at))
			cover(c, at);
	}
	for (uint32_t i = first; i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place(line, i);

		if (at.from_ps >= c->span.to_ps)
			return;
		if (says_what_runs(c, i, at))
			cover(c, at);
	}
}

struct tp_stretch
tp_timeline_unrecorded(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	const struct tp_timeline_span *span)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	struct covering c = {.t = t, .span = {span->from_ps, span->to_ps}};

	if (s == NULL || s->count == 0 || !(s->class_mean_ps[TP_CLASS_OTHER] > 0))
		return (struct tp_stretch){0};
	struct tp_functions functions = tp_functions_of(t->profile, ctx->scratch);

	for (size_t i = 0; i < t->line_count; i++) {
		c.line = &t->lines[i];
		c.functions = tp_functions_in(&functions, c.line->line, c.line->number);
		if (is_asked(t, c.line))
			cover_line(&c);
	}
	size_t count = tp_intervals_unite(c.covered.data, c.covered.count);
	struct tp_interval gap = tp_intervals_longest_gap(
		c.covered.data, count, (int64_t)span->from_ps, (int64_t)span->to_ps);

	tp_buf_free(&c.covered);
	if ((double)(gap.end_ps - gap.start_ps) < least_share * (double)(span->to_ps - span->from_ps))
		return (struct tp_stretch){0};
	return (struct tp_stretch){(uint64_t)gap.start_ps, (uint64_t)gap.end_ps};
}
