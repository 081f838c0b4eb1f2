/* The columns of the tables of the section Whole run. */
#ifndef TP_ANALYZE_SCALARS_COLUMNS_H
#define TP_ANALYZE_SCALARS_COLUMNS_H

#include "analyze/job/scalars.h"
#include "model/events.h"
#include "report/column.h"
#include "report/draft.h"

/* Scalars, by run and tag. */
static const struct tp_column tag_columns[] = {
	TP_COLUMN("tag", "Tag", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COUNT_COLUMN("points", "Points", TP_COUNT_FIELD(struct tp_scalar, points)),
	TP_COLUMN("steps", "Steps"),
	TP_COLUMN("wall_s", "First to last point", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("first", "First"),
	TP_COLUMN("last", "Last"),
	TP_COLUMN("least", "Min, at step"),
	TP_COLUMN("most", "Max, at step"),
	TP_COUNT_COLUMN("not_finite", "Not finite", TP_COUNT_FIELD(struct tp_scalar, not_finite)),
};
struct tag_cells {
	struct tp_cell tag, run, points, steps, wall, first, last, least, most, not_finite;
};
TP_CELLS_ARE_COLUMNS(struct tag_cells, tag_columns);

/* Runs. */
static const struct tp_column run_columns[] = {
	TP_COLUMN("run", "Run"),
	TP_COUNT_COLUMN("files", "Files", TP_COUNT_FIELD(struct tp_event_run, files)),
	TP_COUNT_COLUMN("records", "Records", TP_COUNT_FIELD(struct tp_event_run, records)),
	TP_COUNT_COLUMN("points", "Points", TP_COUNT_FIELD(struct tp_event_run, points)),
	TP_COLUMN("wall_s", "Wall time", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("step_ms", "Median step", .unit = TP_UNIT_MS, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COLUMN("steps_per_s", "Steps per second"),
	TP_SHARE_COLUMN("in_steps", "In steps", .bar = true),
	TP_COUNT_COLUMN("gaps", "Gaps"),
	TP_COLUMN("gap_s", "In gaps", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
	TP_COUNT_COLUMN("starts", "Session starts", TP_COUNT_FIELD(struct tp_event_run, starts)),
	TP_COUNT_COLUMN("purged", "Points repeated", TP_COUNT_FIELD(struct tp_event_run, purged)),
	TP_COUNT_COLUMN("damaged", "Damaged", TP_COUNT_FIELD(struct tp_event_run, damaged)),
};
struct run_cells {
	struct tp_cell run, files, records, points, wall, step, steps_per_s, in_steps, gaps, gap_s;
	struct tp_cell starts, purged, damaged;
};
TP_CELLS_ARE_COLUMNS(struct run_cells, run_columns);

/* Gaps between steps. */
static const struct tp_column gap_columns[] = {
	TP_COUNT_COLUMN("after_step", "After step", TP_COUNT_FIELD(struct tp_pace_gap, after_step)),
	TP_COLUMN("from", "From"),
	TP_COLUMN("took_s", "Took", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE, .sorted = true),
	TP_COLUMN("cause", "Details"),
	TP_COLUMN("again_s", "Steps repeated", .unit = TP_UNIT_S, .decimals = TP_DECIMALS_BY_SIZE),
};
struct gap_cells {
	struct tp_cell after_step, from, took, cause, again;
};
TP_CELLS_ARE_COLUMNS(struct gap_cells, gap_columns);

/* Sessions and checkpoints. */
static const struct tp_column mark_columns[] = {
	TP_COLUMN("mark", "Mark"),
	TP_COUNT_COLUMN("step", "Step", TP_COUNT_FIELD(struct tp_event_mark, step)),
	TP_COLUMN("at", "Written"),
	TP_COUNT_COLUMN("purged", "Points discarded"),
	TP_COLUMN("path", "Checkpoint", .code = true),
};
struct mark_cells {
	struct tp_cell mark, step, at, purged, path;
};
TP_CELLS_ARE_COLUMNS(struct mark_cells, mark_columns);

/* Hyperparameters. */
static const struct tp_column hparam_columns[] = {
	TP_COLUMN("name", "Hyperparameter", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COLUMN("value", "Value"),
};
struct hparam_cells {
	struct tp_cell name, run, value;
};
TP_CELLS_ARE_COLUMNS(struct hparam_cells, hparam_columns);

/* Other than scalars, by tag. */
static const struct tp_column other_columns[] = {
	TP_COLUMN("tag", "Tag", .code = true),
	TP_COLUMN("run", "Run"),
	TP_COLUMN("what", "What"),
	TP_COLUMN("plugin", "Plugin", .code = true),
	TP_COUNT_COLUMN("values", "Values", TP_COUNT_FIELD(struct tp_event_series, others)),
	TP_COUNT_COLUMN(
		"first_step", "First step", TP_COUNT_FIELD(struct tp_event_series, other_first)),
	TP_COUNT_COLUMN("last_step", "Last step", TP_COUNT_FIELD(struct tp_event_series, other_last)),
};
struct other_cells {
	struct tp_cell tag, run, what, plugin, values, first_step, last_step;
};
TP_CELLS_ARE_COLUMNS(struct other_cells, other_columns);

#endif
