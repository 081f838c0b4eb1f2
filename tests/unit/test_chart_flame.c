/* Flame graphs: bars where they belong, labels where there is room, all that is cut said in a tooltip. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

static const struct tp_frame frames[] = {
	{.label = TP_S("ResNet_0"), .note = TP_S("10.0 ms, 80.0 %"), .to = 0.8, .hue = TP_HUE_COMPUTE},
	{.label = TP_S("Conv2d_0"), .row = 1, .to = 0.3, .hue = TP_HUE_COMPUTE},
	{.label = TP_S("… 3 more modules"),
		.row = 1,
		.from = 0.3,
		.to = 0.5,
		.hue = TP_HUE_COMPUTE,
		.tint = 2},
	{.label = TP_S("Loss_0"), .from = 0.8, .to = 0.82, .hue = TP_HUE_COMPUTE},
};
static const struct tp_chart chart = {.kind = TP_CHART_FLAME,
	.unit = TP_UNIT_SHARE,
	.frames = frames,
	.frame_count = sizeof frames / sizeof *frames};

static void
parts_are_below_what_they_are_parts_of(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 4);
	const struct drawn *whole = drawn_nth(log, DRAWN_MARK, 0),
					   *part = drawn_nth(log, DRAWN_MARK, 1), *last = drawn_nth(log, DRAWN_MARK, 3);

	assert_float_equal(part->left.share, 0, 1e-12);
	assert_float_equal(part->right.share, 0.3, 1e-12);
	assert_true(part->top > whole->top + whole->height);
	assert_float_equal(last->top, whole->top, 1e-12);
	assert_float_equal(tp_chart_plot_height(&chart), 2 * (part->top - whole->top), 1e-12);
	assert_string_equal(whole->title, "ResNet_0: 10.0 ms, 80.0 %");
	assert_string_equal(part->title, "Conv2d_0");
}

static void
labels_stand_where_they_can_be_read(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	/* Not on 20 px; on the tint of the rest in the page's own ink. */
	assert_int_equal(drawn_count(log, DRAWN_TEXT), 3);
	assert_int_equal(drawn_text(log, "… 3 more modules")->text.ink, TP_INK_INK);
	assert_int_equal(drawn_text(log, "ResNet_0")->text.ink, TP_INK_ON_MARK);
	assert_non_null(drawn_text(log, "ResNet_0"));
	assert_non_null(drawn_text(log, "Conv2d_0"));
}

static void
on_a_phone_labels_are_cut_to_its_width(void **state)
{
	struct canvas_log *log = canvas_log(720, 150);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	const struct drawn *wide = drawn_text(log, "Conv2d_0");

	assert_non_null(wide);
	assert_true(wide->text.wide);
	assert_false(drawn_text(log, "ResNet_0")->text.wide);
	for (size_t i = 0; drawn_nth(log, DRAWN_TEXT, i) != NULL; i++) {
		const struct drawn *text = drawn_nth(log, DRAWN_TEXT, i);

		if (text->text.narrow)
			assert_true(strlen(text->words) < strlen("Conv2d_0"));
	}
	/* Of "… 3 more modules" nothing is left that says anything. */
	assert_int_equal(drawn_count(log, DRAWN_TEXT), 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_below_what_they_are_parts_of),
		cmocka_unit_test(labels_stand_where_they_can_be_read),
		cmocka_unit_test(on_a_phone_labels_are_cut_to_its_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
