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

/* Levels for which it is known how far a further run may lie. */
#define TP_LEVEL_LEAST 0.5
#define TP_LEVEL_MOST 0.9999

/* A change that just reaches the border of the interval is found in half of the cases: the further run's own noise takes it back below as
 * often as not. So the smallest change that is promised lies above the border by what the noise takes back in one of twenty cases. It is to be
 * found in nine of ten; the rest is left for noise that is not quite normal. */
#define TP_EXPECTED_FOUND 0.95

/* The prediction interval of one further value, taken on logarithms: exp(m ± k s √(1 + 1/n)) (Hahn and Meeker, Statistical Intervals, 1991,
 * section 4.7); and the change that it detects, exp((k + k′) s √(1 + 1/n)) − 1, k′ being the reach for TP_EXPECTED_FOUND (Currie, Analytical
 * Chemistry 40, 1968: critical level and detection limit). k is not that of normal noise: a neighbour on the machine, a page cache or a
 * collector delays a run now and then, and of 246 runs measured (README, tests/bench/aa.py) up to 5 % were outside of normal intervals in
 * place of 1 %. It is that of noise distributed as Student's with 4 degrees of freedom, the usual choice for such tails (Lange, Little and
 * Taylor, JASA 84, 1989), whose intervals are 15 % wider with 3 runs, 34 % with 10. It presumes runs that are made alike: where something
 * else delays one run of twenty by six times the spread, 1.8, 2.2 and 2.4 of a hundred are still outside with 3, 5 and 10 baselines. False when there
 * are fewer than TP_EXPECTED_LEAST_RUNS figures, one is not above 0, or they differ so much that the bounds are no numbers. */
bool tp_expect(const double *figures, size_t runs, double level, struct tp_expected *out);

/* How large `smallest` would be with another number of runs (TP_EXPECTED_LEAST_RUNS and more) that differ as much. */
double tp_smallest_with(const struct tp_expected *e, size_t runs);

/* How far above the mean of `runs` earlier values (TP_EXPECTED_LEAST_RUNS and more) a further one is not with a probability of `share`
 * (0.75 to 0.99995), in their sample standard deviations. */
double tp_noise_reach(double share, size_t runs);

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
