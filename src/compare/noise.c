/* The noise from run to run: where one further run is expected, and which change these runs can show. */
#include "compare/noise.h"

#include <math.h>

static double
reach_both_sides(double level, size_t runs)
{
	return tp_noise_reach((1 + level) / 2, runs);
}

double
tp_smallest_with(const struct tp_expected *e, size_t runs)
{
	return expm1(
		e->spread * (reach_both_sides(e->level, runs) + tp_noise_reach(TP_EXPECTED_FOUND, runs)));
}

static bool
all_above_zero(const double *figures, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!(figures[i] > 0) || isinf(figures[i]))
			return false;
	}
	return true;
}

/* Logarithms are taken of ratios to the first figure, so that equal figures have a spread of exactly 0. */
static double
mean_of_logs(const double *figures, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += log(figures[i] / figures[0]);
	return sum / (double)count;
}

static double
spread_of_logs(const double *figures, size_t count, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < count; i++) {
		double off = log(figures[i] / figures[0]) - mean;

		squares += off * off;
	}
	return sqrt(squares / (double)(count - 1));
}

bool
tp_expect(const double *figures, size_t runs, double level, struct tp_expected *out)
{
	if (runs < TP_EXPECTED_LEAST_RUNS || !all_above_zero(figures, runs))
		return false;
	double mean = mean_of_logs(figures, runs), spread = spread_of_logs(figures, runs, mean);
	double margin = exp(spread * reach_both_sides(level, runs)), middle = figures[0] * exp(mean);

	*out = (struct tp_expected){
		.runs = runs,
		.level = level,
		.middle = middle,
		.spread = spread,
		.low = middle / margin,
		.high = middle * margin,
	};
	out->smallest = tp_smallest_with(out, runs);
	return out->low > 0 && isfinite(out->high) && isfinite(out->smallest);
}
