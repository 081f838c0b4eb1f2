/* Heat maps: where cells lie, how dark they are, and what is said of them. */
#include "unit.h"

#include <math.h>

#include "canvas_log.h"
#include "chart/chart.h"

static const struct tp_slice rows[] = {TP_S("a"), TP_S("b")};
static const double values[] = {10, 20, 15, 10, 10, 20, NAN, 12};
static const struct tp_slice labels[] = {
	TP_S("0"), TP_S("1"), TP_S("2"), TP_S("3"), TP_S("4"), TP_S("core 5"), TP_S(""), TP_S("7")};
static const size_t marked[] = {5}, links[][2] = {{0, 7}};
static const struct tp_grid grid = {.rows = rows,
	.row_count = 2,
	.columns = 4,
	.group = 2,
	.values = values,
	.labels = labels,
	.low = 10,
	.high = 20,
	.marked = marked,
	.marked_count = 1,
	.links = links,
	.link_count = 1};
static const struct tp_chart chart = {.kind = TP_CHART_GRID, .unit = TP_UNIT_MS, .grid = &grid};

static void
cells_have_their_place_and_step(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	/* Seven cells and seven steps of the scale; where there is no value there is no cell. */
	assert_int_equal(drawn_count(log, DRAWN_HEAT), 14);
	const struct drawn *first = drawn_nth(log, DRAWN_HEAT, 0),
					   *second = drawn_nth(log, DRAWN_HEAT, 1);
	const struct drawn *third = drawn_nth(log, DRAWN_HEAT, 2),
					   *last = drawn_nth(log, DRAWN_HEAT, 3);

	assert_float_equal(first->left.share, 0, 1e-12);
	assert_int_equal(first->step, 0);
	assert_int_equal(second->step, TP_HEAT_STEPS - 1);
	assert_int_equal(third->step, TP_HEAT_STEPS / 2);
	assert_true(third->left.share - second->right.share > second->left.share - first->right.share);
	assert_true(last->right.share < 1 && last->right.share > 0.97);
	assert_true(drawn_nth(log, DRAWN_HEAT, 4)->top > first->top);
	assert_string_equal(second->title, "1: 20.0\u202fms");
}

static void
outlined_cells_are_named_and_links_end_in_a_dot(void **state)
{
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_float_equal(drawn_nth(log, DRAWN_FRAME, 0)->left.share,
		drawn_nth(log, DRAWN_HEAT, 5)->left.share, 1e-12);
	assert_non_null(drawn_text(log, "core 5: 20.0\u202fms"));
	assert_non_null(drawn_text(log, "10.0\u202fms"));
	/* Each twice: paper below, so that it is seen on a dark cell. */
	assert_int_equal(drawn_count(log, DRAWN_CURVE), 2);
	assert_int_equal(drawn_count(log, DRAWN_DOT), 2);
	const struct drawn *dot = drawn_nth(log, DRAWN_DOT, 1), *to = drawn_nth(log, DRAWN_HEAT, 6);

	assert_true(dot->left.share > to->left.share && dot->left.share < to->right.share);
}

static void
what_else_is_known_of_a_cell_is_in_its_tooltip(void **state)
{
	static const struct tp_slice notes[] = {
		TP_S("a, chip 0"), TP_S(""), TP_S(""), TP_S(""), TP_S(""), TP_S(""), TP_S(""), TP_S("")};
	struct tp_grid noted = grid;
	struct tp_chart with = chart;
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	noted.notes = notes;
	with.grid = &noted;
	tp_chart_draw_plot(&with, &log->canvas);
	assert_string_equal(drawn_nth(log, DRAWN_HEAT, 0)->title, "0: 10.0\u202fms; a, chip 0");
	assert_string_equal(drawn_nth(log, DRAWN_HEAT, 1)->title, "1: 20.0\u202fms");
}

static void
on_a_phone_the_outlined_cell_is_named_alone(void **state)
{
	struct canvas_log *log = canvas_log(1000, 358);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_non_null(drawn_text(log, "core 5"));
	assert_non_null(drawn_text(log, "core 5: 20.0\u202fms"));
}

/* A scale with the same figure at both ends would say nothing twice. */
static void
cells_that_say_the_same_have_it_once_below_them(void **state)
{
	static const double same[] = {10, 10.001, 10, 10, 10, 10.002, NAN, 10};
	struct tp_grid alike = grid;
	struct tp_chart with = chart;
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	alike.values = same;
	with.grid = &alike;
	tp_chart_draw_plot(&with, &log->canvas);
	size_t said = 0;

	for (size_t i = 0; drawn_nth(log, DRAWN_TEXT, i) != NULL; i++)
		said += tp_slice_eq(drawn_nth(log, DRAWN_TEXT, i)->text.text, TP_S("10.0\u202fms"));
	assert_int_equal(said, 1);
}

/* Of 20 ms two digits are enough for three in all. */
static void
cells_hold_their_figures_where_all_fit(void **state)
{
	struct tp_grid plain = grid;
	struct tp_chart with = chart;
	struct canvas_log *log = canvas_log(1000, 0);

	(void)state;
	plain.link_count = 0;
	with.grid = &plain;
	tp_chart_draw_plot(&with, &log->canvas);
	const struct drawn *cell = drawn_nth(log, DRAWN_HEAT, 1), *figure = drawn_text(log, "20.0");

	assert_non_null(figure);
	assert_true(figure->text.cell);
	assert_float_equal(figure->left.share, cell->right.share, 1e-12);
	assert_true(figure->top > cell->top && figure->top < cell->top + cell->height);
	/* On the darkest step it is paper. */
	assert_int_equal(figure->text.ink, TP_INK_PAPER);
	assert_int_equal(drawn_text(log, "15.0")->text.ink, TP_INK_INK);
	assert_true(drawn_text(log, "core 5")->text.cell);
	log = canvas_log(84 + 4 * 40, 0);
	tp_chart_draw_plot(&with, &log->canvas);
	assert_non_null(drawn_text(log, "15.0"));
	assert_null(drawn_text(log, "core 5"));
	log = canvas_log(84 + 4 * 20, 0);
	tp_chart_draw_plot(&with, &log->canvas);
	assert_null(drawn_text(log, "15.0"));
}

static void
where_a_cell_is_stands_in_it(void **state)
{
	static const struct tp_slice places[] = {TP_S("chip 0 core 0"), TP_S("chip 0 core 1"),
		TP_S("chip 1 core 0"), TP_S("chip 1 core 1"), TP_S("chip 2 core 0"), TP_S("chip 2 core 1"),
		TP_S(""), TP_S("chip 3 core 1")};
	struct tp_grid placed = grid;
	struct tp_chart with = chart;
	struct canvas_log *log = canvas_log(1000, 358);

	(void)state;
	placed.places = places;
	with.grid = &placed;
	tp_chart_draw_plot(&with, &log->canvas);
	assert_null(drawn_text(log, "chip 2 core 1")); /* below links nothing is written */
	placed.link_count = 0;
	log = canvas_log(1000, 358);
	tp_chart_draw_plot(&with, &log->canvas);
	assert_non_null(drawn_text(log, "chip 2 core 1"));
	assert_true(drawn_text(log, "chip 2 core 1")->text.wide);
	assert_false(drawn_text(log, "15.0")->text.wide);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_have_their_place_and_step),
		cmocka_unit_test(outlined_cells_are_named_and_links_end_in_a_dot),
		cmocka_unit_test(what_else_is_known_of_a_cell_is_in_its_tooltip),
		cmocka_unit_test(cells_that_say_the_same_have_it_once_below_them),
		cmocka_unit_test(cells_hold_their_figures_where_all_fit),
		cmocka_unit_test(where_a_cell_is_stands_in_it),
		cmocka_unit_test(on_a_phone_the_outlined_cell_is_named_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
