/* Operations of the framework that ran on host threads: TensorFlow's, JAX's and the iterators of tf.data. */
#ifndef TP_ANALYZE_HOST_OPS_H
#define TP_ANALYZE_HOST_OPS_H

#include "analyze/ops/ops.h"

#include <stdint.h>

struct tp_host_ops {
	struct tp_framework_total
		*ops; /* times and occurrences alone; by self time, descending, then name */
	size_t count;
	uint64_t occurrences;
	int64_t busy_ps;  /* Σ self times */
	int64_t total_ps; /* Σ over threads of the time from the first operation to the last */
	size_t threads;   /* that have any */
};

/* struct tp_host_ops; skipped where no host thread has an operation of a framework */
extern const struct tp_pass tp_pass_host_ops;

/* What it says (result NULL: it was skipped), with the framework's operations on the device (framework_present.c). */
void tp_host_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_host_ops_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
