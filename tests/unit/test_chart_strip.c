/* A strip of steps: where columns, rules and labels come to lie, in numbers. */
#include "unit.h"

#include <stdio.h>

#include "canvas_log.h"
#include "chart/chart.h"

enum { STEPS = 60 };

/* A strip of `steps` steps of 100 ms, the one at `slow` of 200 ms; labels count from 4,200. */
static struct tp_chart
strip_of(size_t steps, size_t slow)
{
	static double values[3000];
	static char words[3000][32];
	static struct tp_slice labels[3000];
	static struct tp_series series[1];
	static const struct tp_rule rules[] = {{TP_S("p50"), 100}, {TP_S("p95"), 104}};

	for (size_t i = 0; i < steps; i++) {
		values[i] = i == slow ? 200 : 100;
		snprintf(words[i], sizeof words[i], "%zu,%03zu", (4200 + i) / 1000, (4200 + i) % 1000);
		labels[i] = tp_slice_of(words[i]);
	}
	series[0] =
		(struct tp_series){.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values};
	return (struct tp_chart){.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = 1,
		.labels = labels,
		.point_count = steps,
		.rules = rules,
		.rule_count = 2,
		.marked = slow};
}

static void
columns_stand_on_the_base_line_and_share_the_width(void **state)
{
	struct tp_chart chart = strip_of(STEPS, 31);
	struct canvas_log *log = canvas_log(822, 0);
	const struct drawn *first, *slow;

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	first = drawn_nth(log, DRAWN_MARK, 0);
	slow = drawn_nth(log, DRAWN_MARK, 31);
	assert_int_equal(drawn_count(log, DRAWN_MARK), STEPS);
	assert_float_equal(first->right.share, 0.78 / STEPS, 1e-9);
	assert_float_equal(first->top + first->height, 112, 1e-9);
	assert_float_equal(slow->height, 2 * first->height, 1e-9);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 59)->left.share, 59.0 / STEPS, 1e-9);
	assert_float_equal(log->left_px, 38, 0);
	assert_float_equal(log->right_px, 84, 0);
}

/* What was paid for and not used is the hatched top of its part, of each column by itself. */
static void
the_unused_top_of_a_column_is_hatched(void **state)
{
	static const double unused[] = {50, 0, 100};
	struct tp_chart chart = strip_of(3, 1);
	struct tp_series half = chart.series[0];
	struct canvas_log *log = canvas_log(1000, 0);
	const struct drawn *rest, *hatched;

	(void)state;
	half.unused_values = unused;
	half.unused_count = 3;
	half.unused_label = TP_S("of which waiting, at most");
	chart.series = &half;
	chart.series_count = 1;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 4);
	hatched = drawn_nth(log, DRAWN_MARK, 0);
	rest = drawn_nth(log, DRAWN_MARK, 1);
	assert_int_equal(hatched->tint, TP_TINT_UNUSED);
	assert_int_equal(rest->tint, half.tint);
	assert_float_equal(hatched->top + hatched->height, rest->top, 1e-9);
	assert_float_equal(hatched->height, rest->height, 1e-9);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 2)->tint, half.tint);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 3)->tint, TP_TINT_UNUSED);
}

static void
lifetimes_share_the_axis_of_the_strip(void **state)
{
	static const struct tp_lifetime lives[] = {
		{.label = TP_S("always"), .from = 0, .to = 1, .hue = TP_HUE_MEMORY, .tint = 2},
		{.label = TP_S("half"),
			.note = TP_S("4 MiB"),
			.from = .25,
			.to = .75,
			.hue = TP_HUE_MEMORY},
	};
	struct tp_legend_entry entries[3];
	struct tp_chart chart = strip_of(3, 1), plain = chart;
	struct canvas_log *log = canvas_log(822, 0);
	const struct drawn *always, *half;

	(void)state;
	chart.lifetimes_title = TP_S("Lifetimes");
	chart.lifetimes = lives;
	chart.lifetime_count = 2;
	tp_chart_draw(&chart, &log->canvas);
	always = drawn_nth(log, DRAWN_MARK, 3);
	half = drawn_nth(log, DRAWN_MARK, 4);
	assert_float_equal(always->left.share, 0, 1e-12);
	assert_float_equal(always->right.share, 1, 1e-12);
	assert_float_equal(half->left.share, .25, 1e-12);
	assert_float_equal(half->right.share, .75, 1e-12);
	assert_non_null(drawn_text(log, "half \u00b7 4 MiB"));
	assert_true(always->top > tp_chart_plot_height(&plain));
	assert_true(half->top > always->top);
	assert_true(half->top + half->height <= tp_chart_plot_height(&chart));
	/* The axis has a name, and the legend says what is pale. */
	assert_non_null(drawn_text(log, "program point"));
	chart.legend = true;
	assert_int_equal(tp_chart_legend(&chart, 822, entries), 2);
	assert_string_equal(entries[1].label.ptr, "Buffer that is always live");
}

static void
the_marked_column_is_outlined(void **state)
{
	struct tp_chart chart = strip_of(STEPS, 31);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_FRAME), 1);
	assert_float_equal(drawn_nth(log, DRAWN_FRAME, 0)->left.share, 31.0 / STEPS, 1e-9);
}

static void
point_labels_are_round_with_the_first_the_last_and_the_marked(void **state)
{
	struct tp_chart chart = strip_of(STEPS, 31);
	struct canvas_log *log = canvas_log(822, 358);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_non_null(drawn_text(log, "4,200"));
	assert_non_null(drawn_text(log, "4,210"));
	assert_non_null(drawn_text(log, "4,231"));
	assert_null(drawn_text(log, "4,230")); /* too near to the marked one */
	assert_int_equal(drawn_text(log, "4,259")->text.anchor, TP_ANCHOR_END);
	assert_true(drawn_text(log, "4,250")->text.wide);
	assert_false(drawn_text(log, "4,231")->text.wide);
}

static void
rule_labels_do_not_touch(void **state)
{
	struct tp_chart chart = strip_of(STEPS, 31);
	struct canvas_log *log = canvas_log(822, 0);
	const struct drawn *p50, *p95;

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	p50 = drawn_text(log, "p50 100\u202fms");
	p95 = drawn_text(log, "p95 104\u202fms");
	assert_true(p50->top - p95->top >= 12);
}

static void
very_many_steps_are_thinned_to_the_slowest_and_it_is_said(void **state)
{
	struct tp_chart chart = strip_of(2400, 1234);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 240);
	assert_non_null(drawn_text(log, "a column is the highest of up to 10"));
	assert_float_equal(drawn_nth(log, DRAWN_FRAME, 0)->left.share, 123.0 / 240, 1e-9);
}

static void
few_steps_stay_slim(void **state)
{
	struct tp_chart chart = strip_of(2, SIZE_MAX);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	for (size_t i = 0; i < 2; i++) {
		const struct drawn *column = drawn_nth(log, DRAWN_MARK, i);

		assert_float_equal(column->right.share - column->left.share, 0.13, 1e-9);
		assert_float_equal(
			(column->left.share + column->right.share) / 2, .25 + .5 * (double)i, 1e-9);
	}
	assert_float_equal(tp_chart_strip_axis(&chart).slot.left, .37, 1e-9);
	assert_float_equal(tp_chart_strip_axis(&chart).slot.width, .26, 1e-9);
}

/* It must not look cut off. */
static void
the_plot_of_few_steps_takes_the_width(void **state)
{
	struct tp_chart chart = strip_of(2, SIZE_MAX);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_true(drawn_count(log, DRAWN_LINE) > 2);
	for (size_t i = 0; i < drawn_count(log, DRAWN_LINE); i++)
		assert_float_equal(drawn_nth(log, DRAWN_LINE, i)->right.share, 1, 1e-9);
	assert_float_equal(drawn_text(log, "p50 100\u202fms")->left.share, 1, 1e-9);
}

/* The names of rules stand right of the last column: the mark's label would lie on them. */
static void
no_label_of_a_mark_lies_on_the_names_of_rules(void **state)
{
	static const double few[] = {199, 199, 200}, many[] = {199, 199, 199, 199, 199, 199, 199, 200};
	struct tp_series series = {.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = few};
	struct tp_chart chart = strip_of(3, 2);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	chart.series = &series;
	chart.legend = true;
	tp_chart_draw(&chart, &log->canvas);
	assert_int_equal(drawn_text(log, "4,202: 200\u202fms")->text.anchor, TP_ANCHOR_END);
	chart = strip_of(8, 7);
	series.values = many;
	chart.series = &series;
	chart.legend = true;
	log = canvas_log(822, 0);
	tp_chart_draw(&chart, &log->canvas);
	assert_null(drawn_text(log, "4,207: 200\u202fms"));
}

/* A first step that compiles must not make flat lines of all others. */
static void
a_column_far_above_the_usual_is_cut_and_says_its_figure(void **state)
{
	static double values[20];
	static const struct tp_series series[] = {
		{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values}};
	struct tp_chart chart = strip_of(20, 0);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	for (size_t i = 0; i < 20; i++)
		values[i] = i == 0 ? 8000 : 100;
	chart.series = series;
	chart.legend = true;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_true(drawn_nth(log, DRAWN_MARK, 1)->height > 100);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 0)->top, 0, 1e-9);
	assert_int_equal(drawn_count(log, DRAWN_CURVE), 1); /* the break */
	assert_non_null(drawn_text(log, "8.00\u202fs"));
	assert_null(drawn_text(log, "4,200: 8.00\u202fs"));
	assert_true(tp_chart_strip_axis(&chart).top < 200);
}

/* Also where few steps were traced, whose sums stand above their columns. */
static void
a_column_far_above_the_usual_is_cut_among_gaps(void **state)
{
	static const double values[] = {8000, 0, 100};
	static const bool absent[] = {false, true, false};
	static const struct tp_series series[] = {
		{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values}};
	struct tp_chart chart = strip_of(3, 0);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	chart.series = series;
	chart.absent = absent;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_true(tp_chart_strip_axis(&chart).top < 200);
	assert_non_null(drawn_text(log, "100\u202fms"));
	assert_true(drawn_text(log, "8.00\u202fs")->left.share > .1);
}

/* A mode of its own is no outlier: of every fourth step the height is told as it is. */
static void
columns_are_not_cut_where_many_are_high(void **state)
{
	static double values[20];
	static const struct tp_series series[] = {
		{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values}};
	struct tp_chart chart = strip_of(20, 0);

	(void)state;
	for (size_t i = 0; i < 20; i++)
		values[i] = i % 4 == 0 ? 8000 : 100;
	chart.series = series;
	assert_true(tp_chart_strip_axis(&chart).top > 8000);
}

/* A percentile that lies on the cut columns has a name, but no line among the others. */
static void
a_rule_above_the_axis_points_up(void **state)
{
	static const double values[] = {9000, 100, 100};
	static const struct tp_series series[] = {
		{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values}};
	static const struct tp_rule rules[] = {{TP_S("p50"), 100}, {TP_S("p95"), 8110}};
	struct tp_chart chart = strip_of(3, 0);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	chart.series = series;
	chart.rules = rules;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_non_null(drawn_text(log, "p95 8.11\u202fs"));
	assert_non_null(drawn_text(log, "↑"));
	for (size_t i = 0; i < drawn_count(log, DRAWN_LINE); i++)
		assert_true(drawn_nth(log, DRAWN_LINE, i)->top > 1);
}

static size_t
vertical_lines(const struct canvas_log *log)
{
	size_t count = 0;

	for (size_t i = 0; i < drawn_count(log, DRAWN_LINE); i++) {
		const struct drawn *line = drawn_nth(log, DRAWN_LINE, i);

		count += line->left.share == line->right.share && line->height > 0;
	}
	return count;
}

/* Steps 3, 4, 7, 8: 4 and 7 stand beside each other and are no neighbours. */
static void
numbers_left_out_keep_columns_apart(void **state)
{
	static const struct tp_slice labels[] = {TP_S("3"), TP_S("4"), TP_S("7"), TP_S("8")};
	static const struct tp_slice every_100[] = {TP_S("100"), TP_S("200"), TP_S("300"), TP_S("400")};
	struct tp_chart chart = strip_of(4, SIZE_MAX);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	chart.labels = labels;
	tp_chart_draw(&chart, &log->canvas);
	assert_string_equal(drawn_text(log, "…")->title, "no figures of 5–6");
	assert_int_equal(vertical_lines(log), 1);
	chart.labels = every_100; /* evenly apart, as captured */
	log = canvas_log(822, 0);
	tp_chart_draw(&chart, &log->canvas);
	assert_null(drawn_text(log, "…"));
	assert_int_equal(vertical_lines(log), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_unused_top_of_a_column_is_hatched),
		cmocka_unit_test(columns_stand_on_the_base_line_and_share_the_width),
		cmocka_unit_test(lifetimes_share_the_axis_of_the_strip),
		cmocka_unit_test(the_marked_column_is_outlined),
		cmocka_unit_test(point_labels_are_round_with_the_first_the_last_and_the_marked),
		cmocka_unit_test(rule_labels_do_not_touch),
		cmocka_unit_test(very_many_steps_are_thinned_to_the_slowest_and_it_is_said),
		cmocka_unit_test(few_steps_stay_slim),
		cmocka_unit_test(the_plot_of_few_steps_takes_the_width),
		cmocka_unit_test(no_label_of_a_mark_lies_on_the_names_of_rules),
		cmocka_unit_test(a_column_far_above_the_usual_is_cut_and_says_its_figure),
		cmocka_unit_test(a_column_far_above_the_usual_is_cut_among_gaps),
		cmocka_unit_test(columns_are_not_cut_where_many_are_high),
		cmocka_unit_test(a_rule_above_the_axis_points_up),
		cmocka_unit_test(numbers_left_out_keep_columns_apart),
	};

	return RUN(tests);
}
