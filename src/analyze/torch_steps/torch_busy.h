/* What takes the time of steps that is not the host's: work of devices, collectives and the wait for batches; and how much of
 * the rest other intervals cover. */
#ifndef TP_ANALYZE_TORCH_BUSY_H
#define TP_ANALYZE_TORCH_BUSY_H

#include "analyze/core/intervals.h"
#include "analyze/torch_steps/torch_role.h"

struct tp_arena;
struct tp_torch_trace_steps;

struct tp_torch_busy {
	struct tp_interval *s; /* united, with room at the end for the host's roles and for more */
	size_t count;
	uint64_t *before_ps; /* as much room, for what they cover together */
	int64_t taken_ps;    /* of steps */
};

struct tp_torch_busy tp_torch_busy(
	const struct tp_torch_trace_steps *steps, size_t room, struct tp_arena *scratch);

/* The time of steps that what was added to it covers, and nothing did before; from then on it is taken. */
int64_t tp_torch_busy_more_ps(struct tp_torch_busy *b, const struct tp_torch_trace_steps *steps);

/* Likewise of a role of the host. */
int64_t tp_torch_busy_role_ps(
	struct tp_torch_busy *b, const struct tp_torch_trace_steps *steps, enum tp_torch_role role);

#endif
