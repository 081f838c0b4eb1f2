/* Columns many times as high as is usual, as of a first step that compiles: cut, so that all others can be told apart. */
#include "chart/strip.h"

#include <math.h>
#include <stdio.h>

#include "chart/label.h"

/* By the least rule, which is that of the usual point: a column as high as so many of it is cut … */
static const double far_from_usual = 5;
/* … where no more than one of so many is. */
enum { SHARE_OF_CUT = 8 };
/* How far above the others a cut one goes. */
static const double above_others = 1.25;

enum {
	BREAK_BELOW_PX = 12, /* from the upper edge to the middle of the break */
	BREAK_HALF_PX = 2,
	BREAK_STROKE_PX = 3,
	FIGURE_GAP_PX = 6, /* between a cut column and its figure */
	FIGURE_BELOW_PX = 10,
	MOST_FIGURES = 3, /* of cut columns beside each other */
};

static double
usual(const struct tp_chart *chart)
{
	double least = INFINITY;

	for (size_t i = 0; i < chart->rule_count; i++)
		least = fmin(least, chart->rules[i].value);
	return least;
}

double
tp_strip_cap(const struct tp_chart *chart)
{
	double limit = far_from_usual * usual(chart), rest = usual(chart);
	size_t far = 0;

	if (chart->area || chart->rule_count == 0 || !(limit > 0))
		return INFINITY;
	for (size_t i = 0; i < chart->point_count; i++) {
		double total = tp_chart_total(chart, i);

		if (total > limit)
			far++;
		else
			rest = fmax(rest, total);
	}
	if (far == 0 || (far > 1 && far > chart->point_count / SHARE_OF_CUT))
		return INFINITY;
	return above_others * rest;
}

bool
tp_strip_is_cut(const struct tp_strip *s, size_t column)
{
	return tp_strip_is_above(s, tp_chart_total(s->chart, s->point[column]));
}

/* A zigzag of paper across the column. */
static void
draw_break(const struct tp_strip *s, size_t column)
{
	enum { CORNERS = 5 };
	struct tp_x left = {tp_strip_left(s, column), 0}, right = {tp_strip_right(s, column), 0};
	double xs[CORNERS], ys[CORNERS];

	for (int i = 0; i < CORNERS; i++) {
		xs[i] = (double)i / (CORNERS - 1);
		ys[i] = s->top + BREAK_BELOW_PX + (i % 2 == 0 ? BREAK_HALF_PX : -BREAK_HALF_PX);
	}
	s->canvas->ops->curve(
		s->canvas, left, right, xs, ys, CORNERS, false, s->base, TP_INK_PAPER, BREAK_STROKE_PX);
}

/* "8.21 s, 2.10 s": how high the cut columns from `from` up to `to` are, right of them, else left. */
static void
draw_figures(const struct tp_strip *s, size_t from, size_t to)
{
	char text[TP_STRIP_TITLE] = "", buf[TP_VALUE_BUF];
	size_t len = 0;

	for (size_t c = from; c < to && c < from + MOST_FIGURES; c++) {
		struct tp_value total = tp_number(tp_chart_total(s->chart, s->point[c]), s->chart->unit);
		struct tp_slice figure = tp_value_text(total, buf);

		len += (size_t)snprintf(
			text + len, sizeof text - len, "%s%.*s", c == from ? "" : ", ", TP_ARG(figure));
	}
	if (to > from + MOST_FIGURES)
		len += (size_t)snprintf(text + len, sizeof text - len, " …");
	struct tp_slice words = {text, len};
	double width = tp_label_width(words, TP_STRIP_TEXT_PX, 600) + FIGURE_GAP_PX;
	double left = tp_strip_left(s, from), right = tp_strip_right(s, to - 1);
	bool fits = right * s->canvas->width_px + width <= s->canvas->width_px;

	if (!fits && left * s->canvas->width_px < width)
		return;
	double least_px = tp_canvas_least_px(s->canvas);

	TP_WRITE(s->canvas, .x = {fits ? right : left, fits ? FIGURE_GAP_PX : -FIGURE_GAP_PX},
		.y = s->top + FIGURE_BELOW_PX, .anchor = fits ? TP_ANCHOR_START : TP_ANCHOR_END,
		.ink = TP_INK_INK, .weight = 600, .halo = true, .text = words,
		.wide = (fits ? (1 - right) : left) * least_px < width);
}

void
tp_strip_draw_cuts(const struct tp_strip *s)
{
	for (size_t from = 0, to; from < s->columns; from = to + 1) {
		for (to = from; to < s->columns && tp_strip_is_cut(s, to); to++)
			draw_break(s, to);
		if (to != from)
			draw_figures(s, from, to);
	}
}
