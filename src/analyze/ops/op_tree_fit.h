/* The padding fit of groups of operations. */
#ifndef TP_ANALYZE_OP_TREE_FIT_H
#define TP_ANALYZE_OP_TREE_FIT_H

#include "analyze/ops/op_tree.h"
#include "analyze/ops/padding.h"

/* Of the convolutions and dots at or below a node: their self time, and what of it goes to padding. */
struct tp_op_tree_fit {
	double self_ps, lost_ps;
};

/* By node, in arena. */
const struct tp_op_tree_fit *tp_op_tree_fits(
	const struct tp_op_tree *tree, const struct tp_padding *padding, struct tp_arena *arena);

#endif
