/* Node-link drawings: arrows lead down, rows are bounded, nothing stands on anything else, and cycles do no harm. */
#include "unit.h"

#include "base/arena.h"
#include "canvas_log.h"
#include "chart/chart.h"
#include "chart/layers.h"

#include <math.h>

enum { WIDEST = 4 };

static struct tp_layers
layers_of(const struct tp_box *boxes, size_t box_count, const struct tp_arrow *arrows,
	size_t arrow_count, struct tp_arena *arena)
{
	struct tp_diagram d = {boxes, box_count, arrows, arrow_count};
	struct tp_layers l;

	tp_layers_make(&d, WIDEST, arena, &l);
	return l;
}

static size_t
links_up(const struct tp_layers *l)
{
	size_t count = 0;

	for (size_t i = 0; i < l->link_count; i++)
		count += l->links[i].up;
	return count;
}

/* Every link goes one row down; items of a row do not overlap; rows are as wide as they may be. */
static void
assert_sound(const struct tp_layers *l)
{
	for (size_t i = 0; i < l->link_count; i++) {
		const struct tp_layer_item *upper = &l->items[l->links[i].upper],
								   *lower = &l->items[l->links[i].lower];

		assert_int_equal(upper->row + 1, lower->row);
	}
	for (size_t i = 0; i < l->item_count; i++) {
		double half = (l->items[i].lane ? l->lane_share : l->box_share) / 2;
		size_t boxes = 0;

		assert_true(l->items[i].x - half > -1e-9 && l->items[i].x + half < 1 + 1e-9);
		for (size_t k = 0; k < l->item_count; k++) {
			double other = (l->items[k].lane ? l->lane_share : l->box_share) / 2;

			if (l->items[k].row != l->items[i].row)
				continue;
			boxes += !l->items[k].lane;
			if (k != i)
				assert_true(fabs(l->items[k].x - l->items[i].x) > half + other - 1e-9);
		}
		assert_true(boxes <= WIDEST);
	}
}

static const struct tp_box named[TP_DIAGRAM_MOST_BOXES] = {
	{.label = TP_S("a"), .note = TP_S("1 operation"), .more = TP_S("on a CPU")},
	{.label = TP_S("b with a name that no phone has room for")},
	{.label = TP_S("c"), .strong = true},
	{.label = TP_S("d")},
};

static void
a_chain_is_a_row_each(void **state)
{
	static const struct tp_arrow arrows[] = {{.from = 2, .to = 1, .weight = 1},
		{.from = 1, .to = 0, .weight = 1}, {.from = 3, .to = 2, .weight = 1}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_layers l = layers_of(named, 4, arrows, 3, arena);

	(void)state;
	assert_sound(&l);
	assert_int_equal(l.row_count, 4);
	assert_int_equal(l.items[3].row, 0);
	assert_int_equal(l.items[0].row, 3);
	assert_int_equal(links_up(&l), 0);
	tp_arena_free(arena);
}

static void
of_a_cycle_the_lightest_arrow_leads_up(void **state)
{
	static const struct tp_arrow arrows[] = {{.from = 0, .to = 1, .weight = 5},
		{.from = 1, .to = 2, .weight = 5}, {.from = 2, .to = 0, .weight = 1}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_layers l = layers_of(named, 3, arrows, 3, arena);

	(void)state;
	assert_sound(&l);
	assert_int_equal(l.items[0].row, 0);
	assert_int_equal(l.items[2].row, 2);
	/* Past the row between, in a lane. */
	assert_int_equal(links_up(&l), 2);
	assert_int_equal(l.item_count, 4);
	tp_arena_free(arena);
}

static void
arrows_that_need_not_cross_do_not(void **state)
{
	static const struct tp_arrow arrows[] = {
		{.from = 0, .to = 3, .weight = 1}, {.from = 1, .to = 2, .weight = 1}};
	struct tp_arena *arena = tp_arena_new();
	struct tp_layers l = layers_of(named, 4, arrows, 2, arena);

	(void)state;
	assert_sound(&l);
	assert_int_equal(l.row_count, 2);
	assert_true((l.items[0].x < l.items[1].x) == (l.items[3].x < l.items[2].x));
	tp_arena_free(arena);
}

/* All boxes joined to all: 48 and 256 arrows, in both directions. */
static void
the_most_that_there_may_be_is_laid_out(void **state)
{
	static struct tp_arrow arrows[TP_DIAGRAM_MOST_ARROWS];
	struct tp_arena *arena = tp_arena_new();
	size_t count = 0;

	(void)state;
	for (size_t i = 0; count < TP_DIAGRAM_MOST_ARROWS; i++) {
		size_t from = i * 7 % TP_DIAGRAM_MOST_BOXES, to = i * 31 % TP_DIAGRAM_MOST_BOXES;

		if (from != to)
			arrows[count++] = (struct tp_arrow){.from = from, .to = to, .weight = 1 + i % 3};
	}
	struct tp_layers l = layers_of(named, TP_DIAGRAM_MOST_BOXES, arrows, count, arena);

	assert_sound(&l);
	/* And a chain of all of them. */
	for (size_t i = 0; i + 1 < TP_DIAGRAM_MOST_BOXES; i++)
		arrows[i] = (struct tp_arrow){.from = i + 1, .to = i, .weight = 1};
	l = layers_of(named, TP_DIAGRAM_MOST_BOXES, arrows, TP_DIAGRAM_MOST_BOXES - 1, arena);
	assert_sound(&l);
	assert_int_equal(l.row_count, TP_DIAGRAM_MOST_BOXES);
	tp_arena_free(arena);
}

static void
boxes_and_arrows_say_what_they_are(void **state)
{
	static const struct tp_arrow arrows[] = {
		{.from = 0, .to = 1, .weight = 4, .label = TP_S("4 tensors")},
		{.from = 1, .to = 0, .weight = 1, .control = true}};
	static const struct tp_diagram diagram = {named, 3, arrows, 2};
	static const struct tp_chart chart = {.kind = TP_CHART_DIAGRAM, .diagram = &diagram};
	struct canvas_log *log = canvas_log(720, 358);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_int_equal(drawn_count(log, DRAWN_MARK), 3);
	assert_string_equal(drawn_nth(log, DRAWN_MARK, 0)->title, "a: 1 operation; on a CPU");
	assert_int_equal(drawn_count(log, DRAWN_LINK), 2);
	const struct drawn *down = drawn_nth(log, DRAWN_LINK, 0), *up = drawn_nth(log, DRAWN_LINK, 1);

	assert_int_equal(down->link.head, TP_HEAD_AT_END);
	assert_int_equal(up->link.head, TP_HEAD_AT_START);
	assert_true(down->link.stroke_px > up->link.stroke_px && up->link.dashed);
	assert_true(strstr(down->title, "b with a name") != NULL && strstr(down->title, "4 tensors"));
	assert_true(drawn_text(log, "a")->top < tp_chart_plot_height(&chart));
	for (size_t i = 0; drawn_nth(log, DRAWN_TEXT, i) != NULL; i++) {
		const struct drawn *text = drawn_nth(log, DRAWN_TEXT, i);

		/* A phone scrolls the drawing, and shows the same. */
		assert_false(text->text.narrow || text->text.wide);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_is_a_row_each),
		cmocka_unit_test(of_a_cycle_the_lightest_arrow_leads_up),
		cmocka_unit_test(arrows_that_need_not_cross_do_not),
		cmocka_unit_test(the_most_that_there_may_be_is_laid_out),
		cmocka_unit_test(boxes_and_arrows_say_what_they_are),
	};

	return RUN(tests);
}
