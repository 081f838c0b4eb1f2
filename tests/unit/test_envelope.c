/* Envelopes of curves: a spike among a million points is drawn, on an axis of steps and on one of wall time, and so is what is no
 * number. */
#include "analyze/job/envelope.h"
#include "fixture.h"
#include "report/doc.h"

#include "unit.h"

#include <math.h>

enum { POINTS = 1000000, STRETCHES = 200 };

static double
place(const struct tp_curve *c, double y)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->ys[i] == y)
			return c->xs[i];
	}
	return NAN;
}

/* A million points, one of them high, one low; x = from + n × apart. */
static struct tp_curve
spiked(void *arena, double from, double apart, long high_at, long low_at)
{
	struct tp_envelope e = tp_envelope_new(arena, from, from + (POINTS - 1) * apart, STRETCHES);

	for (long n = 0; n < POINTS; n++)
		tp_envelope_put(&e, from + (double)n * apart, n == high_at ? 1e6 : n == low_at ? -7 : 1);
	return tp_envelope_curve(&e, arena);
}

static void
one_spike_in_a_million_is_kept_by_step(void **state)
{
	struct tp_curve c = spiked(*state, 0, 1, 333333, 999999);

	assert_true(c.count <= 2 * STRETCHES);
	assert_int_equal(c.points, POINTS);
	assert_true(place(&c, 1e6) == 333333 && place(&c, -7) == 999999);
}

static void
one_spike_in_a_million_is_kept_by_time(void **state)
{
	const double start_s = 1551710000;
	struct tp_curve c = spiked(*state, start_s, 0.125, 0, 654321);

	assert_true(c.count <= 2 * STRETCHES);
	assert_true(place(&c, 1e6) == start_s && place(&c, -7) == start_s + 654321 * 0.125);
}

static void
a_curve_goes_on_from_left_to_right(void **state)
{
	struct tp_curve c = spiked(*state, 5, 3, 777, 776);

	for (size_t i = 1; i < c.count; i++)
		assert_true(c.xs[i - 1] < c.xs[i]);
}

/* As after a restart that is not marked: a step has several points. */
static void
a_spike_among_points_of_one_place_is_kept(void **state)
{
	struct tp_envelope e = tp_envelope_new(*state, 0, 100, 10);

	tp_envelope_put(&e, 0, 1);
	tp_envelope_put(&e, 50, 1);
	tp_envelope_put(&e, 50, 1e6);
	tp_envelope_put(&e, 50, -7);
	tp_envelope_put(&e, 100, 1);
	struct tp_curve c = tp_envelope_curve(&e, *state);

	assert_int_equal(c.count, 4);
	assert_true(place(&c, 1e6) == 50 && place(&c, -7) == 50);
}

static void
what_is_no_number_is_marked_where_it_is(void **state)
{
	struct tp_envelope e = tp_envelope_new(*state, 0, 100, 10);

	tp_envelope_put(&e, 51, INFINITY);
	tp_envelope_put(&e, 50, NAN);
	tp_envelope_put(&e, 49, -INFINITY);
	tp_envelope_put(&e, 52, NAN);
	tp_envelope_put(&e, 90, 3);
	struct tp_curve c = tp_envelope_curve(&e, *state);

	assert_int_equal(c.count, 1);
	assert_int_equal(c.not_finite, 4);
	assert_int_equal(c.non_finite_count, 3);
	assert_true(c.non_finites[0].x == 49 && c.non_finites[0].kind == TP_NON_FINITE_BELOW);
	assert_true(c.non_finites[1].x == 50 && c.non_finites[1].kind == TP_NON_FINITE_NAN);
	assert_true(c.non_finites[2].x == 51 && c.non_finites[2].kind == TP_NON_FINITE_ABOVE);
}

static void
what_is_outside_the_axis_is_passed_over(void **state)
{
	struct tp_envelope e = tp_envelope_new(*state, 0, 100, 10);

	tp_envelope_put(&e, NAN, 1);
	tp_envelope_put(&e, -1, 1);
	tp_envelope_put(&e, 1e300, 1);
	assert_int_equal(e.points, 0);
	assert_int_equal(tp_envelope_curve(&e, *state).count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(one_spike_in_a_million_is_kept_by_step),
		ARENA_TEST(one_spike_in_a_million_is_kept_by_time),
		ARENA_TEST(a_curve_goes_on_from_left_to_right),
		ARENA_TEST(a_spike_among_points_of_one_place_is_kept),
		ARENA_TEST(what_is_no_number_is_marked_where_it_is),
		ARENA_TEST(what_is_outside_the_axis_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
