/* Input operations: what the host's threads did to feed the device, by operation, by class and by host. */
#ifndef TP_ANALYZE_INPUT_OPS_H
#define TP_ANALYZE_INPUT_OPS_H

#include "analyze/input/input_names.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_pass_ctx;

/* Over all occurrences on all hosts. */
struct tp_input_op {
	struct tp_slice name;
	enum tp_input_class class;
	uint64_t count;
	int64_t total_ps, self_ps; /* without the operations nested in it on its thread */
};

/* Of one host, or of all together. */
struct tp_input_time {
	uint32_t host;   /* TP_NONE: all */
	uint64_t events; /* of input operations */
	int64_t self_ps[TP_INPUT_CLASS_COUNT];
	/* Of transfers to an infeed queue: their time, and the time from the start of each to the start of the next on its
	 * thread. The last of a thread has no next and is in neither. */
	int64_t infeed_ps, infeed_period_ps;
};

struct tp_input_ops {
	struct tp_input_op *ops; /* by self time, descending, then name */
	size_t count;
	int64_t self_ps;             /* Σ over ops: what shares of input time are of */
	struct tp_input_time *hosts; /* those with input operations */
	size_t host_count;
	struct tp_input_time all;
};

/* For qsort: by self time, descending, then name. */
int tp_input_by_self(const void *left, const void *right);

/* Arrays live in ctx->keep. */
void tp_input_ops_find(const struct tp_pass_ctx *ctx, struct tp_input_ops *out);

/* Host time of one class each, in ps, as xprof shows it: the time of all that is not a transfer is scaled to what the
 * transfers leave of the host's time. r is the share of time in which the host transfers: of an infeed queue's period, or
 * where there is none (to_device_share, of a step; NaN: unknown). */
struct tp_input_breakdown {
	double ps[TP_INPUT_CLASS_COUNT];
	double total_ps;
	double transfer_share; /* r; NaN: nothing was scaled */
};
struct tp_input_breakdown tp_input_break_down(
	const struct tp_input_time *time, double to_device_share);

#endif
