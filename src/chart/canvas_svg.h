/* A canvas that writes SVG for an HTML page: one layout for all widths, colours by CSS class, and by attribute for where no CSS is let in. */
#ifndef TP_CHART_CANVAS_SVG_H
#define TP_CHART_CANVAS_SVG_H

#include "chart/canvas.h"

struct tp_html;

struct tp_canvas_svg {
	struct tp_canvas canvas;
	struct tp_html *out;
};

/* Ready to draw the content of an <svg> element that the caller opens and closes. */
void tp_canvas_svg_init(
	struct tp_canvas_svg *c, struct tp_html *out, double width_px, double narrow_px);

/* Attributes of a mark that is just opened: the class, fill and opacity of a hue and tint. */
void tp_svg_hue(struct tp_html *h, enum tp_hue hue, int tint);

/* A plain fill for the element around a mark that has a pattern: where attributes that name a pattern are taken away, it holds. */
void tp_svg_below_pattern(struct tp_html *h, enum tp_hue hue, int tint);

/* The class that fills with a hue and tint: "c-input t1". Points into buf. */
struct tp_slice tp_hue_class(enum tp_hue hue, int tint, char buf[static 32]);

#endif
