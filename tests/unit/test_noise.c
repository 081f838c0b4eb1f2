/* The noise between runs: Student's quantiles as published, an interval worked out by hand, and what holds for any figures. */
#include "compare/noise.h"
#include "fixture.h"

#include "unit.h"

#include <math.h>

enum { COUNT_STEPS = 200 };

static bool
near(double got, double want, double share)
{
	if (fabs(got - want) <= share * fabs(want))
		return true;
	print_error("got %.15g, want %.15g\n", got, want);
	return false;
}

/* Of a normal distribution, by Box and Muller; the same in each run. */
static double
normal(uint64_t *state)
{
	double uniform[2];

	for (int i = 0; i < 2; i++) {
		*state = *state * 6364136223846793005 + 1442695040888963407;
		uniform[i] = ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
	}
	return sqrt(-2 * log(uniform[0])) * cos(2 * M_PI * uniform[1]);
}

/* Table of the distribution as printed in textbooks, to three decimals. */
static void
quantiles_are_those_of_the_table(void **state)
{
	static const struct {
		double freedom, p95, p975, p99, p995;
	} rows[] = {
		{1, 6.314, 12.706, 31.821, 63.657},
		{2, 2.920, 4.303, 6.965, 9.925},
		{4, 2.132, 2.776, 3.747, 4.604},
		{9, 1.833, 2.262, 2.821, 3.250},
		{30, 1.697, 2.042, 2.457, 2.750},
		{120, 1.658, 1.980, 2.358, 2.617},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double freedom = rows[i].freedom;

		assert_true(fabs(tp_student_quantile(0.95, freedom) - rows[i].p95) < 0.00051);
		assert_true(fabs(tp_student_quantile(0.975, freedom) - rows[i].p975) < 0.00051);
		assert_true(fabs(tp_student_quantile(0.99, freedom) - rows[i].p99) < 0.00051);
		assert_true(fabs(tp_student_quantile(0.995, freedom) - rows[i].p995) < 0.00051);
	}
}

/* python3 -c 'from scipy.stats import t; print("%.15g" % t.ppf(0.995, 9))', SciPy 1.17.1. Near the middle its digits are fewer than ours:
 * that line is from mpmath 1.3.0, 40 digits: a quadrature of the density, and Newton's steps. */
static void
quantiles_have_nine_digits(void **state)
{
	static const struct {
		double p, freedom, t;
	} rows[] = {
		{0.995, 2, 9.92484320091829},
		{0.995, 4, 4.60409487134999},
		{0.995, 9, 3.24983554159213},
		{0.995, 59, 2.66175875216297},
		{0.995, 100000, 2.57587846990838},
		{0.9, 2, 1.88561808316413},
		{0.9, 3.5, 1.57657660513641},
		{0.75, 1, 1},
		{0.999, 2.5, 13.822193110866},
		{0.5000001, 7, 2.59746027427849549e-7},
		{1e-5, 100000, -4.26509540318133},
		{1e-12, 3, -10331.1082442925},
		{1e-30, 1, -3.18309886183791e29},
		{1e-100, 5, -1.56839255909934e20},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_true(near(tp_student_quantile(rows[i].p, rows[i].freedom), rows[i].t, 1e-9));
}

static void
quantiles_are_symmetric(void **state)
{
	(void)state;
	assert_true(tp_student_quantile(0.5, 3) == 0);
	assert_true(tp_student_quantile(0.25, 3) == -tp_student_quantile(0.75, 3));
}

/* The logarithms are 0 and ± ln 1.02 off 100: mean 100, spread ln 1.02. t(0.995; 2) = 9.9248, times √(4/3) = 11.4602, and 1.02 to that
 * power is 1.25476. With t(0.95; 2) = 2.9200 more: 12.8448 · 1.154701 = 14.8319, and 1.02 to that power is 1.3414. */
static void
an_interval_is_as_by_hand(void **state)
{
	const double runs[] = {100 / 1.02, 100, 102};
	struct tp_expected e;

	(void)state;
	assert_true(tp_expect(runs, 3, 0.99, &e));
	assert_int_equal(e.runs, 3);
	assert_true(e.level == 0.99);
	assert_true(near(e.middle, 100, 1e-12));
	assert_true(near(e.spread, log(1.02), 1e-12));
	assert_true(near(e.high, 125.476, 1e-5));
	assert_true(near(e.low, 100 / 1.25476, 1e-5));
	assert_true(near(e.smallest, 0.3414, 1e-4));
}

/* python3 -c 'import math; from statistics import mean, stdev; from scipy.stats import t; l = [math.log(x) for x in (100, 102, 105)]
 * h = stdev(l) * math.sqrt(4 / 3); print(math.exp(mean(l) - h * t.ppf(.995, 2)), math.exp(mean(l) + h * t.ppf(.995, 2)),
 * math.expm1(h * (t.ppf(.995, 2) + t.ppf(.95, 2))), math.expm1(stdev(l) * math.sqrt(1.1) * (t.ppf(.995, 9) + t.ppf(.95, 9))))' */
static void
an_interval_is_as_scipy_has_it(void **state)
{
	const double runs[] = {100, 102, 105};
	struct tp_expected e;

	(void)state;
	assert_true(tp_expect(runs, 3, 0.99, &e));
	assert_true(near(e.low, 77.23208150831469, 1e-9));
	assert_true(near(e.high, 135.5382604399283, 1e-9));
	assert_true(near(e.smallest, 0.4390123889386948, 1e-9));
	assert_true(near(tp_smallest_with(&e, 10), 0.13975928851105443, 1e-9));
	assert_true(tp_smallest_with(&e, 3) == e.smallest);
}

static void
equal_runs_expect_the_same_again(void **state)
{
	const double runs[] = {0.1, 0.1, 0.1, 0.1};
	struct tp_expected e;

	(void)state;
	assert_true(tp_expect(runs, 4, 0.99, &e));
	assert_true(e.middle == 0.1 && e.low == 0.1 && e.high == 0.1);
	assert_true(e.spread == 0 && e.smallest == 0 && tp_smallest_with(&e, 10) == 0);
}

static void
what_is_no_sample_expects_nothing(void **state)
{
	const double with_zero[] = {1, 0, 2}, with_nan[] = {1, NAN, 2},
				 with_infinity[] = {1, 2, INFINITY};
	const double far_apart[] = {1e-300, 1, 1e300}, two[] = {1, 2};
	struct tp_expected e;

	(void)state;
	assert_false(tp_expect(with_zero, 3, 0.99, &e));
	assert_false(tp_expect(with_nan, 3, 0.99, &e));
	assert_false(tp_expect(with_infinity, 3, 0.99, &e));
	assert_false(tp_expect(far_apart, 3, 0.99, &e));
	assert_false(tp_expect(two, 2, 0.99, &e));
	assert_false(tp_expect(NULL, 0, 0.99, &e));
}

static void
expectation_scales_with_the_unit(void **state)
{
	const double seconds[] = {0.31, 0.29, 0.33, 0.30},
				 picoseconds[] = {0.31e12, 0.29e12, 0.33e12, 0.30e12};
	struct tp_expected small, large;

	(void)state;
	assert_true(tp_expect(seconds, 4, 0.99, &small) && tp_expect(picoseconds, 4, 0.99, &large));
	assert_true(near(large.low, small.low * 1e12, 1e-12));
	assert_true(near(large.high, small.high * 1e12, 1e-12));
	assert_true(near(large.smallest, small.smallest, 1e-12));
}

struct rates {
	double alarms, found;
};

/* The figure of a run with a spread of 3 %, one of `delayed_of` (0: none) delayed by six times that. */
static double
run_of(uint64_t *random, unsigned delayed_of)
{
	double noise = normal(random);

	if (delayed_of != 0 && (*random >> 33) % delayed_of == 0)
		noise += 6;
	return exp(0.03 * noise);
}

/* Of `trials`, how often a further run of the same program is judged to be another, and how often one that is slower by `smallest` is. */
static struct rates
rates_with(size_t runs, int trials, unsigned delayed_of)
{
	uint64_t random = 17;
	struct rates r = {0, 0};

	for (int trial = 0; trial < trials; trial++) {
		double figures[10], further = run_of(&random, delayed_of);
		struct tp_expected e;

		for (size_t i = 0; i < runs; i++)
			figures[i] = run_of(&random, delayed_of);
		assert_true(tp_expect(figures, runs, 0.99, &e));
		r.alarms += further < e.low || further > e.high;
		r.found += further * (1 + e.smallest) > e.high;
	}
	return (struct rates){r.alarms / trials, r.found / trials};
}

static const size_t run_counts[] = {3, 5, 10};

/* Four standard deviations of a share that is counted 4,000 times: 0.6 % of 1 %, 1.4 % of 95 %. */
static void
what_is_promised_holds_for_normal_noise(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof run_counts / sizeof run_counts[0]; i++) {
		struct rates r = rates_with(run_counts[i], 4000, 0);

		assert_true(fabs(r.alarms - 0.01) < 0.0063);
		assert_true(fabs(r.found - TP_EXPECTED_FOUND) < 0.0138);
	}
}

/* The limit of the promise, as the header has it: what else delays runs now and then, few runs cannot tell. */
static void
runs_that_something_else_delays_are_alarms(void **state)
{
	static const double alarms[] = {0.019, 0.036, 0.037};

	(void)state;
	for (size_t i = 0; i < sizeof run_counts / sizeof run_counts[0]; i++) {
		struct rates r = rates_with(run_counts[i], 4000, 20);

		assert_true(fabs(r.alarms - alarms[i]) < 0.012);
		assert_true(r.found > 0.90);
	}
}

static void
make_steps(double *steps, uint64_t random, double unit)
{
	for (size_t i = 0; i < COUNT_STEPS; i++)
		steps[i] = unit * exp(0.1 * normal(&random));
}

static void
exchanged_runs_have_the_inverse_ratio(void **state)
{
	double a[COUNT_STEPS], b[COUNT_STEPS];
	struct tp_interval there, back;

	make_steps(a, 1, 1);
	make_steps(b, 2, 1.1);
	assert_true(tp_ratio_of_medians(a, COUNT_STEPS, b, 50, 0.99, *state, &there));
	assert_true(tp_ratio_of_medians(b, 50, a, COUNT_STEPS, 0.99, *state, &back));
	assert_true(there.low < 1.1 && 1.1 < there.high && there.low < there.high);
	assert_true(near(back.low, 1 / there.high, 1e-12));
	assert_true(near(back.high, 1 / there.low, 1e-12));
}

static void
the_ratio_knows_no_unit(void **state)
{
	double a[COUNT_STEPS], b[COUNT_STEPS], a_ps[COUNT_STEPS], b_ps[COUNT_STEPS];
	struct tp_interval in_s, in_ps;

	make_steps(a, 1, 1);
	make_steps(b, 2, 1);
	make_steps(a_ps, 1, 1e12);
	make_steps(b_ps, 2, 1e12);
	assert_true(tp_ratio_of_medians(a, COUNT_STEPS, b, COUNT_STEPS, 0.99, *state, &in_s));
	assert_true(tp_ratio_of_medians(a_ps, COUNT_STEPS, b_ps, COUNT_STEPS, 0.99, *state, &in_ps));
	assert_true(near(in_ps.low, in_s.low, 1e-12) && near(in_ps.high, in_s.high, 1e-12));
}

static void
the_ratio_is_the_same_each_time(void **state)
{
	double a[COUNT_STEPS], b[COUNT_STEPS];
	struct tp_interval first, again;

	make_steps(a, 1, 1);
	make_steps(b, 2, 1);
	assert_true(tp_ratio_of_medians(a, COUNT_STEPS, b, COUNT_STEPS, 0.99, *state, &first));
	assert_true(tp_ratio_of_medians(a, COUNT_STEPS, b, COUNT_STEPS, 0.99, *state, &again));
	assert_memory_equal(&first, &again, sizeof first);
}

static void
steady_steps_have_a_certain_ratio(void **state)
{
	const double a[] = {2, 2, 2, 2, 2, 2, 2, 2}, b[] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
	struct tp_interval ratio;

	assert_true(tp_ratio_of_medians(a, 8, b, 9, 0.99, *state, &ratio));
	assert_true(ratio.low == 1.5 && ratio.high == 1.5);
}

/* The same steps, once mixed and once slow ones together: blocks keep what hangs together, so the second is less certain. */
static void
steps_that_hang_together_are_less_certain(void **state)
{
	double mixed[COUNT_STEPS], phases[COUNT_STEPS];
	struct tp_interval of_mixed, of_phases;

	for (size_t i = 0; i < COUNT_STEPS; i++) {
		mixed[i] = 1 + (double)(i * 77 % COUNT_STEPS) / COUNT_STEPS;
		phases[i] = 1 + (double)((i * 77 % 20) + i / 20 * 20) / COUNT_STEPS;
	}
	assert_true(
		tp_ratio_of_medians(mixed, COUNT_STEPS, mixed, COUNT_STEPS, 0.99, *state, &of_mixed));
	assert_true(
		tp_ratio_of_medians(phases, COUNT_STEPS, phases, COUNT_STEPS, 0.99, *state, &of_phases));
	assert_true(of_phases.high - of_phases.low > 2 * (of_mixed.high - of_mixed.low));
}

/* Steps of equal runs, none of which hangs together: of 300 intervals nearly all hold the ratio 1. Four standard deviations are 2.3 %. */
static void
independent_steps_are_in_the_interval_as_often_as_said(void **state)
{
	int missed = 0;

	for (uint64_t pair = 0; pair < 300; pair++) {
		double a[COUNT_STEPS], b[COUNT_STEPS];
		struct tp_interval ratio;

		make_steps(a, 2 * pair, 1);
		make_steps(b, 2 * pair + 1, 1);
		assert_true(tp_ratio_of_medians(a, 60, b, 60, 0.99, *state, &ratio));
		missed += ratio.low > 1 || ratio.high < 1;
	}
	assert_true(missed < 300 * 0.033);
}

static void
what_are_no_steps_has_no_ratio(void **state)
{
	const double few[] = {1, 1, 1, 1, 1, 1, 1}, enough[] = {1, 1, 1, 1, 1, 1, 1, 1},
				 with_zero[] = {1, 1, 0, 1, 1, 1, 1, 1};
	struct tp_interval ratio;

	assert_false(tp_ratio_of_medians(few, 7, enough, 8, 0.99, *state, &ratio));
	assert_false(tp_ratio_of_medians(enough, 8, few, 7, 0.99, *state, &ratio));
	assert_false(tp_ratio_of_medians(enough, 8, with_zero, 8, 0.99, *state, &ratio));
	assert_false(tp_ratio_of_medians(NULL, 0, NULL, 0, 0.99, *state, &ratio));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_the_table),
		cmocka_unit_test(quantiles_have_nine_digits),
		cmocka_unit_test(quantiles_are_symmetric),
		cmocka_unit_test(an_interval_is_as_by_hand),
		cmocka_unit_test(an_interval_is_as_scipy_has_it),
		cmocka_unit_test(equal_runs_expect_the_same_again),
		cmocka_unit_test(what_is_no_sample_expects_nothing),
		cmocka_unit_test(expectation_scales_with_the_unit),
		cmocka_unit_test(what_is_promised_holds_for_normal_noise),
		cmocka_unit_test(runs_that_something_else_delays_are_alarms),
		ARENA_TEST(exchanged_runs_have_the_inverse_ratio),
		ARENA_TEST(the_ratio_knows_no_unit),
		ARENA_TEST(the_ratio_is_the_same_each_time),
		ARENA_TEST(steady_steps_have_a_certain_ratio),
		ARENA_TEST(steps_that_hang_together_are_less_certain),
		ARENA_TEST(independent_steps_are_in_the_interval_as_often_as_said),
		ARENA_TEST(what_are_no_steps_has_no_ratio),
	};

	return RUN(tests);
}
