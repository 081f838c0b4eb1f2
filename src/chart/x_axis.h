/* A horizontal axis that need not begin at 0: round ticks in numbers, or in hours, minutes and seconds of UTC. */
#ifndef TP_CHART_X_AXIS_H
#define TP_CHART_X_AXIS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_canvas;

enum { TP_X_AXIS_PX = 36, TP_X_TICKS = 8 };

struct tp_x_axis {
	double low, high;      /* low < high; utc: seconds since 1970 */
	bool utc;              /* ticks say the time of day, or the date */
	struct tp_slice title; /* "step", or what the times are */
};

/* Draws it from y down, TP_X_AXIS_PX high. */
void tp_x_axis_draw(struct tp_canvas *canvas, const struct tp_x_axis *axis, double y);

/* The ticks' places, at most TP_X_TICKS; returns how many. *step: between them. */
size_t tp_x_axis_ticks(const struct tp_x_axis *axis, double at[static TP_X_TICKS], double *step);

#endif
