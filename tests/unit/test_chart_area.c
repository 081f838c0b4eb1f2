/* An area, as of memory over time: no gaps, a marked peak, round times. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

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
	assert_float_equal(tp_chart_strip_axis(&chart).slot.width, 1, 1e-12);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_area_has_no_gaps_and_its_peak_is_marked),
		cmocka_unit_test(an_area_over_time_has_round_ticks),
	};

	return RUN(tests);
}
