/* What one kind of chart tells chart.c: how high it is, what room its labels need, how it is drawn. */
#ifndef TP_CHART_LAYOUT_H
#define TP_CHART_LAYOUT_H

#include "chart/chart.h"

struct tp_chart_layout {
	double (*height)(const struct tp_chart *chart); /* of the plot, without the legend */
	struct tp_margins (*margins)(const struct tp_chart *chart);
	bool legend_above;
	/* Whether a legend entry is already said in the plot; NULL: never. width_px is that of the plot. */
	bool (*labelled)(const struct tp_chart *chart, size_t series, double width_px);
	void (*draw)(const struct tp_chart *chart, struct tp_canvas *canvas, double top);
};

extern const struct tp_chart_layout tp_stack_layout, tp_strip_layout, tp_bars_layout,
	tp_scatter_layout, tp_tile_layout, tp_grid_layout, tp_flame_layout, tp_curves_layout,
	tp_diagram_layout;

/* The legend as drawn on a canvas. */
double tp_legend_height(const struct tp_chart *chart, double width_px);
void tp_legend_draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top);

/* The sum over all series at one point. */
double tp_chart_total(const struct tp_chart *chart, size_t point);

#endif
