/* The lesser of two numbers; mean, spread and percentiles of a sample. */
#ifndef TP_ANALYZE_STATS_H
#define TP_ANALYZE_STATS_H

#include <stddef.h>

struct tp_arena;

static inline double
tp_smaller(double a, double b)
{
	return a < b ? a : b;
}

static inline double
tp_larger(double a, double b)
{
	return a > b ? a : b;
}

struct tp_stats {
	size_t count;
	double mean, sd;           /* sample standard deviation (n − 1); NaN for fewer than two */
	double min, max, p50, p95; /* percentiles with linear interpolation between ranks */
};

/* All but count are NaN for an empty sample. */
struct tp_stats tp_stats_of(const double *values, size_t count, struct tp_arena *scratch);

#endif
