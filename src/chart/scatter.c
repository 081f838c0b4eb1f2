/* Points on two logarithmic axes below ceilings: a roofline. The area of a mark is its weight. */
#include "chart/scatter.h"

#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "chart/layout.h"

enum {
	TITLE_PX = 20, /* of the y axis, above the plot */
	PLOT_PX = 280,
	TICKS_PX = 16,
	X_TITLE_PX = 16,
	LEFT_PX = 38,
	MOST_TICKS = 7,
	BETWEEN_PX = 6, /* labels of the x axis, at least */
	CROSS_PX = 6,   /* half its size */
	SQUARE_PX = 4,
	TITLE_BUF = 512,
	LABEL_BYTES = TITLE_BUF - 2 * TP_VALUE_BUF - 8, /* of a tooltip; what is longer is cut */
};
static const double cross_stroke = 2;

struct range {
	double least, most;
};

static void
widen(struct range *r, double value)
{
	if (!(value > 0) || !isfinite(value))
		return;
	r->least = r->least == 0 || value < r->least ? value : r->least;
	r->most = value > r->most ? value : r->most;
}

/* Axes hold all points, the flat ceiling and where slopes meet it. */
static void
set_axes(struct tp_scatter_plot *p)
{
	const struct tp_scatter *s = p->scatter;
	double flat = tp_scatter_flat(s);
	struct range x = {0}, y = {0};

	for (size_t i = 0; i < s->point_count; i++) {
		widen(&x, s->points[i].x);
		widen(&y, s->points[i].y);
		if (s->points[i].weight > p->heaviest)
			p->heaviest = s->points[i].weight;
	}
	for (size_t i = 0; i < s->ceiling_count; i++) {
		widen(&y, s->ceilings[i].y);
		/* A little to the right of it, so that the flat part can be seen. */
		if (s->ceilings[i].slope > 0 && flat > 0 && !s->ceilings[i].minor)
			widen(&x, 2 * flat / s->ceilings[i].slope);
	}
	p->x = tp_log_axis_for(x.least, x.most, MOST_TICKS);
	p->y = tp_log_axis_for(y.least, y.most, MOST_TICKS);
}

static void
tick_text(const struct tp_scatter_plot *p, struct tp_x x, double y, enum tp_anchor anchor,
	bool wide, struct tp_slice text)
{
	TP_WRITE(p->canvas, .x = x, .y = y, .anchor = anchor, .ink = TP_INK_INK3, .wide = wide,
		.text = text);
}

/* Px from the left at which a label of the x axis begins and ends on a page of this width: the first and the last stay within
 * the plot. */
struct extent {
	double begin, end;
};

static enum tp_anchor
anchor_of(const struct tp_scatter_plot *p, int exponent)
{
	return exponent == p->x.high ? TP_ANCHOR_END
		: exponent == p->x.low   ? TP_ANCHOR_START
								 : TP_ANCHOR_MIDDLE;
}

static struct extent
extent_of(const struct tp_scatter_plot *p, int exponent, double width_px)
{
	char buf[TP_LOG_TICK_BUF];
	double length = p->canvas->ops->measure(
		p->canvas, tp_log_axis_tick(exponent, false, buf), TP_SCATTER_TEXT_PX, 400);
	double at = tp_scatter_x(p, pow(10, exponent)) * width_px;
	enum tp_anchor anchor = anchor_of(p, exponent);

	at -= anchor == TP_ANCHOR_END ? length : anchor == TP_ANCHOR_MIDDLE ? length / 2 : 0;
	return (struct extent){at, at + length};
}

/* Of labels in each other's way the last one stays. */
static bool
is_clear_of_next(const struct tp_scatter_plot *p, int index, double width_px)
{
	int exponent = tp_log_axis_exponent(&p->x, index),
		next = tp_log_axis_exponent(&p->x, index + 1);

	return width_px <= 0 || next > p->x.high ||
		extent_of(p, exponent, width_px).end + BETWEEN_PX <= extent_of(p, next, width_px).begin;
}

static void
draw_axes(const struct tp_scatter_plot *p)
{
	struct tp_canvas *c = p->canvas;
	const struct tp_x left = {0, 0}, right = {1, 0};
	char buf[TP_LOG_TICK_BUF];

	for (int i = 0; tp_log_axis_exponent(&p->x, i) <= p->x.high; i++) {
		int exponent = tp_log_axis_exponent(&p->x, i);
		struct tp_x at = {tp_scatter_x(p, pow(10, exponent)), 0};

		c->ops->line(c, at, p->top, at, p->base, TP_INK_LINE, 1, false);
		if (is_clear_of_next(p, i, c->width_px))
			tick_text(p, at, p->base + TICKS_PX, anchor_of(p, exponent),
				!is_clear_of_next(p, i, c->narrow_px), tp_log_axis_tick(exponent, false, buf));
	}
	for (int i = 0; tp_log_axis_exponent(&p->y, i) <= p->y.high; i++) {
		int exponent = tp_log_axis_exponent(&p->y, i);
		double y = tp_scatter_y(p, pow(10, exponent));

		c->ops->line(c, left, y, right, y, TP_INK_LINE, 1, false);
		tick_text(p, (struct tp_x){0, -6}, y + 4, TP_ANCHOR_END, false,
			tp_log_axis_tick(exponent, true, buf));
	}
	c->ops->line(c, left, p->base, right, p->base, TP_INK_LINE2, 1, false);
	tick_text(
		p, (struct tp_x){0, 2 - LEFT_PX}, p->top - 8, TP_ANCHOR_START, false, p->scatter->y_title);
	tick_text(
		p, right, p->base + TICKS_PX + X_TITLE_PX - 2, TP_ANCHOR_END, false, p->scatter->x_title);
}

/* A slope from where it enters the plot up to the flat ceiling, and with the major one that ceiling itself. */
static void
draw_slope(const struct tp_scatter_plot *p, const struct tp_ceiling *slope)
{
	struct tp_canvas *c = p->canvas;
	double flat = tp_scatter_flat(p->scatter);
	double begin = tp_scatter_begin(p, slope), top = pow(10, p->y.high);
	double end = (flat > 0 ? flat : top) / slope->slope;
	double xs[3] = {tp_scatter_x(p, begin), tp_scatter_x(p, end), 1};
	double ys[3] = {tp_scatter_y(p, begin * slope->slope), tp_scatter_y(p, end * slope->slope)};

	ys[2] = ys[1];
	if (!(end > begin))
		return;
	c->ops->curve(c, (struct tp_x){0, 0}, (struct tp_x){1, 0}, xs, ys,
		!slope->minor && flat > 0 && xs[1] < 1 ? 3 : 2, false, p->base,
		slope->minor ? TP_INK_INK3 : TP_INK_INK, slope->minor ? 1 : 1.5);
	if (!slope->minor && flat > 0) {
		struct tp_x ridge = {xs[1], 0};

		c->ops->line(c, ridge, ys[1], ridge, p->base, TP_INK_INK3, 1, true);
	}
}

static void
draw_ceilings(const struct tp_scatter_plot *p)
{
	const struct tp_scatter *s = p->scatter;
	bool sloped = false;

	for (int minor = 1; minor >= 0; minor--) {
		for (size_t i = 0; i < s->ceiling_count; i++) {
			if (s->ceilings[i].slope > 0 && s->ceilings[i].minor == minor)
				draw_slope(p, &s->ceilings[i]);
			sloped |= s->ceilings[i].slope > 0 && !s->ceilings[i].minor;
		}
	}
	if (!sloped && tp_scatter_flat(s) > 0) {
		double y = tp_scatter_y(p, tp_scatter_flat(s));

		p->canvas->ops->line(
			p->canvas, (struct tp_x){0, 0}, y, (struct tp_x){1, 0}, y, TP_INK_INK, 1.5, false);
	}
}

static struct tp_slice
title_of(const struct tp_scatter_plot *p, const struct tp_point *point, char buf[static TITLE_BUF])
{
	char x_buf[TP_VALUE_BUF], y_buf[TP_VALUE_BUF];
	struct tp_slice x = tp_value_text(tp_number(point->x, p->scatter->x_unit), x_buf);
	struct tp_slice y = tp_value_text(tp_number(point->y, p->chart->unit), y_buf);
	struct tp_slice label = {point->label.ptr, tp_utf8_fit(point->label, LABEL_BYTES)};
	int n = snprintf(buf, TITLE_BUF, "%.*s: %.*s at %.*s", TP_ARG(label), TP_ARG(y), TP_ARG(x));

	return (struct tp_slice){buf, (size_t)n};
}

static void
draw_point(const struct tp_scatter_plot *p, const struct tp_point *point)
{
	struct tp_canvas *c = p->canvas;
	double share = tp_scatter_x(p, point->x), y = tp_scatter_y(p, point->y);
	char buf[TITLE_BUF];

	switch (point->role) {
	case TP_POINT_OTHER:
	case TP_POINT_NAMED:
		c->ops->disc(c, (struct tp_x){share, 0}, y, tp_scatter_radius(p, point), point->hue,
			point->role == TP_POINT_OTHER, title_of(p, point, buf));
		break;
	case TP_POINT_WHOLE:
		c->ops->fill(c, (struct tp_x){share, -CROSS_PX}, (struct tp_x){share, CROSS_PX},
			y - cross_stroke / 2, cross_stroke, TP_INK_INK);
		c->ops->fill(c, (struct tp_x){share, -cross_stroke / 2},
			(struct tp_x){share, cross_stroke / 2}, y - CROSS_PX, 2 * CROSS_PX, TP_INK_INK);
		break;
	case TP_POINT_MEAN:
		c->ops->frame(c, (struct tp_x){share, -SQUARE_PX}, (struct tp_x){share, SQUARE_PX},
			y - SQUARE_PX, 2 * SQUARE_PX, TP_INK_INK, 1.5);
		break;
	}
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	static const enum tp_point_role order[] = {
		TP_POINT_OTHER, TP_POINT_NAMED, TP_POINT_MEAN, TP_POINT_WHOLE};
	struct tp_scatter_plot p = {.chart = chart,
		.scatter = chart->scatter,
		.canvas = canvas,
		.top = top + TITLE_PX,
		.base = top + TITLE_PX + PLOT_PX};

	set_axes(&p);
	draw_axes(&p);
	draw_ceilings(&p);
	for (size_t r = 0; r < sizeof order / sizeof *order; r++) {
		/* The less important first, so that none is hidden below it. */
		for (size_t i = p.scatter->point_count; i-- > 0;) {
			if (p.scatter->points[i].role == order[r])
				draw_point(&p, &p.scatter->points[i]);
		}
	}
	tp_scatter_label(&p);
}

const struct tp_chart_layout tp_scatter_layout = {
	.height_px = TITLE_PX + PLOT_PX + TICKS_PX + X_TITLE_PX,
	.room = {LEFT_PX, 0},
	.draw = draw,
};
