/* The parts of the section on operations. */
#ifndef TP_ANALYZE_OPS_PRESENT_H
#define TP_ANALYZE_OPS_PRESENT_H

#include "analyze/core/say.h"
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

/* Columns that several tables of operations have. */
#define TP_OP_COLUMN_NAME TP_COLUMN("name", "Operation", .code = true)
#define TP_OP_COLUMN_SELF                                                                          \
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1, .sorted = true)
#define TP_OP_COLUMN_BUSY TP_SHARE_COLUMN("busy_share", "Of busy time", .bar = true)
#define TP_OP_COLUMN_CUMULATIVE TP_SHARE_COLUMN("cumulative_share", "Cumulative")
#define TP_OP_COLUMN_OCCURRENCES TP_COUNT_COLUMN("occurrences", "Occurrences")
#define TP_OP_COLUMN_TOTAL TP_COLUMN("total_ms", "Total", .unit = TP_UNIT_MS, .decimals = 1)
#define TP_OP_COLUMN_EACH TP_COLUMN("mean_us", "Each", .unit = TP_UNIT_US, .decimals = 1)
#define TP_OP_COLUMN_SELF_EACH                                                                     \
	TP_COLUMN("mean_self_us", "Self, each", .unit = TP_UNIT_US, .decimals = 1)
#define TP_OP_COLUMN_WASTED TP_COLUMN("wasted_ms", "Wasted", .unit = TP_UNIT_MS, .decimals = 1)
#define TP_OP_COLUMN_BOUND TP_COLUMN("bound_by", "Bound by")
#define TP_OP_COLUMN_FLOP_RATE                                                                     \
	TP_COLUMN("gflop_per_s", "FLOP rate", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 1)
#define TP_OP_COLUMN_HBM_RATE                                                                      \
	TP_COLUMN("gb_per_s", "HBM rate", .unit = TP_UNIT_GB_PER_S, .decimals = 1)
#define TP_OP_COLUMN_BYTE_RATE                                                                     \
	TP_COLUMN("all_gb_per_s", "All bytes", .unit = TP_UNIT_GB_PER_S, .decimals = 1)
#define TP_OP_COLUMN_INTENSITY                                                                     \
	TP_COLUMN("flop_per_byte", "Intensity", .unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 1)
#define TP_OP_COLUMN_MODEL_RATE                                                                    \
	TP_COLUMN("model_gflop_per_s", "Model FLOP rate", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 1)

/* A tree as a table; shown: rows that stand open. */
void tp_op_tree_table(const struct tp_op_page *page, struct tp_block *parent, const char *id,
	enum tp_op_grouping grouping, size_t shown);

/* The framework's ten operations with the most self time; every operation of the device, in a part of the section. */
void tp_op_top_table(const struct tp_op_page *page);
void tp_op_list_table(const struct tp_op_page *page, struct tp_block *sub);

#endif
