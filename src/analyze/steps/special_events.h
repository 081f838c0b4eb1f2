/* Events of TPU cores that no class of time shows: barriers, debug prints, and what SparseCores do. */
#ifndef TP_ANALYZE_SPECIAL_EVENTS_H
#define TP_ANALYZE_SPECIAL_EVENTS_H

#include "analyze/core/ctx.h"

#include <stdint.h>

struct tp_steps;

/* All of a mean step. */
struct tp_special_events {
	bool known;        /* steps are those of TPU cores; else nothing is */
	bool traced;       /* a core recorded events besides its operations, as which barriers appear */
	double barrier_ps; /* waiting at barriers of all cores: mean over cores */
	double debug_ps;   /* debug prints: mean over the cores of the host with the most */
	uint32_t sparse_cores; /* that the profile holds */
	double sparse_ps;      /* operations of the SparseCore with the most */
	/* operations of the TensorCore that exchange data with SparseCores: mean over cores */
	double sparse_wait_ps;
};

struct tp_special_events tp_find_special_events(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s);

#endif
