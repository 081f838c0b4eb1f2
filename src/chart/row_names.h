/* Names of rows, left of a plot. */
#ifndef TP_CHART_ROW_NAMES_H
#define TP_CHART_ROW_NAMES_H

#include "chart/canvas.h"

/* The room that names need: one of three widths, so that the page's CSS can make it. Where the widest is not enough, a page on a very wide
 * screen has more. */
double tp_row_names_px(const struct tp_slice *names, size_t count, double size_px);

/* What a phone has of that room. */
double tp_row_names_phone_px(double room_px);

/* One of the names on the line y, cut where it needs more than that room; whole as its title then. What it has in common with
 * others of them gives way first. */
void tp_row_name_draw(struct tp_canvas *canvas, const struct tp_slice *names, size_t count,
	size_t own, double room_px, double y, double size_px, enum tp_ink ink);

/* The same of a head, whose row is empty: it is bold and whole, and may reach into the plot. */
void tp_row_head_draw(struct tp_canvas *canvas, const struct tp_slice *names, size_t count,
	size_t own, double room_px, double y, double size_px);

#endif
