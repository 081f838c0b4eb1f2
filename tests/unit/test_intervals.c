/* Intervals of time: joined where they overlap, and what they cover. */
#include "unit.h"

#include "analyze/core/intervals.h"

static int64_t
covered(struct tp_interval *s, size_t count)
{
	return tp_intervals_ps(s, tp_intervals_unite(s, count));
}

static void
nothing_covers_nothing(void **state)
{
	(void)state;
	assert_int_equal(covered(NULL, 0), 0);
}

static void
overlaps_count_once_in_any_order(void **state)
{
	struct tp_interval sorted[] = {{0, 10}, {5, 8}, {9, 12}, {20, 30}};
	struct tp_interval mixed[] = {{20, 30}, {9, 12}, {0, 10}, {5, 8}};

	(void)state;
	assert_int_equal(covered(sorted, 4), 22);
	assert_int_equal(covered(mixed, 4), 22);
	assert_int_equal(mixed[0].start_ps, 0);
	assert_int_equal(mixed[0].end_ps, 12);
	assert_int_equal(mixed[1].start_ps, 20);
}

static void
those_that_touch_are_one(void **state)
{
	struct tp_interval s[] = {{0, 10}, {10, 20}, {20, 20}};

	(void)state;
	assert_int_equal(tp_intervals_unite(s, 3), 1);
	assert_int_equal(s[0].end_ps, 20);
}

static void
sum_of_lies_is_the_largest_number(void **state)
{
	struct tp_interval s[] = {{0, INT64_MAX}, {0, INT64_MAX}};

	(void)state;
	assert_int_equal(tp_intervals_ps(s, 2), INT64_MAX);
}

static void
cover_of_windows_in_any_order(void **state)
{
	const struct tp_interval s[] = {{0, 10}, {20, 30}, {40, 50}};
	uint64_t before_ps[3];
	const struct tp_cover c = tp_cover_of(s, 3, before_ps);

	(void)state;
	assert_int_equal(tp_cover_within(&c, 25, 100), 15);
	assert_int_equal(tp_cover_within(&c, 5, 25), 10);
	assert_int_equal(tp_cover_within(&c, 5, 8), 3);
	assert_int_equal(tp_cover_within(&c, 10, 20), 0);
	assert_int_equal(tp_cover_within(&c, -5, 60), 30);
	assert_int_equal(tp_cover_within(&c, 45, 25), 0);
}

static void
cover_of_all_the_time_there_is(void **state)
{
	const struct tp_interval s[] = {{INT64_MIN, -1}, {0, INT64_MAX}};
	uint64_t before_ps[2];
	const struct tp_cover c = tp_cover_of(s, 2, before_ps);

	(void)state;
	assert_int_equal(tp_cover_within(&c, -10, 10), 19);
	assert_int_equal(tp_cover_within(&c, 0, INT64_MAX), INT64_MAX);
}

static void
longest_gap_is_what_none_covers(void **state)
{
	static const struct tp_interval some[] = {{10, 20}, {25, 40}, {41, 60}};
	static const struct {
		int64_t from, to, gap_from, gap_to;
	} cases[] = {{0, 70, 0, 10}, {12, 70, 60, 70}, {12, 50, 20, 25}, {12, 18, 12, 12},
		{30, 42, 40, 41}, {61, 65, 61, 65}, {22, 24, 22, 24}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tp_interval gap = tp_intervals_longest_gap(some, 3, cases[i].from, cases[i].to);

		assert_int_equal(gap.start_ps, cases[i].gap_from);
		assert_int_equal(gap.end_ps, cases[i].gap_to);
	}
	assert_int_equal(tp_intervals_longest_gap(NULL, 0, 3, 9).end_ps, 9);
	static const struct tp_interval ever[] = {{INT64_MIN, 5}};

	assert_int_equal(tp_intervals_longest_gap(ever, 1, 3, 9).start_ps, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(longest_gap_is_what_none_covers),
		cmocka_unit_test(nothing_covers_nothing),
		cmocka_unit_test(overlaps_count_once_in_any_order),
		cmocka_unit_test(those_that_touch_are_one),
		cmocka_unit_test(sum_of_lies_is_the_largest_number),
		cmocka_unit_test(cover_of_windows_in_any_order),
		cmocka_unit_test(cover_of_all_the_time_there_is),
	};

	return RUN(tests);
}
