/* Cards of the operations that matter most: everything that is known of one. */
#ifndef TP_ANALYZE_OP_CARDS_H
#define TP_ANALYZE_OP_CARDS_H

#include "analyze/ops/ops_present.h"
#include "base/map.h"

struct tp_hlo_instruction;
struct tp_hlo_module;
struct tp_op_graph;
struct tp_op_profile;

/* An instruction within a fusion. */
struct tp_op_part {
	struct tp_slice name, opcode, shape, framework, source;
};

struct tp_op_inside {
	struct tp_op_part *parts; /* its result last; parameters are none */
	size_t count, left_out;
};

struct tp_op_card {
	const struct tp_op_total *total;
	/* id of its row in the list of all operations, which sets it; empty: it has none there */
	struct tp_slice row;
	/* of its block: "operations/card/jit_f/fusion.1"; empty: it has none, only parts */
	struct tp_slice id;
	struct tp_slice expression;      /* HLO text; empty: not known */
	struct tp_slice shape;           /* with layout; likewise */
	struct tp_op_inside inside;      /* of a fusion, else empty */
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

/* Chooses operations, in ctx->keep, and looks up what the HLO of the programs says of them, and the op profile that they are from
 * (NULL: they were recorded). */
struct tp_op_cards *tp_op_cards(const struct tp_pass_ctx *ctx, const struct tp_ops *o,
	const struct tp_op_profile *from, struct tp_doc *doc);

/* "prefix/jit_f/fusion.1", unlike those in ids, to which it is added: the same name may be in several programs of one name. */
struct tp_slice tp_op_id(struct tp_doc *doc, const char *prefix, struct tp_slice program,
	struct tp_slice label, struct tp_map *ids);

/* What is looked up of an operation; NULL: nothing. */
struct tp_op_card *tp_op_card_of(const struct tp_op_cards *cards, const struct tp_op *op);

/* "#…" of its card; empty: it has none. */
struct tp_slice tp_op_card_href(const struct tp_op_page *page, const struct tp_op_total *t);

/* The instructions of the computations that a fusion calls; empty for what is none. Texts are in keep. */
struct tp_op_inside tp_op_inside(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	struct tp_arena *keep, struct tp_arena *scratch);
/* Writes them as a table; nothing when there are none. */
void tp_op_inside_table(const struct tp_op_page *page, struct tp_block *parent, struct tp_slice id,
	const struct tp_op_inside *inside);

/* Writes the cards into a section, each as a fold, after the list that they link to (op_cards_present.c). */
void tp_op_cards_present(const struct tp_op_page *page, struct tp_block *section);

#endif
