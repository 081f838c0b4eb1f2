/* What one kind of chart tells chart.c: how high it is, what room its labels need, how it is drawn. */
#ifndef TP_CHART_LAYOUT_H
#define TP_CHART_LAYOUT_H

#include "chart/chart.h"
#include "report/chart.h"

struct tp_chart_layout {
	double height_px;                               /* of the plot, without the legend */
	double (*height)(const struct tp_chart *chart); /* where it is not the same for all */
	struct tp_margins room;
	struct tp_margins (*margins)(const struct tp_chart *chart); /* likewise */
	bool legend_above;
	/* Whether a legend entry is already said in the plot; NULL: never. width_px is that of the plot. */
	bool (*labelled)(const struct tp_chart *chart, size_t series, double width_px);
	void (*draw)(const struct tp_chart *chart, struct tp_canvas *canvas, double top);
};

#define TP_CHART_LAYOUT(KIND, name) extern const struct tp_chart_layout tp_##name##_layout;
TP_CHART_KINDS(TP_CHART_LAYOUT)
#undef TP_CHART_LAYOUT

#endif
