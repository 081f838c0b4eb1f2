/* A tile: how much of it holds data. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tile_holds_its_data_in_a_corner),
	};

	return RUN(tests);
}
