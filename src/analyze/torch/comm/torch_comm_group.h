/* What names and arguments of collectives say, which each layer of PyTorch and each library writes in its own way: the operation,
 * its bytes, its process group, and of sends and receives whom they are between. */
#ifndef TP_ANALYZE_TORCH_COMM_GROUP_H
#define TP_ANALYZE_TORCH_COMM_GROUP_H

#include "analyze/torch/comm/torch_comm.h"
#include "base/buf.h"
#include "base/map.h"

struct tp_torch_collective;

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

/* Bytes of one element: of the C++ names of "Input type" ("float", "c10::BFloat16", "long int") and of the names of dtype
 * ("Float", "BFloat16", "Long"). 0: not a type of tensor elements, or one that is not known. */
uint32_t tp_torch_element_bytes(struct tp_slice type);

/* Σ of elements × size over the tensors of an operator, from its "Input Dims" and "Input type" as compact JSON. Tensors in
 * lists count; what is no tensor does not. -1: no tensor of a known type is told. */
int64_t tp_torch_shapes_bytes(struct tp_slice shapes, struct tp_slice types);

/* What finds operations and groups while traces are read. */
struct tp_torch_comm_names {
	struct tp_strings op_keys, group_keys;
	struct tp_buf ops, groups;     /* struct tp_torch_comm_op, _group */
	uint8_t *of_range, *of_kernel; /* by name of events: 0 not looked at, 1 no collective, 2 one */
};

/* The number of an operation, or of the process group of a call. c: its arguments; NULL: none. */
uint32_t tp_torch_comm_find_op(struct tp_torch_comm_names *names, struct tp_torch_comm_op op);
uint32_t tp_torch_comm_find_group(struct tp_torch_comm_names *names, const struct tp_torch_trace *t,
	const struct tp_torch_collective *c, struct tp_slice backend, struct tp_arena *keep);

/* The number of a process group by its key, which is not empty. */
uint32_t tp_torch_comm_find_known_group(
	struct tp_torch_comm_names *names, struct tp_torch_comm_group group);

/* Fills in from, to and asked_ps of a send (`sends`) or receive: event is the host's span or the kernel; c its arguments, NULL
 * without; ranks those of its group, "[0,1]", may be empty. Who is told by the arguments (kineto: "Src Rank", "Dst Rank", which
 * are ranks of the job; "Rank", which is the other's in the group), by the span ("nccl:send 0->1") or by the c10d operator that
 * holds its start (gloo). */
void tp_torch_comm_ends(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event,
	const struct tp_torch_collective *c, struct tp_slice ranks, bool sends,
	struct tp_torch_comm_call *call);

/* The share of an all-to-all that leaves its worker, member `own` of the group, by what it sends to each ("[10, 20]"); -1:
 * the list does not tell. */
double tp_torch_comm_away_share(struct tp_slice split, int64_t own);

#endif
