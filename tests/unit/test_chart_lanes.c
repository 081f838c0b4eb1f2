/* Lanes and curves over one axis: periods where they belong, open ends, marks through everything, ticks at round places. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/axis.h"
#include "chart/chart.h"
#include "chart/label.h"

#include <math.h>

static const struct tp_period trainings[] = {
	{.label = TP_S("training 1"),
		.note = TP_S("50 s"),
		.from = 1000,
		.to = 1050,
		.hue = TP_HUE_COMPUTE,
		.open = true},
	{.label = TP_S("training 2"), .from = 1060, .to = 1060, .hue = TP_HUE_COMPUTE},
};
static const struct tp_lane lanes[] = {
	{.label = TP_S("training"), .periods = trainings, .count = 2},
	{.label = TP_S("evaluation")},
};
static const double xs[] = {1000, 1100}, ys[] = {1, 2};
static const struct tp_non_finite non_finites[] = {{.x = 1020, .kind = TP_NON_FINITE_NAN},
	{.x = 1020.1, .kind = TP_NON_FINITE_NAN}, {.x = 1080, .kind = TP_NON_FINITE_ABOVE}};
static const struct tp_curve curves[] = {{.label = TP_S("loss"),
	.xs = xs,
	.ys = ys,
	.count = 2,
	.non_finites = non_finites,
	.non_finite_count = 3}};
static const struct tp_moment moments[] = {
	{.label = TP_S("restart"), .at = 1060}, {.label = TP_S("restart"), .at = 1061}};
static const struct tp_curves all = {
	.lanes = lanes,
	.lane_count = 2,
	.curves = curves,
	.curve_count = 1,
	.moments = moments,
	.moment_count = 2,
	.utc = true,
	.low = 1000,
	.high = 1100,
	.window_from = 1010,
	.window_to = 1020,
	.window_label = TP_S("profile"),
};
static const struct tp_chart chart = {
	.kind = TP_CHART_CURVES, .unit = TP_UNIT_NONE, .curves = &all};

static void
periods_are_where_they_were(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 2);
	const struct drawn *first = drawn_nth(log, DRAWN_MARK, 0),
					   *moment = drawn_nth(log, DRAWN_MARK, 1);

	assert_float_equal(first->left.share, 0, 1e-12);
	assert_float_equal(first->right.share, 0.5, 1e-12);
	assert_string_equal(first->title, "training 1: 50 s, no end is marked");
	assert_true(moment->right.share > moment->left.share);
	assert_float_equal(moment->left.share, 0.6, 1e-12);
	assert_non_null(drawn_text(log, "training 1"));
	assert_non_null(drawn_text(log, "evaluation"));
}

static void
marks_go_through_everything_and_names_do_not_overlap(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);
	size_t restarts = 0;

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	const struct drawn *window = drawn_nth(log, DRAWN_FILL, 0);

	assert_float_equal(window->left.share, 0.1, 1e-12);
	assert_float_equal(window->right.share, 0.2, 1e-12);
	assert_float_equal(window->height, tp_chart_plot_height(&chart) - TP_X_AXIS_PX, 1e-9);
	assert_non_null(drawn_text(log, "profile"));
	for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++)
		restarts += strcmp(drawn_nth(log, DRAWN_TEXT, i)->words, "restart") == 0;
	assert_int_equal(restarts, 1);
}

static void
what_is_no_number_has_its_sign(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);
	size_t crosses = 0;

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++)
		crosses += strcmp(drawn_nth(log, DRAWN_TEXT, i)->words, "×") == 0;
	assert_int_equal(crosses, 1);
	assert_non_null(drawn_text(log, "∞"));
}

/* Over a gap a rate is low from its begin on: nothing slants. */
static void
a_rate_is_held_since_the_point_before(void **state)
{
	static const double at[] = {1000, 1010, 1090, 1100}, rates[] = {2, 2, 0.5, 2};
	static const struct tp_curve rate = {
		.label = TP_S("steps a second"), .xs = at, .ys = rates, .count = 4, .held = true};
	static const struct tp_curves rates_alone = {
		.curves = &rate, .curve_count = 1, .low = 1000, .high = 1100, .window_from = NAN};
	static const double shares[] = {0, 0, .1, .1, .9, .9, 1};
	struct tp_chart held = chart;
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	held.curves = &rates_alone;
	tp_chart_draw_plot(&held, &log->canvas);
	const struct drawn *line = drawn_nth(log, DRAWN_CURVE, 0);

	assert_int_equal(line->points, 7);
	for (size_t i = 0; i < line->points; i++)
		assert_float_equal(line->xs[i], shares[i], 1e-12);
	for (size_t i = 1; i < line->points; i++)
		assert_true(line->xs[i] == line->xs[i - 1] || line->ys[i] == line->ys[i - 1]);
	assert_float_equal(line->ys[3], line->ys[0] + line->height, 1e-12);
}

static void
a_narrow_screen_has_the_range_above_the_plot(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_null(drawn_text(log, "1 to 2"));
	log = canvas_log(1000, 300);
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_true(drawn_text(log, "1 to 2")->text.narrow && drawn_text(log, "2")->text.wide);
}

static void
ticks_are_round_and_few(void **state)
{
	static const struct {
		struct tp_x_axis axis;
		double step, first;
	} cases[] = {
		{{.low = 0, .high = 1800}, 500, 0},
		{{.low = 7, .high = 9}, 1, 7},
		{{.low = -5, .high = 12345678}, 5000000, 0},
		{{.low = 1551710000, .high = 1551711149, .utc = true}, 300, 1551710100},
		{{.low = 1551710000.25, .high = 1551710001.25, .utc = true}, 0.2, 1551710000.4},
		{{.low = 1551710000, .high = 1551710000 + 40 * 86400.0, .utc = true}, 604800, 1551916800},
		{{.low = -1e10, .high = 1e10, .utc = true}, 5e4 * 86400, -8640000000},
		{{.low = 0.3, .high = 1.5, .unit = TP_UNIT_MS}, 0.2, 0.4},
		{{.low = 60, .high = 3.94 * 3600, .unit = TP_UNIT_S}, 3600, 3600},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double at[TP_X_TICKS], step;
		size_t count = tp_x_axis_ticks(&cases[i].axis, at, &step);

		assert_float_equal(step, cases[i].step, 1e-9);
		assert_true(count >= 1 && count <= 7);
		assert_float_equal(at[0], cases[i].first, 1e-6);
		assert_true(at[count - 1] <= cases[i].axis.high);
	}
}

/* A mean step from 3.97 to 4.49 ms, as a comparison draws it: without a unit ticks are whole, and there would be one. */
static void
a_unit_divides_ones(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);
	struct tp_curves narrow = all;

	(void)state;
	narrow.curve_count = narrow.moment_count = narrow.lane_count = 0;
	narrow.utc = false;
	narrow.low = 3.97;
	narrow.high = 4.49;
	tp_chart_draw_plot(
		&(struct tp_chart){.kind = TP_CHART_CURVES, .unit = TP_UNIT_MS, .curves = &narrow},
		&log->canvas);
	assert_non_null(drawn_text(log, "4.0\u202fms"));
	assert_non_null(drawn_text(log, "4.4\u202fms"));
}

/* Beside it stands "3.94 h". */
static void
a_long_time_is_in_hours(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_x_axis_draw(
		&log->canvas, &(struct tp_x_axis){.low = 60, .high = 3.94 * 3600, .unit = TP_UNIT_S}, 0);
	assert_non_null(drawn_text(log, "1\u202fh"));
	assert_non_null(drawn_text(log, "3\u202fh"));
	log = canvas_log(1000, 0);
	tp_x_axis_draw(&log->canvas, &(struct tp_x_axis){.high = 200, .unit = TP_UNIT_S}, 0);
	assert_non_null(drawn_text(log, "2\u202fmin"));
}

static void
times_are_in_utc_and_say_so(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_x_axis_draw(
		&log->canvas, &(struct tp_x_axis){.low = 1551710000, .high = 1551711149, .utc = true}, 0);
	assert_non_null(drawn_text(log, "14:35"));
	assert_non_null(drawn_text(log, "2019-03-04 14:33:20 UTC"));
}

/* Ticks of a fifth of a second have long labels. */
static void
labels_of_ticks_do_not_overlap(void **state)
{
	static const struct tp_x_axis second = {
		.low = 1551710000.25, .high = 1551710001.43, .utc = true};

	(void)state;
	for (double width = 200; width <= 1200; width += 50) {
		struct canvas_log *log = canvas_log(width, 0);
		double end = -INFINITY;
		size_t ticks = 0;

		tp_x_axis_draw(&log->canvas, &second, 0);
		for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++) {
			const struct drawn *label = drawn_nth(log, DRAWN_TEXT, i);
			double length = tp_label_width(label->text.text, 11, 400);
			double from = label->left.share * width -
				(label->text.anchor == TP_ANCHOR_START        ? 0
						: label->text.anchor == TP_ANCHOR_END ? length
															  : length / 2);

			if (label->top > 20)
				continue; /* below those of the ticks */
			assert_true(from > end);
			end = from + length;
			ticks++;
		}
		assert_true(width < 700 ? ticks >= 2 : ticks == 6);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_of_ticks_do_not_overlap),
		cmocka_unit_test(periods_are_where_they_were),
		cmocka_unit_test(marks_go_through_everything_and_names_do_not_overlap),
		cmocka_unit_test(what_is_no_number_has_its_sign),
		cmocka_unit_test(a_rate_is_held_since_the_point_before),
		cmocka_unit_test(a_narrow_screen_has_the_range_above_the_plot),
		cmocka_unit_test(ticks_are_round_and_few),
		cmocka_unit_test(a_unit_divides_ones),
		cmocka_unit_test(a_long_time_is_in_hours),
		cmocka_unit_test(times_are_in_utc_and_say_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
