/* Long names of a strip's columns, as where captures are of several jobs: cut, below their columns, and the slowest says its time. */
#include "unit.h"

#include "canvas_log.h"
#include "chart/chart.h"
#include "chart/label.h"

enum { WIDTH_PX = 480, PHONE_PX = 358, LEFT_ROOM_PX = 38, COUNT = 3 };

static const double values[COUNT] = {8, 35, 4};
static const struct tp_series series[] = {
	{.label = TP_S("Compute"), .hue = TP_HUE_COMPUTE, .values = values}};
static const struct tp_slice names[COUNT] = {TP_S("6 (Falconsai_nsfw_image_detection)"),
	TP_S("6 (Qwen_Qwen1.5-0.5B-Chat)"), TP_S("6 (gaunernst_bert-small-uncased)")};
static const struct tp_rule rules[] = {{TP_S("p50"), 8}, {TP_S("p95"), 32}};
static const struct tp_chart chart = {.kind = TP_CHART_STRIP,
	.unit = TP_UNIT_MS,
	.series = series,
	.series_count = 1,
	.labels = names,
	.point_count = COUNT,
	.rules = rules,
	.rule_count = 2,
	.legend = true,
	.marked = 1};

static const struct drawn *
name_drawn(const struct canvas_log *log, size_t column)
{
	for (size_t i = 0; i < log->count; i++)
		if (log->drawn[i].kind == DRAWN_TEXT &&
			tp_slice_eq(log->drawn[i].text.title, names[column]) && !log->drawn[i].text.narrow)
			return &log->drawn[i];
	return NULL;
}

static void
each_column_has_its_name_below_it(void **state)
{
	struct canvas_log *log = canvas_log(WIDTH_PX, PHONE_PX);
	double end_px = -LEFT_ROOM_PX;

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	for (size_t i = 0; i < COUNT; i++) {
		const struct drawn *name = name_drawn(log, i);

		assert_non_null(name);
		double width_px = tp_label_width(tp_slice_of(name->words), 11, 400);
		double from_px = name->left.share * log->canvas.width_px -
			(name->text.anchor == TP_ANCHOR_END ? width_px : width_px / 2);

		assert_true(from_px >= end_px);
		assert_memory_equal(name->words, names[i].ptr, 6);
		end_px = from_px + width_px;
	}
	assert_true(end_px <= log->canvas.width_px);
}

static void
the_slowest_says_its_time_where_its_name_has_no_room(void **state)
{
	struct canvas_log *log = canvas_log(WIDTH_PX, PHONE_PX);

	(void)state;
	tp_chart_draw_plot(&chart, &log->canvas);
	assert_null(drawn_text(log, "6 (Qwen_Qwen1.5-0.5B-Chat): 35.0\u202fms"));
	assert_non_null(drawn_text(log, "35.0\u202fms"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_column_has_its_name_below_it),
		cmocka_unit_test(the_slowest_says_its_time_where_its_name_has_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
