/* The columns of the tables of the section tfprof. */
#ifndef TP_ANALYZE_TFPROF_TFPROF_COLUMNS_H
#define TP_ANALYZE_TFPROF_TFPROF_COLUMNS_H

#include "analyze/tfprof/tfprof.h"
#include "report/column.h"
#include "report/draft.h"

#define OWN(figure, unit) TP_FIELD(struct tp_tfprof_row, own.of[figure], unit)

static const struct tp_column op_columns[] = {
	TP_COLUMN("operation", "Operation", .code = true, TP_TEXT_FIELD(struct tp_tfprof_row, name)),
	TP_ONE_UNIT_COLUMN(
		"time_us", "Time per step", TP_UNIT_US, .sorted = true, OWN(TP_TFPROF_US, TP_UNIT_US)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_ONE_UNIT_COLUMN("accelerator_us", "On accelerators", TP_UNIT_US),
	TP_ONE_UNIT_COLUMN("cpu_us", "On the CPU", TP_UNIT_US, OWN(TP_TFPROF_CPU_US, TP_UNIT_US)),
	TP_ONE_UNIT_COLUMN("float_ops", "Float operations", TP_UNIT_FLOP),
	TP_ONE_UNIT_COLUMN("rate", "Rate", TP_UNIT_FLOP_PER_S),
	TP_ONE_UNIT_COLUMN("requested_bytes", "Requested", TP_UNIT_BYTES,
		OWN(TP_TFPROF_REQUESTED_BYTES, TP_UNIT_BYTES)),
	TP_ONE_UNIT_COLUMN(
		"peak_bytes", "Peak", TP_UNIT_BYTES, OWN(TP_TFPROF_PEAK_BYTES, TP_UNIT_BYTES)),
	TP_ONE_UNIT_COLUMN(
		"residual_bytes", "Residual", TP_UNIT_BYTES, OWN(TP_TFPROF_RESIDUAL_BYTES, TP_UNIT_BYTES)),
	TP_ONE_UNIT_COLUMN(
		"output_bytes", "Output", TP_UNIT_BYTES, OWN(TP_TFPROF_OUTPUT_BYTES, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("runs", "Runs", OWN(TP_TFPROF_RUNS, TP_UNIT_COUNT)),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_COUNT_FIELD(struct tp_tfprof_row, member_count)),
};
struct op_cells {
	struct tp_cell operation, time, share, accelerator, cpu, float_ops, rate, requested, peak,
		residual, output, runs, nodes;
};
TP_CELLS_ARE_COLUMNS(struct op_cells, op_columns);

#define TOTAL(figure, unit) TP_FIELD(struct tp_tfprof_dump, total.of[figure], unit)

static const struct tp_column dump_columns[] = {
	TP_COLUMN("dump", "Dump", .code = true),
	TP_COLUMN("folder", "Folder", .code = true),
	TP_COUNT_COLUMN("step", "Dumped at step"),
	TP_COUNT_COLUMN("steps", "Steps traced"),
	TP_COUNT_COLUMN("nodes", "Nodes"),
	TP_COUNT_COLUMN(
		"nodes_run", "Nodes that ran", TP_COUNT_FIELD(struct tp_tfprof_dump, nodes_run)),
	TP_ONE_UNIT_COLUMN("time_us", "Time per step", TP_UNIT_US, TOTAL(TP_TFPROF_US, TP_UNIT_US)),
	TP_ONE_UNIT_COLUMN("requested_bytes", "Requested", TP_UNIT_BYTES,
		TOTAL(TP_TFPROF_REQUESTED_BYTES, TP_UNIT_BYTES)),
	TP_COLUMN("note", "Note"),
};
struct dump_cells {
	struct tp_cell dump, folder, step, steps, nodes, nodes_run, time, requested, note;
};
TP_CELLS_ARE_COLUMNS(struct dump_cells, dump_columns);

/* Nodes of a type that take the same. */
struct group {
	struct tp_slice type, shapes;
	uint32_t node, defined; /* node: one of them, told where it is the only one */
	struct tp_tfprof_figures sum;
	int64_t rated_us, rated_ops;
};

/* Times stand before shapes, so that on a phone the column of the order is in sight. */
static const struct tp_column shape_columns[] = {
	TP_COLUMN("operation", "Operation", .code = true, TP_TEXT_FIELD(struct group, type)),
	TP_ONE_UNIT_COLUMN("time_us", "Time per step", TP_UNIT_US, .sorted = true,
		TP_FIELD(struct group, sum.of[TP_TFPROF_US], TP_UNIT_US)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COLUMN("shapes", "Input shapes", TP_TEXT_FIELD(struct group, shapes)),
	TP_ONE_UNIT_COLUMN("float_ops", "Float operations", TP_UNIT_FLOP),
	TP_ONE_UNIT_COLUMN("rate", "Rate", TP_UNIT_FLOP_PER_S),
	TP_ONE_UNIT_COLUMN("requested_bytes", "Requested", TP_UNIT_BYTES,
		TP_FIELD(struct group, sum.of[TP_TFPROF_REQUESTED_BYTES], TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("runs", "Runs", TP_FIELD(struct group, sum.of[TP_TFPROF_RUNS], TP_UNIT_COUNT)),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_COUNT_FIELD(struct group, defined)),
};
struct shape_cells {
	struct tp_cell operation, time, share, shapes, float_ops, rate, requested, runs, nodes;
};
TP_CELLS_ARE_COLUMNS(struct shape_cells, shape_columns);

static const struct tp_column scope_columns[] = {
	TP_COLUMN("scope", "Scope", .code = true),
	TP_ONE_UNIT_COLUMN("self_us", "Self", TP_UNIT_US,
		TP_FIELD(struct tp_tfprof_row, own.of[TP_TFPROF_US], TP_UNIT_US)),
	TP_ONE_UNIT_COLUMN("total_us", "Total", TP_UNIT_US, .sorted = true,
		TP_FIELD(struct tp_tfprof_row, total.of[TP_TFPROF_US], TP_UNIT_US)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_ONE_UNIT_COLUMN("requested_bytes", "Requested, total", TP_UNIT_BYTES,
		TP_FIELD(struct tp_tfprof_row, total.of[TP_TFPROF_REQUESTED_BYTES], TP_UNIT_BYTES)),
	TP_ONE_UNIT_COLUMN("float_ops", "Float operations, total", TP_UNIT_FLOP),
	TP_COUNT_COLUMN(
		"runs", "Runs", TP_FIELD(struct tp_tfprof_row, total.of[TP_TFPROF_RUNS], TP_UNIT_COUNT)),
	TP_COUNT_COLUMN("nodes", "Nodes"),
};
struct scope_cells {
	struct tp_cell scope, self, total, share, requested, float_ops, runs, nodes;
};
TP_CELLS_ARE_COLUMNS(struct scope_cells, scope_columns);

/* Of a row: itself, and with all within it. */
struct held {
	int64_t own, parameters, bytes, slot_bytes;
};

static const struct tp_column parameter_columns[] = {
	TP_COLUMN("variable", "Variable", .code = true),
	TP_COLUMN("shape", "Shape"),
	TP_COUNT_COLUMN("self", "Self", TP_FIELD(struct held, own, TP_UNIT_COUNT)),
	TP_COUNT_COLUMN(
		"total", "Total", .sorted = true, TP_FIELD(struct held, parameters, TP_UNIT_COUNT)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_ONE_UNIT_COLUMN("bytes", "Size", TP_UNIT_BYTES, TP_FIELD(struct held, bytes, TP_UNIT_BYTES)),
	TP_ONE_UNIT_COLUMN("slot_bytes", "Optimiser slots", TP_UNIT_BYTES,
		TP_FIELD(struct held, slot_bytes, TP_UNIT_BYTES)),
};
struct parameter_cells {
	struct tp_cell variable, shape, self, total, share, bytes, slots;
};
TP_CELLS_ARE_COLUMNS(struct parameter_cells, parameter_columns);

/* A line of the program, whatever called it: the innermost of a stack that is in no library. */
struct line {
	struct tp_slice name, file;
	int64_t us, gradient_us, nodes;
	uint32_t order;
};

static const struct tp_column line_columns[] = {
	TP_COLUMN("line", "Line", .code = true, TP_TEXT_FIELD(struct line, name)),
	TP_ONE_UNIT_COLUMN("time_us", "Time per step", TP_UNIT_US, .sorted = true,
		TP_FIELD(struct line, us, TP_UNIT_US)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_ONE_UNIT_COLUMN(
		"gradient_us", "In gradients", TP_UNIT_US, TP_FIELD(struct line, gradient_us, TP_UNIT_US)),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_FIELD(struct line, nodes, TP_UNIT_COUNT)),
	TP_COLUMN("file", "File", .code = true, TP_TEXT_FIELD(struct line, file)),
};
struct line_cells {
	struct tp_cell line, time, share, gradient, nodes, file;
};
TP_CELLS_ARE_COLUMNS(struct line_cells, line_columns);

static const struct tp_column checker_columns[] = {
	TP_COLUMN("checker", "Checker", .code = true),
	TP_COLUMN("says", "Result for this dump"),
	TP_COLUMN("limit", "Limit"),
};
struct checker_cells {
	struct tp_cell checker, says, limit;
};
TP_CELLS_ARE_COLUMNS(struct checker_cells, checker_columns);

#endif
