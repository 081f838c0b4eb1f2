/* The columns of the tables of the section Memory, where it is of a program's plan. */
#ifndef TP_ANALYZE_MEMORY_MEMORY_COLUMNS_H
#define TP_ANALYZE_MEMORY_MEMORY_COLUMNS_H

#include "analyze/memory/memory.h"
#include "report/column.h"
#include "report/draft.h"

#define MIB_COLUMN(key, title, ...)                                                                \
	TP_COLUMN(key, title, .unit = TP_UNIT_MIB, .decimals = 2, __VA_ARGS__)

static const struct tp_column program_columns[] = {
	TP_COLUMN("program", "Program", .code = true),
	TP_COLUMN("program_id", "Id", .code = true),
	TP_COLUMN("space", "Memory"),
	MIB_COLUMN("peak_mib", "Peak", .sorted = true,
		TP_FIELD(struct tp_memory_space, peak_bytes, TP_UNIT_BYTES)),
	MIB_COLUMN("unpadded_mib", "Without padding",
		TP_FIELD(struct tp_memory_space, peak_unpadded_bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("padding_share", "Padding", .bar = true),
	TP_COUNT_COLUMN("position", "Peak at"),
	TP_COUNT_COLUMN("points", "Of points", TP_COUNT_FIELD(struct tp_memory_space, event_count)),
	MIB_COLUMN("parameter_mib", "Parameters"),
	MIB_COLUMN("output_mib", "Outputs"),
	MIB_COLUMN("temporary_mib", "Temporaries"),
	MIB_COLUMN("constant_mib", "Constants"),
	MIB_COLUMN("thread_local_mib", "Thread-local"),
	MIB_COLUMN("allocated_mib", "All allocations",
		TP_FIELD(struct tp_memory_space, allocated_bytes, TP_UNIT_BYTES)),
	MIB_COLUMN("scoped_vmem_mib", "Scoped VMEM"),
};
struct program_cells {
	struct tp_cell program, id, space, peak, unpadded, padding, position, points, parameters,
		outputs, temporaries, constants, per_thread, allocated, scoped_vmem;
};
TP_CELLS_ARE_COLUMNS(struct program_cells, program_columns);

#define BUFFER_COLUMN(key, title, ...)                                                             \
	TP_COLUMN(key, title, .unit = TP_UNIT_MIB, .decimals = 3, __VA_ARGS__)
#define TEXT_COLUMN(key, title, member, why, ...)                                                  \
	TP_COLUMN(key, title, TP_TEXT_FIELD(struct tp_memory_row, member, .missing = why), __VA_ARGS__)
#define NO_INSTRUCTION "the module does not hold its instruction"

static const struct tp_column buffer_columns[] = {
	TP_COLUMN("buffer", "Buffer", .code = true, TP_TEXT_FIELD(struct tp_memory_row, name)),
	BUFFER_COLUMN("size_mib", "Size", .sorted = true,
		TP_FIELD(struct tp_memory_row, size_bytes, TP_UNIT_BYTES)),
	BUFFER_COLUMN("unpadded_mib", "Without padding",
		TP_FIELD(struct tp_memory_row, unpadded_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("expansion", "Expansion", .unit = TP_UNIT_TIMES, .decimals = 2),
	BUFFER_COLUMN("extra_mib", "Extra"),
	BUFFER_COLUMN(
		"frees_mib", "Would free", TP_FIELD(struct tp_memory_row, frees_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("start", "Live from", TP_COUNT_FIELD(struct tp_memory_row, start)),
	TP_COUNT_COLUMN("end", "Until", TP_COUNT_FIELD(struct tp_memory_row, end)),
	TP_COUNT_COLUMN("order", "In program order", TP_COUNT_FIELD(struct tp_memory_row, order)),
	TEXT_COLUMN("shape", "Shape", shape, NO_INSTRUCTION, .code = true),
	TEXT_COLUMN("opcode", "Opcode", opcode, NO_INSTRUCTION),
	TEXT_COLUMN("framework_op", "Framework operation", framework,
		"the program names no framework operation for it", .code = true),
	TEXT_COLUMN(
		"source", "Source", source, "the program names no source line for it", .code = true),
};
struct buffer_cells {
	struct tp_cell buffer, size, unpadded, expansion, extra, frees, kind, start, end, order, shape,
		opcode, framework, source;
};
TP_CELLS_ARE_COLUMNS(struct buffer_cells, buffer_columns);

#endif
