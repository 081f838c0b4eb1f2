/* The batch size, which no profile states: inferred from the shapes that a step's program takes in. */
#ifndef TP_ANALYZE_BATCH_H
#define TP_ANALYZE_BATCH_H

#include "analyze/core/ctx.h"

#include <stdint.h>

struct tp_batch {
	uint64_t per_core;   /* 0: not known */
	struct tp_slice how; /* what it was inferred from; why it is not known */
};

/* From the arrays that infeed brings, else from the integer arrays (labels, tokens) among the parameters of the program
 * that takes most time. Texts live in ctx->keep. */
struct tp_batch tp_infer_batch(const struct tp_pass_ctx *ctx);

#endif
