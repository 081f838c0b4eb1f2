/* Looks at all events before the steps are known: the clock that all share, in which lanes events lie, what they are called, and the cells
 * that sum them up. Nothing here waits for another pass. */
#include "analyze/core/pass.h"
#include "analyze/facts/clock.h"
#include "analyze/timeline/derive.h"
#include "analyze/timeline/functions.h"
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/places.h"
#include "analyze/timeline/start_order.h"
#include "analyze/timeline/timeline_words.h"
#include "base/arena.h"
#include "base/pool.h"

#include <stdlib.h>

/* Devices first, as the profile has them, then the threads of hosts. */
static int
by_group(const void *a, const void *b)
{
	const struct tp_line *x = ((const struct tp_timeline_line *)a)->line;
	const struct tp_line *y = ((const struct tp_timeline_line *)b)->line;

	if ((x->device == TP_NONE) != (y->device == TP_NONE))
		return x->device == TP_NONE ? 1 : -1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return x < y ? -1 : 1;
}

static void
find_lines(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_clock clock = tp_clock_of(p);

	t->lines = tp_new_array(ctx->keep, struct tp_timeline_line, p->line_count);
	t->base_ns = clock.base_ns;
	t->low_ps = clock.zero_ps;
	for (uint32_t i = 0; i < p->line_count; i++) {
		const struct tp_line *line = &p->lines[i];

		if (line->count == 0)
			continue;
		struct tp_timeline_line *l = &t->lines[t->line_count++];

		*l = (struct tp_timeline_line){
			.line = line,
			.number = i,
			.offset_ps = tp_clock_offset_ps(p, line->host, clock.base_ns),
		};
		l->shift_ps = (uint64_t)l->offset_ps - (uint64_t)t->low_ps;
		t->events += i < t->read_count ? line->count : 0;
	}
	qsort(t->lines, t->line_count, sizeof *t->lines, by_group);
}

struct looking {
	struct tp_timeline_found *t;
	struct tp_functions functions;
	uint8_t **lane_of; /* of each line */
};

/* Of functions, until it is known how many lanes are above theirs. */
#define OF_FUNCTIONS 0x80

/* Puts lanes of functions below the others. */
static void
move_functions(uint8_t *lane_of, uint32_t count, unsigned upper_lanes)
{
	for (uint32_t i = 0; i < count; i++) {
		unsigned lane = (lane_of[i] & ~OF_FUNCTIONS) + upper_lanes;

		lane = lane < TP_MOST_LANES ? lane : TP_MOST_LANES - 1;
		lane_of[i] = (uint8_t)(lane_of[i] & OF_FUNCTIONS ? lane : lane_of[i]);
	}
}

/* Goes through all events of a line: where they end, and in which lanes they lie. Functions of Python nest apart: they would put steps and
 * operators as deep as the program calls them, and one that is about to end when a step begins deeper still. */
static void
look_at(void *with, size_t index)
{
	struct looking *l = with;
	struct tp_timeline_line *line = &l->t->lines[index];
	struct tp_functions_in functions = tp_functions_in(&l->functions, line->line, line->number);
	uint8_t *restrict lane_of = l->lane_of[index]; /* bytes may alias all that the loop reads */
	struct tp_lanes upper = {0}, lower = {0};
	uint64_t high_ps = 0;
	struct tp_time_window w;

	tp_line_window(&w, line->line);
	for (uint32_t i = 0; i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place_in(line, &w, i);

		if (tp_is_function(&functions, line->line, i))
			lane_of[i] = (uint8_t)(tp_lane_of(&lower, at.from_ps, at.to_ps) | OF_FUNCTIONS);
		else
			lane_of[i] = (uint8_t)tp_lane_of(&upper, at.from_ps, at.to_ps);
		high_ps = at.to_ps > high_ps ? at.to_ps : high_ps;
	}
	line->high_ps = high_ps;
	line->upper_lanes = upper.used;
	line->lanes = upper.used + lower.used < TP_MOST_LANES ? upper.used + lower.used : TP_MOST_LANES;
	if (lower.used != 0)
		move_functions(lane_of, line->line->count, upper.used);
	line->lane_of = lane_of;
}

enum tp_status
tp_timeline_look_at(const struct tp_pass_ctx *ctx, const struct tp_timeline_look *looks,
	uint32_t read_count, struct tp_timeline_found *t, struct tp_err *err)
{
	*t = (struct tp_timeline_found){
		.profile = ctx->profile, .looks = looks, .read_count = read_count, .device = TP_NONE};
	t->ranges = tp_timeline_ranges(ctx->profile, ctx->keep);
	find_lines(ctx, t);
	if (t->line_count == 0)
		return tp_fail(err, TP_ABSENT, why_no_events);
	struct looking l = {t, tp_functions_of(ctx->profile, ctx->scratch),
		tp_new_array(ctx->scratch, uint8_t *, t->line_count)};

	for (size_t i = 0; i < t->line_count; i++)
		l.lane_of[i] = tp_new_array(ctx->keep, uint8_t, t->lines[i].line->count);
	tp_pool_each(ctx->options->pool, t->line_count, look_at, &l);
	for (size_t i = 0; i < t->line_count; i++)
		t->high_ps = t->lines[i].high_ps > t->high_ps ? t->lines[i].high_ps : t->high_ps;
	if (t->high_ps == 0)
		return tp_fail(err, TP_ABSENT, why_no_event_length);
	if (ctx->options->timeline_bytes != 0) {
		tp_timeline_keep_short_lines(ctx, t);
		tp_timeline_sum_up(ctx, t);
	}
	return TP_OK;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_timeline_found *t = tp_new(ctx->keep, struct tp_timeline_found);
	struct tp_pass_ctx own = *ctx;

	if (ctx->options->no_timeline)
		return tp_fail(err, TP_ABSENT, why_left_out);
	if (ctx->options->short_of_memory)
		return tp_fail(err, TP_ABSENT, why_no_memory);
	own.profile = tp_timeline_start_order(ctx->profile, ctx->keep);
	/* What is derived is looked at in the page alone. */
	if (ctx->options->timeline_bytes != 0)
		own.profile = tp_timeline_derive(&own);
	*result = t;
	return tp_timeline_look_at(&own, NULL, ctx->profile->line_count, t, err);
}

const struct tp_pass tp_pass_timeline_lines = {
	.name = "timeline-lines",
	.title = "Timeline",
	.summary = "all events, in cells that can be drawn",
	.of_profile = true,
	.place = TP_PLACE_TIMELINE,
	.analyze = analyze,
	.lacks_nothing = "what a profile holds of events is in it",
};
