/* A strip being drawn: what its columns and its labels share. */
#ifndef TP_CHART_STRIP_H
#define TP_CHART_STRIP_H

#include <math.h>

#include "chart/axis.h"
#include "chart/canvas.h"
#include "chart/chart.h"
#include "report/doc.h"

enum {
	TP_STRIP_COLUMNS =
		240, /* more are too thin to see: a column then stands for the slowest of its points */
	TP_STRIP_TEXT_PX = 11,
	TP_STRIP_NAME_BELOW_PX = 15, /* from the base line to that of names */
	TP_STRIP_TITLE = 512,        /* bytes of a tooltip or label */
};

struct tp_strip {
	const struct tp_chart *chart;
	struct tp_canvas *canvas;
	struct tp_axis axis;
	double top, base; /* y of the upper edge and of the base line */
	size_t columns;
	struct tp_strip_slot slot;
	size_t point[TP_STRIP_COLUMNS]; /* that each column shows */
	size_t marked;                  /* column, or SIZE_MAX */
};

/* y of a value in the chart's unit; the upper edge for what is above it. */
static inline double
tp_strip_y(const struct tp_strip *s, double value)
{
	return fmax(s->top, s->base - value * s->axis.factor / s->axis.top * (s->base - s->top));
}

/* Whether a value is beyond an axis that cuts columns. */
static inline bool
tp_strip_is_above(const struct tp_strip *s, double value)
{
	return value * s->axis.factor > s->axis.top;
}

/* What is marked of the outlined point, in the chart's unit. */
static inline double
tp_strip_marked_value(const struct tp_strip *s)
{
	return s->chart->marked_value > 0 ? s->chart->marked_value
									  : tp_chart_total(s->chart, s->point[s->marked]);
}

static inline double
tp_strip_left(const struct tp_strip *s, size_t column)
{
	return ((double)column + s->slot.left) / (double)s->columns;
}

static inline double
tp_strip_right(const struct tp_strip *s, size_t column)
{
	return ((double)column + s->slot.left + s->slot.width) / (double)s->columns;
}

/* Above which value columns are cut; INFINITY: none is (strip_cut.c). */
double tp_strip_cap(const struct tp_chart *chart);
bool tp_strip_is_cut(const struct tp_strip *s, size_t column);

/* Their breaks and figures. */
void tp_strip_draw_cuts(const struct tp_strip *s);

/* What lies between columns whose numbers do not follow each other (strip_gap.c). */
void tp_strip_draw_gaps(const struct tp_strip *s);

/* Names of points below the base line, the outlined point's value, what a column stands for (strip_label.c). */
void tp_strip_label(const struct tp_strip *s);

#endif
