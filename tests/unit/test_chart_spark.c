/* A spark: its curve, its dot, and what it says in words. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

static void
a_spark_spans_its_height_with_a_dot_at_the_odd_one_out(void **state)
{
	static const double values[] = {5, 5, 5, 9, 5, 4};
	struct canvas_log *log = canvas_log(150, 0);
	const struct drawn *curve, *dot;

	(void)state;
	tp_spark_draw(values, 6, TP_NO_DIRECTION, &log->canvas);
	curve = drawn_nth(log, DRAWN_CURVE, 0);
	dot = drawn_nth(log, DRAWN_DOT, 0);
	assert_float_equal(curve->top, 1.5, 1e-9);
	assert_float_equal(curve->height, 21, 1e-9);
	assert_float_equal(dot->left.share, 0.6, 1e-9);
	assert_float_equal(dot->top, 1.5, 1e-9);
}

static void
a_spark_of_values_that_hardly_differ_is_flat_and_has_no_dot(void **state)
{
	static const double values[] = {100, 101, 100, 99.5};
	char buf[TP_SPARK_WORDS_BUF];
	struct canvas_log *log = canvas_log(150, 0);

	(void)state;
	tp_spark_draw(values, 4, TP_NO_DIRECTION, &log->canvas);
	/* 1.5 of the 10.1 that the 21 px stand for. */
	assert_float_equal(drawn_nth(log, DRAWN_CURVE, 0)->height, 21 * 1.5 / 10.1, 1e-9);
	assert_int_equal(drawn_count(log, DRAWN_DOT), 0);
	assert_text(tp_spark_words(values, 4, TP_NO_DIRECTION, buf),
		"Curve over 4 points that differ by less than 2 %.");
}

static void
a_spark_says_what_its_dot_is(void **state)
{
	static const double values[] = {5, 5, 5, 9, 5, 4}, mostly_none[] = {0, 0, 0, 3, 0},
						two_sided[] = {5, 1, 5, 7, 5};
	char buf[TP_SPARK_WORDS_BUF];

	(void)state;
	assert_text(tp_spark_words(values, 6, TP_NO_DIRECTION, buf),
		"Curve over 6 points; the dot is farthest from the median: point 4, 80 % above it.");
	assert_text(tp_spark_words(mostly_none, 5, TP_NO_DIRECTION, buf),
		"Curve over 5 points; the dot is farthest from the median: point 4.");
	/* As a note that names the slowest. */
	assert_text(tp_spark_words(two_sided, 5, TP_LOWER_IS_BETTER, buf),
		"Curve over 5 points; the dot is the highest: point 4, 40 % above the median.");
	assert_text(tp_spark_words(two_sided, 5, TP_HIGHER_IS_BETTER, buf),
		"Curve over 5 points; the dot is the lowest: point 2, 80 % below the median.");
	assert_int_equal(tp_spark_words(NULL, 0, TP_NO_DIRECTION, buf).len, 0);
}

static void
a_spark_of_nothing_is_a_base_line(void **state)
{
	struct canvas_log *log = canvas_log(150, 0);

	(void)state;
	tp_spark_draw(NULL, 0, TP_NO_DIRECTION, &log->canvas);
	assert_int_equal(log->count, 1);
	assert_int_equal(log->drawn[0].kind, DRAWN_LINE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spark_spans_its_height_with_a_dot_at_the_odd_one_out),
		cmocka_unit_test(a_spark_of_values_that_hardly_differ_is_flat_and_has_no_dot),
		cmocka_unit_test(a_spark_says_what_its_dot_is),
		cmocka_unit_test(a_spark_of_nothing_is_a_base_line),
	};

	return RUN(tests);
}
