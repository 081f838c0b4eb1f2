/* Student's quantile, by bisection of the regularised incomplete beta function. */
#include "compare/noise.h"

#include <float.h>
#include <math.h>

enum { MOST_TERMS = 10000 };

static double
log_beta(double a, double b)
{
	int sign;

	return lgamma_r(a, &sign) + lgamma_r(b, &sign) - lgamma_r(a + b, &sign);
}

static double
away_from_zero(double x)
{
	return fabs(x) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : x;
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by the modified method of Lentz. */
static double
beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;

	for (int m = 1; m < MOST_TERMS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		fraction *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		fraction *= d * c;
		if (fabs(d * c - 1) < 4 * DBL_EPSILON)
			break;
	}
	return fraction;
}

/* The regularised incomplete beta function I_x(a, b); y is 1 − x, given so that neither loses digits. */
static double
incomplete_beta(double a, double b, double x, double y)
{
	double log_x = x < 0.5 ? log(x) : log1p(-y), log_y = y < 0.5 ? log(y) : log1p(-x);
	double front = exp(a * log_x + b * log_y - log_beta(a, b));

	if (x * (a + b + 2) < a + 1)
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, y) / b;
}

/* P(T > t) */
static double
tail(double t, double freedom)
{
	double all = freedom + t * t;

	return 0.5 * incomplete_beta(freedom / 2, 0.5, freedom / all, t * t / all);
}

/* P(0 < T ≤ t) */
static double
centre(double t, double freedom)
{
	double all = freedom + t * t;

	return 0.5 * incomplete_beta(0.5, freedom / 2, t * t / all, freedom / all);
}

/* Whether t lies beyond the quantile. Near the middle it is the mass from there that has the digits, far out the mass behind. */
static bool
beyond(double t, double outside, double inside, double freedom)
{
	if (outside < 0.25)
		return tail(t, freedom) < outside;
	return centre(t, freedom) > inside;
}

double
tp_student_quantile(double p, double freedom)
{
	double outside = p < 0.5 ? p : 1 - p, inside = fabs(p - 0.5), high = 1;

	if (inside == 0)
		return 0;
	while (!beyond(high, outside, inside, freedom))
		high *= 2;
	while (beyond(high / 2, outside, inside, freedom))
		high /= 2;

	double low = high / 2;

	for (double mid = low + (high - low) / 2; mid > low && mid < high;
		 mid = low + (high - low) / 2) {
		if (beyond(mid, outside, inside, freedom))
			high = mid;
		else
			low = mid;
	}
	return p < 0.5 ? -low : low;
}
