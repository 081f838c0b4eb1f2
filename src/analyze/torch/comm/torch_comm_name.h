/* Names of collectives, which each layer of PyTorch and each library writes in its own way. */
#ifndef TP_ANALYZE_TORCH_COMM_NAME_H
#define TP_ANALYZE_TORCH_COMM_NAME_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;

/* By how many bytes cross the busiest link, for n workers and s bytes: nccl-tests, doc/PERFORMANCE.md. */
enum tp_torch_comm_kind {
	TP_TORCH_COMM_REDUCES, /* all_reduce: 2 (n − 1) / n × s */
	TP_TORCH_COMM_SCATTERS, /* reduce_scatter, all_to_all, scatter: (n − 1) / n × s, s what goes in */
	TP_TORCH_COMM_GATHERS,    /* all_gather, gather: the same, s what comes out */
	TP_TORCH_COMM_ROOTED,     /* broadcast, reduce: s */
	TP_TORCH_COMM_POINT,      /* send, recv: s; two workers of the group alone */
	TP_TORCH_COMM_IS_BARRIER, /* moves no data */
	TP_TORCH_COMM_MIXED,      /* several at once, or a name that is not known */
};

struct tp_torch_comm_op {
	struct tp_slice name; /* "all_reduce", or as written */
	enum tp_torch_comm_kind kind;
};

/* Of an annotation ("nccl:_all_gather_base", "nccl:send 0->1") or an argument ("allreduce"). A name that is not known stays
 * as written, in lower case. Lives in a. */
struct tp_torch_comm_op tp_torch_comm_op_of(struct tp_slice name, struct tp_arena *a);

/* Of a kernel's name: "ncclKernel_AllReduce_RING_LL_Sum_float(…)". Where it tells none: "collective". */
struct tp_torch_comm_op tp_torch_comm_op_of_kernel(struct tp_slice name, struct tp_arena *a);

/* "nccl" of "nccl:all_reduce"; empty: no prefix. */
struct tp_slice tp_torch_comm_backend(struct tp_slice name);

/* The part of s bytes that crosses the busiest link of n workers; 0: nothing does, or it is not known. in, out: bytes of
 * this worker, -1: not recorded. */
double tp_torch_comm_bus_bytes(enum tp_torch_comm_kind kind, int64_t in, int64_t out, int64_t n);

#endif
