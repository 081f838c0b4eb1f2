/* How far a further run may lie from the mean of earlier ones when the noise has heavier tails than a normal distribution. */
#include "compare/noise.h"

#include <math.h>

enum { SHARES = 12 };

static const double shares[SHARES] = {
	0.75, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9975, 0.999, 0.9995, 0.9999, 0.99995};

/* In sample standard deviations times √(1 + 1/n), by the number of runs n and by `shares`. Computed by tests/bench/heavy_tails.c; without
 * bound the quantile of Student's distribution with 4 degrees of freedom, over its own standard deviation √2. */
static const struct row {
	double runs, reach[SHARES];
} rows[] = {
	{3, {0.7934, 1.385, 1.933, 3.117, 4.737, 7.875, 11.36, 16.26, 25.93, 36.81, 82.55, 116.6}},
	{4, {0.7257, 1.228, 1.663, 2.522, 3.581, 5.391, 7.169, 9.407, 13.28, 17.11, 30.29, 38.54}},
	{5, {0.6889, 1.151, 1.538, 2.276, 3.144, 4.555, 5.874, 7.463, 10.08, 12.53, 20.35, 24.92}},
	{6, {0.6655, 1.104, 1.465, 2.139, 2.913, 4.141, 5.263, 6.59, 8.73, 10.7, 16.83, 20.33}},
	{7, {0.6478, 1.07, 1.413, 2.046, 2.763, 3.884, 4.897, 6.084, 7.98, 9.715, 15.06, 18.09}},
	{8, {0.6346, 1.045, 1.377, 1.982, 2.662, 3.716, 4.661, 5.764, 7.518, 9.12, 14.05, 16.84}},
	{10, {0.6167, 1.012, 1.327, 1.898, 2.531, 3.502, 4.366, 5.37, 6.962, 8.411, 12.86, 15.37}},
	{14, {0.5943, 0.9712, 1.269, 1.802, 2.387, 3.277, 4.067, 4.982, 6.43, 7.748, 11.79, 14.08}},
	{20, {0.5767, 0.9394, 1.224, 1.728, 2.279, 3.114, 3.852, 4.707, 6.06, 7.292, 11.07, 13.22}},
	{30, {0.5617, 0.9123, 1.186, 1.668, 2.193, 2.985, 3.685, 4.496, 5.779, 6.948, 10.54, 12.58}},
	{50, {0.5489, 0.889, 1.153, 1.616, 2.118, 2.876, 3.544, 4.319, 5.545, 6.663, 10.1, 12.05}},
	{100, {0.5381, 0.869, 1.124, 1.572, 2.055, 2.784, 3.427, 4.172, 5.353, 6.429, 9.74, 11.62}},
	{INFINITY,
		{0.5238, 0.8412, 1.084, 1.507, 1.963, 2.65, 3.256, 3.958, 5.072, 6.088, 9.216, 10.99}},
};

/* Linear in the logarithms of the reach and of the share outside: far out the reach is a power of that share. */
static double
reach_in_row(const struct row *row, double share)
{
	size_t next = 1;

	while (next + 1 < SHARES && shares[next] < share)
		next++;
	double outside = log1p(-shares[next - 1]), step = log1p(-shares[next]) - outside;
	double along = (log1p(-share) - outside) / step;

	return row->reach[next - 1] * pow(row->reach[next] / row->reach[next - 1], along);
}

double
tp_noise_reach(double share, size_t runs)
{
	const struct row *above = rows;

	while (above->runs < (double)runs)
		above++;
	double reach = reach_in_row(above, share);

	if (above->runs > (double)runs && above > rows) {
		double low = 1 / above->runs, high = 1 / above[-1].runs;
		double along = (1 / (double)runs - low) / (high - low);

		reach += along * (reach_in_row(above - 1, share) - reach);
	}
	return reach * sqrt(1 + 1 / (double)runs);
}
