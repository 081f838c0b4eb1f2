/* The graph of TensorFlow by name scope: what is in each, and how tensors flow between the topmost. */
#ifndef TP_ANALYZE_GRAPH_H
#define TP_ANALYZE_GRAPH_H

#include "analyze/core/ctx.h"
#include "analyze/graph/graph_scopes.h"

#include <stdbool.h>

struct tp_block;
struct tp_doc;
struct tp_graph;

/* Of a scope with all within it, or of all nodes with something in common. */
struct tp_graph_sums {
	uint32_t nodes;
	uint32_t library_nodes; /* beside these: in functions of the library */
	uint32_t variables;
	uint32_t unknown_shapes;      /* variables among them of which the elements are not known */
	uint64_t elements;            /* of variables of known shape */
	uint64_t trained;             /* of those that training changes */
	uint64_t bytes;               /* of variables of known shape and type */
	uint64_t us, requested_bytes; /* a step, as tfprof measured them */
};

/* Nodes with the same operation, or on the same device. */
struct tp_graph_group {
	uint32_t name; /* string */
	struct tp_graph_sums sums;
};

/* A function of the library, and who calls it. */
struct tp_graph_callee {
	uint32_t calls, calls_in_functions; /* by nodes of the graph itself; of functions */
	/* by calls from the graph or from objects of a saved model, one after the other */
	bool reached;
};

/* What is drawn: a scope, a node that is in none, or what there is no room for. */
struct tp_graph_part {
	struct tp_slice name; /* "tower/conv1" */
	struct tp_graph_sums sums;
	uint32_t scope; /* TP_NONE: none, or several */
	bool rest;
};

/* What flows from part to part. */
struct tp_graph_flow {
	uint32_t from, to;
	uint32_t tensors, control; /* inputs of the nodes there that come from here */
	uint32_t sized;            /* of the tensors, those of known shape … */
	uint64_t elements;         /* … and how many elements these have */
};

struct tp_graph_view {
	const struct tp_graph *graph;
	bool of_layers;       /* it is layers of Keras: nothing is said of variables and devices */
	uint32_t graph_count; /* of the run */
	uint32_t other_count; /* of these, such that are not the same as this one */
	/* that says what ran: itself, or one of the same nodes; NULL: none */
	const struct tp_graph *run_from;
	const struct tp_graph_run **run; /* by node; NULL: it did not run, or nothing is known */
	const bool *trained;             /* by node; NULL: no file says it */
	/* by node: on which device a step had it, a string or 0; NULL: no file says it */
	const uint32_t *placed;
	bool *tells_places;                /* by graph of the run: placed is from it, too */
	struct tp_graph_callee *functions; /* as in graph */
	uint32_t unreached;                /* functions that are not */
	bool *uncalled;                    /* by scope: it is such a function */
	struct tp_graph_scopes scopes;
	struct tp_graph_sums *sums; /* by scope */
	struct tp_graph_sums all;   /* of the graph itself; library_nodes: of all functions */
	struct tp_graph_group *ops, *devices, *places; /* the commonest first; places: of placed */
	uint32_t op_count, device_count, place_count;
	uint64_t edges, control_edges; /* of the graph itself */
	struct tp_graph_part *parts;
	uint32_t part_count, folded; /* folded: scopes and nodes in the last part */
	struct tp_graph_flow *flows; /* the heaviest first */
	uint32_t flow_count, flows_left_out;
};

/* struct tp_graph_view */
extern const struct tp_pass tp_pass_graph;

/* Adds what a node is to sums. */
void tp_graph_add(const struct tp_graph_view *v, uint32_t node, struct tp_graph_sums *sums);

/* Files may say anything: sums end at what an int64_t holds. */
static inline void
tp_graph_sum(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum) || *sum > INT64_MAX)
		*sum = INT64_MAX;
}

/* Fills sums, all, ops, devices, places and edges (graph_sums.c). */
void tp_graph_sum_up(const struct tp_pass_ctx *ctx, struct tp_graph_view *v);

/* Fills parts and flows (graph_flow.c). */
void tp_graph_flow(const struct tp_pass_ctx *ctx, struct tp_graph_view *v);

/* The section (graph_present.c), the tree (graph_tree.c) and the other tables (graph_tables.c). */
void tp_graph_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_graph_tree(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section);
void tp_graph_tables(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v,
	struct tp_doc *doc, struct tp_block *section);

/* Why the sums have no such figure; empty: they have. */
struct tp_slice tp_graph_no_elements(const struct tp_graph_view *v, const struct tp_graph_sums *s);

/* "function f", with "never called" behind it; of a scope its name (graph_tree.c). */
struct tp_slice tp_graph_scope_label(
	const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, uint32_t scope);

#endif
