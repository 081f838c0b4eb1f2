/* Weights of two runs by name: how much of both is of names that they have in common, and what each is made of. */
#ifndef TP_COMPARE_TALLY_H
#define TP_COMPARE_TALLY_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

#include <stddef.h>

struct tp_arena;

struct tp_tally {
	struct tp_arena *arena;
	struct tp_strings names;
	struct tp_buf weights; /* double[2], of A and B, by name */
	double sum[2];
};

void tp_tally_init(struct tp_tally *t, struct tp_arena *arena);
void tp_tally_free(struct tp_tally *t);

/* side: 0 for A, 1 for B. Weights that are not above 0 count nothing. */
void tp_tally_add(struct tp_tally *t, struct tp_slice name, size_t side, double weight);

/* Which share of a side's weight is of names that the other has, too; NaN where either has nothing. */
double tp_tally_common(const struct tp_tally *t, size_t side);

/* What both have of each name, over the larger sum: 1 where all weights agree; NaN where either has nothing. */
double tp_tally_overlap(const struct tp_tally *t);

/* The largest difference of a name's share between the sides. */
double tp_tally_moved(const struct tp_tally *t);

/* The name with the largest weight of a side; empty: it has none. */
struct tp_slice tp_tally_largest(const struct tp_tally *t, size_t side);

/* "bf16 93 %, f32 7 %": names of at least 1 %, the largest first; without shares: "jit_step, jit_eval". */
struct tp_slice tp_tally_text(const struct tp_tally *t, size_t side, size_t most, bool shares);

/* "convolutions 20, attentions 1.5": names with their weights, in the order in which they were added. */
struct tp_slice tp_tally_counts(const struct tp_tally *t, size_t side);

#endif
