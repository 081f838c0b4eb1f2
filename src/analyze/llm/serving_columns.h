/* The columns of the tables of the section on iterations of an inference engine. */
#ifndef TP_ANALYZE_SERVING_COLUMNS_H
#define TP_ANALYZE_SERVING_COLUMNS_H

#include "report/column.h"
#include "report/draft.h"

#define MS(KEY, TITLE, ...) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 3, __VA_ARGS__)

/* Iterations by kind. */
static const struct tp_column iteration_columns[] = {
	TP_COLUMN("kind", "Kind"),
	TP_COLUMN("pattern", "Annotation, digits masked", .code = true),
	TP_COUNT_COLUMN("count", "Count"),
	TP_SHARE_COLUMN("share", "Time", .bar = true),
	MS("p50_ms", "p50"),
	MS("p95_ms", "p95"),
	MS("busy_ms", "Busy p50"),
	MS("gap_ms", "Gap p50"),
	TP_COLUMN("requests", "Requests"),
	TP_COUNT_COLUMN("tokens_in", "Tokens in"),
	TP_COUNT_COLUMN("tokens_out", "Tokens out"),
	TP_SHARE_COLUMN("graph_share", "In graphs"),
	TP_COUNT_COLUMN("launches", "Launches, eager"),
};
struct iteration_cells {
	struct tp_cell kind, pattern, count, share, p50, p95, busy, gap, requests, tokens_in,
		tokens_out, graph, launches;
};
TP_CELLS_ARE_COLUMNS(struct iteration_cells, iteration_columns);

/* Kernels by family. */
static const struct tp_column family_columns[] = {
	TP_COLUMN("family", "Family"),
	MS("time_ms", "Time", .sorted = true),
	TP_SHARE_COLUMN("share", "Share", .bar = true),
	MS("decode_ms", "Decode, each"),
	MS("mixed_ms", "Mixed, each"),
	MS("prefill_ms", "Prefill, each"),
	TP_COUNT_COLUMN("launches", "Runs"),
	TP_COLUMN("example", "Top kernel", .code = true),
};
struct family_cells {
	struct tp_cell family, time, share, decode, mixed, prefill, launches, example;
};
TP_CELLS_ARE_COLUMNS(struct family_cells, family_columns);

/* Triage: what takes most, what runs alone, what one kernel could replace. */
static const struct tp_column kernel_columns[] = {
	TP_COLUMN("kernel", "Kernel", .code = true),
	TP_COLUMN("family", "Family"),
	TP_COLUMN("kinds", "In"),
	MS("time_ms", "Time", .sorted = true),
	TP_SHARE_COLUMN("share", "Share", .bar = true),
	TP_COUNT_COLUMN("launches", "Runs"),
	TP_COLUMN("each_us", "Each", .unit = TP_UNIT_US, .decimals = 1),
};
struct kernel_cells {
	struct tp_cell kernel, family, kinds, time, share, launches, each;
};
TP_CELLS_ARE_COLUMNS(struct kernel_cells, kernel_columns);

static const struct tp_column alone_columns[] = {
	TP_COLUMN("kernel", "Kernel", .code = true),
	TP_COLUMN("family", "Family"),
	MS("time_ms", "Time"),
	TP_SHARE_COLUMN("alone_share", "Alone"),
	MS("saves_ms", "Saves at most", .sorted = true),
	TP_COLUMN("beside", "Could overlap with"),
};
struct alone_cells {
	struct tp_cell kernel, family, time, alone, saves, beside;
};
TP_CELLS_ARE_COLUMNS(struct alone_cells, alone_columns);

static const struct tp_column pair_columns[] = {
	TP_COLUMN("first", "Kernel", .code = true),
	TP_COLUMN("second", "Followed by", .code = true),
	TP_COUNT_COLUMN("runs", "Runs"),
	MS("time_ms", "Time of both"),
	TP_SHARE_COLUMN("share", "Share"),
	MS("saves_ms", "Saves at most", .sorted = true),
	TP_COLUMN("how", "One kernel for both"),
};
struct pair_cells {
	struct tp_cell first, second, runs, time, share, saves, how;
};
TP_CELLS_ARE_COLUMNS(struct pair_cells, pair_columns);

#endif
