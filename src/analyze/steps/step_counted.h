/* The steps of PyTorch's workers that are in the report's mean step.
 *
 * Whatever is said in shares of a step, or to be saved of one, is summed over these alone, each times its weight, and divided by whole_ps:
 * a mean over the workers of a step, over a step as long as the slowest worker's. So it is a part of the bar of classes, whose parts are such means
 * and which is as long. A share of the workers' own steps would be of a shorter whole, and the same part of the bar would be too long. */
#ifndef TP_ANALYZE_STEP_COUNTED_H
#define TP_ANALYZE_STEP_COUNTED_H

#include "analyze/torch_steps/torch_steps.h"

struct tp_steps;

struct tp_counted_steps {
	struct tp_torch_trace_steps
		steps;       /* of the trace, without those that do not count; no covered_ps */
	double weight;   /* 1 / number of workers that a step is a mean over */
	double whole_ps; /* Σ lengths of the steps as all workers have them, each times weight */
};

/* s: NULL where there is no mean step, then all of the trace's own. Memory from ctx->scratch. */
struct tp_counted_steps tp_steps_counted(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s, uint32_t trace);

#endif
