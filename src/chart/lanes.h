/* Lanes of intervals over an axis that is shared with what stands below them. */
#ifndef TP_CHART_LANES_H
#define TP_CHART_LANES_H

#include "chart/canvas.h"
#include "report/doc.h"

/* Where a value of the axis is, 0…1. */
double tp_curves_share(const struct tp_curves *all, double x);

double tp_lanes_height(const struct tp_curves *all);
double tp_lanes_margin(const struct tp_curves *all); /* for their names; 0 without lanes */

/* Draws them from top down. */
void tp_lanes_draw(const struct tp_curves *all, struct tp_canvas *canvas, double top);

#endif
