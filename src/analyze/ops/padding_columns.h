/* The columns of the tables of the section Padding fit. */
#ifndef TP_ANALYZE_OPS_PADDING_COLUMNS_H
#define TP_ANALYZE_OPS_PADDING_COLUMNS_H

#include "analyze/ops/padding.h"
#include "analyze/ops/padding_fit.h"
#include "report/column.h"
#include "report/draft.h"

static const struct tp_column op_columns[] = {
	TP_COLUMN("name", "Operation", .code = true),
	TP_COLUMN("padded", "Size → smallest that fits"),
	TP_SHARE_COLUMN("fit_share", "Fit", .bar = true),
	TP_SHARE_COLUMN("matrix_unit_share", "Matrix unit, at most",
		TP_FIELD(struct tp_padding_fit, matrix_share, TP_UNIT_SHARE,
			.missing = "the size of this device's matrix unit is unknown")),
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
	TP_COLUMN("lost_ms", "Lost", .unit = TP_UNIT_MS, .decimals = 1, .sorted = true),
	TP_COLUMN("padding_mib", "Padding moved", .unit = TP_UNIT_MIB, .decimals = 1),
	TP_COLUMN("framework_op", "Framework operation", .code = true),
	TP_COLUMN("program", "Program", .code = true),
};
struct op_cells {
	struct tp_cell name, dims, fit, matrix, self, lost, moved, framework, program;
};
TP_CELLS_ARE_COLUMNS(struct op_cells, op_columns);

static const struct tp_column dim_columns[] = {
	TP_COLUMN("name", "Operation, array, dimension"),
	TP_COUNT_COLUMN("size", "Logical"),
	TP_COUNT_COLUMN("padded", "Tiled"),
	TP_COLUMN("axis", "Axis"),
	TP_SHARE_COLUMN("used_share", "Used", .bar = true),
	TP_COUNT_COLUMN("multiple", "Fits in multiples of"),
	TP_COLUMN("layout", "Layout", .code = true),
};
struct dim_cells {
	struct tp_cell name, size, padded, axis, used, multiple, layout;
};
TP_CELLS_ARE_COLUMNS(struct dim_cells, dim_columns);

static const struct tp_column buffer_columns[] = {
	TP_COLUMN("name", "Operation", .code = true),
	TP_COLUMN("shape", "Result", .code = true, TP_TEXT_FIELD(struct tp_padded_buffer, shape)),
	TP_COLUMN("bytes_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 1,
		TP_FIELD(struct tp_padded_buffer, bytes, TP_UNIT_BYTES)),
	TP_COLUMN("padded_mib", "With padding", .unit = TP_UNIT_MIB, .decimals = 1, .sorted = true,
		TP_FIELD(struct tp_padded_buffer, padded_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("expansion_times", "Expansion", .unit = TP_UNIT_TIMES, .decimals = 1),
	TP_COLUMN("self_ms", "Self time", .unit = TP_UNIT_MS, .decimals = 1),
};
struct buffer_cells {
	struct tp_cell name, shape, bytes, padded, expansion, self;
};
TP_CELLS_ARE_COLUMNS(struct buffer_cells, buffer_columns);

static const struct tp_column option_columns[] = {
	TP_COLUMN("name", "Better fit"),
	TP_COLUMN("sizes", "Sizes"),
	TP_SHARE_COLUMN("fit_share", "Fit", .bar = true),
	TP_COLUMN("less_ms", "Time saved for the same data", .unit = TP_UNIT_MS, .decimals = 1),
};
struct option_cells {
	struct tp_cell name, sizes, fit, less;
};
TP_CELLS_ARE_COLUMNS(struct option_cells, option_columns);

#endif
