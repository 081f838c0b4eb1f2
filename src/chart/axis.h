/* An axis: round ticks in a unit that suits the largest value. */
#ifndef TP_CHART_AXIS_H
#define TP_CHART_AXIS_H

#include "base/number.h"

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

/* The text of tick `index`: the number alone, with the unit when `with_unit`. Points into buf. */
struct tp_slice tp_axis_tick(
	const struct tp_axis *axis, unsigned index, bool with_unit, char buf[static TP_VALUE_BUF]);

/* The smallest of 1, 2, 5, 10, 20, 50 … that divides `count` points into at most `most` ticks. */
size_t tp_axis_stride(size_t count, size_t most);

#endif
