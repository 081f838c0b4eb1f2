/* What repeats, and how sure that is, against figures worked out by hand. */
#include "analyze/steps/step_infer.h"
#include "fixture.h"

#include "unit.h"

#include <math.h>

#define RUNS(...)                                                                                  \
	(const struct tp_runs)                                                                         \
	{                                                                                              \
		(const struct tp_run[]){__VA_ARGS__},                                                      \
			sizeof((const struct tp_run[]){__VA_ARGS__}) / sizeof(struct tp_run)                   \
	}

static void
steps_are(const struct tp_inferred_steps *got, size_t count, const int64_t (*spans)[2])
{
	assert_int_equal(got->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(got->steps[i].start_ps, spans[i][0]);
		assert_int_equal(got->steps[i].end_ps, spans[i][1]);
	}
}

static void
a_step_lasts_until_the_next_begins(void **state)
{
	struct tp_runs line = RUNS({7, 0, 90}, {7, 100, 190}, {7, 200, 290}, {7, 300, 390});
	struct tp_repetition r;
	struct tp_inferred_steps *s = tp_infer_steps(&line, 1, &r, *state);

	steps_are(s, 4, (const int64_t[][2]){{0, 100}, {100, 200}, {200, 300}, {300, 390}});
	assert_int_equal(r.kind, 7);
	assert_int_equal(r.runs, 4);
	assert_true(fabs(r.gap_share - 0.1) < 1e-12);
	assert_true(r.covered == 1 && r.regular == 1 && r.agreeing == 1 && r.enough == 0.75);
	assert_true(r.confidence == 0.75);
	assert_int_equal(r.group, 0);
}

static void
two_programs_make_one_step(void **state)
{
	struct tp_runs line =
		RUNS({1, 0, 60}, {2, 60, 95}, {1, 100, 160}, {2, 160, 195}, {1, 200, 260}, {2, 260, 295});
	struct tp_repetition r;

	steps_are(tp_infer_steps(&line, 1, &r, *state), 3,
		(const int64_t[][2]){{0, 100}, {100, 200}, {200, 295}});
	assert_int_equal(r.kind, 1);
	assert_true(r.covered == 1);
}

static void
an_evaluation_between_is_in_no_step(void **state)
{
	struct tp_runs line =
		RUNS({1, 0, 90}, {1, 100, 190}, {9, 200, 250}, {1, 300, 390}, {1, 400, 490}, {1, 500, 590});
	struct tp_repetition r;

	steps_are(tp_infer_steps(&line, 1, &r, *state), 5,
		(const int64_t[][2]){{0, 100}, {100, 190}, {300, 400}, {400, 500}, {500, 590}});
	assert_true(fabs(r.covered - 450.0 / 500) < 1e-12);
}

static void
what_is_short_interrupts_no_step(void **state)
{
	struct tp_runs line =
		RUNS({1, 0, 90}, {1, 100, 190}, {9, 195, 204}, {1, 205, 295}, {1, 305, 395});
	struct tp_repetition r;

	steps_are(tp_infer_steps(&line, 1, &r, *state), 4,
		(const int64_t[][2]){{0, 100}, {100, 205}, {205, 305}, {305, 395}});
	assert_true(fabs(r.covered - 360.0 / 369) < 1e-12);
}

static void
gaps_belong_to_steps_however_long(void **state)
{
	struct tp_runs line = RUNS({1, 0, 10}, {1, 100, 110}, {1, 200, 210}, {1, 300, 310});
	struct tp_repetition r;

	steps_are(tp_infer_steps(&line, 1, &r, *state), 4,
		(const int64_t[][2]){{0, 100}, {100, 200}, {200, 300}, {300, 310}});
	assert_true(fabs(r.gap_share - 0.9) < 1e-12);
}

static void
what_takes_most_time_repeats_not_what_runs_most(void **state)
{
	struct tp_runs line = RUNS({3, 0, 1}, {3, 1, 2}, {1, 2, 100}, {3, 100, 101}, {3, 101, 102},
		{1, 102, 200}, {3, 200, 201}, {3, 201, 202}, {1, 202, 300}, {8, 300, 3000});
	struct tp_repetition r;

	tp_infer_steps(&line, 1, &r, *state);
	assert_int_equal(r.kind, 1); /* 8 takes longer, but once */
	assert_int_equal(r.runs, 3);
}

static void
what_runs_after_every_third_is_told(void **state)
{
	struct tp_runs line = RUNS({1, 0, 90}, {1, 100, 190}, {1, 200, 290}, {5, 290, 295},
		{1, 300, 390}, {1, 400, 490}, {1, 500, 590}, {5, 590, 595}, {4, 596, 597}, {1, 600, 690},
		{1, 700, 790}, {1, 800, 890}, {5, 890, 895});
	struct tp_repetition r;

	tp_infer_steps(&line, 1, &r, *state);
	assert_int_equal(r.kind, 1);
	assert_int_equal(r.group, 3);
	assert_int_equal(r.group_kind, 5);
}

static void
uneven_lengths_lower_the_confidence(void **state)
{
	/* 100, 300, 100, 300, 500: median 300, median distance 200 */
	struct tp_runs line =
		RUNS({1, 0, 90}, {1, 100, 390}, {1, 400, 490}, {1, 500, 790}, {1, 800, 1300});
	struct tp_repetition r;

	tp_infer_steps(&line, 1, &r, *state);
	assert_true(fabs(r.regular - (1 - 200.0 / 300)) < 1e-12);
	assert_true(r.confidence < TP_INFERENCE_THRESHOLD);
}

static void
timelines_that_disagree_lower_the_confidence(void **state)
{
	struct tp_runs lines[] = {
		RUNS({1, 0, 90}, {1, 100, 190}, {1, 200, 290}, {1, 300, 390}),
		RUNS({1, 5, 95}, {1, 105, 195}, {1, 305, 395}),
		RUNS({2, 0, 50}),
	};
	struct tp_repetition r;
	struct tp_inferred_steps *s = tp_infer_steps(lines, 3, &r, *state);

	assert_int_equal(s[1].count, 3);
	assert_int_equal(s[2].count, 0);
	assert_int_equal(r.runs, 4);
	assert_true(fabs(r.agreeing - 7.0 / 12) < 1e-12);
}

static void
twice_is_no_repetition(void **state)
{
	struct tp_runs lines[] = {RUNS({1, 0, 90}, {1, 100, 190}), RUNS({1, 0, 90})};
	struct tp_repetition r;

	assert_null(tp_infer_steps(lines, 2, &r, *state));
	assert_null(tp_infer_steps(NULL, 0, &r, *state));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(a_step_lasts_until_the_next_begins),
		ARENA_TEST(two_programs_make_one_step),
		ARENA_TEST(an_evaluation_between_is_in_no_step),
		ARENA_TEST(what_is_short_interrupts_no_step),
		ARENA_TEST(gaps_belong_to_steps_however_long),
		ARENA_TEST(what_takes_most_time_repeats_not_what_runs_most),
		ARENA_TEST(what_runs_after_every_third_is_told),
		ARENA_TEST(uneven_lengths_lower_the_confidence),
		ARENA_TEST(timelines_that_disagree_lower_the_confidence),
		ARENA_TEST(twice_is_no_repetition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
