/* heavy_tails: computes the table of src/compare/reach.c, by simulation: n values are drawn of Student's distribution with 4 degrees of freedom, and
 * the probability that a further one is more than k of their standard deviations above their mean is taken exactly; k is where the mean of that
 * probability over all draws is the one wanted. "heavy_tails 6e6" takes minutes and has about three digits. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RUNS = 100, LEAST_DRAWS = 400000 };

static const int run_counts[] = {3, 4, 5, 6, 7, 8, 10, 14, 20, 30, 50, MOST_RUNS};
static const double shares[] = {
	0.75, 0.85, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9975, 0.999, 0.9995, 0.9999, 0.99995};

struct draw {
	double mean, deviation;
};

/* P(T > t): with u = (t/2) / √(1 + t²/4), 1/2 − (3/4)(u − u³/3). */
static double
tail(double t)
{
	double all = 1 + t * t / 4, u = t / 2 / sqrt(all), below_one = 1 / (all * (1 + u));

	return t < 0 ? 1 - tail(-t) : 0.25 * below_one * below_one * (3 - below_one);
}

/* W. T. Shaw, Journal of Computational Finance 9(4), 2006. */
static double
quantile(double p)
{
	double root = sqrt(4 * p * (1 - p)), t = 2 * sqrt(cos(acos(root) / 3) / root - 1);

	return p < 0.5 ? -t : t;
}

static double
uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static struct draw
draw_runs(int runs, uint64_t *random)
{
	double values[MOST_RUNS], sum = 0, squares = 0;

	for (int i = 0; i < runs; i++)
		sum += values[i] = quantile(uniform(random));
	for (int i = 0; i < runs; i++)
		squares += (values[i] - sum / runs) * (values[i] - sum / runs);
	return (struct draw){sum / runs, sqrt(squares / (runs - 1))};
}

/* How often a further run is further than `reach` deviations from the mean, on one side. */
static double
outside(const struct draw *draws, long count, double reach)
{
	double sum = 0;

	for (long i = 0; i < count; i++)
		sum += tail(reach * draws[i].deviation + draws[i].mean) +
			tail(reach * draws[i].deviation - draws[i].mean);
	return sum / 2 / (double)count;
}

static double
reach_of(const struct draw *draws, long count, double share, double least)
{
	double low = least, high = 4.5 * least;

	while (high / low > 1.00005) {
		double middle = sqrt(low * high);

		if (outside(draws, count, middle) > 1 - share)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int
main(int argc, char **argv)
{
	double effort = argc > 1 ? atof(argv[1]) : 6e6;
	uint64_t random = 88172645463325252;

	for (size_t i = 0; i < sizeof run_counts / sizeof run_counts[0]; i++) {
		int runs = run_counts[i];
		long count = (long)fmax(effort * 9 / (runs * runs), LEAST_DRAWS);
		struct draw *draws = malloc((size_t)count * sizeof *draws);
		double reach = 0.4;

		if (draws == NULL)
			return 1;
		for (long k = 0; k < count; k++)
			draws[k] = draw_runs(runs, &random);
		printf("%d:", runs);
		for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++) {
			reach = reach_of(draws, count, shares[k], reach);
			printf(" %.4g", reach / sqrt(1 + 1.0 / runs));
		}
		printf("\n");
		free(draws);
	}
	return 0;
}
