/* The HLO around an operation: what it reads, what reads it, and which of these took time. */
#ifndef TP_ANALYZE_OP_GRAPH_H
#define TP_ANALYZE_OP_GRAPH_H

#include "analyze/ops/ops_present.h"
#include "base/map.h"
#include "model/hlo_near.h"

enum { TP_OP_GRAPH_WIDTH = 2 }; /* where nobody asked for another */

struct tp_op_graph_node {
	struct tp_slice name, shape, framework, source;
	struct tp_slice what; /* opcode, "parameter 0", "fusion of 12 instructions" */
	/* for the drawing: the shape without layout where the name says the opcode */
	struct tp_slice brief;
	const struct tp_op_total *total; /* NULL: it has no time of its own in the profile */
	uint64_t bytes;                  /* of its result, as laid out; of a tuple's members together */
	int distance;                    /* as in struct tp_hlo_near_node, like these: */
	uint32_t operands_left_out, users_left_out;
};

struct tp_op_graph {
	struct tp_op_graph_node *nodes; /* by distance; texts are the report's own */
	const struct tp_hlo_near_edge *edges;
	size_t node_count, edge_count, middle; /* the node that it is around */
	struct tp_slice computation;           /* that it stands in … */
	struct tp_slice caller; /* … and the instruction that calls that; empty: it is the entry */
};

/* Finds an operation by its program and name. */
struct tp_op_index {
	const struct tp_ops *ops; /* NULL: none took time */
	struct tp_map at;
};
struct tp_op_index tp_op_index(const struct tp_ops *ops, struct tp_arena *arena);

/* A program from which graphs are taken; it needs m and arena as long as it is used. */
struct tp_op_program;
struct tp_op_program *tp_op_program(const struct tp_hlo_module *m, uint64_t program_id,
	const struct tp_op_index *index, struct tp_arena *arena);

/* The graph around an instruction, width steps in each direction; in keep. */
const struct tp_op_graph *tp_op_graph(struct tp_op_program *program,
	const struct tp_hlo_instruction *i, unsigned width, struct tp_arena *keep);

/* A text of an HLO module, which may be any bytes, for the report: copied, made valid, and cut where it is too long. */
struct tp_slice tp_op_text(struct tp_arena *keep, struct tp_slice text);
/* Where in the source an instruction is from, "model.py:42"; empty: not known. */
struct tp_slice tp_op_source(struct tp_arena *keep, const struct tp_hlo_instruction *i);

/* The section on operations that were asked for by name (op_graph_asked.c), if any were. An operation that is in no program
 * is a refusal. */
void tp_op_graphs_asked(const struct tp_op_page *page);

/* Writes a graph: a drawing with the id "<id>/drawing" where there is more than one node, and below it a table with the id
 * "<id>/near" (op_graph_present.c). */
void tp_op_graph_present(const struct tp_op_page *page, struct tp_block *parent, struct tp_slice id,
	const struct tp_op_graph *graph);

#endif
