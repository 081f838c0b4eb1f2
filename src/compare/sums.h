/* What a table of changes ends in. */
#ifndef TP_COMPARE_SUMS_H
#define TP_COMPARE_SUMS_H

#include "base/number.h"
#include "base/slice.h"

#include <stddef.h>

struct tp_comparison;
struct tp_doc;

/* The metric that times of a step are part of. */
#define TP_MEAN_STEP "step.time.mean_ms"

struct tp_sum {
	struct tp_slice name;
	double a, b;
};

enum { TP_SUMS = 3 };

/* "All", which the rows add up to; and where the whole that they are part of is known of both runs, the "Remainder" and it: "Mean step" or
 * "Peak". Returns how many. whole: the id of its metric; NULL: there is none. */
size_t tp_compare_sums(const struct tp_comparison *c, const char *whole, enum tp_unit unit,
	double a, double b, struct tp_sum out[static TP_SUMS]);

/* What sums over a capture are multiplied by to be of one step and of one of what works side by side, as the metrics count them; NaN where
 * steps are not known. cores: NULL where one works. */
double tp_compare_per_step(const struct tp_doc *doc, const char *steps, const char *cores);

#endif
