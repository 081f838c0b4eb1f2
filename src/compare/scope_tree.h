/* Times of two runs in one tree of names: name scopes of a program, modules of a model. */
#ifndef TP_COMPARE_SCOPE_TREE_H
#define TP_COMPARE_SCOPE_TREE_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;

struct tp_scope_node {
	struct tp_slice name;
	uint32_t parent, depth;      /* of the root both are 0 */
	double own[2], total[2];     /* ms of A and B: directly here; with all below */
	double moved;                /* Σ |change of own|, with all below */
	uint32_t first, child_count; /* in tp_scope_tree.order */
};

struct tp_scope_tree {
	struct tp_arena *arena;
	struct tp_buf scopes; /* struct tp_scope_node; the first is the root */
	struct tp_map index;
	uint32_t *order; /* children of each together, the largest change first */
};

/* Deeper names stand in the scope that is as deep as this. */
enum { TP_SCOPES_DEEPEST = 32 };

void tp_scope_tree_init(struct tp_scope_tree *t, struct tp_arena *arena);
void tp_scope_tree_free(struct tp_scope_tree *t);

/* The scope of this name below another; 0 is the root. */
uint32_t tp_scope_below(struct tp_scope_tree *t, uint32_t parent, struct tp_slice name);

/* The scope of "jit(f)/transpose(jvp(a/b))/c/op" below another, op being the operation: slashes within parentheses separate nothing, and
 * what follows a colon at the end is the operation's type. */
uint32_t tp_scope_of_path(struct tp_scope_tree *t, uint32_t parent, struct tp_slice path);

/* Adds to what is directly in a scope. side: 0 for A, 1 for B. */
void tp_scope_add(struct tp_scope_tree *t, uint32_t scope, size_t side, double ms);

/* Sums up and puts children in order, once all is added. */
void tp_scope_tree_settle(struct tp_scope_tree *t);

const struct tp_scope_node *tp_scope_at(const struct tp_scope_tree *t, uint32_t scope);
const struct tp_scope_node *tp_scope_child(
	const struct tp_scope_tree *t, const struct tp_scope_node *parent, uint32_t number);

#endif
