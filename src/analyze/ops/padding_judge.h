/* Judging operations one by one, whatever their instructions were read from. */
#ifndef TP_ANALYZE_PADDING_JUDGE_H
#define TP_ANALYZE_PADDING_JUDGE_H

#include "analyze/ops/padding.h"
#include "base/buf.h"
#include "base/map.h"

struct tp_precomputed_op;

struct tp_padding_judging {
	const struct tp_pass_ctx *ctx;
	const struct tp_ops *ops;
	struct tp_slice device_type;    /* of operations of no device */
	struct tp_map first_of_program; /* program id → first operation */
	uint32_t *next;                 /* by operation: the next of the same program, or TP_NONE */
	struct tp_buf fits, buffers, damaged;
	bool any_module, any_tile;
};

/* That operation number `op`, instruction i of m, holds so many convolutions and dots, of which this one fits worst. */
void tp_padding_add_fit(struct tp_padding_judging *j, const struct tp_hlo_module *m,
	const struct tp_hlo_instruction *i, const struct tp_hlo_module *product_in,
	const struct tp_hlo_instruction *product, uint32_t op, uint32_t products);

/* That it is none of those; its result counts when it is padded by much. */
void tp_padding_add_buffer(
	struct tp_padding_judging *j, const struct tp_hlo_instruction *i, uint32_t op);

/* Sorts and sums up what was added. */
void tp_padding_settle(struct tp_padding_judging *j, struct tp_padding *p);

/* The same from what a profiler kept of each operation: by operation, NULL where nothing. */
void tp_padding_precomputed(const struct tp_pass_ctx *ctx, const struct tp_ops *o,
	const struct tp_precomputed_op *const *precomputed, struct tp_padding *out);

#endif
