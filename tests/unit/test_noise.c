/* The noise between runs: the reach of a further run, an interval worked out by hand, and what holds for any figures. */
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

/* By tests/bench/heavy_tails.c with other draws and in other orders: 11.43, 5.871 and 4.362 times √(1 + 1/n). Without bound it is the quantile of
 * Student's distribution with 4 degrees of freedom, 4.604 (any textbook), over √2. */
static void
reaches_are_as_simulated(void **state)
{
	(void)state;
	assert_true(near(tp_noise_reach(0.995, 3), 13.19, 0.01));
	assert_true(near(tp_noise_reach(0.995, 5), 6.431, 0.005));
	assert_true(near(tp_noise_reach(0.995, 10), 4.575, 0.005));
	assert_true(near(tp_noise_reach(0.995, 100000000), 4.604 / sqrt(2), 1e-3));
}

/* Between the entries of the table there is no step, and nothing falls that must rise. */
static void
reaches_grow_with_the_share_and_fall_with_the_runs(void **state)
{
	(void)state;
	for (size_t runs = TP_EXPECTED_LEAST_RUNS; runs < 200; runs++) {
		double before = 0;

		for (double outside = 0.25; outside >= 0.00005; outside *= 0.97) {
			double reach = tp_noise_reach(1 - outside, runs);

			assert_true(reach > before && (before == 0 || reach < 1.1 * before));
			assert_true(tp_noise_reach(1 - outside, runs + 1) < reach);
			before = reach;
		}
	}
}

/* The logarithms are 0 and ± ln 1.02 off 100: mean 100, spread ln 1.02. The reach of 99 % is 11.36 √(4/3) = 13.117, and 1.02 to that power is
 * 1.2966. With that of 95 %, 3.117 √(4/3) = 3.599, it is 16.716, and 1.02 to that power is 1.3924. */
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
	assert_true(near(e.high, 129.66, 1e-4));
	assert_true(near(e.low, 100 / 1.2966, 1e-4));
	assert_true(near(e.smallest, 0.3924, 1e-3));
	assert_true(tp_smallest_with(&e, 3) == e.smallest);
	assert_true(tp_smallest_with(&e, 10) < 0.4 * e.smallest);
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

/* Of Student's distribution with 4 degrees of freedom: a normal value over the root of the mean of four squares. */
static double
heavy(uint64_t *random)
{
	double value = normal(random), squares = 0;

	for (int i = 0; i < 4; i++) {
		double other = normal(random);

		squares += other * other;
	}
	return value / sqrt(squares / 4);
}

/* Normal, but for one of twenty runs that something delays by six times the spread. */
static double
delayed(uint64_t *random)
{
	double value = normal(random);

	return (*random >> 33) % 20 == 0 ? value + 6 : value;
}

struct rates {
	double alarms, found;
};

enum { TRIALS = 8000 };

/* How often a further run of the same program is judged to be another, and how often one that is slower by `smallest` is. */
static struct rates
rates_with(size_t runs, double (*noise)(uint64_t *random))
{
	uint64_t random = 17;
	struct rates r = {0, 0};

	for (int trial = 0; trial < TRIALS; trial++) {
		double figures[10], further = exp(0.03 * noise(&random));
		struct tp_expected e;

		for (size_t i = 0; i < runs; i++)
			figures[i] = exp(0.03 * noise(&random));
		assert_true(tp_expect(figures, runs, 0.99, &e));
		r.alarms += further < e.low || further > e.high;
		r.found += further * (1 + e.smallest) > e.high;
	}
	return (struct rates){r.alarms / TRIALS, r.found / TRIALS};
}

static const size_t run_counts[] = {3, 5, 10};

/* Four standard deviations of a share that is counted 8,000 times: 0.45 % of 1 %, 1 % of 95 %. */
static void
what_is_promised_holds_for_heavy_tails(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof run_counts / sizeof run_counts[0]; i++) {
		struct rates r = rates_with(run_counts[i], heavy);

		assert_true(fabs(r.alarms - 0.01) < 0.0045);
		assert_true(r.found > TP_EXPECTED_FOUND - 0.01);
	}
}

static void
normal_noise_gives_fewer_alarms(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof run_counts / sizeof run_counts[0]; i++) {
		struct rates r = rates_with(run_counts[i], normal);

		assert_true(r.alarms < 0.01);
		assert_true(r.found > TP_EXPECTED_FOUND - 0.01);
	}
}

/* The limit of the promise, as the header has it: what else delays runs now and then, few runs cannot tell. */
static void
runs_that_something_else_delays_are_alarms(void **state)
{
	static const double alarms[] = {0.018, 0.022, 0.024};

	(void)state;
	for (size_t i = 0; i < sizeof run_counts / sizeof run_counts[0]; i++) {
		struct rates r = rates_with(run_counts[i], delayed);
		assert_true(fabs(r.alarms - alarms[i]) < 0.007);
		assert_true(r.found > 0.90);
	}
}

struct steps {
	double at[COUNT_STEPS];
};

static struct steps
steps_of(uint64_t random, double unit)
{
	struct steps steps;

	for (size_t i = 0; i < COUNT_STEPS; i++)
		steps.at[i] = unit * exp(0.1 * normal(&random));
	return steps;
}

/* The range of the ratio of the medians, b over a, by the first steps of each. */
static struct tp_interval
ratio(struct steps a, size_t a_count, struct steps b, size_t b_count, void **state)
{
	struct tp_interval range;

	assert_true(tp_ratio_of_medians(a.at, a_count, b.at, b_count, 0.99, *state, &range));
	return range;
}

static void
exchanged_runs_have_the_inverse_ratio(void **state)
{
	struct steps a = steps_of(1, 1), b = steps_of(2, 1.1);
	struct tp_interval there = ratio(a, COUNT_STEPS, b, 50, state);
	struct tp_interval back = ratio(b, 50, a, COUNT_STEPS, state);

	assert_true(there.low < 1.1 && 1.1 < there.high && there.low < there.high);
	assert_true(near(back.low, 1 / there.high, 1e-12));
	assert_true(near(back.high, 1 / there.low, 1e-12));
}

static void
the_ratio_knows_no_unit(void **state)
{
	struct tp_interval in_s =
		ratio(steps_of(1, 1), COUNT_STEPS, steps_of(2, 1), COUNT_STEPS, state);
	struct tp_interval in_ps =
		ratio(steps_of(1, 1e12), COUNT_STEPS, steps_of(2, 1e12), COUNT_STEPS, state);

	assert_true(near(in_ps.low, in_s.low, 1e-12) && near(in_ps.high, in_s.high, 1e-12));
}

static void
the_ratio_is_the_same_each_time(void **state)
{
	struct steps a = steps_of(1, 1), b = steps_of(2, 1);
	struct tp_interval first = ratio(a, COUNT_STEPS, b, COUNT_STEPS, state);
	struct tp_interval again = ratio(a, COUNT_STEPS, b, COUNT_STEPS, state);

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
		struct steps a = steps_of(2 * pair, 1), b = steps_of(2 * pair + 1, 1);
		struct tp_interval range = ratio(a, 60, b, 60, state);

		missed += range.low > 1 || range.high < 1;
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
		cmocka_unit_test(reaches_are_as_simulated),
		cmocka_unit_test(reaches_grow_with_the_share_and_fall_with_the_runs),
		cmocka_unit_test(an_interval_is_as_by_hand),
		cmocka_unit_test(equal_runs_expect_the_same_again),
		cmocka_unit_test(what_is_no_sample_expects_nothing),
		cmocka_unit_test(expectation_scales_with_the_unit),
		cmocka_unit_test(what_is_promised_holds_for_heavy_tails),
		cmocka_unit_test(normal_noise_gives_fewer_alarms),
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
