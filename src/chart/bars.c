/* A horizontal bar a point: name at left, bar on a track, figure at right. */
#include "chart/layout.h"

#include <stdio.h>

#include "chart/canvas.h"
#include "chart/label.h"
#include "report/doc.h"

enum {
	ROW_PX = 24,
	BAR_PX = 16,
	BAR_TOP_PX = 4,
	BASELINE_PX = 16,
	NAME_PX = 12,
	NAME_GAP_PX = 10,
	SHORT_NAMES_PX = 84, /* room for names: one of two, so that the page's CSS can make it */
	LONG_NAMES_PX = 164,
	FIGURE_ROOM_PX = 72,
	TITLE_BUF = 512,
};

static double
height(const struct tp_chart *chart)
{
	return (double)chart->point_count * ROW_PX;
}

static struct tp_margins
margins(const struct tp_chart *chart)
{
	struct tp_margins room = {SHORT_NAMES_PX, FIGURE_ROOM_PX};

	for (size_t i = 0; i < chart->point_count; i++)
		if (tp_label_width(chart->labels[i], NAME_PX, 400) > SHORT_NAMES_PX - NAME_GAP_PX)
			room.left_px = LONG_NAMES_PX;
	return room;
}

static double
largest(const struct tp_chart *chart)
{
	double most = 0;

	for (size_t i = 0; i < chart->point_count; i++) {
		double total = tp_chart_total(chart, i);

		most = total > most ? total : most;
	}
	return most;
}

static void
draw_name(struct tp_slice name, struct tp_canvas *canvas, double room_px, double top)
{
	char buf[256];
	struct tp_slice cut = tp_label_cut(name, NAME_PX, 400, room_px - NAME_GAP_PX, buf, sizeof buf);

	canvas->ops->text(canvas,
		&(struct tp_canvas_text){.x = {0, -room_px},
			.y = top + BASELINE_PX,
			.ink = TP_INK_INK,
			.size_px = NAME_PX,
			.weight = 400,
			.text = cut,
			.title = cut.len != name.len ? name : TP_S("")});
}

static void
draw_bar(
	const struct tp_chart *chart, size_t point, struct tp_canvas *canvas, double most, double top)
{
	double sum = 0;

	for (size_t i = 0; i < chart->series_count && most > 0; i++) {
		const struct tp_series *series = &chart->series[i];
		char value_buf[TP_VALUE_BUF], title[TITLE_BUF];
		struct tp_slice value =
			tp_value_text(tp_number(series->values[point], chart->unit), value_buf);
		struct tp_x left = {sum / most, 0};
		int n;

		if (!(series->values[point] > 0))
			continue;
		sum += series->values[point];
		n = snprintf(title, sizeof title, "%.*s %.*s", TP_ARG(series->label), TP_ARG(value));
		canvas->ops->mark(canvas, left, (struct tp_x){sum / most, 0}, top, BAR_PX, series->hue,
			series->tint, n < TITLE_BUF ? (struct tp_slice){title, (size_t)n} : value);
	}
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	struct tp_x left = {0, 0}, right = {1, 0};
	double room_px = margins(chart).left_px;
	double most = largest(chart);

	for (size_t i = 0; i < chart->point_count; i++, top += ROW_PX) {
		char buf[TP_VALUE_BUF];
		struct tp_value total = tp_number(tp_chart_total(chart, i), chart->unit);

		draw_name(chart->labels[i], canvas, room_px, top);
		canvas->ops->fill(canvas, left, right, top + BAR_TOP_PX, BAR_PX, TP_INK_TRACK);
		draw_bar(chart, i, canvas, most, top + BAR_TOP_PX);
		canvas->ops->text(canvas,
			&(struct tp_canvas_text){.x = {1, FIGURE_ROOM_PX},
				.y = top + BASELINE_PX,
				.anchor = TP_ANCHOR_END,
				.ink = TP_INK_INK,
				.size_px = NAME_PX,
				.weight = 600,
				.text = tp_value_text(total, buf)});
	}
}

const struct tp_chart_layout tp_bars_layout = {
	.height = height,
	.margins = margins,
	.legend_above = true,
	.draw = draw,
};
