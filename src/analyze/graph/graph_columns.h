/* The columns of the tables of the section Graph. */
#ifndef TP_ANALYZE_GRAPH_GRAPH_COLUMNS_H
#define TP_ANALYZE_GRAPH_GRAPH_COLUMNS_H

#include "analyze/graph/graph.h"
#include "model/graph.h"
#include "report/column.h"
#include "report/draft.h"

static const struct tp_column scope_columns[] = {
	TP_COLUMN("scope", "Scope", .code = true),
	TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true, TP_COUNT_FIELD(struct tp_graph_scope, nodes)),
	TP_SHARE_COLUMN("share", "Of the graph", .bar = true),
	TP_COLUMN("operations", "Operations", .code = true),
	TP_COUNT_COLUMN("variables", "Variables"),
	TP_COUNT_COLUMN("elements", "Elements"),
	TP_COUNT_COLUMN("trained", "Trained"),
	TP_ONE_UNIT_COLUMN("time_us", "Time per step", TP_UNIT_US),
	TP_ONE_UNIT_COLUMN("requested_bytes", "Requested memory", TP_UNIT_BYTES),
	TP_COLUMN("devices", "Devices", .code = true),
};
struct scope_cells {
	struct tp_cell scope, nodes, share, kinds, variables, elements, trained, time, bytes, devices;
};
TP_CELLS_ARE_COLUMNS(struct scope_cells, scope_columns);

#define GROUP_TABLE(key_of_name, title_of_name)                                                    \
	{                                                                                              \
		TP_COLUMN(key_of_name, title_of_name, .code = true),                                       \
			TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true,                                      \
				TP_COUNT_FIELD(struct tp_graph_group, sums.nodes)),                                \
			TP_SHARE_COLUMN("share", "Of the graph", .bar = true),                                 \
			TP_COUNT_COLUMN("in_functions", "In functions"),                                       \
			TP_ONE_UNIT_COLUMN("time_us", "Time per step", TP_UNIT_US),                            \
			TP_ONE_UNIT_COLUMN("requested_bytes", "Requested memory", TP_UNIT_BYTES),              \
	}
static const struct tp_column op_columns[] = GROUP_TABLE("operation", "Operation");

static const struct tp_column device_columns[] = GROUP_TABLE("device", "Device");
struct group_cells {
	struct tp_cell name, nodes, share, in_functions, time, bytes;
};
TP_CELLS_ARE_COLUMNS(struct group_cells, op_columns);

static const struct tp_column function_columns[] = {
	TP_COLUMN("function", "Function", .code = true),
	TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true),
	TP_COUNT_COLUMN("calls", "Calls in the graph", TP_COUNT_FIELD(struct tp_graph_callee, calls)),
	TP_COUNT_COLUMN("calls_in_functions", "In functions",
		TP_COUNT_FIELD(struct tp_graph_callee, calls_in_functions)),
	TP_COLUMN("note", "Note"),
};
struct function_cells {
	struct tp_cell function, nodes, calls, calls_in_functions, note;
};
TP_CELLS_ARE_COLUMNS(struct function_cells, function_columns);

static const struct tp_column variable_columns[] = {
	TP_COLUMN("variable", "Variable", .code = true),
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COLUMN("type", "Type"),
	TP_COUNT_COLUMN("elements", "Elements", .sorted = true),
	TP_ONE_UNIT_COLUMN("bytes", "Memory", TP_UNIT_BYTES),
	TP_COLUMN("trained", "Trained"),
};
struct variable_cells {
	struct tp_cell variable, operation, type, elements, bytes, trained;
};
TP_CELLS_ARE_COLUMNS(struct variable_cells, variable_columns);

static const struct tp_column graph_columns[] = {
	TP_COUNT_COLUMN("number", "No."),
	TP_COLUMN("graph", "Graph", .code = true, TP_TEXT_FIELD(struct tp_graph, name)),
	TP_COLUMN("folder", "Folder", .code = true),
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_COUNT_FIELD(struct tp_graph, main_count)),
	TP_COUNT_COLUMN("variables", "Variables"),
	TP_COUNT_COLUMN("functions", "Functions", TP_COUNT_FIELD(struct tp_graph, function_count)),
	TP_COUNT_COLUMN("step", "Step", TP_COUNT_FIELD(struct tp_graph, step)),
	TP_COLUMN("version", "TensorFlow",
		TP_TEXT_FIELD(struct tp_graph, version, .missing = "the file does not say")),
	TP_COLUMN("note", "Note"),
};
struct graph_cells {
	struct tp_cell number, graph, folder, kind, nodes, variables, functions, step, version, note;
};
TP_CELLS_ARE_COLUMNS(struct graph_cells, graph_columns);

#endif
