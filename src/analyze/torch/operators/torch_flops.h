/* Floating-point operations of PyTorch's operators. A trace hardly ever holds them: with_flops=True works them out for the
 * profiler's own table, and writes none of them into the trace; only Inductor writes those of its kernels. So they are worked
 * out of the input shapes (record_shapes=True), by what an operator computes, as PyTorch's own counter does
 * (torch/utils/flop_counter.py): products, convolutions and attention, forward and backward; a multiplication and an addition
 * are two. */
#ifndef TP_ANALYZE_TORCH_FLOPS_H
#define TP_ANALYZE_TORCH_FLOPS_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;

/* Of one call; 0: not known. shapes: "[[4,7200],[7200,10]]"; inputs: what is no tensor, of convolutions:
 * ["","","","[1, 1]","[0, 0]","[1, 1]","False","[0, 0]","1"] (may be empty). */
uint64_t tp_torch_flops(struct tp_slice name, struct tp_slice shapes, struct tp_slice inputs);

/* By index in t->operators; 0: not known, or counted for an operator around it. */
uint64_t *tp_torch_flops_of(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *arena);

#endif
