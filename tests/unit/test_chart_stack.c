/* A stack: its parts fill the width, and are named inside or in the legend. */
#include "unit.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_stack_fill_the_width),
		cmocka_unit_test(the_unused_end_of_a_part_is_hatched),
		cmocka_unit_test(a_part_is_labelled_inside_when_there_is_room_else_in_the_legend),
		cmocka_unit_test(a_phone_gets_a_shorter_label),
		cmocka_unit_test(a_stack_of_nothing_draws_nothing),
	};

	return RUN(tests);
}
