/* The columns of the tables of the section Steps. */
#ifndef TP_ANALYZE_STEPS_COLUMNS_H
#define TP_ANALYZE_STEPS_COLUMNS_H

#include "analyze/core/stats.h"
#include "report/column.h"
#include "report/draft.h"

#define MS_COLUMN(KEY, TITLE, ...)                                                                 \
	TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 2, __VA_ARGS__)
#define MS_FIELD(ROW, MEMBER, MISSING) TP_FIELD(ROW, MEMBER, TP_UNIT_MS, .missing = MISSING)

/* Classes of time, over steps. */
struct class_row {
	struct tp_slice name;
	struct tp_stats ms;
	double share, slowest_ms, more_ms;
};
#define OF_SEVERAL(MEMBER) MS_FIELD(struct class_row, MEMBER, "from a single step")

static const struct tp_column class_columns[] = {
	TP_COLUMN("class", "Class", TP_TEXT_FIELD(struct class_row, name)),
	MS_COLUMN("mean_ms", "Mean", MS_FIELD(struct class_row, ms.mean, "")),
	TP_SHARE_COLUMN("share", "Of step", .bar = true,
		TP_FIELD(struct class_row, share, TP_UNIT_SHARE, .missing = "steps have no length")),
	MS_COLUMN("sd_ms", "Std dev", OF_SEVERAL(ms.sd)),
	MS_COLUMN("min_ms", "Min", OF_SEVERAL(ms.min)),
	MS_COLUMN("p50_ms", "p50", OF_SEVERAL(ms.p50)),
	MS_COLUMN("p95_ms", "p95", OF_SEVERAL(ms.p95)),
	MS_COLUMN("max_ms", "Max", OF_SEVERAL(ms.max)),
	MS_COLUMN("slowest_ms", "Slowest step", OF_SEVERAL(slowest_ms)),
	MS_COLUMN("slowest_more_ms", "vs. p50", OF_SEVERAL(more_ms)),
};
struct class_cells {
	struct tp_cell name, mean, share, sd, min, p50, p95, max, slowest, more;
};
TP_CELLS_ARE_COLUMNS(struct class_cells, class_columns);

/* A part of the TPU page. */
struct tpu_row {
	struct tp_slice name, how;
	struct tp_stats ms;
};

static const struct tp_column tpu_columns[] = {
	TP_COLUMN("part", "Part", TP_TEXT_FIELD(struct tpu_row, name)),
	MS_COLUMN("mean_ms", "Mean", MS_FIELD(struct tpu_row, ms.mean, "no such step")),
	MS_COLUMN(
		"sd_ms", "Std dev", MS_FIELD(struct tpu_row, ms.sd, "a single step has no deviation")),
	MS_COLUMN("min_ms", "Min", MS_FIELD(struct tpu_row, ms.min, "no such step")),
	MS_COLUMN("max_ms", "Max", MS_FIELD(struct tpu_row, ms.max, "no such step")),
	TP_COLUMN("how", "Over cores", TP_TEXT_FIELD(struct tpu_row, how)),
};
struct tpu_cells {
	struct tp_cell name, mean, sd, min, max, how;
};
TP_CELLS_ARE_COLUMNS(struct tpu_cells, tpu_columns);

/* Each step; after time_ms a column for each part or class. */
static const struct tp_column step_column = TP_COLUMN("step", "Step");
static const struct tp_column time_ms_column = MS_COLUMN("time_ms", "Time");
static const struct tp_column input_least_share_column =
	TP_SHARE_COLUMN("input_least_share", "Input wait, min");
static const struct tp_column input_mean_share_column =
	TP_SHARE_COLUMN("input_mean_share", "Input wait, mean");
static const struct tp_column input_most_share_column =
	TP_SHARE_COLUMN("input_most_share", "Input wait, max");
static const struct tp_column waits_most_column =
	TP_COLUMN("waits_most", "Waits most", .core = true);
static const struct tp_column input_share_column =
	TP_SHARE_COLUMN("input_most_share", "Input wait");
static const struct tp_column cut_column = TP_COLUMN("cut", "Cut off");

/* What ran in the two steps, by operation: to tell what one of them did longer. */
enum { SLOW, USUAL, BOTH };

struct tally_row {
	uint32_t op;          /* of the profile */
	double self_ps[BOTH]; /* in each of the two */
	uint32_t count[BOTH];
};

static const struct tp_column op_columns[] = {
	TP_COLUMN("name", "Operation", .code = true),
	TP_COLUMN("slowest_ms", "Slowest step", .unit = TP_UNIT_MS, .decimals = 3,
		TP_FIELD(struct tally_row, self_ps[SLOW], TP_UNIT_PS)),
	TP_COLUMN("median_ms", "Median step", .unit = TP_UNIT_MS, .decimals = 3,
		TP_FIELD(struct tally_row, self_ps[USUAL], TP_UNIT_PS)),
	TP_COLUMN("more_ms", "Difference", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COUNT_COLUMN(
		"slowest_count", "Calls, slowest step", TP_COUNT_FIELD(struct tally_row, count[SLOW])),
	TP_COUNT_COLUMN(
		"median_count", "Calls, median step", TP_COUNT_FIELD(struct tally_row, count[USUAL])),
};
struct op_cells {
	struct tp_cell name, slow, usual, more, slow_count, usual_count;
};
TP_CELLS_ARE_COLUMNS(struct op_cells, op_columns);

/* Steps of PyTorch by role; of the others behind these, step_us and a column for each role. */
static const struct tp_column mean_columns[] = {
	TP_COLUMN("role", "Role"),
	TP_COLUMN("mean_us", "Mean", .unit = TP_UNIT_US, .decimals = 0),
	TP_COLUMN("share", "Of step", .unit = TP_UNIT_SHARE, .decimals = 2, .bar = true),
	TP_COLUMN("when", "Counts when"),
};
struct mean_cells {
	struct tp_cell role, mean, share, when;
};
TP_CELLS_ARE_COLUMNS(struct mean_cells, mean_columns);

static const struct tp_column worker_columns[] = {
	TP_COLUMN("worker", "Worker"),
	TP_COUNT_COLUMN("steps", "Steps"),
};

static const struct tp_column step_columns[] = {
	TP_COLUMN("step", "Step"),
	TP_COLUMN("worker", "Worker"),
};

#endif
