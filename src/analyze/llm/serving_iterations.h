/* What the iterations of one engine took, and what ran in them. */
#ifndef TP_ANALYZE_SERVING_ITERATIONS_H
#define TP_ANALYZE_SERVING_ITERATIONS_H

#include "analyze/llm/serving.h"

struct tp_torch_correlation;
struct tp_torch_lane_steps;
struct tp_torch_trace;
struct tp_torch_trace_steps;

/* Fills in list, zeroed, one for each step of the lane of s; trace and engine are the caller's. */
void tp_serving_look_at(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_torch_trace_steps *s,
	const struct tp_torch_lane_steps *lane, struct tp_serving_iteration *list);

#endif
