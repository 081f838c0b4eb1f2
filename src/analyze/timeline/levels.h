/* Levels of detail: cells of equal length that each sum up the events of a lane. */
#ifndef TP_ANALYZE_TIMELINE_LEVELS_H
#define TP_ANALYZE_TIMELINE_LEVELS_H

#include "base/buf.h"
#include "report/timeline.h"

#include <stdint.h>

struct tp_arena;

enum {
	TP_CELL_NAMES = 4, /* of a cell: the name that covers most is found for sure among so many */
	TP_COARSEST_CELLS = 2048, /* of the whole capture: a cell is about a pixel then */
	TP_LEVEL_SHIFT = 2, /* a level's cells are four times as long as those of the next finer one */
};

struct tp_cell_sum {
	uint64_t covered_ps;
	uint32_t index, name, starts;
};

/* A lane's finest cells, and the one that is being filled. */
struct tp_level_lane {
	struct tp_buf cells; /* struct tp_cell_sum */
	struct tp_cell_sum at;
	struct {
		uint32_t name;
		uint64_t ps;
	} names[TP_CELL_NAMES];
	bool filling;
	uint64_t until_ps; /* what is covered */
};

/* Cells of 2^shift ps from 0 on. Zeroed but for shift, it is ready. */
struct tp_levels {
	unsigned shift;
	unsigned lane_count;
	struct tp_level_lane lanes[64];
};

/* How long cells must be, 2^n ps, so that there are at most so many (> 0) up to `high_ps`. */
unsigned tp_level_shift(uint64_t high_ps, uint64_t most_cells);

/* Events of a lane in order of start; name: of the event. Where one overlaps the one before, what both cover counts once, as the
 * time of the first, and the other counts as starting where the first ends. */
void tp_levels_add(
	struct tp_levels *l, unsigned lane, uint64_t from_ps, uint64_t to_ps, uint32_t name);

/* The same of an event that began before the cell that begins at from_ps, in other levels that are joined with these: it does not count as
 * one that starts. The first of its lane. */
void tp_levels_resume(
	struct tp_levels *l, unsigned lane, uint64_t from_ps, uint64_t to_ps, uint32_t name);

/* Puts those behind that are of later cells, and empty then; no event of the first reaches into these. */
void tp_levels_join(struct tp_levels *l, struct tp_levels *later);

/* All levels as tiles, the finest first, and the levels are freed. */
void tp_levels_finish(
	struct tp_levels *l, uint64_t high_ps, struct tp_buf *tiles, struct tp_arena *keep);

#endif
