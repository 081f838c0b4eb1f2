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

/* "Collectives 1.46 ms" */
static struct tp_slice
title_of(
	const struct tp_chart *chart, struct tp_slice label, double value, char buf[static TITLE_BUF])
{
	char value_buf[TP_VALUE_BUF];
	struct tp_slice text = tp_value_text(tp_number(value, chart->unit), value_buf);
	int n = snprintf(buf, TITLE_BUF, "%.*s %.*s", TP_ARG(label), TP_ARG(text));

	return n < TITLE_BUF ? (struct tp_slice){buf, (size_t)n} : label;
}

/* A part, with the end hatched that was paid for and not used. */
static void
draw_part(const struct tp_chart *chart, const struct tp_series *series, size_t point,
	struct tp_canvas *canvas, struct tp_x left, struct tp_x right, double top)
{
	char title[TITLE_BUF];
	double value = series->values[point];
	double unused = series->unused_count != 0 ? series->unused_values[point] : 0;
	struct tp_x split = {right.share - (right.share - left.share) * (unused / value), 0};

	if (unused < value)
		canvas->ops->mark(canvas, left, split, top, BAR_PX, series->hue, series->tint,
			title_of(chart, series->label, value, title));
	if (unused > 0)
		canvas->ops->mark(canvas, split, right, top, BAR_PX, series->hue, TP_TINT_UNUSED,
			title_of(chart, series->unused_label, unused, title));
}

static void
draw_bar(
	const struct tp_chart *chart, size_t point, struct tp_canvas *canvas, double most, double top)
{
	double sum = 0;

	for (size_t i = 0; i < chart->series_count && most > 0; i++) {
		const struct tp_series *series = &chart->series[i];
		struct tp_x left = {sum / most, 0};

		if (!(series->values[point] > 0))
			continue;
		sum += series->values[point];
		draw_part(chart, series, point, canvas, left, (struct tp_x){sum / most, 0}, top);
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
