/* The neighbourhood of an HLO instruction: what it reads from and what reads it, step by step, as a small graph. */
#ifndef TP_MODEL_HLO_NEAR_H
#define TP_MODEL_HLO_NEAR_H

#include "model/hlo.h"

/* Who reads what in a module, and room for working on it. */
struct tp_hlo_links;

/* In arena, which it needs as long as it is used. */
struct tp_hlo_links *tp_hlo_links(const struct tp_hlo_module *m, struct tp_arena *arena);

/* The instructions that have this one as an operand, in their order, each once. */
struct tp_hlo_list tp_hlo_users(const struct tp_hlo_links *links, uint32_t instruction);

/* Each way there are at most so many nodes a step, and in all. */
enum { TP_HLO_WIDEST = 8, TP_HLO_NEAR_A_STEP = 6, TP_HLO_NEAR_MOST = 22 };

/* What is wanted. */
struct tp_hlo_near_wish {
	uint32_t instruction;
	unsigned width;        /* steps in each direction, at most TP_HLO_WIDEST */
	const int64_t *weight; /* by instruction: where not all have room the heaviest stay */
};

struct tp_hlo_near_node {
	uint32_t instruction;
	int distance; /* < 0: so many steps before it; 0: itself; > 0: after it */
	uint32_t operands_left_out, users_left_out; /* different ones that are no nodes */
};

struct tp_hlo_near_edge {
	uint32_t from, to; /* nodes: `to` reads `from` */
};

struct tp_hlo_near {
	struct tp_hlo_near_node *nodes; /* by distance, then in the order of the program */
	struct tp_hlo_near_edge *edges; /* by `to`, then in the order of its operands; each pair once */
	size_t node_count, edge_count;
};

/* In arena. Operands, their operands …, users, their users … What else its users read is no neighbour. */
struct tp_hlo_near tp_hlo_near(
	struct tp_hlo_links *links, const struct tp_hlo_near_wish *wish, struct tp_arena *arena);

#endif
