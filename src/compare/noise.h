/* How large a change between runs must be before it is more than noise. Steps of one run are not independent samples, so two runs are
 * never judged by a test over their steps: what counts is how much whole runs of the same program differ. */
#ifndef TP_COMPARE_NOISE_H
#define TP_COMPARE_NOISE_H

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;

/* Where one further run of the same program is expected, from `runs` figures of earlier ones (medians of step times, peaks of memory …). */
struct tp_expected {
	size_t runs;
	double level;     /* 0.99: so many of a hundred further runs are between low and high */
	double middle;    /* the geometric mean of the runs */
	double spread;    /* the sample standard deviation of the natural logarithms */
	double low, high; /* in the unit of the figures */
	/* the smallest change, as a share of the middle, that is found in TP_EXPECTED_FOUND of cases */
	double smallest;
};

enum { TP_EXPECTED_LEAST_RUNS = 3 };

/* A change that just reaches the border of the interval is found in half of the cases: the further run's own noise takes it back below as
 * often as not. So the smallest change that is promised lies above the border by what the noise takes back in one of twenty cases. It is to be
 * found in nine of ten; the rest is left for noise that is not quite normal. */
#define TP_EXPECTED_FOUND 0.95

/* The prediction interval of one further value of a normal distribution, taken on logarithms: exp(m ± t s √(1 + 1/n)), t being Student's with
 * n − 1 degrees of freedom (Hahn and Meeker, Statistical Intervals, 1991, section 4.7); and the change that it detects,
 * exp((t + t′) s √(1 + 1/n)) − 1, t′ being the quantile for TP_EXPECTED_FOUND (Currie, Analytical Chemistry 40, 1968: critical level and
 * detection limit). It presumes runs that are made alike and whose noise is about normal on logarithms: where something else delays one run of
 * twenty by six times the spread, 2, 4 and 4 of a hundred further runs are outside with 3, 5 and 10 baselines, in place of one; few runs cannot
 * know of such delays. False when there are fewer than TP_EXPECTED_LEAST_RUNS figures, one is not above 0, or they differ so much that the
 * bounds are no numbers. */
bool tp_expect(const double *figures, size_t runs, double level, struct tp_expected *out);

/* How large `smallest` would be with another number of runs (TP_EXPECTED_LEAST_RUNS and more) that differ as much. */
double tp_smallest_with(const struct tp_expected *e, size_t runs);

/* The quantile of Student's distribution: P(T ≤ t) = p, to 1e-9 of it, for 1e-100 ≤ p < 1 and 1 to 100,000 degrees of freedom. */
double tp_student_quantile(double p, double freedom);

struct tp_interval {
	double low, high;
};

/* How far the ratio of two runs' medians, b over a, is certain from their own steps alone: the percentile interval of a moving block bootstrap
 * (Künsch, Annals of Statistics 17, 1989), blocks of about √n steps, 1,000 draws from a fixed seed. With a and b exchanged it is the inverse.
 * It says nothing of how runs differ from each other. False when either has fewer than TP_RATIO_LEAST_STEPS steps, or one is not above 0. */
bool tp_ratio_of_medians(const double *a, size_t a_count, const double *b, size_t b_count,
	double level, struct tp_arena *scratch, struct tp_interval *out);

enum { TP_RATIO_LEAST_STEPS = 8 };

#endif
