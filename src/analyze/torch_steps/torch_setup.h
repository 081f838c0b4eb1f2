/* Calls by which the host sets a device up or takes memory from it, within steps: its context, streams, events, modules,
 * allocations. They belong before the first step that is measured. */
#ifndef TP_ANALYZE_TORCH_SETUP_H
#define TP_ANALYZE_TORCH_SETUP_H

#include "analyze/core/ctx.h"

struct tp_torch_busy;
struct tp_torch_trace;
struct tp_torch_trace_steps;

/* How many such calls of a millisecond or more the trace holds. */
size_t tp_torch_setup_calls(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t);

/* The time of the trace's steps in them and in nothing of busy, which has room for one interval for each of them. Adds to by_op,
 * by operation of the profile, how long each took in steps. */
int64_t tp_torch_setup_ps(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_trace_steps *steps, struct tp_torch_busy *busy, int64_t *by_op);

#endif
