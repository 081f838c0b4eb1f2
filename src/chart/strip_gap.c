/* Where the numbers of columns leave some out, they are kept apart: a dashed line, and dots in the row of names that say which. */
#include "chart/strip.h"

#include <math.h>
#include <stdio.h>

#include "chart/label.h"
#include "report/strip_gaps.h"

enum { DOTS_ROOM_PX = 24 };

/* Whether dots between a column and the next have room between their names. */
static bool
has_room(const struct tp_strip *s, size_t column, double width_px)
{
	double most = 0;

	for (size_t c = column; c < column + 2; c++)
		most = fmax(most, tp_label_width(s->chart->labels[s->point[c]], TP_STRIP_TEXT_PX, 400));
	return width_px / (double)s->columns - most >= DOTS_ROOM_PX;
}

static void
draw_gap(const struct tp_strip *s, const struct tp_strip_gap *gap)
{
	double middle = (tp_strip_right(s, gap->after) + tp_strip_left(s, gap->after + 1)) / 2;
	char title[TP_STRIP_TITLE];
	int n = gap->from == gap->to
		? snprintf(title, sizeof title, "no figures of %zu", gap->from)
		: snprintf(title, sizeof title, "no figures of %zu–%zu", gap->from, gap->to);

	s->canvas->ops->line(s->canvas, (struct tp_x){middle, 0}, s->top, (struct tp_x){middle, 0},
		s->base, TP_INK_INK3, 1, true);
	if (has_room(s, gap->after, s->canvas->width_px))
		TP_WRITE(s->canvas, .x = {middle, 0}, .y = s->base + TP_STRIP_NAME_BELOW_PX,
			.anchor = TP_ANCHOR_MIDDLE, .ink = TP_INK_INK3, .text = TP_S("…"),
			.title = {title, (size_t)n},
			.wide = !has_room(s, gap->after, tp_canvas_least_px(s->canvas)));
}

void
tp_strip_draw_gaps(const struct tp_strip *s)
{
	struct tp_strip_gap gaps[TP_STRIP_MOST_GAPS];
	size_t count = tp_strip_gaps(s->chart, gaps);

	for (size_t i = 0; i < count; i++)
		draw_gap(s, &gaps[i]);
}
