/* What each call of an operator took on host and device, alone and with all that it called. */
#ifndef TP_ANALYZE_TORCH_OP_CALLS_H
#define TP_ANALYZE_TORCH_OP_CALLS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;

/* Of an operator; of annotations and steps nothing is known but the zeros. */
struct tp_torch_op_call {
	uint32_t event;
	uint32_t head; /* event that it counts for: itself, or its caller of the same name, see below */
	int64_t inner_ps;        /* host time of the operators that it called itself */
	int64_t runtime_ps;      /* host time of calls of the runtime and driver that it made itself */
	int64_t device_self_ps;  /* Σ durations of the device work that it asked for itself */
	int64_t device_total_ps; /* … or that operators within it asked for */
	int64_t tensor_self_ps, tensor_total_ps; /* of these in kernels that used tensor cores */
	bool eligible; /* could use tensor cores, one within it could, or it did */
};

/* Host time of a call without the operators and runtime calls in it; may be below 0 by the rounding of its parts. */
int64_t tp_torch_op_host_self_ps(const struct tp_torch_trace *t, const struct tp_torch_op_call *c);

/* By index in t->operators; in keep. Formulas of torch-tb-profiler (node.py, op_tree.py): an operator that calls one operator
 * alone, and that by the same name, is one call with it (aten::to in aten::to). */
struct tp_torch_op_call *tp_torch_op_calls_of(const struct tp_profile *p,
	const struct tp_torch_trace *t, const struct tp_torch_correlation *links, struct tp_arena *keep,
	struct tp_arena *scratch);

/* Whether an event is an operator that the list of operators holds: all but the wrappers that old versions wrote as operators
 * too: steps of optimizers, DataLoader's waits, forward of (Distributed)DataParallel. */
bool tp_torch_is_listed(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event);

/* Whether an operator or autograd node could use tensor cores, by its name: products, convolutions, attention. */
bool tp_torch_op_eligible(struct tp_slice name);

#endif
