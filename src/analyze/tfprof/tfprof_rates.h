/* How fast operations compute: float operations over time, of nodes of which a dump says both. */
#ifndef TP_ANALYZE_TFPROF_RATES_H
#define TP_ANALYZE_TFPROF_RATES_H

#include "analyze/tfprof/tfprof_view.h"

/* Of a row of the op view, per step. */
struct tp_tfprof_rate {
	int64_t us, float_ops; /* of its nodes that have both */
	/* Of fused batch normalisation, which tfprof has no counts of: by the shape of the input; 0: it is another operation, or has a
	 * count. */
	int64_t uncounted;
};

/* Nodes of at least a million float operations and 50 µs a step, held against the fastest such node on their device. */
struct tp_tfprof_slow {
	uint32_t count;       /* nodes that were compared; 0: a device has fewer than two */
	uint32_t best, worst; /* nodes: the one that would save most, and the fastest on its device */
	double best_per_us, worst_per_us;
	double saving_us; /* per step, if all were as fast */
};

/* The time by which a node's rate is told: that on accelerators, where it has any. 0: it is unknown, for of GPUs without their streams
 * only launches have a time. */
static inline int64_t
tp_tfprof_rated_us(const struct tp_tfprof *t, const struct tp_tfprof_figures *f)
{
	return f->of[TP_TFPROF_ACCELERATOR_US] > 0 || t->misses_stream ? f->of[TP_TFPROF_ACCELERATOR_US]
																   : f->of[TP_TFPROF_US];
}

/* A rate for each row of an op view of the dump, in the arena. step: as of tp_tfprof_figures, and as that of the view. */
struct tp_tfprof_rate *tp_tfprof_rates(const struct tp_tfprof_view *ops, const struct tp_tfprof *t,
	int64_t step, struct tp_arena *arena);

struct tp_tfprof_slow tp_tfprof_find_slow(const struct tp_tfprof *t, int64_t step);

#endif
