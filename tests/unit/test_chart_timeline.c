/* Windows of a timeline: titles are whole, in one line where they fit, else each in its own. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"
#include "report/timeline.h"

enum { WIDTH_PX = 900, PHONE_PX = 300 };

static const struct tp_slice rows[] = {
	TP_S("stream 7"), TP_S("Threads of a host with a long name, the straggler")};
static const struct tp_timeline_bar bars[] = {
	{.label = TP_S("gemm"), .from = 0, .to = 0.5, .hue = TP_HUE_COMPUTE}};

/* Draws windows of these lengths, of which the first and the last have these titles. */
static struct canvas_log *
drawn(const double *lengths, size_t count, double *height_px)
{
	struct tp_timeline_window windows[3];
	struct tp_timeline timeline = {
		.rows = rows, .row_count = 1, .windows = windows, .window_count = count};
	struct tp_chart chart = {.kind = TP_CHART_TIMELINE, .unit = TP_UNIT_MS, .timeline = &timeline};
	struct canvas_log *log = canvas_log(WIDTH_PX, PHONE_PX);

	for (size_t i = 0; i < count; i++)
		windows[i] = (struct tp_timeline_window){
			.label = i == 0 ? TP_S("Step 12") : TP_S("Step 40"),
			.note = i == 0 ? TP_S("near the median") : TP_S("slowest"),
			.length = lengths[i],
			.bars = bars,
			.bar_count = 1,
		};
	tp_chart_draw_plot(&chart, &log->canvas);
	*height_px = tp_chart_plot_height(&chart);
	return log;
}

static void
titles_that_fit_are_in_one_line(void **state)
{
	double height_px, alone_px;
	const double alike[] = {10, 12};
	(void)state;
	drawn(alike, 1, &alone_px);
	struct canvas_log *log = drawn(alike, 2, &height_px);
	const struct drawn *first = drawn_text(log, "Step 12 · near the median"),
					   *last = drawn_text(log, "Step 40 · slowest");

	assert_non_null(first);
	assert_non_null(last);
	assert_float_equal(first->top, last->top, 1e-9);
	assert_float_equal(height_px, alone_px, 1e-9);
}

static void
a_title_longer_than_its_window_has_a_line(void **state)
{
	double height_px, alone_px;
	const double apart[] = {1, 40};
	(void)state;
	drawn(apart, 1, &alone_px);
	struct canvas_log *log = drawn(apart, 2, &height_px);
	const struct drawn *first = drawn_text(log, "Step 12 · near the median"),
					   *last = drawn_text(log, "Step 40 · slowest"), *bar;

	assert_non_null(first);
	assert_non_null(last);
	assert_float_equal(first->left.share, 0, 1e-9);
	assert_true(last->top >= first->top + 12);
	assert_true(last->left.share < 0.1);
	bar = drawn_nth(log, DRAWN_MARK, 0);
	assert_true(bar->top >= last->top + 12);
	assert_float_equal(bar->top + 20, height_px, 1e-9);
	assert_true(height_px > alone_px);
}

static void
a_title_right_of_the_middle_ends_with_its_window(void **state)
{
	double height_px;
	const double apart[] = {40, 1};
	struct canvas_log *log = drawn(apart, 2, &height_px);
	const struct drawn *last = drawn_text(log, "Step 40 · slowest");

	(void)state;
	assert_non_null(last);
	assert_int_equal(last->text.anchor, TP_ANCHOR_END);
	assert_float_equal(last->left.share, 1, 1e-9);
}

/* On a phone its "0 ms" would stand in that of the next window. */
static void
a_tiny_window_has_no_tick_label_on_a_phone(void **state)
{
	double height_px;
	const double apart[] = {1, 24};
	struct canvas_log *log = drawn(apart, 2, &height_px);
	size_t wide = 0, everywhere = 0;

	(void)state;
	for (size_t i = 0; i < log->count; i++) {
		if (log->drawn[i].kind == DRAWN_TEXT &&
			tp_slice_eq(log->drawn[i].text.text, TP_S("0 ms"))) {
			wide += log->drawn[i].text.wide;
			everywhere += !log->drawn[i].text.wide;
		}
	}
	assert_int_equal(wide, 1);
	assert_int_equal(everywhere, 1);
}

static void
a_row_without_a_bar_is_a_head(void **state)
{
	struct tp_timeline_window window = {
		.label = TP_S("Step 1"), .length = 1, .bars = bars, .bar_count = 1};
	struct tp_timeline timeline = {
		.rows = rows, .row_count = 2, .windows = &window, .window_count = 1};
	struct tp_chart chart = {.kind = TP_CHART_TIMELINE, .unit = TP_UNIT_MS, .timeline = &timeline};
	struct canvas_log *log = canvas_log(WIDTH_PX, PHONE_PX);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	const struct drawn *name = drawn_text(log, "stream 7"),
					   *head = drawn_text(log, "Threads of a host with a long name, the straggler");

	assert_non_null(name);
	assert_non_null(head);
	assert_int_equal(name->text.weight, 400);
	assert_int_equal(head->text.weight, 600);
}

/* Draws these bars in a window of length 1. */
static const struct canvas_log *
drawn_in_one_row(const struct tp_timeline_bar *row, size_t count)
{
	struct tp_timeline_window window = {
		.label = TP_S("Step 1"), .length = 1, .bars = row, .bar_count = count};
	struct tp_timeline timeline = {
		.rows = rows, .row_count = 1, .windows = &window, .window_count = 1};
	struct tp_chart chart = {.kind = TP_CHART_TIMELINE, .unit = TP_UNIT_MS, .timeline = &timeline};
	struct canvas_log *log = canvas_log(WIDTH_PX, 0);

	tp_chart_draw_plot(&chart, &log->canvas);
	return log;
}

/* A label that its bar is too short for is whole right of it, up to the next bar of the row; else it is cut. */
static void
a_label_stands_beside_its_bar_where_there_is_room(void **state)
{
	static const struct tp_timeline_bar three[] = {
		{.label = TP_S("a_kernel_with_a_name"), .from = 0, .to = .05, .hue = TP_HUE_COMPUTE},
		{.label = TP_S("another_kernel_with_a_name"), .from = .5, .to = .6, .hue = TP_HUE_COMPUTE},
		{.label = TP_S("third"), .from = .6, .to = 1, .hue = TP_HUE_COMPUTE},
	};
	const struct canvas_log *log = drawn_in_one_row(three, 3);

	(void)state;
	assert_float_equal(drawn_text(log, "a_kernel_with_a_name")->left.share, .05, 1e-9);
	assert_int_equal(drawn_text(log, "a_kernel_with_a_name")->text.ink, TP_INK_INK);
	assert_null(drawn_text(log, "another_kernel_with_a_name"));
	assert_float_equal(drawn_text(log, "third")->left.share, .6, 1e-9);
}

/* Its name would be read as that of all of them. */
static void
the_last_of_bars_close_together_has_no_label_beside_it(void **state)
{
	static const struct tp_timeline_bar run[] = {
		{.from = 0, .to = .3, .hue = TP_HUE_COMPUTE},
		{.label = TP_S("a_kernel_with_a_name"), .from = .301, .to = .31, .hue = TP_HUE_COMPUTE},
		{.label = TP_S("a_kernel_by_itself"), .from = .6, .to = .61, .hue = TP_HUE_COMPUTE},
	};
	const struct canvas_log *log = drawn_in_one_row(run, 3);

	(void)state;
	assert_null(drawn_text(log, "a_kernel_with_a_name"));
	assert_non_null(drawn_text(log, "a_kernel_by_itself"));
}

static void
the_legend_tells_what_is_drawn_from_what_a_script_draws(void **state)
{
	static const struct tp_timeline_name names[] = {{.name = TP_S("gemm"), .hue = TP_HUE_COMPUTE},
		{.name = TP_S("copy"), .hue = TP_HUE_MEMORY}};
	struct tp_timeline_window window = {
		.label = TP_S("Step 1"), .length = 1, .bars = bars, .bar_count = 1};
	struct tp_timeline timeline = {.rows = rows,
		.row_count = 1,
		.windows = &window,
		.window_count = 1,
		.names = names,
		.name_count = 2};
	struct tp_chart chart = {
		.kind = TP_CHART_TIMELINE, .unit = TP_UNIT_MS, .legend = true, .timeline = &timeline};
	struct tp_legend_entry entries[16];

	(void)state;
	assert_int_equal(tp_chart_legend(&chart, WIDTH_PX, entries), 2);
	assert_false(entries[0].live);
	assert_true(entries[1].live);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(titles_that_fit_are_in_one_line),
		cmocka_unit_test(a_title_longer_than_its_window_has_a_line),
		cmocka_unit_test(a_title_right_of_the_middle_ends_with_its_window),
		cmocka_unit_test(a_tiny_window_has_no_tick_label_on_a_phone),
		cmocka_unit_test(a_row_without_a_bar_is_a_head),
		cmocka_unit_test(a_label_stands_beside_its_bar_where_there_is_room),
		cmocka_unit_test(the_last_of_bars_close_together_has_no_label_beside_it),
		cmocka_unit_test(the_legend_tells_what_is_drawn_from_what_a_script_draws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
