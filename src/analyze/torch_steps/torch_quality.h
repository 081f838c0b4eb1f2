/* How whole PyTorch traces are, and what they were not asked to record. */
#ifndef TP_ANALYZE_TORCH_QUALITY_H
#define TP_ANALYZE_TORCH_QUALITY_H

#include "analyze/core/ctx.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "model/torch.h"

#include <stdint.h>

/* Sums over traces. */
struct tp_torch_quality {
	struct tp_torch_device_work work;
	uint64_t trimmed;  /* last steps left out */
	uint64_t crossing; /* ranges that end after the range that they began in */
	uint64_t non_finite_numbers;
	unsigned recorded; /* anywhere: enum tp_torch_asked, of memory, shapes and stacks */
};

/* Of a profile with PyTorch traces. */
struct tp_torch_quality tp_torch_quality_of(const struct tp_pass_ctx *ctx);

/* Why no trace holds memory, shapes or call stacks; empty: one does, or none was to be had. */
struct tp_slice tp_torch_not_recorded(const struct tp_pass_ctx *ctx, enum tp_torch_asked what);

#endif
