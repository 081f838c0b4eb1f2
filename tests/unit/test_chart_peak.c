/* The label of an area's peak: above all that is drawn under it, be that hatching of another series. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"

#include <math.h>

enum { COUNT = 40, PEAK = 35 };

static double allocated[COUNT], reserved[COUNT];
static struct tp_slice labels[COUNT];
static const struct tp_series series[] = {
	{.label = TP_S("Allocated"), .hue = TP_HUE_MEMORY, .values = allocated},
	{.label = TP_S("Reserved"), .hue = TP_HUE_MEMORY, .tint = TP_TINT_UNUSED, .values = reserved}};

/* Memory grows up to the peak; with what is reserved it is always `all`. */
static struct canvas_log *
drawn_with(double all)
{
	static const struct tp_chart area = {.kind = TP_CHART_STRIP,
		.unit = TP_UNIT_MIB,
		.series = series,
		.series_count = 2,
		.labels = labels,
		.point_count = COUNT,
		.area = true,
		.legend = true,
		.marked = PEAK,
		.marked_label = TP_S("46 ms"),
		.marked_value = 10 + PEAK};
	struct canvas_log *log = canvas_log(800, 0);

	for (size_t i = 0; i < COUNT; i++) {
		labels[i] = TP_S("1");
		allocated[i] = i <= PEAK ? 10 + (double)i : 10;
		reserved[i] = fmax(0, all - allocated[i]);
	}
	tp_chart_draw_plot(&area, &log->canvas);
	return log;
}

/* The least y of what is drawn. */
static double
top_drawn(const struct canvas_log *log)
{
	double top = INFINITY;

	for (size_t i = 0; drawn_nth(log, DRAWN_AREA, i) != NULL; i++)
		top = fmin(top, drawn_nth(log, DRAWN_AREA, i)->top);
	return top;
}

static void
the_peaks_label_is_on_no_hatching(void **state)
{
	struct canvas_log *log = drawn_with(60);
	const struct drawn *label = drawn_text(log, "peak 45.0\u202fMiB at 46 ms");
	bool led = false;

	(void)state;
	assert_non_null(label);
	assert_true(label->top < top_drawn(log));
	assert_true(label->top >= 8);
	/* A line leads from it to the peak, which is below the hatching. */
	for (size_t i = 0; drawn_nth(log, DRAWN_LINE, i) != NULL; i++) {
		const struct drawn *line = drawn_nth(log, DRAWN_LINE, i);

		led |= line->left.share == line->right.share && line->top < label->top &&
			line->top + line->height > top_drawn(log);
	}
	assert_true(led);
}

static void
the_label_of_a_plain_area_is_beside_its_peak(void **state)
{
	struct canvas_log *log = drawn_with(0);
	const struct drawn *label = drawn_text(log, "peak 45.0\u202fMiB at 46 ms");

	(void)state;
	assert_non_null(label);
	assert_true(label->top < top_drawn(log));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peaks_label_is_on_no_hatching),
		cmocka_unit_test(the_label_of_a_plain_area_is_beside_its_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
