/* The columns of the tables of the section Operations, but of padding and of graphs around operations. */
#ifndef TP_ANALYZE_OPS_OPS_COLUMNS_H
#define TP_ANALYZE_OPS_OPS_COLUMNS_H

#include "analyze/facts/precomputed.h"
#include "analyze/ops/op_cards.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/ops_present.h"
#include "report/column.h"
#include "report/draft.h"

/* What both tables say of an operation's time, or of several operations together. */
#define TIME_COLUMNS                                                                               \
	TP_OP_COLUMN_SELF, TP_OP_COLUMN_BUSY, TP_OP_COLUMN_CUMULATIVE, TP_OP_COLUMN_OCCURRENCES
struct time_cells {
	struct tp_cell self, busy, cumulative, occurrences;
};

static const struct tp_column top_columns[] = {
	TP_OP_COLUMN_NAME,
	TIME_COLUMNS,
	TP_COLUMN("type", "Type"),
	TP_OP_COLUMN_FLOP_RATE,
	TP_OP_COLUMN_HBM_RATE,
};
struct top_cells {
	struct tp_cell name;
	struct time_cells times;
	struct tp_cell type, flop_rate, hbm_rate;
};
TP_CELLS_ARE_COLUMNS(struct top_cells, top_columns);

static const struct tp_column list_columns[] = {
	TP_OP_COLUMN_NAME,
	TIME_COLUMNS,
	TP_COLUMN("category", "Category", TP_TEXT_FIELD(struct tp_op_total, category)),
	TP_OP_COLUMN_TOTAL,
	TP_OP_COLUMN_EACH,
	TP_OP_COLUMN_BOUND,
	TP_OP_COLUMN_FLOP_RATE,
	TP_OP_COLUMN_HBM_RATE,
	TP_OP_COLUMN_INTENSITY,
	TP_OP_COLUMN_SELF_EACH,
	TP_COLUMN("min_us", "Shortest", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("max_us", "Longest", .unit = TP_UNIT_US, .decimals = 1),
	TP_OP_COLUMN_WASTED,
	TP_SHARE_COLUMN("dma_stall_share", "DMA stall"),
	TP_OP_COLUMN_MODEL_RATE,
	TP_OP_COLUMN_BYTE_RATE,
	TP_COLUMN("cmem_read_gb_per_s", "CMEM read", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	TP_COLUMN("cmem_write_gb_per_s", "CMEM written", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	TP_COLUMN("program", "Program", .code = true, TP_TEXT_FIELD(struct tp_op_total, program)),
	TP_COLUMN("framework_op", "Framework operation", .code = true),
	TP_COLUMN("source", "Source", .code = true),
	TP_COLUMN("shape", "Shape", .code = true),
	TP_COLUMN("expression", "HLO", .code = true),
	TP_COLUMN("program_id", "Program id", .code = true),
};
struct list_cells {
	struct tp_cell name;
	struct time_cells times;
	struct tp_cell category, total, each, bound, flop_rate, hbm_rate, intensity, self_each,
		shortest, longest, wasted, dma_stall, model_rate, byte_rate, cmem_read_rate,
		cmem_write_rate, program, framework, source, shape, expression, program_id;
};
TP_CELLS_ARE_COLUMNS(struct list_cells, list_columns);

static const struct tp_column tree_columns[] = {
	TP_COLUMN("name", "Group, operation", .code = true),
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
	TP_OP_COLUMN_BUSY,
	TP_OP_COLUMN_WASTED,
	TP_SHARE_COLUMN("flops_utilization_share", "FLOPS use"),
	TP_SHARE_COLUMN("hbm_utilization_share", "Bandwidth use, est."),
	TP_OP_COLUMN_OCCURRENCES,
	TP_SHARE_COLUMN("padding_fit_share", "Padding fit"),
	TP_COLUMN("framework_op", "Framework operation", .code = true),
};
struct tree_cells {
	struct tp_cell name, self, busy, wasted, flops, hbm, occurrences;
	/* where a fit is known the padding fit, then the other name; else the other name, and no more tree_columns */
	struct tp_cell fit, other_name;
};
TP_CELLS_ARE_COLUMNS(struct tree_cells, tree_columns);

/* Of the tree by scope, where a scope may be one operation, instead of the last. */
static const struct tp_column operation_column = TP_COLUMN("operation", "Operation", .code = true);

static const struct tp_column framework_columns[] = {
	TP_OP_COLUMN_NAME,
	TP_OP_COLUMN_SELF,
	TP_SHARE_COLUMN("busy_share", "Without idle", .bar = true),
	TP_COLUMN("type", "Type"),
	TP_OP_COLUMN_CUMULATIVE,
	TP_SHARE_COLUMN("all_share", "With idle"),
	TP_OP_COLUMN_OCCURRENCES,
	TP_OP_COLUMN_TOTAL,
	TP_OP_COLUMN_EACH,
	TP_OP_COLUMN_SELF_EACH,
	/* of the device alone: */
	TP_OP_COLUMN_BOUND,
	TP_OP_COLUMN_FLOP_RATE,
	TP_OP_COLUMN_BYTE_RATE,
	TP_OP_COLUMN_INTENSITY,
	TP_OP_COLUMN_MODEL_RATE,
};
struct framework_cells {
	struct tp_cell name, self, busy, type, cumulative, all, occurrences, total, each, self_each,
		bound, flop_rate, byte_rate, intensity, model_rate;
};
TP_CELLS_ARE_COLUMNS(struct framework_cells, framework_columns);

/* Of types the fourth column is how many operations there are of each. */
static const struct tp_column members_column = TP_COUNT_COLUMN("operations", "Operations");

#define NOT_SAID "the tool file does not say"
#define FIGURE(member, unit) TP_FIELD(struct tp_precomputed_op, member, unit, .missing = NOT_SAID)

static const struct tp_column given_columns[] = {
	TP_COLUMN("name", "Operation", .code = true, TP_TEXT_FIELD(struct tp_precomputed_op, name)),
	TP_COLUMN("share", "Share", .unit = TP_UNIT_SHARE, .decimals = 2, .bar = true, .sorted = true,
		FIGURE(share, TP_UNIT_SHARE)),
	TP_COLUMN("category", "Category", TP_TEXT_FIELD(struct tp_precomputed_op, category)),
	TP_COUNT_COLUMN("occurrences", "Count"),
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("total_ms", "Total time", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("gflop_per_s", "FLOP rate", .unit = TP_UNIT_GFLOP_PER_S, .decimals = 1),
	TP_COLUMN("all_gb_per_s", "All bytes", .unit = TP_UNIT_GB_PER_S, .decimals = 1),
	TP_COLUMN("flop_per_byte", "Intensity", .unit = TP_UNIT_FLOP_PER_BYTE, .decimals = 2,
		FIGURE(flop_per_byte, TP_UNIT_FLOP_PER_BYTE)),
	TP_COLUMN("bound_by", "Bound by",
		TP_TEXT_FIELD(struct tp_precomputed_op, bound_by, .missing = NOT_SAID)),
};
struct given_cells {
	struct tp_cell name, share, category, occurrences, self, total, flop_rate, byte_rate, intensity,
		bound;
};
TP_CELLS_ARE_COLUMNS(struct given_cells, given_columns);

static const struct tp_column fact_columns[] = {
	TP_COLUMN("fact", "What"),
	TP_COLUMN("value", "Value"),
	TP_SHARE_COLUMN("share", "Share"),
	TP_COLUMN("note", "Of what"),
};
struct fact_cells {
	struct tp_cell fact, value, share, note;
};
TP_CELLS_ARE_COLUMNS(struct fact_cells, fact_columns);

static const struct tp_column text_columns[] = {
	TP_COLUMN("what", "What"),
	TP_COLUMN("text", "Text", .code = true),
};
struct text_cells {
	struct tp_cell what, text;
};
TP_CELLS_ARE_COLUMNS(struct text_cells, text_columns);

static const struct tp_column part_columns[] = {
	TP_COLUMN("name", "Instruction", .code = true, TP_TEXT_FIELD(struct tp_op_part, name)),
	TP_COLUMN("opcode", "Opcode", TP_TEXT_FIELD(struct tp_op_part, opcode)),
	TP_COLUMN("shape", "Result", .code = true, TP_TEXT_FIELD(struct tp_op_part, shape)),
	TP_COLUMN("framework_op", "Framework operation", .code = true,
		TP_TEXT_FIELD(struct tp_op_part, framework)),
	TP_COLUMN("source", "Source", .code = true, TP_TEXT_FIELD(struct tp_op_part, source)),
};

#endif
