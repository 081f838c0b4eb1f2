/* A flame graph: bars as wide as their part of the whole, each below what it is a part of; the whole is the uppermost. */
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>

#include "chart/canvas.h"
#include "chart/label.h"
#include "report/doc.h"

enum {
	ROW_PX = 20,
	GAP_PX = 1, /* of paper, between rows and between neighbours */
	BASELINE_PX = 14,
	PAD_PX = 5,
	TEXT_PX = 11,
	LEAST_LABEL_PX = 26, /* narrower ones say nothing that could be read */
	TEXT_BUF = 512,
};

static double
height(const struct tp_chart *chart)
{
	unsigned rows = 0;

	for (size_t i = 0; i < chart->frame_count; i++)
		rows = chart->frames[i].row >= rows ? chart->frames[i].row + 1 : rows;
	return rows * ROW_PX;
}

static struct tp_margins
margins(const struct tp_chart *chart)
{
	(void)chart;
	return (struct tp_margins){0, 0};
}

/* What of the label fits a bar of this width; empty: nothing. */
static struct tp_slice
fitting(const struct tp_frame *f, double width_px, char buf[static TEXT_BUF])
{
	double room = width_px - 2 * PAD_PX;

	if (width_px < LEAST_LABEL_PX || f->tint != 0)
		return TP_S("");
	return tp_label_cut(f->label, TEXT_PX, 400, room, buf, TEXT_BUF);
}

static void
draw_label(const struct tp_frame *f, struct tp_canvas *canvas, double top, struct tp_slice title)
{
	char wide[TEXT_BUF], narrow[TEXT_BUF];
	double share = f->to - f->from;
	struct tp_canvas_text text = {.x = {f->from, PAD_PX},
		.y = top + BASELINE_PX,
		.ink = TP_INK_ON_MARK,
		.on = f->hue,
		.size_px = TEXT_PX,
		.weight = 400,
		.text = fitting(f, share * canvas->width_px, wide),
		.title = title};
	struct tp_slice small = canvas->narrow_px > 0
		? fitting(f, share * fmin(canvas->narrow_px, canvas->width_px), narrow)
		: TP_S("");

	text.wide = canvas->narrow_px > 0 && !tp_slice_eq(small, text.text);
	if (text.text.len != 0)
		canvas->ops->text(canvas, &text);
	if (!text.wide || small.len == 0)
		return;
	text.wide = false;
	text.narrow = true;
	text.text = small;
	canvas->ops->text(canvas, &text);
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	char title[TEXT_BUF];

	for (size_t i = 0; i < chart->frame_count; i++) {
		const struct tp_frame *f = &chart->frames[i];
		double y = top + (double)f->row * ROW_PX;
		int n = snprintf(title, sizeof title, "%.*s%s%.*s", TP_ARG(f->label),
			f->note.len != 0 ? ": " : "", TP_ARG(f->note));
		struct tp_slice said = n < TEXT_BUF ? (struct tp_slice){title, (size_t)n} : f->note;

		canvas->ops->mark(canvas, (struct tp_x){f->from, 0}, (struct tp_x){f->to, 0}, y,
			ROW_PX - GAP_PX, f->hue, f->tint, said);
		if (f->from > 0)
			canvas->ops->fill(canvas, (struct tp_x){f->from, 0}, (struct tp_x){f->from, GAP_PX}, y,
				ROW_PX - GAP_PX, TP_INK_PAPER);
		draw_label(f, canvas, y, said);
	}
}

const struct tp_chart_layout tp_flame_layout = {
	.height = height,
	.margins = margins,
	.draw = draw,
};
