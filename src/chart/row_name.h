/* Names of rows, at the left of a plot. */
#ifndef TP_CHART_ROW_NAME_H
#define TP_CHART_ROW_NAME_H

#include "chart/canvas.h"

/* The room that names need: one of two widths, so that the page's CSS can make it. */
double tp_row_names_px(const struct tp_slice *names, size_t count, double size_px);

/* One name on the line y, cut where it needs more than that room; whole as its title then. */
void tp_row_name_draw(struct tp_canvas *canvas, struct tp_slice name, double room_px, double y,
	double size_px, enum tp_ink ink);

#endif
