/* Any bytes as the events of a track: in lanes no two overlap, and in each cell of each level is what a plain count finds there. */
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/levels.h"
#include "base/arena.h"
#include "codec/pb_wire.h"
#include "plain_cells.h"

#include <stdlib.h>

enum { MOST_EVENTS = 300, MOST_CELLS = 1 << 13, NAMES = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct track {
	struct tp_cell_event events[MOST_EVENTS];
	uint64_t by_name[NAMES];
	size_t count;
	uint64_t high;
};

static uint64_t
number(struct tp_pb *bytes)
{
	uint64_t n = 0;

	(void)tp_pb_varint(bytes, &n);
	return n;
}

static int
by_start(const void *a, const void *b)
{
	const struct tp_cell_event *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to > y->to ? -1 : x->to < y->to;
}

/* Times below 2^62, as the timeline cuts them. */
static void
read_track(struct track *t, struct tp_pb *bytes)
{
	unsigned shift = 2 + (unsigned)(number(bytes) % 61);

	while (bytes->at < bytes->end && t->count < MOST_EVENTS) {
		struct tp_cell_event *e = &t->events[t->count++];

		e->from = number(bytes) >> shift;
		e->to = e->from + (number(bytes) >> shift);
		e->name = (uint32_t)(number(bytes) % NAMES);
		t->high = e->to > t->high ? e->to : t->high;
	}
	qsort(t->events, t->count, sizeof *t->events, by_start);
}

static void
find_lanes(struct track *t)
{
	struct tp_lanes lanes = {0};
	uint64_t ends[TP_MOST_LANES] = {0};

	for (size_t i = 0; i < t->count; i++) {
		struct tp_cell_event *e = &t->events[i];

		e->lane = tp_lane_of(&lanes, e->from, e->to);
		tp_cells_must(e->lane < lanes.used && lanes.used <= TP_MOST_LANES);
		tp_cells_must(e->lane == TP_MOST_LANES - 1 || e->from >= ends[e->lane]);
		ends[e->lane] = e->to;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tp_pb bytes = {.at = data, .end = data + size};
	struct tp_arena *arena = tp_arena_new();
	struct track *t = tp_new(arena, struct track);
	struct tp_levels *levels = tp_new(arena, struct tp_levels);
	struct tp_buf tiles = {0};
	uint64_t most = 1 + number(&bytes) % MOST_CELLS;

	read_track(t, &bytes);
	find_lanes(t);
	levels->shift = tp_level_shift(t->high, most);
	for (size_t i = 0; i < t->count; i++)
		tp_levels_add(
			levels, t->events[i].lane, t->events[i].from, t->events[i].to, t->events[i].name);
	tp_levels_finish(levels, t->high, &tiles, arena);
	const struct tp_cell_track of = {t->events, t->count, t->high, NAMES, t->by_name, NULL};

	for (size_t i = 0; i < tiles.count; i++)
		tp_cells_check(&of, (const struct tp_timeline_tile *)tiles.data + i, arena);
	tp_buf_free(&tiles);
	tp_arena_free(arena);
	return 0;
}
