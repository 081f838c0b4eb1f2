/* Scatter charts: where points, ceilings and their labels come to lie, in numbers. */
#include "unit.h"

#include <math.h>

#include "canvas_log.h"
#include "chart/chart.h"

static const struct tp_ceiling roof[] = {
	{.key = TP_S("compute"), .label = TP_S("compute 100 TFLOP/s"), .y = 1e14},
	{.key = TP_S("hbm"), .label = TP_S("HBM 1 TB/s"), .slope = 1e12},
	{.key = TP_S("vmem"), .label = TP_S("VMEM 20 TB/s"), .slope = 2e13, .minor = true},
};

static struct tp_point
named(const char *label, double x, double y, double weight, unsigned number)
{
	return (struct tp_point){.role = TP_POINT_NAMED,
		.label = tp_slice_of(label),
		.x = x,
		.y = y,
		.weight = weight,
		.hue = TP_HUE_COMPUTE,
		.number = number};
}

static const struct canvas_log *
draw(const struct tp_point *points, size_t count, double width_px, double narrow_px)
{
	struct tp_scatter scatter = {.x_unit = TP_UNIT_FLOP_PER_BYTE,
		.x_title = TP_S("FLOP a byte"),
		.y_title = TP_S("FLOP/s"),
		.points = points,
		.point_count = count,
		.ceilings = roof,
		.ceiling_count = 3};
	struct tp_chart chart = {
		.kind = TP_CHART_SCATTER, .unit = TP_UNIT_FLOP_PER_S, .scatter = &scatter};
	struct canvas_log *log = canvas_log(width_px, narrow_px);

	tp_chart_draw_plot(&chart, &log->canvas);
	return log;
}

static void
points_lie_by_their_logarithms(void **state)
{
	struct tp_point points[] = {named("a", 1, 1e12, 4, 1), named("b", 1000, 1e13, 1, 2)};
	const struct canvas_log *log = draw(points, 2, 720, 0);
	/* The less important is drawn first. x from 1 to 1,000, y from 1 T to 100 T. */
	const struct drawn *b = drawn_nth(log, DRAWN_DISC, 0), *a = drawn_nth(log, DRAWN_DISC, 1);

	(void)state;
	assert_float_equal(a->left.share, 0, 1e-9);
	assert_float_equal(b->left.share, 1, 1e-9);
	assert_float_equal(a->top, 300, 1e-6);
	assert_float_equal(b->top, 160, 1e-6);
	assert_float_equal(a->height, 9, 1e-9); /* area by weight */
	assert_float_equal(b->height, 4.5, 1e-9);
	assert_string_equal(b->title, "b: 10.0\u202fTFLOP/s at 1,000\u202fFLOP/B");
}

static void
the_roof_bends_at_the_ridge_point(void **state)
{
	struct tp_point points[] = {named("a", 1, 1e12, 1, 1)};
	const struct canvas_log *log = draw(points, 1, 720, 0);
	/* Minor slopes first; peak over bandwidth = 100 FLOP a byte, of an axis from 1 to 1,000. */
	const struct drawn *slope = drawn_nth(log, DRAWN_CURVE, 1);
	const struct drawn *label = drawn_text(log, "ridge 100");
	bool ridge = false;

	(void)state;
	assert_int_equal(drawn_count(log, DRAWN_CURVE), 2);
	assert_float_equal(slope->top, 20, 1e-6);
	assert_float_equal(slope->height, 280, 1e-6);
	for (size_t i = 0; i < drawn_count(log, DRAWN_LINE); i++) {
		const struct drawn *line = drawn_nth(log, DRAWN_LINE, i);

		ridge |= fabs(line->left.share - 2. / 3) < 1e-9 && fabs(line->top - 20) < 1e-6;
	}
	assert_true(ridge);
	assert_non_null(label);
	assert_float_equal(label->left.share, 2. / 3, 1e-9);
	assert_non_null(drawn_text(log, "HBM 1 TB/s"));
	assert_non_null(drawn_text(log, "compute 100 TFLOP/s"));
	assert_non_null(drawn_text(log, "VMEM 20 TB/s"));
}

static bool
texts_overlap(const struct drawn *a, const struct drawn *b, double width_px, struct tp_canvas *c)
{
	double left[2], right[2];
	const struct drawn *both[] = {a, b};

	for (int i = 0; i < 2; i++) {
		const struct tp_canvas_text *t = &both[i]->text;
		double x = t->x.share * width_px + t->x.px;
		double length = c->ops->measure(c, t->text, t->size_px, t->weight);

		left[i] = t->anchor == TP_ANCHOR_END ? x - length
			: t->anchor == TP_ANCHOR_MIDDLE  ? x - length / 2
											 : x;
		right[i] = left[i] + length;
	}
	return left[0] < right[1] - .01 && left[1] < right[0] - .01 && fabs(a->top - b->top) < 11;
}

/* No two texts that show on a page of this width. */
static void
assert_apart(const struct canvas_log *log, double width_px, bool narrow)
{
	struct canvas_log copy = *log;

	for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++) {
		for (size_t k = 0; k < i; k++) {
			const struct drawn *a = drawn_nth(log, DRAWN_TEXT, i);
			const struct drawn *b = drawn_nth(log, DRAWN_TEXT, k);

			if (narrow && (a->text.wide || b->text.wide))
				continue;
			if (texts_overlap(a, b, width_px, &copy.canvas))
				fail_msg("\"%s\" and \"%s\" overlap", a->words, b->words);
		}
	}
}

static void
labels_of_an_axis_up_to_ten_thousand_do_not_touch_on_a_phone(void **state)
{
	struct tp_point points[] = {named("a", 0.02, 1e10, 1, 1), named("b", 2000, 1e12, 1, 2)};

	(void)state;
	assert_apart(draw(points, 2, 720, 0), 720 - 38, false);
	const struct canvas_log *log = draw(points, 2, 720, 322);

	assert_apart(log, 322 - 38, true);
	assert_false(drawn_text(log, "10,000")->text.wide);
	assert_true(drawn_text(log, "1,000")->text.wide);
	assert_false(drawn_text(log, "100")->text.wide);
}

static void
labels_do_not_overlap_at_any_width(void **state)
{
	enum { COUNT = 12 };
	struct tp_point points[COUNT];

	(void)state;
	points[0] = (struct tp_point){
		.role = TP_POINT_WHOLE, .label = TP_S("whole program"), .x = 30, .y = 1e12};
	points[1] = (struct tp_point){
		.role = TP_POINT_MEAN, .label = TP_S("average step"), .x = 30, .y = 1.01e12};
	for (unsigned i = 2; i < COUNT; i++)
		points[i] = named("fusion.123", 20 + i, 1e12 * (1 + i / 9.), 1, i - 1);
	assert_apart(draw(points, COUNT, 720, 358), 720 - 38, false);
	assert_apart(draw(points, COUNT, 720, 358), 358 - 38, true);
	assert_apart(draw(points, COUNT, 600, 0), 600 - 38, false);
	assert_non_null(drawn_text(draw(points, COUNT, 720, 358), "whole program"));
}

/* Marks move apart on a wider page, their labels keep their distance from them. */
static void
labels_do_not_overlap_on_a_wider_page(void **state)
{
	enum { FITTED_PX = 720 - 38, WIDEST_PX = 1088 - 38 };

	(void)state;
	for (unsigned i = 0; i < 60; i++) {
		struct tp_point points[] = {named("copy", .012, 3e8, 5, 1),
			named("fusion.13", 557, 9e13, 1, 4),
			named("fusion.16", 557 / (1.05 + i * .01), 9e13, 1, 5), named("", 350, 9e13, 1, 0),
			named("", 373, 9e13, 1, 0), named("", 567, 9e13, 1, 0)};

		for (size_t n = 3; n < 6; n++)
			points[n].role = TP_POINT_OTHER;
		const struct canvas_log *log = draw(points, 6, 720, 358);

		assert_apart(log, FITTED_PX, false);
		assert_apart(log, WIDEST_PX, false);
	}
}

static void
names_do_not_lie_on_the_roof(void **state)
{
	struct tp_point points[6];

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		points[i] = named("dot.12", 400 + i, 9e13, 1, i + 1);
	const struct canvas_log *log = draw(points, 6, 720, 358);
	double roof_y = drawn_text(log, "compute 100 TFLOP/s")->top + 6;
	size_t names = 0;

	for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++) {
		const struct drawn *text = drawn_nth(log, DRAWN_TEXT, i);

		if (strcmp(text->words, "dot.12") != 0)
			continue;
		names++;
		assert_false(text->top - 9 < roof_y && roof_y < text->top + 3);
	}
	assert_in_range(names, 2, 6);
	assert_apart(log, 720 - 38, false);
}

/* At how many px of a text's width a line from (x, y) to (x, y) of a plot runs through it. */
static size_t
crossed_px(const struct drawn *text, double length_px, const struct drawn *line, double width_px)
{
	double end_px = text->left.share * width_px + text->left.px, begin_px = end_px;
	size_t crossed = 0;

	if (text->text.anchor == TP_ANCHOR_END)
		begin_px -= length_px;
	else
		end_px += length_px;
	for (double x_px = begin_px; x_px < end_px; x_px++) {
		double along = (x_px / width_px - line->xs[0]) / (line->xs[1] - line->xs[0]);
		double y = line->ys[0] + along * (line->ys[1] - line->ys[0]);

		crossed += along >= 0 && along <= 1 && y > text->top - 9 && y < text->top + 3;
	}
	return crossed;
}

static void
the_name_of_a_slope_does_not_lie_on_another(void **state)
{
	enum { WIDTH_PX = 720 - 38, NAME_PX = 60 };
	const struct tp_point points[] = {named("a", 1, 1e10, 1, 1), named("b", 100, 1e10, 1, 2)};

	(void)state;
	for (double times = 1.4; times < 8; times *= 1.2) {
		const struct tp_ceiling close[] = {
			roof[0],
			roof[1],
			{.key = TP_S("vmem"), .label = TP_S("VMEM"), .slope = 1e12 * times, .minor = true},
		};
		struct tp_scatter scatter = {.x_unit = TP_UNIT_FLOP_PER_BYTE,
			.points = points,
			.point_count = 2,
			.ceilings = close,
			.ceiling_count = 3};
		struct tp_chart chart = {
			.kind = TP_CHART_SCATTER, .unit = TP_UNIT_FLOP_PER_S, .scatter = &scatter};
		struct canvas_log *log = canvas_log(720, 0);

		tp_chart_draw_plot(&chart, &log->canvas);
		/* The lesser slope is drawn first. */
		assert_int_equal(crossed_px(drawn_text(log, "HBM 1 TB/s"), NAME_PX,
							 drawn_nth(log, DRAWN_CURVE, 0), WIDTH_PX),
			0);
	}
}

/* As VMEM of a TPU, whose rates to read and to write are near to each other and a decade above that of HBM. */
static void
lines_that_are_near_have_names_on_none(void **state)
{
	enum { WIDTH_PX = 720 - 38, NAME_PX = 118 };
	const struct tp_point points[] = {named("a", .12, 1.6e11, 1, 1), named("b", .12, 1e10, 1, 2)};
	const struct tp_ceiling near[] = {
		{.key = TP_S("compute"), .label = TP_S("compute 918 TFLOP/s"), .y = 9.18e14},
		{.key = TP_S("hbm"), .label = TP_S("HBM 1.64 TB/s"), .slope = 1.64e12},
		{.key = TP_S("read"),
			.label = TP_S("VMEM read 23.3 TB/s"),
			.slope = 2.33e13,
			.minor = true},
		{.key = TP_S("write"),
			.label = TP_S("VMEM write 16.1 TB/s"),
			.slope = 1.61e13,
			.minor = true}};
	struct tp_scatter scatter = {.x_unit = TP_UNIT_FLOP_PER_BYTE,
		.points = points,
		.point_count = 2,
		.ceilings = near,
		.ceiling_count = 4};
	struct tp_chart chart = {
		.kind = TP_CHART_SCATTER, .unit = TP_UNIT_FLOP_PER_S, .scatter = &scatter};
	struct canvas_log *log = canvas_log(720, 358);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	for (size_t i = 0; drawn_nth(log, DRAWN_CURVE, i) != NULL; i++) {
		const struct drawn *line = drawn_nth(log, DRAWN_CURVE, i);

		assert_int_equal(
			crossed_px(drawn_text(log, "VMEM read 23.3 TB/s"), NAME_PX, line, WIDTH_PX), 0);
		assert_int_equal(
			crossed_px(drawn_text(log, "VMEM write 16.1 TB/s"), NAME_PX, line, WIDTH_PX), 0);
	}
}

static void
a_phone_shows_numbers_for_names(void **state)
{
	struct tp_point points[] = {named("broadcast_add_fusion.1", 3, 1e11, 1, 7)};
	const struct canvas_log *log = draw(points, 1, 720, 358);

	(void)state;
	assert_false(drawn_text(log, "7")->text.wide);
	assert_true(drawn_text(log, "broadcast_add_fusion.1")->text.wide);
}

static void
a_crowd_loses_labels_but_no_points(void **state)
{
	struct tp_point points[40];
	size_t labels = 0;

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		points[i] = named("dot", 50, 1e13, 1, i + 1);
	const struct canvas_log *log = draw(points, 40, 720, 358);

	for (size_t i = 0; i < drawn_count(log, DRAWN_TEXT); i++)
		labels += strcmp(drawn_nth(log, DRAWN_TEXT, i)->words, "dot") == 0;
	assert_int_equal(drawn_count(log, DRAWN_DISC), 40);
	assert_in_range(labels, 1, 10);
	assert_apart(log, 720 - 38, false);
}

static void
the_plot_has_a_height_and_a_margin_without_a_legend(void **state)
{
	struct tp_chart chart = {.kind = TP_CHART_SCATTER};

	(void)state;
	assert_float_equal(tp_chart_height(&chart, 720), 332, 1e-9);
	assert_int_equal(tp_chart_margins(&chart).left_px, 38);
	assert_int_equal(tp_chart_legend(&chart, 720, NULL), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_lie_by_their_logarithms),
		cmocka_unit_test(the_roof_bends_at_the_ridge_point),
		cmocka_unit_test(labels_of_an_axis_up_to_ten_thousand_do_not_touch_on_a_phone),
		cmocka_unit_test(labels_do_not_overlap_at_any_width),
		cmocka_unit_test(labels_do_not_overlap_on_a_wider_page),
		cmocka_unit_test(names_do_not_lie_on_the_roof),
		cmocka_unit_test(the_name_of_a_slope_does_not_lie_on_another),
		cmocka_unit_test(lines_that_are_near_have_names_on_none),
		cmocka_unit_test(a_phone_shows_numbers_for_names),
		cmocka_unit_test(a_crowd_loses_labels_but_no_points),
		cmocka_unit_test(the_plot_has_a_height_and_a_margin_without_a_legend),
	};

	return RUN(tests);
}
