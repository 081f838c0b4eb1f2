/* Any bytes as the events of a track: in lanes no two overlap, and in each cell of each level is what a plain count finds there. */
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/levels.h"
#include "base/arena.h"
#include "codec/pb_wire.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 300, MOST_CELLS = 1 << 13, COLUMNS = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct event {
	uint64_t from, to;
	uint32_t name;
	unsigned lane;
};

struct track {
	struct event events[MOST_EVENTS];
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

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static int
by_start(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

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
		struct event *e = &t->events[t->count++];

		e->from = number(bytes) >> shift;
		e->to = e->from + (number(bytes) >> shift);
		e->name = (uint32_t)(number(bytes) % 6);
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
		struct event *e = &t->events[i];

		e->lane = tp_lane_of(&lanes, e->from, e->to);
		must(e->lane < lanes.used && lanes.used <= TP_MOST_LANES);
		must(e->lane == TP_MOST_LANES - 1 || e->from >= ends[e->lane]);
		ends[e->lane] = e->to;
	}
}

/* What a plain count finds in a cell. */
struct plain {
	uint64_t covered, starts, by_name[6];
};

static struct plain
count_cell(const struct track *t, unsigned lane, uint64_t begin, uint64_t end)
{
	struct plain p = {0};
	uint64_t until = begin;

	for (size_t i = 0; i < t->count; i++) {
		const struct event *e = &t->events[i];
		uint64_t from = e->from > until ? e->from : until, to = e->to < end ? e->to : end;

		if (e->lane != lane)
			continue;
		p.starts += e->from >= begin && e->from < end;
		p.covered += to > from ? to - from : 0;
		p.by_name[e->name] += to > from ? to - from : 0;
		until = to > until ? to : until;
	}
	return p;
}

static uint64_t
put(const unsigned char **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		value |= (uint64_t)(**at & 0x7f) << shift;
		if ((*(*at)++ & 0x80) == 0)
			return value;
	}
}

/* Cells that an event covers by itself have its name. */
static void
check_cell(const struct track *t, unsigned lane, uint64_t begin, uint64_t whole,
	const uint64_t cell[static COLUMNS])
{
	struct plain p = count_cell(t, lane, begin, begin + whole);

	must(cell[2] == (uint64_t)(((unsigned __int128)p.covered * 255 + whole - 1) / whole));
	if (lane == TP_MOST_LANES - 1)
		return; /* of what overlaps there a start counts where the event before it ends */
	must(cell[4] == p.starts);
	if (p.covered != 0)
		must(cell[3] < 6 && (p.by_name[cell[3]] != 0 || whole > p.covered));
	/* Names are counted to within a fifth, and coarser cells take each finer one as of one name: what covers nearly all is found. */
	for (size_t n = 0; n < 6; n++)
		must((p.covered - p.by_name[n] + MOST_EVENTS) > p.covered / 16 || cell[3] == n);
}

static void
check_tile(const struct track *t, const struct tp_timeline_tile *tile, struct tp_arena *arena)
{
	const unsigned char *at = (const unsigned char *)tile->data.ptr;
	uint64_t *columns = tp_new_array(arena, uint64_t, COLUMNS * tile->count);
	uint64_t whole = (uint64_t)tile->cell_ps, lane = 0, index = 0, starts = 0, covered = 0;

	for (size_t i = 0; i < COLUMNS * tile->count; i++)
		columns[i] = put(&at);
	must((const char *)at == tile->data.ptr + tile->data.len);
	for (size_t i = 0; i < tile->count; i++) {
		uint64_t cell[COLUMNS];

		for (size_t c = 0; c < COLUMNS; c++)
			cell[c] = columns[c * tile->count + i];
		index = cell[0] != 0 || i == 0 ? cell[1] : index + cell[1];
		lane += cell[0];
		must(lane < TP_MOST_LANES);
		check_cell(t, (unsigned)lane, index * whole, whole, cell);
		starts += cell[4];
		covered += cell[2];
	}
	must(starts == t->count);
	must(covered != 0 || t->high == 0 || tile->count != 0);
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
	for (size_t i = 0; i < tiles.count; i++)
		check_tile(t, (const struct tp_timeline_tile *)tiles.data + i, arena);
	tp_buf_free(&tiles);
	tp_arena_free(arena);
	return 0;
}
