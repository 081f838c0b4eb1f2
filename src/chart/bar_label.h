/* What a bar says in itself, where there is room. */
#ifndef TP_CHART_BAR_LABEL_H
#define TP_CHART_BAR_LABEL_H

#include "chart/canvas.h"

/* As much of a label as fits between two shares of the width, on the line y; nothing where that could not be read. On a phone
 * it is cut to the phone's width. title: its tooltip. */
void tp_bar_label_draw(struct tp_canvas *canvas, struct tp_slice label, double from, double to,
	double y, enum tp_hue hue, struct tp_slice title);

#endif
