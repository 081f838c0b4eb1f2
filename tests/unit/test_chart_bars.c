/* Bars: their lengths and names, in numbers. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_scaled_to_the_longest_and_long_names_are_cut),
		cmocka_unit_test(the_unused_end_of_a_part_of_a_bar_is_hatched),
	};

	return RUN(tests);
}
