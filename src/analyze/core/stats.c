/* Two passes for the deviation, so that steady samples do not lose their digits. */
#include "analyze/core/stats.h"

#include "base/arena.h"
#include "base/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

TP_ORDER(ascending, double, (*a > *b) - (*a < *b));

static double
percentile(const double *sorted, size_t count, double share)
{
	double rank = share * (double)(count - 1);
	size_t below = (size_t)rank;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (rank - (double)below) * (sorted[below + 1] - sorted[below]);
}

static bool
all_equal(const double *values, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (values[i] != values[0])
			return false;
	}
	return true;
}

struct tp_stats
tp_stats_of(const double *values, size_t count, struct tp_arena *scratch)
{
	struct tp_stats s = {count, NAN, NAN, NAN, NAN, NAN, NAN};
	double *sorted, sum = 0, squares = 0;

	if (count == 0)
		return s;
	if (all_equal(values, count)) {
		/* They have no spread, but their sum may be rounded. */
		return (struct tp_stats){
			count, values[0], count > 1 ? 0 : NAN, values[0], values[0], values[0], values[0]};
	}
	sorted = tp_new_array(scratch, double, count);
	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, ascending);
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	s.mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - s.mean) * (values[i] - s.mean);
	s.sd = sqrt(squares / (double)(count - 1));
	s.min = sorted[0];
	s.max = sorted[count - 1];
	s.p50 = percentile(sorted, count, 0.50);
	s.p95 = percentile(sorted, count, 0.95);
	return s;
}
