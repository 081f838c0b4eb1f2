/* Counters of a timeline: figures over time in cells of equal length, packed as the changes from cell to cell. */
#ifndef TP_ANALYZE_TIMELINE_COUNTERS_H
#define TP_ANALYZE_TIMELINE_COUNTERS_H

#include "analyze/timeline/timeline.h"
#include "base/buf.h"

struct tp_arena;

/* Cells of 2^shift ps, of which number `first` is the first that has a value. */
struct tp_counter_cells {
	unsigned shift;
	bool ends; /* time goes on after the last */
	uint64_t first;
	uint32_t count;
	double *value;
};

/* So many at most, > 1, from one time to another of a timeline that ends at high_ps; all 0. */
struct tp_counter_cells tp_counter_cells(
	struct tp_arena *arena, uint64_t from_ps, uint64_t to_ps, uint64_t high_ps, uint64_t most);

/* Adds to each cell the share of it that lies within, times the weight: the sum is a mean over the cell. What lies in none is left out. */
void tp_counter_spread(struct tp_counter_cells *c, uint64_t from_ps, uint64_t to_ps, double weight);

/* A value from a time on, until the next is told; they come in order. A cell has the greatest that was in it. Ends with
 * tp_counter_level_end: nothing is known of it from then on. */
struct tp_counter_level {
	struct tp_counter_cells *cells;
	uint32_t at;
	double now;
};
void tp_counter_level(struct tp_counter_level *l, uint64_t from_ps, double value);
void tp_counter_level_end(struct tp_counter_level *l, uint64_t until_ps);

/* Packed into a counter, whose names and unit are given; false: no value is above 0. */
bool tp_counter_pack(
	const struct tp_counter_cells *c, struct tp_timeline_counter *counter, struct tp_arena *keep);

#endif
