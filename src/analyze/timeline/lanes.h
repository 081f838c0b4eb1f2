/* Lanes: rows for events of one line that nest or overlap, so that no two of a row do. */
#ifndef TP_ANALYZE_TIMELINE_LANES_H
#define TP_ANALYZE_TIMELINE_LANES_H

#include <stdint.h>

/* Beyond these the last takes all: it alone may hold events that overlap. */
enum { TP_MOST_LANES = 64 };

struct tp_lanes {
	uint64_t ends[TP_MOST_LANES]; /* of what is open, the outermost first */
	unsigned open, used;          /* used: the most that there were */
};

/* The lane of an event; they come in order of start, the longer first. An event is one lane below the last that has not ended. */
static inline unsigned
tp_lane_of(struct tp_lanes *l, uint64_t from, uint64_t to)
{
	while (l->open != 0 && l->ends[l->open - 1] <= from)
		l->open--;
	unsigned lane = l->open < TP_MOST_LANES ? l->open++ : TP_MOST_LANES - 1;

	l->ends[lane] = l->open == TP_MOST_LANES && l->ends[lane] > to ? l->ends[lane] : to;
	l->used = l->used > lane ? l->used : lane + 1;
	return lane;
}

#endif
