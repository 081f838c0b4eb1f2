/* How much of the steps that are drawn the events of each line cover, and which of its lanes say what ran in them. */
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/timeline.h"

/* An event that lasts all of a step, nearly, says nothing of what ran in it. */
static const double all_share = 0.9;

/* What covers less is no better. */
static const double least_inner_share = 0.1;

/* What events of a line cover of a span, by lane from `first` on: of what starts before the span only the last event of a lane can reach
 * into it. */
struct covering {
	const struct tp_timeline_line *line;
	const struct tp_timeline_span *span;
	unsigned first, lanes;
	uint64_t *covered_ps, *longest_ps; /* longest_ps may be NULL */
	uint32_t *before;
};

static void
cover(struct covering *c, unsigned lane, struct tp_timeline_place at)
{
	uint64_t from = at.from_ps > c->span->from_ps ? at.from_ps : c->span->from_ps;
	uint64_t to = at.to_ps < c->span->to_ps ? at.to_ps : c->span->to_ps;

	if (to <= from)
		return;
	c->covered_ps[lane] += to - from;
	if (c->longest_ps != NULL && to - from > c->longest_ps[lane])
		c->longest_ps[lane] = to - from;
}

static void
cover_span(struct covering *c)
{
	uint32_t first = tp_timeline_first_from(c->line, c->span->from_ps);
	const uint8_t *lane_of = c->line->lane_of;
	unsigned lanes = c->line->lanes > c->first ? c->line->lanes - c->first : 0;
	struct tp_time_window w;

	lanes = lanes < c->lanes ? lanes : c->lanes;
	for (uint32_t i = first; i-- > 0 && lanes != 0;) {
		unsigned lane = lane_of[i] - c->first; /* far too great of a lane before the first */

		if (lane >= c->lanes || c->before[lane] != 0)
			continue;
		c->before[lane] = i + 1;
		cover(c, lane, tp_timeline_place(c->line, i));
		lanes--;
	}
	tp_line_window(&w, c->line->line);
	for (uint32_t i = first; i < c->line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place_in(c->line, &w, i);

		if (at.from_ps >= c->span->to_ps)
			return;
		if (lane_of[i] - c->first < c->lanes)
			cover(c, lane_of[i] - c->first, at);
	}
}

/* The last lane of all may hold events that overlap: a million of them are no row. */
static unsigned
lanes_that_can_be_first(const struct tp_timeline_line *line)
{
	return line->lanes < TP_MOST_LANES ? line->lanes : TP_MOST_LANES - TP_TIMELINE_DRAWN_LANES;
}

/* The lane of a thread above the first in which more happens than that one event lasts all of each step, as the outer frames of a
 * program in Python do; where none has more, the innermost of those. */
static unsigned
inner_lane(const struct tp_timeline_found *t, const struct tp_timeline_line *line)
{
	uint64_t covered_ps[TP_MOST_LANES] = {0};
	size_t filled[TP_MOST_LANES] = {0}; /* spans that one event lasts all of */
	double all_ps = 0;
	unsigned innermost = 0;

	for (size_t k = 0; k < t->span_count; k++) {
		uint64_t longest_ps[TP_MOST_LANES] = {0};
		uint32_t before[TP_MOST_LANES] = {0};
		struct covering c = {line, &t->spans[k], 0, TP_MOST_LANES, covered_ps, longest_ps, before};
		double span_ps = (double)(t->spans[k].to_ps - t->spans[k].from_ps);

		cover_span(&c);
		all_ps += span_ps;
		for (unsigned lane = 0; lane < line->lanes; lane++)
			filled[lane] += (double)longest_ps[lane] >= all_share * span_ps;
	}
	for (unsigned lane = 0; lane < lanes_that_can_be_first(line); lane++) {
		if (filled[lane] == t->span_count)
			innermost = lane;
		else if ((double)covered_ps[lane] >= least_inner_share * all_ps)
			return lane == innermost + 1 ? innermost : lane;
	}
	return innermost;
}

void
tp_timeline_cover(struct tp_timeline_found *t)
{
	for (size_t i = 0; i < t->line_count; i++) {
		struct tp_timeline_line *line = &t->lines[i];

		if (!tp_timeline_is_drawn(t, line))
			continue;
		if (line->line->device == TP_NONE && line->lanes > TP_TIMELINE_DRAWN_LANES)
			line->first_lane = inner_lane(t, line);
		for (size_t k = 0; k < t->span_count; k++) {
			struct covering c = {line, &t->spans[k], line->first_lane, TP_TIMELINE_DRAWN_LANES,
				line->covered_ps[k], NULL, line->before[k]};

			cover_span(&c);
		}
	}
}
