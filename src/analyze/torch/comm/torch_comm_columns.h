/* The columns of the tables of the section Distributed, where it is of PyTorch's workers. */
#ifndef TP_ANALYZE_TORCH_COMM_COLUMNS_H
#define TP_ANALYZE_TORCH_COMM_COLUMNS_H

#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch_steps/torch_steps.h"
#include "model/torch.h"
#include "report/column.h"
#include "report/draft.h"

#define MS(KEY, TITLE) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 3)

/* Workers and their GPUs. */
static const struct tp_column gpu_columns[] = {
	TP_COLUMN("node", "Node", .code = true, TP_TEXT_FIELD(struct tp_torch_trace, node)),
	TP_COLUMN("process", "Process"),
	TP_COLUMN("host", "Host", .code = true),
	TP_COUNT_COLUMN("rank", "Rank"),
	TP_COLUMN("gpu", "GPU"),
	TP_COLUMN("name", "Name"),
	TP_COLUMN("memory_bytes", "Memory", .unit = TP_UNIT_BYTES),
	TP_COLUMN("compute_capability", "Compute capability"),
};
struct gpu_cells {
	struct tp_cell node, process, host, rank, gpu, name, memory, capability;
};
TP_CELLS_ARE_COLUMNS(struct gpu_cells, gpu_columns);

/* Parts of a step: of each worker, and step by step. */
#define PART_COLUMNS                                                                               \
	MS("step_ms", "Step"), MS("computation_ms", "Computation"), MS("overlap_ms", "Overlap"),       \
		MS("communication_ms", "Communication"), MS("other_ms", "Other"),                          \
		MS("transfer_ms", "Transfer"), MS("sync_ms", "Synchronising"),                             \
		MS("unmatched_ms", "Not matched"), MS("barrier_ms", "Barriers")

#define TRACE_COLUMNS TP_COLUMN("worker", "Worker", .code = true), TP_COLUMN("span", "Span")

struct part_cells {
	struct tp_cell step, parts[TP_TORCH_COMM_PART_COUNT];
};
struct trace_cells {
	struct tp_cell worker, span;
};

static const struct tp_column worker_columns[] = {
	TRACE_COLUMNS,
	PART_COLUMNS,
	TP_COUNT_COLUMN("steps", "Steps", TP_COUNT_FIELD(struct tp_torch_comm_trace, steps)),
};
struct worker_cells {
	struct trace_cells trace;
	struct part_cells parts;
	struct tp_cell steps;
};
TP_CELLS_ARE_COLUMNS(struct worker_cells, worker_columns);

static const struct tp_column step_columns[] = {
	TRACE_COLUMNS,
	TP_COLUMN("name", "Name", TP_TEXT_FIELD(struct tp_torch_step, name)),
	PART_COLUMNS,
};
struct step_cells {
	struct trace_cells trace;
	struct tp_cell name;
	struct part_cells parts;
};
TP_CELLS_ARE_COLUMNS(struct step_cells, step_columns);

/* Who enters collectives last, and clocks. */
static const struct tp_column late_columns[] = {
	TRACE_COLUMNS,
	TP_COUNT_COLUMN("matched", "Matched", TP_COUNT_FIELD(struct tp_torch_comm_trace, joined)),
	TP_COUNT_COLUMN("last", "Enters last", TP_COUNT_FIELD(struct tp_torch_comm_trace, came_last)),
	TP_SHARE_COLUMN("last_share", "Of matched"),
	MS("others_wait_ms", "Others wait"),
	MS("late_ms", "Late by"),
	MS("waits_ms", "Own wait"),
	TP_COLUMN("clock_us", "Clock offset", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("clock_spread_us", "±", .unit = TP_UNIT_US, .decimals = 1),
};
struct late_cells {
	struct trace_cells trace;
	struct tp_cell matched, last, last_share, others_wait, late, waits, clock, clock_spread;
};
TP_CELLS_ARE_COLUMNS(struct late_cells, late_columns);

/* What there is to say of a sum; a table shows a choice of it. */
enum figure {
	OPERATION,
	GROUP,
	GROUP_SIZE,
	CALLS,
	BYTES,
	MEAN_BYTES,
	LATENCY,
	MEAN_LATENCY,
	TRANSFER,
	MEAN_TRANSFER,
	BUS,
	BUS_WITH_WAITING,
	HOST,
	WORKER,
	SPAN,
	FIGURES
};

static const struct tp_column figures[FIGURES] = {
	[OPERATION] = TP_COLUMN("operation", "Operation", .code = true),
	[GROUP] = TP_COLUMN("group", "Process group", .code = true),
	[GROUP_SIZE] = TP_COUNT_COLUMN("group_size", "Group size"),
	[CALLS] = TP_COUNT_COLUMN("calls", "Calls"),
	[BYTES] = TP_COLUMN("bytes", "Size", .unit = TP_UNIT_BYTES),
	[MEAN_BYTES] = TP_COLUMN("mean_bytes", "Mean size", .unit = TP_UNIT_BYTES),
	[LATENCY] = TP_COLUMN("latency_ms", "Latency", .unit = TP_UNIT_MS, .decimals = 3),
	[MEAN_LATENCY] =
		TP_COLUMN("mean_latency_us", "Mean latency", .unit = TP_UNIT_US, .decimals = 1),
	[TRANSFER] = TP_COLUMN("transfer_ms", "Transfer", .unit = TP_UNIT_MS, .decimals = 3),
	[MEAN_TRANSFER] =
		TP_COLUMN("mean_transfer_us", "Mean transfer", .unit = TP_UNIT_US, .decimals = 1),
	[BUS] = TP_COLUMN("bus_gb_per_s", "Bus bandwidth", .unit = TP_UNIT_GB_PER_S, .decimals = 2),
	[BUS_WITH_WAITING] =
		TP_COLUMN("bus_latency_gb_per_s", "With waits", .unit = TP_UNIT_GB_PER_S, .decimals = 2),
	[HOST] = TP_COLUMN("host_ms", "Host call", .unit = TP_UNIT_MS, .decimals = 3),
	[WORKER] = TP_COLUMN("worker", "Worker", .code = true),
	[SPAN] = TP_COLUMN("span", "Span"),
};

/* Messages by sender and receiver. */
static const struct tp_column pair_columns[] = {
	TP_COLUMN("from", "From", .code = true),
	TP_COLUMN("to", "To", .code = true),
	TP_COLUMN("group", "Process group", .code = true),
	TP_COUNT_COLUMN("sends", "Sends", TP_COUNT_FIELD(struct tp_torch_comm_pair, sends)),
	TP_COUNT_COLUMN("receives", "Receives", TP_COUNT_FIELD(struct tp_torch_comm_pair, receives)),
	TP_COUNT_COLUMN("matched", "Matched", TP_COUNT_FIELD(struct tp_torch_comm_pair, matched)),
	TP_COLUMN("bytes", "Size", .unit = TP_UNIT_BYTES),
	TP_COLUMN("send_ms", "Sending", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("receive_ms", "Receiving", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("transfer_ms", "Transfer", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("receiver_waits_ms", "Receiver waits", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("sender_waits_ms", "Sender waits", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("gb_per_s", "Bandwidth", .unit = TP_UNIT_GB_PER_S, .decimals = 2),
};
enum { TIMES = 5 };
struct pair_cells {
	struct tp_cell from, to, group, sends, receives, matched, bytes, times[TIMES], bandwidth;
};
TP_CELLS_ARE_COLUMNS(struct pair_cells, pair_columns);

#endif
