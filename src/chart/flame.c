/* A flame graph: bars as wide as their part of the whole, each below what it is a part of; the whole is the uppermost. */
#include "chart/layout.h"

#include <stdio.h>

#include "chart/canvas.h"
#include "chart/label.h"

enum {
	ROW_PX = 20,
	GAP_PX = 1, /* of paper, between rows and between neighbours */
	BASELINE_PX = 14,
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
		/* On a pale tint the page's own ink is read best. */
		tp_bar_label_draw(canvas, f->label,
			(struct tp_bar){f->from, f->to, f->to, f->tint == 0 ? f->hue : TP_HUE_NONE},
			y + BASELINE_PX, said);
	}
}

const struct tp_chart_layout tp_flame_layout = {
	.height = height,
	.draw = draw,
};
