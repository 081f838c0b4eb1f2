/* Name scopes: the node "tower/conv1/MatMul" stands in "tower/conv1", and that in "tower". A node that others
 * have as their scope stands in it itself. */
#ifndef TP_ANALYZE_GRAPH_SCOPES_H
#define TP_ANALYZE_GRAPH_SCOPES_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;
struct tp_graph;
struct tp_profile;

/* Deeper scopes are not told apart: what lies in them counts as directly in the last one. */
enum { TP_GRAPH_DEEPEST_SCOPE = 40 };

struct tp_graph_scope {
	struct tp_slice name; /* "conv1"; of a function its name; of the graph itself empty */
	uint32_t parent;      /* TP_NONE: of the graph itself and of functions */
	uint32_t first, next; /* its first child, its next sibling; TP_NONE: none */
	uint32_t depth;       /* 0: the graph itself, or a function */
	uint32_t own, nodes;  /* directly in it; with those of scopes within */
};

/* The graph itself is scopes[0]; then, each behind its parent, in the order of their first nodes. Functions of the library
 * are siblings of the graph. */
struct tp_graph_scopes {
	struct tp_graph_scope *scopes;
	uint32_t count;
	uint32_t *scope; /* by node: the one that it stands directly in */
};

struct tp_graph_scopes tp_graph_scopes(
	const struct tp_profile *p, const struct tp_graph *g, struct tp_arena *keep);

/* "tower/conv1", allocated in a; "the graph" for the graph itself. */
struct tp_slice tp_graph_scope_path(
	const struct tp_graph_scopes *s, uint32_t scope, struct tp_arena *a);

#endif
