/* Arithmetic that leaves the device mostly unused: operations that come near none of its limits. */
#ifndef TP_ANALYZE_OP_POOR_H
#define TP_ANALYZE_OP_POOR_H

#include "analyze/ops/ops.h"

struct tp_op_poor {
	bool known; /* of how much use operations made, at least of some */
	size_t count;
	int64_t self_ps;
	double wasted_ps;
	const struct tp_op_total *worst; /* the one that wastes most; NULL: there is none */
};

/* Operations with less than TP_OP_USE_POOR in use. Not those whose arrays are mostly padding: that has a rule of its own. */
struct tp_op_poor tp_op_poor(const struct tp_pass_ctx *ctx);

#endif
