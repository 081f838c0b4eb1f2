/* Axes: what ticks they have and how these are written. */
#ifndef TP_CHART_AXIS_H
#define TP_CHART_AXIS_H

#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_canvas;

/* An axis: round ticks in a unit that suits the largest value. */
struct tp_axis {
	enum tp_unit unit; /* of the ticks */
	double factor;     /* times a value of the chart gives the value in that unit */
	double top;        /* value at the upper edge, in that unit; > 0 */
	double step;       /* between ticks; the first tick is 0 */
	unsigned ticks;    /* how many, 0 included */
	int decimals;      /* that tick labels need */
};

/* An axis from 0 to a little above `largest` (in `unit`) with at most `most_ticks` (≥ 2) ticks. */
struct tp_axis tp_axis_for(double largest, enum tp_unit unit, unsigned most_ticks);

/* The same with more air above: room ≥ 1 times the largest value, whose unit stays that of the ticks. */
struct tp_axis tp_axis_with_room(
	double largest, double room, enum tp_unit unit, unsigned most_ticks);

/* The text of tick `index`: the number alone, with the unit when `with_unit`; zero without decimals. Points into buf. */
struct tp_slice tp_axis_tick(
	const struct tp_axis *axis, unsigned index, bool with_unit, char buf[static TP_VALUE_BUF]);

/* The smallest of 1, 2, 5, 10, 20, 50 … that divides `count` points into at most `most` ticks. */
size_t tp_axis_stride(size_t count, size_t most);

/* A logarithmic axis: whole decades, a tick at each or at every few of them. */
struct tp_log_axis {
	int low, high; /* exponents of ten at its two ends; low < high */
	int step;      /* decades between ticks */
};

/* The fewest whole decades that hold least … most (both > 0), with at most `ticks` (≥ 2) ticks. */
struct tp_log_axis tp_log_axis_for(double least, double most, int ticks);

/* Where a value lies: 0 at the lower end, 1 at the upper; beyond them outside. */
double tp_log_axis_at(const struct tp_log_axis *axis, double value);

/* The exponent of the tick `index`, the lowest being 0; > high: there is no such tick. */
int tp_log_axis_exponent(const struct tp_log_axis *axis, int index);

/* Ten to this power: "0.01", "1", "1,000"; with si "10 G", "100 m". Points into buf. */
enum { TP_LOG_TICK_BUF = 32 };
struct tp_slice tp_log_axis_tick(int exponent, bool si, char buf[static TP_LOG_TICK_BUF]);

/* A horizontal axis that need not begin at 0: round ticks in numbers, or in hours, minutes and seconds of UTC. */
enum { TP_X_AXIS_PX = 36, TP_X_TICKS = 8 };

struct tp_x_axis {
	double low, high;  /* low < high; utc: seconds since 1970 */
	bool utc;          /* ticks say the time of day, or the date */
	enum tp_unit unit; /* of a measure, whose ticks need not be whole; TP_UNIT_NONE: of a number */
	struct tp_slice title; /* "step", or what the times are */
};

/* Draws it from y down, TP_X_AXIS_PX high. */
void tp_x_axis_draw(struct tp_canvas *canvas, const struct tp_x_axis *axis, double y);

/* The ticks' places, at most TP_X_TICKS; returns how many. *step: between them. */
size_t tp_x_axis_ticks(const struct tp_x_axis *axis, double at[static TP_X_TICKS], double *step);

#endif
