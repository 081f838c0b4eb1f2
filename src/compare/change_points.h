/* Where a series of runs changes its level. */
#ifndef TP_COMPARE_CHANGE_POINTS_H
#define TP_COMPARE_CHANGE_POINTS_H

#include <stddef.h>

struct tp_arena;

struct tp_change_point {
	size_t at;            /* the first value of the new level */
	double before, after; /* medians of the levels on either side */
	double p;             /* of the permutation test */
};

enum { TP_CHANGE_POINTS_LEAST_VALUES = 10, TP_CHANGE_POINTS_LEAST_LEVEL = 5 };

/* E-divisive (Matteson and James, Journal of the American Statistical Association 109, 2014; α = 1): again and again the split of a
 * stretch that makes the energy distance between its two sides largest, at least TP_CHANGE_POINTS_LEAST_LEVEL values a side, as long as a
 * permutation test (999 draws from a fixed seed) gives p < 0.01. In order of place; memory from arena. Fewer than
 * TP_CHANGE_POINTS_LEAST_VALUES values: none. */
size_t tp_change_points(
	const double *values, size_t count, struct tp_arena *arena, struct tp_change_point **out);

#endif
