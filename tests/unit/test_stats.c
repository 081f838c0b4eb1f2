/* Mean, deviation and percentiles against figures worked out by hand. */
#include "analyze/core/stats.h"
#include "fixture.h"

#include "unit.h"

#include <math.h>

static void
a_small_sample_is_as_by_hand(void **state)
{
	const double values[] = {4, 1, 3, 2};
	struct tp_stats s = tp_stats_of(values, 4, *state);

	assert_true(s.mean == 2.5);
	assert_true(fabs(s.sd - sqrt(5.0 / 3)) < 1e-15);
	assert_true(s.min == 1 && s.max == 4 && s.p50 == 2.5);
	assert_true(fabs(s.p95 - 3.85) < 1e-12);
}

static void
equal_values_have_no_deviation(void **state)
{
	const double values[] = {0.2, 0.2, 0.2};
	struct tp_stats s = tp_stats_of(values, 3, *state);

	assert_true(s.mean == 0.2 && s.sd == 0 && s.p95 == 0.2);
}

static void
one_value_has_no_deviation(void **state)
{
	const double value = 21.31;
	struct tp_stats s = tp_stats_of(&value, 1, *state);

	assert_true(isnan(s.sd));
	assert_true(s.p50 == 21.31 && s.p95 == 21.31 && s.mean == 21.31);
}

static void
nothing_has_no_figures(void **state)
{
	struct tp_stats s = tp_stats_of(NULL, 0, *state);

	assert_int_equal(s.count, 0);
	assert_true(isnan(s.mean) && isnan(s.min) && isnan(s.p95));
}

static void
a_small_spread_on_a_large_mean_keeps_its_digits(void **state)
{
	const double values[] = {1e12 + 1, 1e12 + 2, 1e12 + 3};
	struct tp_stats s = tp_stats_of(values, 3, *state);

	assert_true(s.sd == 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(a_small_sample_is_as_by_hand),
		ARENA_TEST(equal_values_have_no_deviation),
		ARENA_TEST(one_value_has_no_deviation),
		ARENA_TEST(nothing_has_no_figures),
		ARENA_TEST(a_small_spread_on_a_large_mean_keeps_its_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
