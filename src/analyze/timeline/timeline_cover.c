/* How much of the steps that are drawn the events of each line cover. */
#include "analyze/timeline/timeline.h"

static void
cover(struct tp_timeline_line *line, size_t k, const struct tp_timeline_span *span, uint32_t event)
{
	struct tp_timeline_place at = tp_timeline_place(line, event);
	uint64_t from = at.from_ps > span->from_ps ? at.from_ps : span->from_ps;
	uint64_t to = at.to_ps < span->to_ps ? at.to_ps : span->to_ps;

	if (to > from)
		line->covered_ps[k][line->lane_of[event]] += to - from;
}

/* How much of a span events cover in the lanes that can be drawn. Of what starts before the span only the last event of a lane can reach
 * into it. */
static void
cover_span(struct tp_timeline_line *line, size_t k, const struct tp_timeline_span *span)
{
	uint32_t first = tp_timeline_first_from(line, span->from_ps), *before = line->before[k];
	unsigned lanes = line->lanes < TP_TIMELINE_DRAWN_LANES ? line->lanes : TP_TIMELINE_DRAWN_LANES;

	for (uint32_t i = first; i-- > 0 && lanes != 0;) {
		if (line->lane_of[i] >= TP_TIMELINE_DRAWN_LANES || before[line->lane_of[i]] != 0)
			continue;
		before[line->lane_of[i]] = i + 1;
		cover(line, k, span, i);
		lanes--;
	}
	for (uint32_t i = first; i < line->line->count; i++) {
		if (tp_timeline_place(line, i).from_ps >= span->to_ps)
			return;
		if (line->lane_of[i] < TP_TIMELINE_DRAWN_LANES)
			cover(line, k, span, i);
	}
}

void
tp_timeline_cover(struct tp_timeline_found *t)
{
	for (size_t i = 0; i < t->line_count; i++) {
		for (size_t k = 0; k < t->span_count; k++)
			cover_span(&t->lines[i], k, &t->spans[k]);
	}
}
