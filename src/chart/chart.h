/* Laying out charts on a canvas. */
#ifndef TP_CHART_CHART_H
#define TP_CHART_CHART_H

#include "base/number.h"
#include "report/direction.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_canvas;
struct tp_chart;
struct tp_series;

/* Height in px that the chart needs on a canvas of this width (legend included). */
double tp_chart_height(const struct tp_chart *chart, double width_px);

/* Draws the chart with its legend. */
void tp_chart_draw(const struct tp_chart *chart, struct tp_canvas *canvas);

/* The same without the legend, for a page that sets it as text: HTML wraps it at any width. */
double tp_chart_plot_height(const struct tp_chart *chart);
void tp_chart_draw_plot(const struct tp_chart *chart, struct tp_canvas *canvas);

/* Room for labels left and right of the plot; tp_chart_draw asks the canvas for it. */
struct tp_margins {
	int left_px, right_px;
};
struct tp_margins tp_chart_margins(const struct tp_chart *chart);

/* What a legend says, one entry a series that is not zero throughout. */
struct tp_legend_entry {
	const struct tp_series *series;
	struct tp_slice label;
	int tint;
	struct tp_value value, share; /* of one-bar charts, else missing */
	bool labelled;                /* its label stands in the bar on a plot of this width */
	bool unused;                  /* it is of the hatched part of the series before it */
	bool live;                    /* not drawn: only a script draws it */
};

/* How many entries a legend has at most. */
size_t tp_chart_legend_most(const struct tp_chart *chart);

/* Fills entries (room for so many) and returns how many; 0 when the chart has no legend. */
size_t tp_chart_legend(
	const struct tp_chart *chart, double width_px, struct tp_legend_entry *entries);
bool tp_chart_legend_above(const struct tp_chart *chart); /* else below */

/* Each column has an equal part of the width: where in it the column is, as shares of that part. */
struct tp_strip_slot {
	double left, width;
};

/* Where on the plot of a strip its axis and its columns are. */
struct tp_strip_axis {
	struct tp_strip_slot slot;
	double height_px; /* from 0 to the base line */
	double top;       /* in the chart's unit, what the upper edge stands for; 0 is the base line */
};
struct tp_strip_axis tp_chart_strip_axis(const struct tp_chart *chart);

/* The small curve of a tile, 24 px high, over the whole width: scaled min…max, but the height is a tenth of the largest value at
 * least; a dot at the worst value (the highest where less is better), or at that farthest from the median where nothing is, unless all differ
 * by less than 2 % of the largest. */
enum { TP_SPARK_HEIGHT_PX = 24, TP_SPARK_WORDS_BUF = 160 };
void tp_spark_draw(
	const double *values, size_t count, enum tp_direction better, struct tp_canvas *canvas);

/* The same in words, with what the dot is; empty for fewer than two values. Points into buf. */
struct tp_slice tp_spark_words(const double *values, size_t count, enum tp_direction better,
	char buf[static TP_SPARK_WORDS_BUF]);

#endif
