/* Lanes and levels of a timeline: against what a simple count gives. */
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/levels.h"
#include "base/arena.h"
#include "fixture.h"

#include "unit.h"

#include <stdlib.h>

enum { EVENTS = 400, CELLS = 2048, RUNS = 60 };

struct event {
	uint64_t from, to;
	uint32_t name;
	unsigned lane;
};

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state >> 33;
}

static int
by_start(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to > y->to ? -1 : x->to < y->to;
}

/* Some long, most short, some without a length. */
static void
make_events(struct event *events, uint64_t *random, uint64_t high)
{
	for (size_t i = 0; i < EVENTS; i++) {
		uint64_t from = next_random(random) % high,
				 longest = next_random(random) % 8 == 0 ? high : high / 500 + 1;
		uint64_t to = from + (next_random(random) % 10 == 0 ? 0 : next_random(random) % longest);

		events[i] =
			(struct event){from, to < high ? to : high, (uint32_t)(next_random(random) % 3), 0};
	}
	qsort(events, EVENTS, sizeof *events, by_start);
}

static void
no_two_events_of_a_lane_overlap(void **state)
{
	static struct event events[EVENTS];
	uint64_t random = 3;

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		struct tp_lanes lanes = {0};
		uint64_t ends[TP_MOST_LANES] = {0};

		make_events(events, &random, 1000000);
		for (size_t i = 0; i < EVENTS; i++) {
			unsigned lane = tp_lane_of(&lanes, events[i].from, events[i].to);

			assert_true(lane < lanes.used);
			if (lane < TP_MOST_LANES - 1)
				assert_true(events[i].from >= ends[lane]);
			ends[lane] = events[i].to;
		}
	}
}

static void
nested_events_are_one_lane_deeper_each(void **state)
{
	struct tp_lanes lanes = {0};

	(void)state;
	assert_int_equal(tp_lane_of(&lanes, 0, 100), 0);
	assert_int_equal(tp_lane_of(&lanes, 0, 40), 1);
	assert_int_equal(tp_lane_of(&lanes, 10, 10), 2);
	assert_int_equal(tp_lane_of(&lanes, 10, 20), 2);
	assert_int_equal(tp_lane_of(&lanes, 40, 50), 1);
	assert_int_equal(tp_lane_of(&lanes, 100, 101), 0);
	assert_int_equal(lanes.used, 3);
}

static uint64_t
number(const unsigned char **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		value |= (uint64_t)(**at & 0x7f) << shift;
		if ((*(*at)++ & 0x80) == 0)
			return value;
	}
}

/* How much of a cell the events of a lane cover, and how many start in it. */
static void
count_cell(const struct event *events, unsigned lane, uint64_t begin, uint64_t end,
	uint64_t *covered, uint64_t *starts)
{
	*covered = *starts = 0;
	for (size_t i = 0; i < EVENTS; i++) {
		uint64_t from = events[i].from > begin ? events[i].from : begin,
				 to = events[i].to < end ? events[i].to : end;

		if (events[i].lane != lane)
			continue;
		*covered += to > from ? to - from : 0;
		*starts += events[i].from >= begin && events[i].from < end;
	}
}

static void
cells_hold_what_events_cover(void **state)
{
	static struct event events[EVENTS];
	struct tp_arena *arena = *state;
	uint64_t random = 5;

	for (int run = 0; run < RUNS; run++) {
		uint64_t high = 1 + next_random(&random) % 5000000000;
		struct tp_levels *levels = tp_new(arena, struct tp_levels);
		struct tp_lanes lanes = {0};
		struct tp_buf tiles = {0};

		make_events(events, &random, high);
		levels->shift = tp_level_shift(high, 4 * CELLS);
		for (size_t i = 0; i < EVENTS; i++) {
			events[i].lane = tp_lane_of(&lanes, events[i].from, events[i].to);
			tp_levels_add(levels, events[i].lane, events[i].from, events[i].to, events[i].name);
		}
		tp_levels_finish(levels, high, &tiles, arena);
		assert_true(tiles.count != 0);
		for (size_t level = 0; level < tiles.count; level++) {
			const struct tp_timeline_tile *tile = (struct tp_timeline_tile *)tiles.data + level;
			const unsigned char *at = (const unsigned char *)tile->data.ptr;
			uint64_t *columns = tp_new_array(arena, uint64_t, 5 * tile->count), all = 0;
			uint64_t cell = (uint64_t)tile->cell_ps, lane = 0, index = 0;

			for (size_t i = 0; i < 5 * tile->count; i++)
				columns[i] = number(&at);
			assert_ptr_equal(at, tile->data.ptr + tile->data.len);
			for (size_t i = 0; i < tile->count; i++) {
				uint64_t covered, starts;

				index = columns[i] != 0 || i == 0 ? 0 : index;
				lane += columns[i];
				index += columns[tile->count + i];
				count_cell(
					events, (unsigned)lane, index * cell, (index + 1) * cell, &covered, &starts);
				all += columns[4 * tile->count + i];
				if (lane == TP_MOST_LANES - 1)
					continue; /* its events may overlap */
				assert_int_equal(columns[2 * tile->count + i], (covered * 255 + cell - 1) / cell);
				assert_int_equal(columns[4 * tile->count + i], starts);
			}
			assert_int_equal(all, EVENTS);
			if (level != 0)
				assert_true(tile->cell_ps == 4 * tile[-1].cell_ps);
		}
		tp_buf_free(&tiles);
	}
}

/* Cells of two parts of the events, cut where a cell begins, are those of all. */
static void
parts_have_the_cells_of_the_whole(void **state)
{
	enum { HIGH = 1 << 20, SHIFT = 8, HALF = HIGH / 2 };
	struct tp_levels *all = tp_new(*state, struct tp_levels),
					 *first = tp_new(*state, struct tp_levels),
					 *second = tp_new(*state, struct tp_levels);
	struct tp_buf whole = {0}, joined = {0};

	all->shift = first->shift = second->shift = SHIFT;
	tp_levels_resume(second, 0, HALF, HALF + 700, 2);
	for (uint32_t i = 0; i < HIGH; i += 1000) {
		uint64_t to = i / 1000 == HALF / 1000 ? HALF + 700 : i + i % 999;
		bool reaches = i < HALF && to > HALF;

		tp_levels_add(all, 0, i, to, reaches ? 2 : i % 5);
		tp_levels_add(i < HALF ? first : second, 0, i, reaches ? HALF : to, reaches ? 2 : i % 5);
	}
	tp_levels_join(first, second);
	tp_levels_finish(all, HIGH, &whole, *state);
	tp_levels_finish(first, HIGH, &joined, *state);
	assert_int_equal(joined.count, whole.count);
	for (size_t i = 0; i < whole.count; i++) {
		const struct tp_timeline_tile *a = (struct tp_timeline_tile *)whole.data + i;
		const struct tp_timeline_tile *b = (struct tp_timeline_tile *)joined.data + i;

		assert_int_equal(b->count, a->count);
		assert_true(tp_slice_eq(b->data, a->data));
	}
	tp_buf_free(&whole);
	tp_buf_free(&joined);
}

/* Where more events overlap than there are lanes, the last lane takes all, and cells neither go back nor are covered twice. */
static void
events_that_all_overlap_are_counted_once(void **state)
{
	struct tp_levels *levels = tp_new(*state, struct tp_levels);
	struct tp_buf tiles = {0};

	levels->shift = tp_level_shift(1000000, CELLS);
	for (uint64_t i = 0; i < 1000; i++)
		tp_levels_add(levels, 0, i, 1000000 - i, (uint32_t)i);
	tp_levels_finish(levels, 1000000, &tiles, *state);
	assert_true(((struct tp_timeline_tile *)tiles.data)->count <= CELLS);
	tp_buf_free(&tiles);
}

static void
the_name_of_a_cell_covers_most(void **state)
{
	struct tp_levels *levels = tp_new(*state, struct tp_levels);
	struct tp_buf tiles = {0};

	levels->shift = 10;
	tp_levels_add(levels, 0, 0, 100, 7);
	tp_levels_add(levels, 0, 100, 400, 8);
	tp_levels_add(levels, 0, 400, 650, 7);
	tp_levels_add(levels, 0, 700, 900, 9);
	tp_levels_finish(levels, 900, &tiles, *state);
	const unsigned char *bytes =
		(const unsigned char *)((struct tp_timeline_tile *)tiles.data)->data.ptr;
	static const unsigned char want[] = {0, 0, 0xd4, 0x01, 7, 4}; /* ⌈850 · 255 / 1024⌉ = 212 */

	assert_memory_equal(bytes, want, sizeof want);
	tp_buf_free(&tiles);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_two_events_of_a_lane_overlap),
		cmocka_unit_test(nested_events_are_one_lane_deeper_each),
		ARENA_TEST(cells_hold_what_events_cover),
		ARENA_TEST(events_that_all_overlap_are_counted_once),
		ARENA_TEST(parts_have_the_cells_of_the_whole),
		ARENA_TEST(the_name_of_a_cell_covers_most),
	};

	return RUN(tests);
}
