/* The same of XLA profiles as torch_unrecorded.h tells of PyTorch's: GPUs of which no kernel was recorded, though the host
 * launched some, or though their planes are there. */
#ifndef TP_ANALYZE_KERNELS_UNRECORDED_H
#define TP_ANALYZE_KERNELS_UNRECORDED_H

#include "base/slice.h"

#include <stdbool.h>

struct tp_pass_ctx;

/* *launched: whether launches are there. "the program launched 77 kernels and the profiler recorded none", "the profile names 8 GPUs and holds no work of them"; empty:
 * it holds some, or has no GPU. */
struct tp_slice tp_kernels_unrecorded_reason(const struct tp_pass_ctx *ctx, bool *launched);

#endif
