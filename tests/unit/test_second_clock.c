/* Lines of a TPU core, whose events have times by two clocks: what goes into the columns comes out, and in few bytes. */
#include "unit.h"

#include "base/arena.h"
#include "fixture.h"
#include "model/build.h"
#include "model/second_clock.h"

enum { MOST = 5000, TICK_PS = 1250 };

struct event {
	int64_t start_ps, duration_ps, chip_start_ps, chip_duration_ps;
};

/* As a chip of 800 MHz counts, with a host whose clock is rounded otherwise: event number i. */
static struct event
rounded(uint32_t i)
{
	static const int64_t rests[] = {0, 78, 156};
	int64_t start_ps = (int64_t)i * 700 * TICK_PS, duration_ps = (int64_t)(i % 97) * TICK_PS;

	return (struct event){.chip_start_ps = start_ps,
		.chip_duration_ps = duration_ps,
		.start_ps = start_ps + 225045750 + rests[i % 3],
		.duration_ps = duration_ps + (i % 97 == 0 ? 0 : rests[i / 3 % 3] - 78)};
}

static struct event *
rounded_events(struct tp_arena *arena)
{
	struct event *events = tp_new_array(arena, struct event, MOST);

	for (uint32_t i = 0; i < MOST; i++)
		events[i] = rounded(i);
	return events;
}

static const struct tp_line *
built(struct tp_arena *arena, const struct event *events, uint32_t count)
{
	struct tp_builder *b = tp_builder_new(arena);
	struct tp_line_columns c = {.kind = TP_LINE_OPS, .chip = true};

	tp_build_line_open(b, &c);
	for (uint32_t i = 0; i < count; i++) {
		if (c.count == c.capacity)
			assert_true(tp_build_line_room(b, &c, (double)(i + 1) / count));
		c.start_ps[c.count] = events[i].start_ps;
		c.duration_ps[c.count] = events[i].duration_ps;
		c.chip_start_ps[c.count] = events[i].chip_start_ps;
		c.chip_duration_ps[c.count] = events[i].chip_duration_ps;
		c.op[c.count++] = i % 1000;
	}
	tp_build_line_close(b, &c);
	return tp_builder_finish(b)->lines;
}

static void
assert_event(const struct tp_line *line, uint32_t at, const struct event *e)
{
	assert_int_equal(tp_line_chip_start_ps(line, at), e->chip_start_ps);
	assert_int_equal(tp_line_chip_duration_ps(line, at), e->chip_duration_ps);
	assert_int_equal(tp_line_start_ps(line, at), e->start_ps);
	assert_int_equal(tp_line_duration_ps(line, at), e->duration_ps);
	/* The functions for any times say of the chip's what its own say. */
	assert_int_equal(tp_times_start_ps(&line->chip_times, at), e->chip_start_ps);
	assert_int_equal(tp_times_duration_ps(&line->chip_times, at), e->chip_duration_ps);
}

/* By both clocks, onwards and to and fro. */
static void
assert_windows(const struct tp_line *line, const struct event *events, uint32_t count)
{
	struct tp_time_window host, chip;

	tp_line_window(&host, line);
	tp_time_window_open(&chip, &line->chip_times, count);
	for (uint32_t i = 0; i < 2 * count; i++) {
		uint32_t at = i < count ? i : i * 2003 % count;

		assert_int_equal(tp_time_window_start_ps(&host, at), events[at].start_ps);
		assert_int_equal(tp_time_window_duration_ps(&chip, at), events[at].chip_duration_ps);
		assert_int_equal(tp_time_window_start_ps(&chip, at), events[at].chip_start_ps);
		assert_int_equal(tp_time_window_duration_ps(&host, at), events[at].duration_ps);
	}
}

static void
assert_line(const struct tp_line *line, const struct event *events, uint32_t count)
{
	assert_int_equal(line->count, count);
	bool sorted = true;

	for (uint32_t i = 0; i < count; i++) {
		assert_event(line, i, &events[i]);
		sorted = sorted && (i == 0 || events[i - 1].start_ps <= events[i].start_ps);
	}
	assert_int_equal(line->host_unsorted, !sorted);
	assert_windows(line, events, count);
}

static void
clocks_that_differ_by_rounding_take_a_byte(void **state)
{
	static const uint32_t counts[] = {1, 2, 64, 65, 512, 513, MOST};
	const struct event *events = rounded_events(*state);

	for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
		assert_line(built(*state, events, counts[k]), events, counts[k]);
	const struct tp_line *line = built(*state, events, MOST);
	const struct tp_second_clock *second = line->host_times.second;

	/* 4 for the start, 4 for the duration, 2 for the operation, 1 for the pair; and a base and a number for each 64. */
	assert_non_null(second);
	assert_int_equal(second->apart_count, 0);
	assert_int_equal(second->stretch_count, 1);
	assert_null(line->chip_times.reach);
	assert_int_equal(line->chip_times.tick_ps, TICK_PS);
	assert_int_equal(line->chip_times.block_shift, TP_BLOCK_SHIFT);
	assert_ptr_equal(line->host_times.start, line->chip_times.start);
	assert_non_null(line->ops.narrow);
}

/* After the first ones, by which the columns are laid out. */
static void
extremes_come_out_as_they_went_in(void **state)
{
	static const int64_t extremes[] = {0, 1, TICK_PS - 1, TICK_PS + 1, INT64_C(1) << 31,
		(INT64_C(1) << 31) * TICK_PS, TP_FIRST_WIDE, (int64_t)TP_FIRST_WIDE * TICK_PS,
		((int64_t)TP_FIRST_WIDE - 1) * TICK_PS, UINT32_MAX, INT64_C(1) << 40,
		(INT64_C(1) << 40) * TICK_PS, INT64_MAX - 1, INT64_MAX};
	enum { COUNT = sizeof extremes / sizeof *extremes, FIRST = 600 };

	for (int way = 0; way < 8; way++) {
		struct event *events = rounded_events(*state);

		for (uint32_t i = 0; i < COUNT * COUNT; i++) {
			struct event *e = &events[FIRST + 7 * i];
			int64_t one = extremes[i % COUNT], other = extremes[i / COUNT];

			e->duration_ps = way & 1 ? one : e->duration_ps;
			e->chip_duration_ps = way & 2 ? other : e->chip_duration_ps;
			e->start_ps = way & 4 ? (way & 1 ? one : -one) : e->start_ps;
		}
		events[MOST - 2].chip_start_ps = (INT64_C(1) << 62) + 1;
		events[MOST - 1].chip_start_ps = INT64_MAX;
		const struct tp_line *line = built(*state, events, MOST);

		assert_non_null(line->host_times.second);
		assert_line(line, events, MOST);
	}
}

static void
the_chip_may_be_ahead(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 0; i < MOST; i++)
		events[i].start_ps -= INT64_C(1) << 60;
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	assert_int_equal(line->host_times.second->apart_count, 0);
	/* As far as two times can be from each other. */
	for (uint32_t i = 0; i < MOST; i++) {
		events[i].start_ps = INT64_MIN + i;
		events[i].chip_start_ps = INT64_MAX - MOST + i;
	}
	line = built(*state, events, MOST);
	assert_line(line, events, MOST);
	assert_int_equal(line->host_times.second->apart_count, 0);
}

/* The clocks are set by each other now and then: from there on the host is ahead by another time. */
static void
a_jump_begins_a_stretch(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 0; i < MOST; i++)
		events[i].start_ps += i >= 1000 ? INT64_C(104688496000) : 0;
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	assert_int_equal(line->host_times.second->apart_count, 0);
	assert_int_equal(line->host_times.second->stretch_count, 2);
	assert_int_equal(line->host_times.second->width, 5);
}

/* By as much as the clock jumps while it runs, an event is longer for the host; in the first event of a stage, the last and others. */
static void
an_event_may_end_in_the_next_stretch(void **state)
{
	static const uint32_t jumps[] = {0, 1, 2, 63, 64, 65, 510, 700, 701, 702, 1023, 4000};
	struct event *events = rounded_events(*state);

	for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++) {
		int64_t jump_ps = (k % 2 ? -1 : 1) * (INT64_C(15168578) << k);

		events[jumps[k]].duration_ps += jump_ps < 0 ? 0 : jump_ps;
		events[jumps[k]].chip_duration_ps += jump_ps < 0 ? -jump_ps / TICK_PS * TICK_PS : 0;
		for (uint32_t i = jumps[k] + 1; i < MOST; i++)
			events[i].start_ps += jump_ps < 0 ? jump_ps / TICK_PS * TICK_PS : jump_ps;
	}
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	assert_int_equal(line->host_times.second->stretch_count, 1 + sizeof jumps / sizeof *jumps);
	/* What follows the last of a stage is not known yet. */
	assert_int_equal(line->host_times.second->apart_count, 1);
}

/* As many as there are bytes for them. */
static void
stretches_take_the_bytes_that_they_need(void **state)
{
	for (uint32_t width = 2; width <= 8; width++) {
		int64_t jump_ps = INT64_C(1) << (8 * width - 2);
		struct event *events = rounded_events(*state);

		for (uint32_t i = 0; i < MOST; i++)
			events[i].start_ps += (int64_t)(i / 30 % 2) * (i % 60 < 40 ? jump_ps : -jump_ps);
		const struct tp_line *line = built(*state, events, MOST);

		assert_line(line, events, MOST);
		assert_int_equal(line->host_times.second->width, width);
		assert_int_equal(line->host_times.second->apart_count, 0);
	}
}

static void
many_jumps_make_many_stretches(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 0; i < MOST; i++)
		events[i].start_ps += (int64_t)(i / 4) * 1000003;
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	assert_int_equal(line->host_times.second->stretch_count, MOST / 4);
	assert_int_equal(line->host_times.second->width, 4);
	assert_int_equal(line->host_times.second->apart_count, 0);
}

static void
clocks_that_have_nothing_in_common_have_columns_each(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 0; i < MOST; i++)
		events[i].duration_ps = (int64_t)i * i * 1000003 % 3000000017;
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	assert_null(line->host_times.second);
}

static void
of_more_pairs_than_there_are_numbers_the_last_are_apart(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 0; i < MOST; i++) {
		events[i].start_ps = events[i].chip_start_ps;
		events[i].duration_ps = events[i].chip_duration_ps + i % 1000;
	}
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	/* Two numbers are of what is apart, and one of the first event, with which a stretch begins. */
	assert_int_equal(line->host_times.second->apart_count,
		MOST / 1000 * (1000 - (TP_CLOCK_NUMBERS - TP_CLOCK_FIRST - 1)) - 1);
}

/* The first ones suggest ticks that others do not keep to. */
static void
times_between_ticks_are_kept(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 512; i < MOST; i += 3) {
		events[i].chip_start_ps++;
		events[i].start_ps++;
		events[i].duration_ps += TICK_PS / 2;
		events[i].chip_duration_ps += TICK_PS / 2;
	}
	const struct tp_line *line = built(*state, events, MOST);

	assert_line(line, events, MOST);
	assert_int_equal(line->chip_times.tick_ps, TICK_PS);
	assert_non_null(line->host_times.second);
}

/* By the chip's clock; that of the host may have them in another order. */
static void
events_are_put_in_order(void **state)
{
	struct event *events = rounded_events(*state);
	struct event *mixed = tp_new_array(*state, struct event, MOST);

	for (uint32_t i = 0; i < MOST; i++)
		events[i].start_ps += i % 500 == 499 ? INT64_C(1) << 40 : 0;
	for (uint32_t i = 0; i < MOST; i++)
		mixed[i] = events[(uint64_t)i * 2003 % MOST];
	assert_line(built(*state, mixed, MOST), events, MOST);
}

static void
a_part_has_both_clocks(void **state)
{
	struct event *events = rounded_events(*state);

	for (uint32_t i = 0; i < MOST; i++)
		events[i].start_ps += i >= 1000 ? 7000000 : 0;
	const struct tp_line *line = built(*state, events, MOST);

	for (uint32_t first = 0; first < MOST; first += 61) {
		struct tp_times half = tp_times_from(&line->host_times, first / 2);
		struct tp_line part = {.count = MOST - first,
			.host_times = tp_times_from(&half, first - first / 2),
			.chip_times = tp_times_from(&line->chip_times, first)};

		for (uint32_t i = 0; i < 100 && first + i < MOST; i++)
			assert_event(&part, i, &events[first + i]);
		assert_windows(&part, events + first, MOST - first);
	}
}

static void
those_outside_are_counted_by_either_clock(void **state)
{
	const struct event *events = rounded_events(*state);
	const struct tp_line *line = built(*state, events, MOST);
	int64_t from_ps = events[100].start_ps + 1, to_ps = events[4000].start_ps;
	uint32_t outside = 0, outside_chip = 0;

	for (uint32_t i = 0; i < MOST; i++) {
		const struct event *e = &events[i];

		outside += e->start_ps < from_ps || e->start_ps + e->duration_ps > to_ps;
		outside_chip +=
			e->chip_start_ps < from_ps || e->chip_start_ps + e->chip_duration_ps > to_ps;
	}
	assert_int_equal(tp_times_outside(&line->host_times, MOST, from_ps, to_ps), outside);
	assert_int_equal(tp_times_outside(&line->chip_times, MOST, from_ps, to_ps), outside_chip);
	assert_int_not_equal(outside, outside_chip);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(clocks_that_differ_by_rounding_take_a_byte),
		ARENA_TEST(extremes_come_out_as_they_went_in),
		ARENA_TEST(the_chip_may_be_ahead),
		ARENA_TEST(a_jump_begins_a_stretch),
		ARENA_TEST(an_event_may_end_in_the_next_stretch),
		ARENA_TEST(stretches_take_the_bytes_that_they_need),
		ARENA_TEST(many_jumps_make_many_stretches),
		ARENA_TEST(clocks_that_have_nothing_in_common_have_columns_each),
		ARENA_TEST(of_more_pairs_than_there_are_numbers_the_last_are_apart),
		ARENA_TEST(times_between_ticks_are_kept),
		ARENA_TEST(events_are_put_in_order),
		ARENA_TEST(a_part_has_both_clocks),
		ARENA_TEST(those_outside_are_counted_by_either_clock),
	};

	return RUN(tests);
}
