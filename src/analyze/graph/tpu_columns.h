/* The columns of the tables of the part TPU compatibility. */
#ifndef TP_ANALYZE_GRAPH_TPU_COLUMNS_H
#define TP_ANALYZE_GRAPH_TPU_COLUMNS_H

#include "analyze/graph/graph_scopes.h"
#include "analyze/graph/tpu_compat.h"
#include "report/column.h"
#include "report/draft.h"

static const struct tp_column class_columns[] = {
	TP_COLUMN("judged", "Judged"),
	TP_COUNT_COLUMN("nodes", "Nodes"),
	TP_SHARE_COLUMN("share", "Of all nodes", .bar = true),
};
struct class_cells {
	struct tp_cell judged, nodes, share;
};
TP_CELLS_ARE_COLUMNS(struct class_cells, class_columns);

static const struct tp_column kind_columns[] = {
	TP_COLUMN("operation", "Operation", .code = true, TP_TEXT_FIELD(struct tp_tpu_kind, op)),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_COUNT_FIELD(struct tp_tpu_kind, nodes)),
	TP_COLUMN("reason", "Why"),
	TP_COLUMN("instead", "Instead"),
	TP_COLUMN("judged", "Judged"),
};
struct kind_cells {
	struct tp_cell operation, nodes, reason, instead, judged;
};
TP_CELLS_ARE_COLUMNS(struct kind_cells, kind_columns);

static const struct tp_column scope_columns[] = {
	TP_COLUMN("scope", "Scope", .code = true),
	TP_SHARE_COLUMN("compatible_share", "Compatible", .bar = true),
	TP_COUNT_COLUMN("incompatible", "Incompatible"),
	TP_COUNT_COLUMN("judged", "Judged"),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_COUNT_FIELD(struct tp_graph_scope, nodes)),
};
struct scope_cells {
	struct tp_cell scope, share, incompatible, judged, nodes;
};
TP_CELLS_ARE_COLUMNS(struct scope_cells, scope_columns);

static const struct tp_column node_columns[] = {
	TP_COLUMN("node", "Node", .code = true),
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COLUMN("function", "In function", .code = true),
	TP_COLUMN("device", "Device", .code = true),
	TP_COLUMN("source", "Made at", .code = true),
	TP_COLUMN("judged", "Judged"),
};
struct node_cells {
	struct tp_cell node, operation, function, device, source, judged;
};
TP_CELLS_ARE_COLUMNS(struct node_cells, node_columns);

#endif
