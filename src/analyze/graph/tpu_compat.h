/* How much of a TensorFlow graph a TPU would run: every node judged by name and kind of operation, an estimate. */
#ifndef TP_ANALYZE_TPU_COMPAT_H
#define TP_ANALYZE_TPU_COMPAT_H

#include "analyze/core/ctx.h"
#include "analyze/graph/graph_scopes.h"
#include "analyze/graph/tpu_rule.h"
#include "report/doc.h"

struct tp_graph;
struct tp_graph_view;

/* Of a scope, with those within it. */
struct tp_tpu_sums {
	uint32_t compatible, incompatible;
};

/* Nodes of one kind of operation that is not in the list. */
struct tp_tpu_kind {
	struct tp_slice op;
	enum tp_tpu_class class;
	uint32_t nodes;
	struct tp_tpu_reason reason;
};

struct tp_tpu_compat {
	const struct tp_graph *graph;
	const struct tp_graph_view *view; /* of it */
	enum tp_tpu_list list;
	/* devices of nodes are what was asked for; else where they ran, which excuses none */
	bool devices_asked;
	bool for_tpu;                       /* the graph or the profile names a TPU */
	uint8_t *class;                     /* by node: enum tp_tpu_class */
	uint32_t nodes[TP_TPU_CLASS_COUNT]; /* of each class, with those of functions */
	uint32_t judged;                    /* compatible and incompatible */
	uint32_t valid;                     /* by TensorBoard's rule, of the graph without functions */
	const struct tp_graph_scopes *scopes;
	struct tp_tpu_sums *sums;  /* by scope */
	struct tp_tpu_kind *kinds; /* incompatible ones first, those with most nodes first */
	size_t kind_count;
	uint32_t *marked; /* nodes of those kinds: incompatible ones first, in the order of the graph */
	uint32_t marked_count;
	/* by marked node: where the program made it, as any graph of the run says it */
	uint32_t *source;
};

/* struct tp_tpu_compat, of the graph that tp_pass_graph tells about */
extern const struct tp_pass tp_pass_tpu_compat;

/* Its metrics and its part of the section on the graph (tpu_present.c). */
void tp_tpu_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_tpu_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* "`ApplyMomentum` (6), `AssignAdd` (1).": the first few kinds that count against the graph; there is one. */
struct tp_text tp_tpu_worst(struct tp_doc *doc, const struct tp_tpu_compat *c);

/* Tables: kinds that are not in the list, scopes, nodes of these kinds, classes of nodes (tpu_tables.c). */
void tp_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section);

#endif
