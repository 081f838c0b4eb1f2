/* Cards of the operations that matter most: everything that is known of one. */
#ifndef TP_ANALYZE_OP_CARDS_H
#define TP_ANALYZE_OP_CARDS_H

#include "analyze/ops/ops_present.h"
#include "base/map.h"

struct tp_op_graph;

/* An instruction within a fusion. */
struct tp_op_part {
	struct tp_slice name, opcode, shape, framework, source;
};

struct tp_op_card {
	const struct tp_op_total *total;
	struct tp_slice
		id; /* of its block: "operations/card/jit_f/fusion.1"; empty: it has none, only parts */
	struct tp_slice expression; /* HLO text; empty: not known */
	struct tp_slice shape;      /* with layout; likewise */
	struct tp_op_part *parts;   /* of a fusion, its result last; parameters are none */
	size_t part_count, parts_left_out;
	const struct tp_op_graph *graph; /* of those with a block; NULL: … */
	struct tp_slice no_graph;        /* … why there is none */
};

struct tp_op_cards {
	/* The most wasted time first, or the most self time where waste is not known. */
	struct tp_op_card *cards;
	size_t count;        /* whose parts are looked up */
	size_t shown;        /* of these, that have a block */
	struct tp_map index; /* struct tp_op → card */
};

/* Chooses operations, in ctx->keep. */
struct tp_op_cards *tp_op_cards(
	const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc);

/* What is looked up of an operation; NULL: nothing. */
const struct tp_op_card *tp_op_card_of(const struct tp_op_cards *cards, const struct tp_op *op);

/* Fills in what the HLO of the programs says of the cards' operations (op_parts.c). */
void tp_op_parts(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_op_cards *cards);

/* Writes the cards, each as a fold. */
void tp_op_cards_present(const struct tp_op_page *page);

#endif
