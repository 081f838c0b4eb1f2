/* The x axis of an area whose columns stand for several points, as those of a program do: round ticks, where these points are. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

#include <math.h>

enum { COUNT = 40, POINTS = 1000 };

static double bytes[COUNT];
static struct tp_slice labels[COUNT];

static struct canvas_log *
drawn_up_to(double points)
{
	static const struct tp_series series[] = {
		{.label = TP_S("Data"), .hue = TP_HUE_MEMORY, .values = bytes}};
	struct tp_chart area = {.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MIB,
		.series = series,
		.series_count = 1,
		.labels = labels,
		.point_count = COUNT,
		.area = true,
		.marked = SIZE_MAX,
		.x_to = points};
	struct canvas_log *log = canvas_log(800, 0);

	for (size_t i = 0; i < COUNT; i++) {
		labels[i] = TP_S("7");
		bytes[i] = 1 + (double)i;
	}
	tp_chart_draw_plot(&area, &log->canvas);
	return log;
}

static void
ticks_are_round_and_where_their_points_are(void **state)
{
	struct canvas_log *log = drawn_up_to(POINTS);
	const struct drawn *middle = drawn_text(log, "400");

	(void)state;
	assert_non_null(drawn_text(log, "200"));
	assert_non_null(middle);
	assert_true(fabs(middle->left.share - .4) < 1e-9);
	/* No column is named instead. */
	assert_null(drawn_text(log, "7"));
}

static void
without_an_axis_columns_have_their_names(void **state)
{
	(void)state;
	assert_non_null(drawn_text(drawn_up_to(0), "7"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_round_and_where_their_points_are),
		cmocka_unit_test(without_an_axis_columns_have_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
