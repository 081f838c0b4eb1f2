/* Operations of an op profile, out of its tree. */
#ifndef TP_INGEST_TOOLS_OP_TREE_H
#define TP_INGEST_TOOLS_OP_TREE_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

struct tp_arena;
struct tp_op_node;

struct tp_op_tree_reading {
	struct tp_arena *keep;
	struct tp_map programs; /* id → index in names */
	struct tp_buf names;
	struct tp_buf ops; /* of struct tp_precomputed_op */
	double root_ps, idle_ps;
};

/* The names of its programs, where it is by program, and the time without any operation. */
void tp_op_tree_note(struct tp_op_tree_reading *r, const struct tp_op_node *root, bool by_program);

/* Adds the operations of the tree, once programs are known. */
void tp_op_tree_collect(struct tp_op_tree_reading *r, const struct tp_op_node *root);

/* Settles shares, of those that have times. */
void tp_op_tree_fill_shares(struct tp_op_tree_reading *r);

#endif
