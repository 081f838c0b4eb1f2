/* Operations as a tree: by category, by program, or by the framework's name scopes. */
#ifndef TP_ANALYZE_OP_TREE_H
#define TP_ANALYZE_OP_TREE_H

#include "analyze/ops/ops.h"

/* Programs are a layer only where the profile tells of any. */
enum tp_op_grouping {
	TP_OPS_BY_CATEGORY, /* category → operation */
	TP_OPS_BY_PROGRAM,  /* program → category → operation */
	TP_OPS_BY_SCOPE,    /* program → scope → … → category → operation */
};

enum tp_op_node_kind {
	TP_OP_NODE_ALL,
	TP_OP_NODE_PROGRAM,
	TP_OP_NODE_SCOPE,
	TP_OP_NODE_CATEGORY,
	TP_OP_NODE_DUPLICATES, /* operations that the compiler made one from the other */
	TP_OP_NODE_OP,
};

struct tp_op_node {
	enum tp_op_node_kind kind;
	uint32_t depth; /* of the root: 0 */
	struct tp_slice name;
	uint32_t parent;                /* of the root: itself */
	uint32_t first, count;          /* its children are nodes order[first …] */
	const struct tp_op_total *op;   /* OP; else NULL */
	const struct tp_op_total *sums; /* of all operations below it: of one its own, of several … */
	struct tp_op_total *own_sums;   /* … these */
	enum tp_hue hue;                /* of the longest */
};

struct tp_op_tree {
	struct tp_op_node *nodes; /* the root first, parents before their children */
	uint32_t count;
	/* children of each node: by wasted time (by_waste) or self time, descending, then name */
	uint32_t *order;
	bool by_waste; /* wasted time is known of at least one operation */
};

/* No node is deeper than this; scopes beyond are one. */
enum { TP_OP_TREE_DEEPEST = 24 };

/* The tree lives in scratch; its names, as those of operations do, in keep. */
struct tp_op_tree *tp_op_tree(const struct tp_ops *o, enum tp_op_grouping grouping,
	struct tp_arena *keep, struct tp_arena *scratch);

#endif
