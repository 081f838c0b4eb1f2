/* The columns of the tables of what was held when a memory profile was saved. */
#ifndef TP_ANALYZE_MEMORY_LIVE_COLUMNS_H
#define TP_ANALYZE_MEMORY_LIVE_COLUMNS_H

#include "analyze/memory/live_buffers.h"
#include "report/column.h"
#include "report/draft.h"

/* Stacks of which all that a row shows is equal: what each holds, and where. */
struct live_row {
	const struct tp_live_stack *stack; /* the first of them */
	uint64_t bytes, count, stacks;
	size_t first; /* index of that stack */
};

#define HELD_COLUMN(...) TP_COLUMN("bytes", "Held", .unit = TP_UNIT_MIB, .decimals = 3, __VA_ARGS__)

static const struct tp_column total_columns[] = {
	TP_COLUMN(
		"device", "Device", TP_TEXT_FIELD(struct tp_live_total, device, .missing = "on no device")),
	TP_COLUMN("kind", "Kind", TP_TEXT_FIELD(struct tp_live_total, kind, .missing = "not recorded")),
	HELD_COLUMN(.sorted = true, TP_FIELD(struct tp_live_total, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number", TP_COUNT_FIELD(struct tp_live_total, count)),
	TP_COUNT_COLUMN("stacks", "Stacks", TP_COUNT_FIELD(struct tp_live_total, stacks)),
};
struct total_cells {
	struct tp_cell device, kind, bytes, share, count, stacks;
};
TP_CELLS_ARE_COLUMNS(struct total_cells, total_columns);

static const struct tp_column stack_columns[] = {
	TP_COLUMN("function", "Allocated by", .code = true),
	TP_COLUMN("where", "At", .code = true),
	HELD_COLUMN(.sorted = true, TP_FIELD(struct live_row, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number", TP_COUNT_FIELD(struct live_row, count)),
	TP_COUNT_COLUMN("stacks", "Stacks", TP_COUNT_FIELD(struct live_row, stacks)),
	TP_COLUMN("kind", "Kind"),
	TP_COLUMN("device", "Device"),
	TP_COLUMN("innermost", "Innermost call", .code = true),
	TP_COLUMN("innermost_where", "Innermost at", .code = true),
};
struct stack_cells {
	struct tp_cell function, where, bytes, share, count, stacks, kind, device, innermost,
		innermost_where;
};
TP_CELLS_ARE_COLUMNS(struct stack_cells, stack_columns);

static const struct tp_column full_columns[] = {
	TP_COUNT_COLUMN("row", "Row above"),
	HELD_COLUMN(),
	TP_COLUMN(
		"stack", "Calls, innermost first", .code = true, TP_TEXT_FIELD(struct tp_live_stack, text)),
};
struct full_cells {
	struct tp_cell row, bytes, stack;
};
TP_CELLS_ARE_COLUMNS(struct full_cells, full_columns);

static const struct tp_column tree_columns[] = {
	TP_COLUMN("function", "Call", .code = true),
	TP_COLUMN("where", "At", .code = true),
	HELD_COLUMN(TP_FIELD(struct tp_live_node, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number", TP_COUNT_FIELD(struct tp_live_node, count)),
	TP_COUNT_COLUMN("calls", "Calls in one", TP_COUNT_FIELD(struct tp_live_node, calls)),
};
struct tree_cells {
	struct tp_cell function, where, bytes, share, count, calls;
};
TP_CELLS_ARE_COLUMNS(struct tree_cells, tree_columns);

#endif
