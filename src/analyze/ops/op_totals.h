/* Adding up the occurrences of each operation. */
#ifndef TP_ANALYZE_OP_TOTALS_H
#define TP_ANALYZE_OP_TOTALS_H

#include "analyze/ops/ops.h"
#include "base/buf.h"

/* The operations of all lines that count, in order of first occurrence, with their costs; the caller frees the buffer of
 * struct tp_op_total. Fills in what o says of them all: on_host, half_known, has_dma_stall. */
struct tp_buf tp_op_totals(const struct tp_pass_ctx *ctx, struct tp_ops *o);

/* A shape's text names its element type: "bf16[128,8]". */
bool tp_op_names_half(struct tp_slice text);

#endif
