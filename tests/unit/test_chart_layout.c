/* Charts: where marks, labels and legends come to lie, in numbers. */
#include "unit.h"

#include <math.h>

#include "canvas_log.h"
#include "chart/chart.h"

static const double compute[] = {30}, wait[] = {70}, none[] = {0};
static const struct tp_series parts[] = {
	{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = compute},
	{.label = TP_S("Idle"), .hue = TP_HUE_IDLE, .values = none},
	{.label = TP_S("Input wait"), .hue = TP_HUE_INPUT, .values = wait},
};
static const struct tp_slice one_label[] = {TP_S("mean step")};
static const struct tp_chart stack = {.kind = TP_CHART_STACK,
	.unit = TP_UNIT_MS,
	.series = parts,
	.series_count = 3,
	.labels = one_label,
	.point_count = 1,
	.marked = SIZE_MAX,
	.legend = true};

static void
parts_of_a_stack_fill_the_width(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&stack, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 2); /* nothing is drawn for zero */
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 0)->left.share, 0, 1e-12);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 0)->right.share, 0.3, 1e-12);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 1)->right.share, 1, 1e-12);
	assert_string_equal(
		drawn_nth(log, DRAWN_MARK, 0)->title, "Compute · 30.0\u202fms · 30.0\u202f%");
}

/* What was paid for and not used is the hatched end of its part; a label keeps to the rest. */
static void
the_unused_end_of_a_part_is_hatched(void **state)
{
	static const struct tp_series half[] = {
		{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = compute},
		{.label = TP_S("Collectives"),
			.hue = TP_HUE_COLLECTIVE,
			.values = wait,
			.unused = 35,
			.unused_label = TP_S("of which waiting, at most")},
	};
	struct tp_chart chart = stack;
	struct tp_legend_entry entries[4];
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	chart.series = half;
	chart.series_count = 2;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 3);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 1)->right.share, 0.65, 1e-12);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 1)->tint, 0);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 2)->left.share, 0.65, 1e-12);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 2)->right.share, 1, 1e-12);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 2)->tint, TP_TINT_UNUSED);
	assert_string_equal(
		drawn_nth(log, DRAWN_MARK, 2)->title, "of which waiting, at most 35.0\u202fms");
	assert_int_equal(tp_chart_legend(&chart, 1000, entries), 3);
	assert_true(entries[1].labelled && !entries[2].labelled);
	assert_int_equal(entries[2].tint, TP_TINT_UNUSED);
	assert_float_equal(entries[2].value.number, 35, 1e-12);
	assert_int_equal(tp_chart_legend(&chart, 500, entries), 3);
	assert_true(entries[1].labelled);
	assert_int_equal(tp_chart_legend(&chart, 400, entries), 3);
	assert_false(entries[1].labelled); /* it fits the part, but not what is not hatched of it */
}

static void
a_part_is_labelled_inside_when_there_is_room_else_in_the_legend(void **state)
{
	struct tp_legend_entry entries[6];

	(void)state;
	assert_int_equal(tp_chart_legend(&stack, 1000, entries), 2);
	assert_true(entries[0].labelled && entries[1].labelled);
	assert_int_equal(tp_chart_legend(&stack, 300, entries), 2);
	assert_false(entries[0].labelled);
	assert_true(entries[1].labelled);
	assert_float_equal(tp_chart_height(&stack, 1000), 30, 0.01);
	assert_float_equal(tp_chart_height(&stack, 300), 54, 0.01);
}

static void
a_phone_gets_a_shorter_label(void **state)
{
	struct canvas_log *log = canvas_log(720, 300);

	(void)state;
	tp_chart_draw_plot(&stack, &log->canvas);
	assert_true(drawn_text(log, "Compute · 30.0\u202fms · 30.0\u202f%")->text.wide);
	assert_true(drawn_text(log, "Compute")->text.narrow);
	assert_false(drawn_text(log, "Input wait · 70.0\u202fms · 70.0\u202f%")->text.wide);
}

static void
a_stack_of_nothing_draws_nothing(void **state)
{
	struct tp_chart empty = stack;
	struct canvas_log *log = canvas_log(720, 0);

	(void)state;
	empty.series = &parts[1];
	empty.series_count = 1;
	tp_chart_draw(&empty, &log->canvas);
	assert_int_equal(log->count, 0);
}

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
		{.label = TP_S("always"), .from = 0, .to = 1, .hue = TP_HUE_MEMORY},
		{.label = TP_S("half"),
			.note = TP_S("4 MiB"),
			.from = .25,
			.to = .75,
			.hue = TP_HUE_MEMORY},
	};
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
	/* Three columns stand in six slots, so half of the width is the axis. */
	assert_float_equal(tp_chart_strip_axis(&chart).used_share, .5, 1e-12);
	assert_float_equal(always->left.share, 0, 1e-12);
	assert_float_equal(always->right.share, .5, 1e-12);
	assert_float_equal(half->left.share, .125, 1e-12);
	assert_float_equal(half->right.share, .375, 1e-12);
	assert_non_null(drawn_text(log, "half \u00b7 4 MiB"));
	assert_true(always->top > tp_chart_plot_height(&plain));
	assert_true(half->top > always->top);
	assert_true(half->top + half->height <= tp_chart_plot_height(&chart));
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
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 0)->right.share, 0.13, 1e-9);
}

/* Two columns stand in six slots: grid, rules and their labels end with them. */
static void
the_plot_of_few_steps_ends_with_them(void **state)
{
	struct tp_chart chart = strip_of(2, SIZE_MAX);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_true(drawn_count(log, DRAWN_LINE) > 2);
	for (size_t i = 0; i < drawn_count(log, DRAWN_LINE); i++)
		assert_float_equal(drawn_nth(log, DRAWN_LINE, i)->right.share, 2 / 6., 1e-9);
	assert_float_equal(drawn_text(log, "p50 100\u202fms")->left.share, 2 / 6., 1e-9);
}

/* The names of rules stand right of the last column: the mark's label would lie on them. */
static void
no_label_of_a_mark_lies_on_the_names_of_rules(void **state)
{
	static const double values[] = {199, 199, 200};
	static const struct tp_series series[] = {
		{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values}};
	struct tp_chart chart = strip_of(3, 2);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	chart.series = series;
	chart.legend = true;
	tp_chart_draw(&chart, &log->canvas);
	assert_null(drawn_text(log, "4,202: 200\u202fms"));
	chart.rule_count = 0;
	log = canvas_log(822, 0);
	tp_chart_draw(&chart, &log->canvas);
	assert_non_null(drawn_text(log, "4,202: 200\u202fms"));
}

/* Like points make one piece; few of them fill the width. */
/* Memory over time, with what was live at one point. */
static struct tp_chart
area_of(const struct tp_series *series, size_t series_count, const struct tp_slice *labels,
	size_t points, size_t marked)
{
	return (struct tp_chart){.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MIB,
		.series = series,
		.series_count = series_count,
		.labels = labels,
		.point_count = points,
		.marked = marked,
		.legend = true,
		.area = true};
}

static void
an_area_has_no_gaps_and_its_peak_is_marked(void **state)
{
	static const double data[] = {2, 2, 6, 6, 2}, padding[] = {0, 0, 2, 2, 1};
	static const struct tp_series series[] = {
		{.label = TP_S("Data"), .hue = TP_HUE_MEMORY, .values = data},
		{.label = TP_S("Padding"),
			.hue = TP_HUE_MEMORY,
			.tint = TP_TINT_UNUSED,
			.values = padding}};
	static const struct tp_slice labels[] = {TP_S("0"), TP_S("1"), TP_S("2"), TP_S("3"), TP_S("4")};
	struct tp_chart chart = area_of(series, 2, labels, 5, 2);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 0);
	assert_int_equal(drawn_count(log, DRAWN_AREA), 5);
	for (size_t i = 1; i < 3; i++)
		assert_float_equal(drawn_nth(log, DRAWN_AREA, i)->left.share,
			drawn_nth(log, DRAWN_AREA, i - 1)->right.share, 1e-12);
	assert_float_equal(drawn_nth(log, DRAWN_AREA, 2)->right.share, 1, 1e-12);
	const struct drawn *below = drawn_nth(log, DRAWN_AREA, 1), *on = drawn_nth(log, DRAWN_AREA, 3);

	assert_float_equal(on->top + on->height, below->top, 1e-9);
	assert_float_equal(on->height * 3, below->height, 1e-9);
	assert_int_equal(on->tint, TP_TINT_UNUSED);
	assert_float_equal(drawn_nth(log, DRAWN_DOT, 0)->left.share, 2.5 / 5, 1e-12);
	assert_float_equal(drawn_nth(log, DRAWN_DOT, 0)->top, on->top, 1e-9);
	assert_non_null(drawn_text(log, "peak 8.00\u202fMiB at 2"));
	assert_int_equal(drawn_count(log, DRAWN_FRAME), 0);
	assert_float_equal(tp_chart_strip_axis(&chart).used_share, 1, 1e-12);
}

/* Points are intervals: the axis has round times, and the peak is when it was, not when its interval began. */
static void
an_area_over_time_has_round_ticks(void **state)
{
	static const double data[] = {2, 6, 2};
	static const struct tp_series series[] = {
		{.label = TP_S("Data"), .hue = TP_HUE_MEMORY, .values = data}};
	static const struct tp_slice labels[] = {
		TP_S("0.313 ms"), TP_S("33.646 ms"), TP_S("66.980 ms")};
	struct tp_chart chart = area_of(series, 1, labels, 3, 1);
	struct canvas_log *log = canvas_log(822, 0);

	(void)state;
	chart.marked_label = TP_S("40.125 ms");
	chart.x_from = 0.313;
	chart.x_to = 100.313;
	chart.x_unit = TP_UNIT_MS;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_non_null(drawn_text(log, "20\u202fms"));
	assert_float_equal(drawn_text(log, "20\u202fms")->left.share, 0.19687, 1e-9);
	assert_null(drawn_text(log, "33.646 ms"));
	assert_non_null(drawn_text(log, "peak 6.00\u202fMiB at 40.125 ms"));

	/* What is reserved beyond is drawn, but is not the peak of what is allocated. */
	chart.marked_value = 5;
	log = canvas_log(822, 0);
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_non_null(drawn_text(log, "peak 5.00\u202fMiB at 40.125 ms"));
}

static void
bars_are_scaled_to_the_longest_and_long_names_are_cut(void **state)
{
	static const double ms[] = {8, 2};
	static const struct tp_series series[] = {
		{.label = TP_S("Self time"), .hue = TP_HUE_COMPUTE, .values = ms}};
	static const struct tp_slice labels[] = {
		TP_S("fusion.12"), TP_S("ampere_sgemm_128x64_tn_and_more_of_it_than_fits")};
	struct tp_chart chart = {.kind = TP_CHART_BARS,
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = 1,
		.labels = labels,
		.point_count = 2,
		.marked = SIZE_MAX};
	struct canvas_log *log = canvas_log(720, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 0)->right.share, 1, 1e-9);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 1)->right.share, 0.25, 1e-9);
	assert_non_null(drawn_text(log, "2.00\u202fms"));
	assert_string_equal(
		drawn_nth(log, DRAWN_TEXT, 2)->title, "ampere_sgemm_128x64_tn_and_more_of_it_than_fits");
	assert_float_equal(log->left_px, 250, 0);
	assert_float_equal(tp_chart_height(&chart, 720), 48, 0);
	/* A track behind them would be 100 %, which the longest is not. */
	assert_int_equal(drawn_count(log, DRAWN_FILL), 0);
}

/* Of a bar it is the end of its part. */
static void
the_unused_end_of_a_part_of_a_bar_is_hatched(void **state)
{
	static const double ms[] = {8, 2, 4}, unused[] = {2, 0, 4};
	static const struct tp_series series[] = {{.label = TP_S("Collectives"),
		.hue = TP_HUE_COLLECTIVE,
		.values = ms,
		.unused_values = unused,
		.unused_count = 3,
		.unused_label = TP_S("of which waiting, at most")}};
	static const struct tp_slice labels[] = {TP_S("a"), TP_S("b"), TP_S("c")};
	const struct tp_chart chart = {.kind = TP_CHART_BARS,
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = 1,
		.labels = labels,
		.point_count = 3,
		.marked = SIZE_MAX};
	struct canvas_log *log = canvas_log(720, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 4);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 0)->right.share, 0.75, 1e-9);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 0)->tint, 0);
	assert_float_equal(drawn_nth(log, DRAWN_MARK, 1)->right.share, 1, 1e-9);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 1)->tint, TP_TINT_UNUSED);
	assert_string_equal(
		drawn_nth(log, DRAWN_MARK, 1)->title, "of which waiting, at most 2.00\u202fms");
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 2)->tint, 0);
	assert_int_equal(drawn_nth(log, DRAWN_MARK, 3)->tint, TP_TINT_UNUSED);
}

static void
a_tile_holds_its_data_in_a_corner(void **state)
{
	static const double data[] = {16, 3}, padding[] = {112, 5};
	static const struct tp_series series[] = {
		{.label = TP_S("Data"), .hue = TP_HUE_COMPUTE, .values = data},
		{.label = TP_S("Padding"), .hue = TP_HUE_IDLE, .values = padding}};
	static const struct tp_slice labels[] = {TP_S("batch"), TP_S("feature")};
	struct tp_chart chart = {.kind = TP_CHART_TILE,
		.unit = TP_UNIT_COUNT,
		.series = series,
		.series_count = 2,
		.labels = labels,
		.point_count = 2,
		.marked = SIZE_MAX};
	struct canvas_log *log = canvas_log(720, 0);

	(void)state;
	tp_chart_draw(&chart, &log->canvas);
	const struct drawn *all = drawn_nth(log, DRAWN_MARK, 0), *part = drawn_nth(log, DRAWN_MARK, 1);

	assert_float_equal(all->right.share, 1, 1e-9);
	assert_int_equal(all->hue, TP_HUE_IDLE);
	assert_float_equal(part->right.share, 16.0 / 128, 1e-9);
	assert_float_equal(part->height, all->height * 3 / 8, 1e-9);
	assert_non_null(drawn_text(log, "95.3\u202f% padding"));
	assert_non_null(drawn_text(log, "batch 16 of 128"));
	assert_non_null(drawn_text(log, "3 of 8"));
	/* Seven lines tell eight sublanes apart. */
	assert_int_equal(drawn_count(log, DRAWN_LINE), 7);
}

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
		cmocka_unit_test(parts_of_a_stack_fill_the_width),
		cmocka_unit_test(the_unused_end_of_a_part_is_hatched),
		cmocka_unit_test(the_unused_top_of_a_column_is_hatched),
		cmocka_unit_test(a_part_is_labelled_inside_when_there_is_room_else_in_the_legend),
		cmocka_unit_test(a_phone_gets_a_shorter_label),
		cmocka_unit_test(a_stack_of_nothing_draws_nothing),
		cmocka_unit_test(columns_stand_on_the_base_line_and_share_the_width),
		cmocka_unit_test(lifetimes_share_the_axis_of_the_strip),
		cmocka_unit_test(the_marked_column_is_outlined),
		cmocka_unit_test(point_labels_are_round_with_the_first_the_last_and_the_marked),
		cmocka_unit_test(rule_labels_do_not_touch),
		cmocka_unit_test(very_many_steps_are_thinned_to_the_slowest_and_it_is_said),
		cmocka_unit_test(few_steps_stay_slim),
		cmocka_unit_test(the_plot_of_few_steps_ends_with_them),
		cmocka_unit_test(no_label_of_a_mark_lies_on_the_names_of_rules),
		cmocka_unit_test(an_area_has_no_gaps_and_its_peak_is_marked),
		cmocka_unit_test(an_area_over_time_has_round_ticks),
		cmocka_unit_test(bars_are_scaled_to_the_longest_and_long_names_are_cut),
		cmocka_unit_test(the_unused_end_of_a_part_of_a_bar_is_hatched),
		cmocka_unit_test(a_tile_holds_its_data_in_a_corner),
		cmocka_unit_test(a_spark_spans_its_height_with_a_dot_at_the_odd_one_out),
		cmocka_unit_test(a_spark_of_values_that_hardly_differ_is_flat_and_has_no_dot),
		cmocka_unit_test(a_spark_says_what_its_dot_is),
		cmocka_unit_test(a_spark_of_nothing_is_a_base_line),
	};

	return RUN(tests);
}
