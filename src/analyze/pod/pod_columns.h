/* The columns of the tables of the section Distributed, where it compares cores or hosts. */
#ifndef TP_ANALYZE_POD_COLUMNS_H
#define TP_ANALYZE_POD_COLUMNS_H

#include "analyze/pod/pod.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/steps/steps.h"
#include "report/column.h"
#include "report/draft.h"

#define MS_COLUMN(KEY, TITLE) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 3)

/* What the slowest costs, as a core, as a chip and as a host. */
static const struct tp_column level_columns[] = {
	TP_COLUMN("level", "The slowest"),
	TP_COLUMN("name", "Name"),
	TP_COUNT_COLUMN("steps", "Slowest in steps", TP_COUNT_FIELD(struct tp_pod_lead, steps)),
	MS_COLUMN("cost_ms", "Cost per step"),
	TP_SHARE_COLUMN("cost_share", "Of step"),
	MS_COLUMN("lost_ms", "Over all steps"),
	TP_COLUMN("lost_of_hour_s", "Per hour of training", .unit = TP_UNIT_S, .decimals = 0),
};
struct level_cells {
	struct tp_cell level, name, steps, cost, cost_share, lost, lost_of_hour;
};
TP_CELLS_ARE_COLUMNS(struct level_cells, level_columns);

/* It against the others, by part. */
static const struct tp_column against_columns[] = {
	TP_COLUMN("part", "Part of a mean step"),
	MS_COLUMN("straggler_ms", "Slowest"),
	MS_COLUMN("others_ms", "Median of the rest"),
	MS_COLUMN("more_ms", "Difference"),
	TP_COLUMN("times", "Ratio", .unit = TP_UNIT_TIMES, .decimals = 2),
};
struct against_cells {
	struct tp_cell part, straggler, others, more, times;
};
TP_CELLS_ARE_COLUMNS(struct against_cells, against_columns);

/* Each core or host, and single steps; between step_ms and largest a column for each part. */
static const struct tp_column step_column = TP_COLUMN("step", "Step");
static const struct tp_column core_column = TP_COLUMN("core", "Core");
static const struct tp_column host_column = TP_COLUMN("host", "Host", .code = true);
static const struct tp_column chip_column = TP_COUNT_COLUMN("chip", "Chip");
static const struct tp_column core_on_chip_column = TP_COUNT_COLUMN("core_on_chip", "On chip");
static const struct tp_column own_column = MS_COLUMN("own_ms", "Own time");
static const struct tp_column own_share_column = TP_SHARE_COLUMN("own_share", "Of step");
static const struct tp_column step_time_column = MS_COLUMN("step_ms", "Step");
static const struct tp_column largest_column = TP_COLUMN("largest", "Largest part", .core = true);

/* The slowest of each step. */
static const struct tp_column turn_columns[] = {
	TP_COLUMN("step", "Step", TP_TEXT_FIELD(struct tp_step, name)),
	MS_COLUMN("step_ms", "Step time"),
	TP_COLUMN("name", "Slowest"),
	TP_COLUMN("place", "Where"),
	MS_COLUMN("own_ms", "Own time"),
	TP_COLUMN("next", "Next"),
	MS_COLUMN("next_ms", "Own time, next"),
	MS_COLUMN("cost_ms", "Cost"),
};
struct turn_cells {
	struct tp_cell step, step_time, name, place, own, next, next_own, cost;
};
TP_CELLS_ARE_COLUMNS(struct turn_cells, turn_columns);

/* Channels, and each step on them. */
static const struct tp_column link_columns[] = {
	TP_COLUMN("channel", "Channel"),
	TP_COLUMN("source", "From"),
	TP_COLUMN("target", "To"),
	TP_COLUMN("data_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 2,
		TP_FIELD(struct tp_pod_link, bytes, TP_UNIT_BYTES)),
	TP_COLUMN("latency_us", "Latency", .unit = TP_UNIT_US, .decimals = 1, .sorted = true),
	TP_COLUMN("gib_per_s", "Bandwidth", .unit = TP_UNIT_GIB_PER_S, .decimals = 2),
	TP_COLUMN("send_delay_us", "Send delay", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("receive_us", "Receive", .unit = TP_UNIT_US, .decimals = 1),
	TP_COUNT_COLUMN("occurrences", "Count", TP_COUNT_FIELD(struct tp_pod_link, occurrences)),
	TP_COLUMN("send", "Send op", .code = true, TP_TEXT_FIELD(struct tp_pod_link, send)),
	TP_COLUMN("recv", "Receive op", .code = true, TP_TEXT_FIELD(struct tp_pod_link, receive)),
	TP_COLUMN("source_place", "Location of sender"),
	TP_COLUMN("target_place", "Location of receiver"),
};
struct link_cells {
	struct tp_cell channel, source, target, data, latency, bandwidth, send_delay, receive;
	struct tp_cell occurrences, send_op, receive_op, source_place, target_place;
};
TP_CELLS_ARE_COLUMNS(struct link_cells, link_columns);

static const struct tp_column link_step_columns[] = {
	TP_COLUMN("step", "Step"),
	TP_COLUMN("channel", "Channel"),
	TP_COLUMN("source", "From"),
	TP_COLUMN("target", "To"),
	TP_COLUMN("latency_us", "Latency", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("gib_per_s", "Bandwidth", .unit = TP_UNIT_GIB_PER_S, .decimals = 2),
	TP_COLUMN("send_delay_us", "Send delay", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("receive_us", "Receive", .unit = TP_UNIT_US, .decimals = 1),
	TP_COUNT_COLUMN("occurrences", "Count", TP_COUNT_FIELD(struct tp_pod_link_step, occurrences)),
};
struct link_step_cells {
	struct tp_cell step, channel, source, target, latency, bandwidth, send_delay, receive;
	struct tp_cell occurrences;
};
TP_CELLS_ARE_COLUMNS(struct link_step_cells, link_step_columns);

static const struct tp_column collective_columns[] = {
	TP_COLUMN("name", "Operation", .code = true, TP_TEXT_FIELD(struct tp_pod_collective, name)),
	TP_COLUMN("mean_ms", "Mean per step", .unit = TP_UNIT_MS, .decimals = 3, .sorted = true),
	MS_COLUMN("fastest_ms", "Fastest"),
	MS_COLUMN("waiting_ms", "Waiting"),
	TP_SHARE_COLUMN("waiting_share", "Share waiting", .bar = true),
	TP_COLUMN("data_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("gib_per_s", "Rate", .unit = TP_UNIT_GIB_PER_S, .decimals = 2),
	TP_COUNT_COLUMN("occurrences", "Count", TP_COUNT_FIELD(struct tp_pod_collective, occurrences)),
	TP_COLUMN("shape", "Shape", .code = true, TP_TEXT_FIELD(struct tp_pod_collective, shape)),
};
struct collective_cells {
	struct tp_cell name, mean, fastest, waiting, waiting_share, data, rate, occurrences, shape;
};
TP_CELLS_ARE_COLUMNS(struct collective_cells, collective_columns);

#endif
