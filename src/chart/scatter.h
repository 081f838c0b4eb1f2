/* A scatter chart being drawn: what its marks and its labels share. */
#ifndef TP_CHART_SCATTER_H
#define TP_CHART_SCATTER_H

#include "chart/axis.h"
#include "chart/canvas.h"
#include "report/doc.h"

#include <math.h>

enum { TP_SCATTER_TEXT_PX = 11 };

struct tp_scatter_plot {
	const struct tp_chart *chart;
	const struct tp_scatter *scatter;
	struct tp_canvas *canvas;
	struct tp_log_axis x, y;
	double top, base; /* y in px of the plot's upper and lower edge */
	double heaviest;  /* weight */
};

/* Share of the width at which x stands. */
static inline double
tp_scatter_x(const struct tp_scatter_plot *p, double x)
{
	return tp_log_axis_at(&p->x, x);
}

/* y in px from the top. */
static inline double
tp_scatter_y(const struct tp_scatter_plot *p, double y)
{
	return p->base - tp_log_axis_at(&p->y, y) * (p->base - p->top);
}

/* The area of a mark is its weight. */
static inline double
tp_scatter_radius(const struct tp_scatter_plot *p, const struct tp_point *point)
{
	const double smallest_px = 1.6, largest_px = 9;
	double share = p->heaviest > 0 ? point->weight / p->heaviest : 0;

	return fmax(largest_px * sqrt(share), smallest_px);
}

/* The least x at which a slope is within the plot. */
static inline double
tp_scatter_begin(const struct tp_scatter_plot *p, const struct tp_ceiling *slope)
{
	return fmax(pow(10, p->x.low), pow(10, p->y.low) / slope->slope);
}

/* The lowest flat ceiling; 0: there is none. */
static inline double
tp_scatter_flat(const struct tp_scatter *s)
{
	double lowest = 0;

	for (size_t i = 0; i < s->ceiling_count; i++) {
		if (s->ceilings[i].y > 0 && (lowest == 0 || s->ceilings[i].y < lowest))
			lowest = s->ceilings[i].y;
	}
	return lowest;
}

/* Writes what labels find room, the important first (scatter_label.c). */
void tp_scatter_label(const struct tp_scatter_plot *p);

#endif
