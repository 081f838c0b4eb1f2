/* Narrow columns beside plain ones: whatever times and operations go in come out. */
#include "unit.h"

#include "base/arena.h"
#include "fixture.h"
#include "model/build.h"

#include <stdlib.h>

enum { MOST = 5000, LARGEST_OP = 70000 };

struct event {
	int64_t start_ps, duration_ps, chip_start_ps, chip_duration_ps;
	uint32_t op, number;
};

static uint64_t
next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 16;
}

/* Mostly small numbers, at times one near a border of what is kept narrow, or the largest there is. */
static int64_t
any_length(uint64_t *seed)
{
	static const int64_t extremes[] = {0, 1, TP_FIRST_WIDE - 1, TP_FIRST_WIDE,
		(int64_t)TP_FIRST_WIDE + 1, UINT32_MAX, INT64_C(1) << 31, INT64_C(1) << 32,
		INT64_C(1) << 40, INT64_MAX};
	uint64_t random = next_random(seed);

	return random % 8 == 0 ? extremes[random / 8 % (sizeof extremes / sizeof *extremes)]
						   : (int64_t)(random % 5000000);
}

static int64_t
any_start(uint64_t *seed, int64_t before_ps)
{
	uint64_t random = next_random(seed);

	if (random % 500 == 0)
		return random % 1000 == 0 ? INT64_MIN : INT64_MAX;
	if (random % 100 == 1)
		return -(int64_t)(random % 1000000000000);
	/* Where it comes near the end it goes on from 0. */
	return before_ps < INT64_MAX / 2 && before_ps > INT64_MIN / 2
		? before_ps + (int64_t)(random % 3000000)
		: 0;
}

static void
make_events(struct event *events, uint32_t count, uint32_t ops, uint64_t seed)
{
	int64_t start_ps = 0;

	for (uint32_t i = 0; i < count; i++) {
		start_ps = any_start(&seed, start_ps);
		events[i] = (struct event){.start_ps = start_ps,
			.duration_ps = any_length(&seed),
			.chip_start_ps = any_start(&seed, start_ps),
			.chip_duration_ps = any_length(&seed),
			.op = (uint32_t)(next_random(&seed) % ops),
			.number = i};
	}
}

static int
by_chip(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->chip_start_ps != b->chip_start_ps)
		return a->chip_start_ps < b->chip_start_ps ? -1 : 1;
	if (a->chip_duration_ps != b->chip_duration_ps)
		return a->chip_duration_ps > b->chip_duration_ps ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

/* Every third event has its number as a tag. */
static const struct tp_line *
built(struct tp_arena *arena, const struct event *events, uint32_t count, bool chip)
{
	struct tp_builder *b = tp_builder_new(arena);
	struct tp_line_columns c = {.kind = TP_LINE_OPS, .chip = chip};

	tp_build_line_open(b, &c);
	for (uint32_t i = 0; i < count; i++) {
		if (c.count == c.capacity)
			assert_true(tp_build_line_room(b, &c, (double)(i + 1) / count));
		c.start_ps[c.count] = chip ? events[i].start_ps : events[i].chip_start_ps;
		c.duration_ps[c.count] = chip ? events[i].duration_ps : events[i].chip_duration_ps;
		c.chip_start_ps[c.count] = events[i].chip_start_ps;
		c.chip_duration_ps[c.count] = events[i].chip_duration_ps;
		c.op[c.count] = events[i].op;
		if (i % 3 == 0)
			tp_build_tag(b, c.first + c.count, TP_TAG_RUN, i);
		c.count++;
	}
	tp_build_line_close(b, &c);
	const struct tp_profile *p = tp_builder_finish(b);

	assert_int_equal(p->line_count, count != 0);
	assert_int_equal(p->event_count, count);
	return p->lines;
}

static void
assert_window(const struct tp_line *line)
{
	struct tp_time_window w;
	bool sorted = true;

	tp_line_window(&w, line);
	for (uint32_t i = 0; i < line->count; i++) {
		assert_int_equal(tp_time_window_start_ps(&w, i), tp_line_start_ps(line, i));
		assert_int_equal(tp_time_window_duration_ps(&w, i), tp_line_duration_ps(line, i));
		sorted = sorted && (i == 0 || tp_line_start_ps(line, i - 1) <= tp_line_start_ps(line, i));
	}
	assert_int_equal(line->host_unsorted, !sorted);
}

static void
assert_line(const struct tp_line *line, const struct event *sorted, uint32_t count, bool chip)
{
	size_t tag = 0;

	assert_int_equal(line->count, count);
	assert_window(line);
	for (uint32_t i = 0; i < count; i++) {
		const struct event *e = &sorted[i];
		int64_t number;

		assert_int_equal(tp_line_chip_start_ps(line, i), e->chip_start_ps);
		assert_int_equal(tp_line_chip_duration_ps(line, i), e->chip_duration_ps);
		assert_int_equal(tp_line_start_ps(line, i), chip ? e->start_ps : e->chip_start_ps);
		assert_int_equal(tp_line_duration_ps(line, i), chip ? e->duration_ps : e->chip_duration_ps);
		assert_int_equal(tp_line_op(line, i), e->op);
		bool tagged = tp_tag_find(line, &tag, i, TP_TAG_RUN, &number);

		assert_int_equal(tagged, e->number % 3 == 0);
		if (tagged)
			assert_int_equal(number, e->number);
	}
}

static void
a_line_gives_what_was_built_in_order(void **state)
{
	static const uint32_t counts[] = {1, 2, 63, 64, 65, 511, 512, 513, 1024, MOST};
	struct event *events = tp_new_array(*state, struct event, MOST);
	struct event *sorted = tp_new_array(*state, struct event, MOST);
	uint64_t seed = 0;

	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
		for (int way = 0; way < 8; way++) {
			bool chip = way % 2 != 0, in_order = way / 2 % 2 != 0;
			uint32_t count = counts[k];

			make_events(events, count, way / 4 != 0 ? LARGEST_OP : 1000, ++seed);
			memcpy(sorted, events, count * sizeof *events);
			qsort(sorted, count, sizeof *sorted, by_chip);
			for (uint32_t i = 0; i < count && in_order; i++)
				sorted[i].number = i;
			assert_line(
				built(*state, in_order ? sorted : events, count, chip), sorted, count, chip);
		}
	}
}

static void
a_line_without_events_is_none(void **state)
{
	built(*state, NULL, 0, false);
}

static void
a_part_of_columns_counts_from_its_first(void **state)
{
	struct event *events = tp_new_array(*state, struct event, MOST);
	int64_t *start_ps = tp_new_array(*state, int64_t, MOST);
	int64_t *duration_ps = tp_new_array(*state, int64_t, MOST);
	uint32_t *op = tp_new_array(*state, uint32_t, MOST);

	make_events(events, MOST, LARGEST_OP, 7);
	for (uint32_t i = 0; i < MOST; i++) {
		start_ps[i] = events[i].start_ps;
		duration_ps[i] = events[i].duration_ps;
		op[i] = events[i].op;
	}
	struct tp_times all = tp_times_of(start_ps, duration_ps, MOST, *state);
	struct tp_op_column ops = tp_ops_of(op, MOST, *state);

	for (uint32_t first = 0; first < MOST; first += 37) {
		/* A part of a part too. */
		struct tp_times half = tp_times_from(&all, first / 2);
		struct tp_times part = tp_times_from(&half, first - first / 2);
		struct tp_op_column part_ops = tp_op_column_from(&ops, first);
		struct tp_time_window w;

		tp_time_window_open(&w, &part, MOST - first);

		for (uint32_t i = 0; i < 200 && first + i < MOST; i++) {
			assert_int_equal(tp_times_start_ps(&part, i), start_ps[first + i]);
			assert_int_equal(tp_times_duration_ps(&part, i), duration_ps[first + i]);
			assert_int_equal(tp_time_window_start_ps(&w, i), start_ps[first + i]);
			assert_int_equal(tp_time_window_duration_ps(&w, i), duration_ps[first + i]);
			assert_int_equal(tp_op_column_at(&part_ops, i), op[first + i]);
		}
	}
}

/* By blocks that cannot reach out, and one by one where they may. */
static void
those_outside_are_counted(void **state)
{
	int64_t start_ps[MOST], duration_ps[MOST];

	for (uint32_t i = 0; i < MOST; i++) {
		start_ps[i] = (int64_t)i * 1000000007;
		duration_ps[i] = i % 50 == 0 ? INT64_C(1) << 40 : i % 7;
	}
	const struct tp_times all = tp_times_of(start_ps, duration_ps, MOST, *state);
	const struct tp_times part = tp_times_from(&all, 37);

	for (int64_t from = -1; from < (int64_t)MOST * 1000000007; from += INT64_C(77000000000)) {
		int64_t to = from + 5 * from / 4 + (INT64_C(1) << 34);
		uint32_t outside = 0;

		for (uint32_t i = 37; i < MOST; i++)
			outside += start_ps[i] < from || start_ps[i] + duration_ps[i] > to;
		assert_int_equal(tp_times_outside(&part, MOST - 37, from, to), outside);
	}
	assert_int_equal(tp_times_outside(&all, MOST, 0, INT64_MAX), 0);
	assert_int_equal(tp_times_outside(&all, MOST, INT64_MIN, -1), MOST);
	assert_int_equal(tp_times_outside(&all, 0, 0, 0), 0);
}

/* Of a line of regions: each gets its length when it ends, long after it began, and may then have to stand before another. */
static void
a_duration_may_come_late(void **state)
{
	static const int64_t lengths[] = {0, 5, TP_FIRST_WIDE, INT64_C(1) << 40, 7};
	struct tp_builder *b = tp_builder_new(*state);
	struct tp_line_columns c = {.kind = TP_LINE_THREAD};

	tp_build_line_open(b, &c);
	for (uint32_t i = 0; i < MOST; i++) {
		if (c.count == c.capacity)
			assert_true(tp_build_line_room(b, &c, (double)(i + 1) / MOST));
		c.start_ps[c.count] = i / 2; /* two of each start */
		c.duration_ps[c.count] = i % 2 == 0;
		c.op[c.count++] = i;
	}
	for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
		tp_build_duration(b, &c, 1001, lengths[k]);
	tp_build_duration(b, &c, MOST - 1, 9);
	tp_build_line_close(b, &c);
	const struct tp_line *line = tp_builder_finish(b)->lines;

	for (uint32_t i = 0; i < MOST; i++) {
		bool swapped = i / 2 == 500 || i / 2 == MOST / 2 - 1;
		int64_t late_ps = i / 2 == 500 ? 7 : 9;
		bool first = i % 2 == 0;

		assert_int_equal(tp_line_start_ps(line, i), i / 2);
		assert_int_equal(tp_line_op(line, i), !swapped ? i : first ? i + 1 : i - 1);
		assert_int_equal(
			tp_line_duration_ps(line, i), swapped && first ? late_ps : swapped || first);
	}
}

/* Operations in the order in which they come first, and by block which may be there and until when its events last. */
static void
blocks_say_what_they_hold(void **state)
{
	enum { OPS = 90 };
	struct tp_builder *b = tp_builder_new(*state);
	struct tp_line_columns c = {.kind = TP_LINE_THREAD, .device = TP_NONE};
	uint8_t wanted[OPS] = {[3] = 1, [77] = 1};
	bool met[OPS] = {false};

	tp_build_line_open(b, &c);
	for (uint32_t i = 0; i < MOST; i++) {
		if (c.count == c.capacity)
			assert_true(tp_build_line_room(b, &c, (double)i / MOST));
		c.start_ps[c.count] = i * INT64_C(1000);
		c.duration_ps[c.count] = i % 500 == 0 ? INT64_C(1) << 40 : i % 700;
		c.op[c.count++] = i / 100 % OPS;
	}
	tp_build_line_close(b, &c);
	const struct tp_line *line = tp_builder_finish(b)->lines;
	uint64_t bits = tp_op_column_bits(&line->ops, wanted);

	for (uint32_t i = 0; i < tp_line_met_count(line); i++) {
		assert_int_equal(tp_line_met(line, i), i);
		met[tp_line_met(line, i)] = true;
	}
	for (uint32_t i = 0, next = tp_line_next(line, bits, 0); i < MOST; i++) {
		assert_true(met[tp_line_op(line, i)]);
		assert_true(i >= next || !wanted[tp_line_op(line, i)]);
		if (i == next)
			next = tp_line_next(line, bits, i + 1);
	}
	for (uint32_t i = 0; i < MOST; i++) {
		int64_t end_ps = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i);

		assert_true(end_ps <= tp_times_reach_ps(&line->host_times, i & ~(uint32_t)63));
	}
	assert_true(tp_times_reach_ps(&line->host_times, 64) < 256 * 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(a_line_gives_what_was_built_in_order),
		ARENA_TEST(a_line_without_events_is_none),
		ARENA_TEST(a_part_of_columns_counts_from_its_first),
		ARENA_TEST(those_outside_are_counted),
		ARENA_TEST(a_duration_may_come_late),
		ARENA_TEST(blocks_say_what_they_hold),
	};

	return RUN(tests);
}
