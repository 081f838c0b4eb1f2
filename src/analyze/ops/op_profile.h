/* The op profile that a profiler left in a tool file, as if its operations had been measured here. */
#ifndef TP_ANALYZE_OP_PROFILE_H
#define TP_ANALYZE_OP_PROFILE_H

#include "analyze/ops/op_use.h"
#include "analyze/ops/padding.h"

struct tp_precomputed_op;

struct tp_op_profile {
	struct tp_ops ops;
	struct tp_op_peaks peaks; /* as far as they can be told from operations */
	const struct tp_precomputed_op *const *precomputed; /* by operation */
	double idle_ps;                                     /* beside the operations; NaN: not known */
	struct tp_padding padding;
};

/* struct tp_op_profile; skipped where no file holds one, or where events are there, whose figures win */
extern const struct tp_pass tp_pass_op_profile;

/* Operations, and their padding: as recorded, else as an op profile has them; NULL: neither. */
const struct tp_ops *tp_ops_known(const struct tp_pass_ctx *ctx);
const struct tp_padding *tp_padding_known(const struct tp_pass_ctx *ctx);

/* Arithmetic that leaves the device mostly unused: operations that come near none of its limits. */
struct tp_op_poor {
	bool known; /* of how much use operations made, at least of some */
	int64_t self_ps;
	double wasted_ps;
	const struct tp_op_total *worst; /* the one that wastes most; NULL: there is none */
};

/* Operations with less than TP_OP_USE_POOR in use. Not those whose arrays are mostly padding: that has a rule of its own. */
struct tp_op_poor tp_op_poor(const struct tp_pass_ctx *ctx);

/* Figures that it gives for the whole run (op_metrics.c). */
void tp_op_profile_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

#endif
