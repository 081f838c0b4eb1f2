/* One horizontal bar of parts that sum to the whole, labelled inside where there is room. */
#include "chart/layout.h"

#include <stdio.h>

#include "chart/canvas.h"
#include "chart/label.h"

enum {
	HEIGHT_PX = 30,
	BASELINE_PX = 19,
	PAD_PX = 8,
	TEXT_PX = 11,
	LABEL_BUF = 256,
};

/* "Compute · 33.4 ms · 26.1 %" */
static struct tp_slice
long_label(const struct tp_chart *chart, size_t i, char buf[static LABEL_BUF])
{
	char value_buf[TP_VALUE_BUF], share_buf[TP_VALUE_BUF];
	const struct tp_series *series = &chart->series[i];
	struct tp_value share =
		tp_share(series->values[0], tp_chart_total(chart, 0), TP_S("of nothing"));
	struct tp_slice value_text =
		tp_value_text(tp_number(series->values[0], chart->unit), value_buf);
	struct tp_slice share_text = tp_value_text(share, share_buf);
	int n = snprintf(buf, LABEL_BUF, "%.*s · %.*s · %.*s", TP_ARG(series->label),
		TP_ARG(value_text), TP_ARG(share_text));

	return n < LABEL_BUF ? (struct tp_slice){buf, (size_t)n} : series->label;
}

static bool
fits(struct tp_slice text, double part_px)
{
	return tp_label_width(text, TEXT_PX, 500) + 2 * PAD_PX <= part_px;
}

/* The part that is drawn in full colour. */
static double
used(const struct tp_series *series)
{
	return series->values[0] - series->unused;
}

/* Texts stand on full colours only: a tint or a hatch leaves too little contrast. */
static bool
may_carry_text(const struct tp_series *series)
{
	return series->tint == 0 && series->hue != TP_HUE_IDLE && series->hue != TP_HUE_NONE;
}

static bool
labelled(const struct tp_chart *chart, size_t i, double width_px)
{
	char buf[LABEL_BUF];
	double total = tp_chart_total(chart, 0);

	return total > 0 && may_carry_text(&chart->series[i]) &&
		fits(long_label(chart, i, buf), used(&chart->series[i]) / total * width_px);
}

static void
draw_label(const struct tp_chart *chart, size_t i, struct tp_canvas *canvas, double left,
	double share, double top)
{
	char buf[LABEL_BUF];
	const struct tp_series *series = &chart->series[i];
	struct tp_canvas_text text = {.x = {left, PAD_PX},
		.y = top + BASELINE_PX,
		.ink = TP_INK_ON_MARK,
		.on = series->hue,
		.weight = 500};

	if (labelled(chart, i, canvas->width_px)) {
		text.text = long_label(chart, i, buf);
		text.wide = canvas->narrow_px > 0 && !fits(text.text, share * canvas->narrow_px);
		tp_canvas_write(canvas, text);
	}
	if ((text.text.len == 0 || text.wide) && canvas->narrow_px > 0 && may_carry_text(series) &&
		fits(series->label, share * canvas->narrow_px)) {
		text.text = series->label;
		text.wide = false;
		text.narrow = true;
		tp_canvas_write(canvas, text);
	}
}

/* "of Collectives, waiting at most 0.67 ms" */
static struct tp_slice
unused_label(
	const struct tp_chart *chart, const struct tp_series *series, char buf[static LABEL_BUF])
{
	char value_buf[TP_VALUE_BUF];
	struct tp_slice value = tp_value_text(tp_number(series->unused, chart->unit), value_buf);
	int n = snprintf(buf, LABEL_BUF, "%.*s %.*s", TP_ARG(series->unused_label), TP_ARG(value));

	return n < LABEL_BUF ? (struct tp_slice){buf, (size_t)n} : series->unused_label;
}

/* A class, with the end hatched that was paid for and not used. */
static void
draw_part(const struct tp_chart *chart, size_t i, struct tp_canvas *canvas, struct tp_x from,
	struct tp_x to, double top)
{
	char buf[LABEL_BUF];
	const struct tp_series *series = &chart->series[i];
	double width = to.share - from.share;
	struct tp_x split = {to.share - width * (series->unused / series->values[0]), 0};

	if (split.share > from.share)
		canvas->ops->mark(canvas, from, split, top, HEIGHT_PX, series->hue, series->tint,
			long_label(chart, i, buf));
	if (series->unused > 0)
		canvas->ops->mark(canvas, split, to, top, HEIGHT_PX, series->hue, TP_TINT_UNUSED,
			unused_label(chart, series, buf));
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	double total = tp_chart_total(chart, 0);
	double sum = 0;

	if (!(total > 0))
		return;
	for (size_t i = 0; i < chart->series_count; i++) {
		const struct tp_series *series = &chart->series[i];
		double left = sum / total;
		double share = series->values[0] / total;
		struct tp_x from = {left, 0}, to = {left + share, 0};

		if (!(share > 0))
			continue;
		sum += series->values[0];
		draw_part(chart, i, canvas, from, to, top);
		if (left > 0)
			canvas->ops->fill(canvas, from, (struct tp_x){left, 1}, top, HEIGHT_PX, TP_INK_PAPER);
		draw_label(chart, i, canvas, left, used(series) / total, top);
	}
}

const struct tp_chart_layout tp_stack_layout = {
	.height_px = HEIGHT_PX,
	.labelled = labelled,
	.draw = draw,
};
