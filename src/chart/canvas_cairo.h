/* The canvas that makes vector graphics with cairo and pango: charts in the PDF. */
#ifndef TP_CHART_CANVAS_CAIRO_H
#define TP_CHART_CANVAS_CAIRO_H

#include "chart/canvas.h"

#include <cairo.h>
#include <pango/pango.h>

struct tp_canvas_cairo {
	struct tp_canvas canvas; /* hand &c->canvas to tp_chart_draw */
	cairo_t *cr;             /* borrowed; its origin is the chart's top left, one unit is a px */
	PangoContext *pango;     /* borrowed; must know the family "Inter" */
	double left_px;          /* margin left of share 0 */
};

/* Makes *c ready to draw on cr. The caller has moved the origin and scaled to px, and keeps both handles alive. */
void tp_canvas_cairo_init(
	struct tp_canvas_cairo *c, cairo_t *cr, PangoContext *pango, double width_px);

/* The colours of print, for what is drawn beside charts as well. */

/* Makes an ink the colour that is drawn with. */
void tp_cairo_set_ink(cairo_t *cr, enum tp_ink ink);

/* Fills a box in the colour of a class of time: tints 1…3 paler, what is not used hatched, what was not recorded dotted. */
void tp_cairo_mark(
	cairo_t *cr, double x, double y, double width, double height, enum tp_hue hue, int tint);

#endif
