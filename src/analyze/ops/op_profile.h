/* The op profile that a profiler left in a tool file, as if its operations had been measured here. */
#ifndef TP_ANALYZE_OP_PROFILE_H
#define TP_ANALYZE_OP_PROFILE_H

#include "analyze/ops/op_use.h"
#include "analyze/padding/padding.h"

struct tp_given_op;
struct tp_op_cards;

struct tp_op_profile {
	struct tp_ops ops;
	struct tp_op_peaks peaks;               /* as far as they can be told from operations */
	const struct tp_given_op *const *given; /* by operation */
	struct tp_padding padding;
};

/* NULL: no file holds one, or events are there, whose figures win. Memory from ctx->keep. */
const struct tp_op_profile *tp_op_profile(const struct tp_pass_ctx *ctx);

/* Σ at the peak over all time, idle included; NaN: not known. */
double tp_op_profile_use(const struct tp_op_profile *p, double idle_us, bool of_hbm);

/* The section on operations of it (ops_present.c), and what it says of fusions (op_parts.c). */
void tp_op_profile_present(
	const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc);
void tp_op_parts_given(
	const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_op_cards *cards);

#endif
