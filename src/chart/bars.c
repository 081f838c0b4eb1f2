/* A horizontal bar a point: name at left, figure at right. The longest is as wide as the plot: a track behind them would
 * say that it is all there is. */
#include "chart/layout.h"

#include <stdio.h>

#include "chart/canvas.h"
#include "chart/row_names.h"

enum {
	ROW_PX = 24,
	BAR_PX = 16,
	BAR_TOP_PX = 4,
	BASELINE_PX = 16,
	NAME_PX = 12,
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
	double names_px = tp_row_names_px(chart->labels, chart->point_count, NAME_PX);

	return (struct tp_margins){names_px, FIGURE_ROOM_PX};
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
	double room_px = margins(chart).left_px;
	double most = tp_chart_largest(chart);

	for (size_t i = 0; i < chart->point_count; i++, top += ROW_PX) {
		char buf[TP_VALUE_BUF];
		struct tp_value total = tp_number(tp_chart_total(chart, i), chart->unit);

		tp_row_name_draw(canvas, chart->labels, chart->point_count, i, room_px, top + BASELINE_PX,
			NAME_PX, TP_INK_INK);
		draw_bar(chart, i, canvas, most, top + BAR_TOP_PX);
		TP_WRITE(canvas, .x = {1, FIGURE_ROOM_PX}, .y = top + BASELINE_PX, .anchor = TP_ANCHOR_END,
			.ink = TP_INK_INK, .size_px = NAME_PX, .weight = 600,
			.text = tp_value_text(total, buf));
	}
}

const struct tp_chart_layout tp_bars_layout = {
	.height = height,
	.margins = margins,
	.legend_above = true,
	.draw = draw,
};
