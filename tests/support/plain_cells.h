/* The cells of a timeline by a plain count: how much of each its events cover, how many start in it, and which name covers most. Aborts where a
 * tile says otherwise. */
#ifndef TP_TESTS_PLAIN_CELLS_H
#define TP_TESTS_PLAIN_CELLS_H

#include "analyze/timeline/lanes.h"
#include "base/arena.h"
#include "report/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { TP_CELL_COLUMNS = 5, TP_CELL_SLACK = 300 };

struct tp_cell_event {
	uint64_t from, to;
	uint32_t name;
	unsigned lane;
};

/* Events in order of start. */
struct tp_cell_track {
	struct tp_cell_event *events;
	size_t count;
	uint64_t high;
	uint32_t name_count;
	uint64_t *by_name;         /* as many: of the cell in hand */
	const uint32_t *name_here; /* of a name of a tile, that of the events; NULL: the same */
};

/* What a plain count finds in a cell, beside by_name. */
struct tp_cell_plain {
	uint64_t covered, starts;
};

static inline void
tp_cells_must(bool holds)
{
	if (!holds)
		abort();
}

static inline struct tp_cell_plain
tp_cell_count(const struct tp_cell_track *t, unsigned lane, uint64_t begin, uint64_t end)
{
	struct tp_cell_plain p = {0};
	uint64_t until = begin;

	memset(t->by_name, 0, t->name_count * sizeof *t->by_name);
	for (size_t i = 0; i < t->count && t->events[i].from < end; i++) {
		const struct tp_cell_event *e = &t->events[i];
		uint64_t from = e->from > until ? e->from : until, to = e->to < end ? e->to : end;

		if (e->lane != lane)
			continue;
		p.starts += e->from >= begin && e->from < end;
		p.covered += to > from ? to - from : 0;
		t->by_name[e->name] += to > from ? to - from : 0;
		until = to > until ? to : until;
	}
	return p;
}

/* A number of a tile (LEB128). */
static inline uint64_t
tp_cell_number(const unsigned char **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		value |= (uint64_t)(**at & 0x7f) << shift;
		if ((*(*at)++ & 0x80) == 0)
			return value;
	}
}

/* Cells that an event covers by itself have its name. */
static inline void
tp_cell_check(const struct tp_cell_track *t, unsigned lane, uint64_t begin, uint64_t whole,
	const uint64_t cell[static TP_CELL_COLUMNS])
{
	struct tp_cell_plain p = tp_cell_count(t, lane, begin, begin + whole);

	tp_cells_must(cell[2] == (uint64_t)(((unsigned __int128)p.covered * 255 + whole - 1) / whole));
	if (lane == TP_MOST_LANES - 1)
		return; /* of what overlaps there a start counts where the event before it ends */
	tp_cells_must(cell[4] == p.starts);
	tp_cells_must(cell[3] < t->name_count);
	uint32_t name = t->name_here != NULL ? t->name_here[cell[3]] : (uint32_t)cell[3];

	tp_cells_must(p.covered == 0 || t->by_name[name] != 0 || whole > p.covered);
	/* Names are counted to within a fifth, and coarser cells take each finer one as of one name: what covers nearly all is found. */
	for (uint32_t n = 0; n < t->name_count; n++)
		tp_cells_must(
			(p.covered - t->by_name[n] + t->count + TP_CELL_SLACK) > p.covered / 16 || name == n);
}

/* Each cell of a tile, and that all events start in one. */
static inline void
tp_cells_check(
	const struct tp_cell_track *t, const struct tp_timeline_tile *tile, struct tp_arena *arena)
{
	const unsigned char *at = (const unsigned char *)tile->data.ptr;
	uint64_t *columns = tp_new_array(arena, uint64_t, TP_CELL_COLUMNS * tile->count);
	uint64_t whole = (uint64_t)tile->cell_ps, lane = 0, index = 0, starts = 0, covered = 0;

	for (size_t i = 0; i < TP_CELL_COLUMNS * tile->count; i++)
		columns[i] = tp_cell_number(&at);
	tp_cells_must((const char *)at == tile->data.ptr + tile->data.len);
	for (size_t i = 0; i < tile->count; i++) {
		uint64_t cell[TP_CELL_COLUMNS];

		for (size_t c = 0; c < TP_CELL_COLUMNS; c++)
			cell[c] = columns[c * tile->count + i];
		index = cell[0] != 0 || i == 0 ? cell[1] : index + cell[1];
		lane += cell[0];
		tp_cells_must(lane < TP_MOST_LANES);
		tp_cell_check(t, (unsigned)lane, index * whole, whole, cell);
		starts += cell[4];
		covered += cell[2];
	}
	tp_cells_must(starts == t->count);
	tp_cells_must(covered != 0 || t->high == 0 || tile->count != 0);
}

#endif
