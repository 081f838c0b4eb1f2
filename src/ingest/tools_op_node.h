/* Nodes of the tree in an op profile, out of JSON or a message. */
#ifndef TP_INGEST_TOOLS_OP_NODE_H
#define TP_INGEST_TOOLS_OP_NODE_H

#include "base/slice.h"

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_precomputed_dim;

/* Of what the file does not say numbers are NaN or 0 and texts empty. */
struct tp_op_node {
	struct tp_slice name, opcode, expression, provenance, category, source;
	uint64_t program_id, occurrences, all_children;
	bool is_op, has_metrics;
	double share, time_ps, flops_share, flops, hbm_use, bytes;
	const struct tp_precomputed_dim *dims;
	size_t dim_count;
	struct tp_op_node *first, *next; /* child, sibling */
};

struct tp_op_nodes {
	struct tp_arena *nodes, *keep; /* keep: of texts and dimensions */
	unsigned deepest;              /* level that is read, the root's is 0 */
	size_t count;                  /* nodes and dimensions so far, at most TP_TOOL_MOST_ROWS */
	bool cut;                      /* there were more */
};

/* Below program and provenance there are category, duplicates, operation, and what that was fused from. */
enum { TP_OP_NODE_DEEPEST = 40 };

/* The root; NULL where there is none, or where the message breaks off. */
struct tp_op_node *tp_op_node_json(struct tp_op_nodes *all, const json_t *json);
struct tp_op_node *tp_op_node_pb(struct tp_op_nodes *all, struct tp_slice message);

/* NaN where it is neither 0 nor more. */
double tp_op_not_negative(double value);

#endif
