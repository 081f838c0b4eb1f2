/* The columns of the tables of operations around chosen ones. */
#ifndef TP_ANALYZE_OPS_OP_GRAPH_COLUMNS_H
#define TP_ANALYZE_OPS_OP_GRAPH_COLUMNS_H

#include "analyze/ops/op_graph.h"
#include "report/column.h"
#include "report/draft.h"

static const struct tp_column graph_columns[] = {
	TP_COUNT_COLUMN("distance", "Distance"),
	TP_COLUMN("name", "Instruction", .code = true, TP_TEXT_FIELD(struct tp_op_graph_node, name)),
	TP_COLUMN("what", "What it is", TP_TEXT_FIELD(struct tp_op_graph_node, what)),
	TP_COLUMN("shape", "Result", .code = true, TP_TEXT_FIELD(struct tp_op_graph_node, shape)),
	TP_SHARE_COLUMN("busy_share", "Of busy time"),
	TP_COLUMN("reads", "Reads", .code = true),
	TP_COLUMN("read_by", "Read by", .code = true),
	TP_COLUMN("framework_op", "Framework operation", .code = true,
		TP_TEXT_FIELD(struct tp_op_graph_node, framework)),
	TP_COLUMN("source", "Source", .code = true, TP_TEXT_FIELD(struct tp_op_graph_node, source)),
};
struct graph_cells {
	struct tp_cell distance, name, what, shape, busy, reads, read_by, framework, source;
};
TP_CELLS_ARE_COLUMNS(struct graph_cells, graph_columns);

#endif
