/* Two passes for the deviation, so that steady samples do not lose their digits. */
#include "analyze/core/stats.h"

#include "base/arena.h"
#include "base/order.h"

#include <math.h>
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

/* The values in order: many lists are in order already, such as those of what took no time. */
static const double *
in_order(const double *values, size_t count, struct tp_arena *scratch)
{
	size_t i = 1;

	while (i < count && values[i - 1] <= values[i])
		i++;
	if (i >= count)
		return values;
	double *sorted = tp_new_array(scratch, double, count);

	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, ascending);
	return sorted;
}

struct tp_stats
tp_stats_of(const double *values, size_t count, struct tp_arena *scratch)
{
	struct tp_stats s = {count, NAN, NAN, NAN, NAN, NAN, NAN};

	if (count == 0)
		return s;
	const double *sorted = in_order(values, count, scratch);
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	s.mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - s.mean) * (values[i] - s.mean);
	if (count > 1)
		s.sd = sqrt(squares / (double)(count - 1));
	s.min = sorted[0];
	s.max = sorted[count - 1];
	/* Equal numbers have no spread, but their sum may be rounded. */
	if (s.min == s.max) {
		s.mean = s.min;
		s.sd = count > 1 ? 0 : NAN;
	}
	s.p50 = percentile(sorted, count, 0.50);
	s.p95 = percentile(sorted, count, 0.95);
	return s;
}
