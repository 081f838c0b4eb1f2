/* Streams of PyTorch traces: which operator each kernel of the profile's lines belongs to. */
#ifndef TP_ANALYZE_TORCH_STREAMS_H
#define TP_ANALYZE_TORCH_STREAMS_H

#include "analyze/core/ctx.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_torch_gpu;
struct tp_torch_correlation;
struct tp_torch_op_call;
struct tp_torch_trace;

struct tp_torch_stream {
	const struct tp_torch_trace *trace; /* NULL: the line is no stream of such a trace */
	const struct tp_torch_correlation *links;
	const struct tp_torch_op_call *calls; /* by index in trace->operators */
	const struct tp_torch_gpu *gpu;       /* NULL: the trace does not describe it */
	uint32_t first;                       /* event of the trace that is the line's first */
};

/* By line of the profile; in scratch. NULL: the profile holds no PyTorch trace. After tp_pass_torch_ops. */
const struct tp_torch_stream *tp_torch_streams(const struct tp_pass_ctx *ctx);

struct tp_torch_kernel {
	uint32_t owner;                  /* event of the operator that asked for it; TP_NONE */
	bool no_call;                    /* launched before the trace began */
	bool untold;                     /* it names no call that launched it */
	bool in_graph;                   /* part of a CUDA graph, whose launch started it */
	bool eligible;                   /* the operator could use tensor cores */
	double occupancy;                /* see torch_gpus.h; NaN: not known */
};

/* What event number `i` of the line is; false: no kernel. */
bool tp_torch_stream_kernel(
	const struct tp_torch_stream *s, uint32_t i, struct tp_torch_kernel *out);

#endif
