/* Iterations of a trace without annotations: what repeats in the order of kernels on a device. What a graph's launch runs counts as
 * one. A kernel that runs once an iteration, as the sampling of a token, begins or ends each; which it is shows by the gaps that
 * the host leaves between iterations. Where there are no gaps the order itself must be periodic. */
#ifndef TP_ANALYZE_TORCH_REPEATS_H
#define TP_ANALYZE_TORCH_REPEATS_H

#include "analyze/torch_steps/torch_iterations.h"

/* What runs on a device without a break by others: a kernel, a copy, or all of a graph's launch. */
struct tp_launch_unit {
	uint64_t key;   /* its name, of a graph the names of all it runs: equal of equals */
	uint64_t shape; /* likewise with the shape of its launch */
	int64_t start_ps, end_ps;
	uint32_t work; /* kernels and copies that it is */
	bool graph;
};

/* How units repeat. Segments begin at first[i] and last until first[i + 1]. */
struct tp_repeats {
	uint32_t *first; /* of units, count + 1 of them: the last is the end */
	uint32_t count;
	double
		separated; /* 0…1: how well larger gaps agree with where segments begin; of a period, how much of it recurs */
	double
		recurring; /* of the units those in segments whose order of names occurs more than once */
};

/* Units in order of start. count is 0 where nothing repeats three times. */
struct tp_repeats tp_repeats_of(const struct tp_launch_unit *units, uint32_t count,
	struct tp_arena *keep, struct tp_arena *scratch);

/* The iterations of a trace by them; from is TP_TORCH_FROM_NOTHING where there are none. */
struct tp_torch_iterations tp_torch_repeats_of(const struct tp_profile *p,
	const struct tp_torch_trace *t, const struct tp_torch_correlation *links, struct tp_arena *keep,
	struct tp_arena *scratch);

#endif
