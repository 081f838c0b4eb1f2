/* Numbers that the points of a strip leave out: steps of which there are no figures, between two that stand beside each other. */
#ifndef TP_REPORT_STRIP_GAPS_H
#define TP_REPORT_STRIP_GAPS_H

#include "base/slice.h"

#include <stddef.h>

struct tp_chart;

/* Of more points each may stand for several, and their numbers say nothing. */
enum { TP_STRIP_MOST_GAPS = 120 };

struct tp_strip_gap {
	size_t after;    /* the point before it */
	size_t from, to; /* the numbers left out, from ≤ to */
};

/* The whole number that a label says ("4,231"), or SIZE_MAX. */
size_t tp_label_number(struct tp_slice label);

/* The gaps of a strip that has rules (others may show a choice of their points); none where numbers are evenly apart, as
 * of every hundredth step. Returns how many. */
size_t tp_strip_gaps(
	const struct tp_chart *chart, struct tp_strip_gap gaps[static TP_STRIP_MOST_GAPS]);

#endif
