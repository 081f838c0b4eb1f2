/* Trees of spans as tables and as flame graphs. */
#ifndef TP_ANALYZE_TORCH_TREE_SAY_H
#define TP_ANALYZE_TORCH_TREE_SAY_H

#include "analyze/core/ctx.h"
#include "analyze/torch/modules/torch_tree.h"

struct tp_block;
struct tp_doc;

/* Words for a tree. */
struct tp_torch_tree_words {
	const char *id;         /* of the block, unique in the document */
	const char *head;       /* of the first column: "Module" */
	const char *one, *many; /* "module", "modules" */
	bool spans_are_operators;
	const char *what; /* for captions: "Modules of rank0" */
};

/* A tree-table: of each node the children in order of their first call; those that took least are summed up, so that there are
 * at most some `rows` of them, unless all are wanted (--top all). `open`: rows that stand open, as far as there are no more than
 * the uppermost levels. */
void tp_torch_tree_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_torch_tree *tree, const struct tp_torch_tree_words *words, size_t rows);

/* A flame graph: width is the device's time where there is any, else the host's. Adds nothing for a tree without time. */
void tp_torch_flame(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_torch_tree *tree, const struct tp_torch_tree_words *words);

#endif
