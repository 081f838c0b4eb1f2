/* The parts of the section on operations. */
#ifndef TP_ANALYZE_OPS_PRESENT_H
#define TP_ANALYZE_OPS_PRESENT_H

#include "analyze/ops/op_tree.h"
#include "analyze/ops/op_use.h"

struct tp_op_cards;
struct tp_padding;

/* What all of them are given. */
struct tp_op_page {
	const struct tp_pass_ctx *ctx;
	const struct tp_ops *ops;
	struct tp_op_peaks peaks;
	struct tp_doc *doc;
	struct tp_block *section;
	const struct tp_op_cards *cards;
	const struct tp_padding *padding; /* NULL: nothing is known of it */
};

/* A tree as a table; shown: rows that stand open. */
void tp_op_tree_table(const struct tp_op_page *page, struct tp_block *parent, const char *id,
	enum tp_op_grouping grouping, size_t shown);

/* The framework's ten operations with the most self time; every operation of the device. */
void tp_op_top_table(const struct tp_op_page *page);
void tp_op_list_table(const struct tp_op_page *page);

#endif
