/* The tick of a clock: the longest that its times are multiples of, and whole numbers of it without a division. */
#include "unit.h"

#include "fixture.h"
#include "model/tick.h"

static const struct tp_tick *
tick_of(uint64_t ps)
{
	static struct tp_tick tick;
	const int64_t starts_ps[] = {0, 0}, durations_ps[] = {(int64_t)ps, 0};

	tick = tp_tick_of(starts_ps, durations_ps, 2);
	return &tick;
}

static void
all_times_are_multiples_of_the_tick(void **state)
{
	const int64_t starts_ps[] = {7, 7 + 1250 * 4, 7 + 1250 * 6}, durations_ps[] = {0, 1250 * 10, 0};

	(void)state;
	assert_int_equal(tp_tick_of(starts_ps, durations_ps, 3).ps, 2500);
	assert_int_equal(tp_tick_of(starts_ps, durations_ps, 2).ps, 2500);
	/* The first may be the latest. */
	const int64_t late_ps[] = {INT64_MAX, INT64_MAX - 3000, INT64_MIN + 1};

	assert_int_equal(tp_tick_of(late_ps, durations_ps, 1).ps, 1);
	assert_int_equal(tp_tick_of(late_ps, (int64_t[]){0, 9000}, 2).ps, 3000);
	/* 2⁶⁴ − 2 before the first: 2 is what 3000 has in common with it. */
	assert_int_equal(tp_tick_of(late_ps, (int64_t[]){0, 9000, 0}, 3).ps, 2);
}

static void
without_a_tick_that_fits_it_is_a_picosecond(void **state)
{
	(void)state;
	assert_int_equal(tick_of(0)->ps, 1);
	assert_int_equal(tick_of(1)->ps, 1);
	assert_int_equal(tick_of(UINT32_MAX)->ps, UINT32_MAX);
	assert_int_equal(tick_of((uint64_t)UINT32_MAX + 1)->ps, 1);
	assert_int_equal(tick_of(INT64_MAX)->ps, 1);
}

static void
whole_numbers_of_ticks_are_told_from_other_times(void **state)
{
	static const uint32_t ticks_ps[] = {
		1, 2, 3, 7, 640, 1000, 1250, 1u << 20, 3u << 20, 1u << 31, UINT32_MAX - 1, UINT32_MAX};
	static const uint32_t counts[] = {0, 1, 2, 1000003, 1u << 31, (3u << 30) - 1, UINT32_MAX};

	(void)state;
	for (size_t t = 0; t < sizeof ticks_ps / sizeof *ticks_ps; t++) {
		struct tp_tick tick = *tick_of(ticks_ps[t]);

		assert_int_equal(tick.ps, ticks_ps[t]);
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			uint64_t ps = (uint64_t)counts[i] * ticks_ps[t];

			assert_int_equal(tp_in_ticks(tick, ps), counts[i]);
			for (uint64_t more_ps = 1; more_ps < ticks_ps[t]; more_ps += 1 + ticks_ps[t] / 97)
				assert_true(tp_in_ticks(tick, ps + more_ps) > UINT32_MAX);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_times_are_multiples_of_the_tick),
		cmocka_unit_test(without_a_tick_that_fits_it_is_a_picosecond),
		cmocka_unit_test(whole_numbers_of_ticks_are_told_from_other_times),
	};

	return RUN(tests);
}
