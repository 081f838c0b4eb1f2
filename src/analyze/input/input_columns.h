/* The columns of the tables of the section Input pipeline. */
#ifndef TP_ANALYZE_INPUT_COLUMNS_H
#define TP_ANALYZE_INPUT_COLUMNS_H

#include "analyze/input/input_pipeline.h"
#include "report/column.h"
#include "report/draft.h"

/* In the steps. */
static const struct tp_column spread_columns[] = {
	TP_COLUMN("what", "Over steps"),
	TP_COLUMN("mean", "Mean"),
	TP_COLUMN("sd", "Std dev"),
	TP_COLUMN("min", "Min"),
	TP_COLUMN("max", "Max"),
};
struct spread_cells {
	struct tp_cell what, mean, sd, min, max;
};
TP_CELLS_ARE_COLUMNS(struct spread_cells, spread_columns);

/* tf.data: pipelines, and their stages. */
static const struct tp_column pipeline_columns[] = {
	TP_COLUMN("pipeline", "Pipeline"),
	TP_COLUMN("host", "Host"),
	TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(struct tp_pipeline, calls)),
	TP_COUNT_COLUMN("slow_calls", "Slow", TP_COUNT_FIELD(struct tp_pipeline, slow_calls)),
	TP_COLUMN("mean_ms", "Mean", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("min_ms", "Min", .unit = TP_UNIT_MS, .decimals = 2,
		TP_FIELD(struct tp_pipeline, min_ps, TP_UNIT_PS)),
	TP_COLUMN("max_ms", "Max", .unit = TP_UNIT_MS, .decimals = 2, .sorted = true,
		TP_FIELD(struct tp_pipeline, max_ps, TP_UNIT_PS)),
	TP_COLUMN("bottleneck", "Slowest in the longest call", .code = true,
		TP_TEXT_FIELD(struct tp_pipeline, bottleneck)),
	TP_COLUMN("bottleneck_ms", "Self time of that bottleneck", .unit = TP_UNIT_MS, .decimals = 2,
		TP_FIELD(struct tp_pipeline, bottleneck_ps, TP_UNIT_PS)),
};
struct pipeline_cells {
	struct tp_cell pipeline, host, calls, slow_calls, mean, min, max, bottleneck, bottleneck_ps;
};
TP_CELLS_ARE_COLUMNS(struct pipeline_cells, pipeline_columns);

static const struct tp_column stage_columns[] = {
	TP_COLUMN("stage", "Stage, from the consumer down", .code = true,
		TP_TEXT_FIELD(struct tp_stage, name)),
	TP_COLUMN("does", "What it does"),
	TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(struct tp_stage, calls)),
	TP_COLUMN("total_ms", "Total", .unit = TP_UNIT_MS, .decimals = 1,
		TP_FIELD(struct tp_stage, total_ps, TP_UNIT_PS)),
	TP_COLUMN("self_ms", "Self, without waiting", .unit = TP_UNIT_MS, .decimals = 1,
		TP_FIELD(struct tp_stage, self_ps, TP_UNIT_PS)),
	TP_COLUMN("waited_ms", "Waited for", .unit = TP_UNIT_MS, .decimals = 1,
		TP_FIELD(struct tp_stage, critical_ps, TP_UNIT_PS)),
	TP_SHARE_COLUMN("waited_share", "Of all calls", .bar = true),
};
struct stage_cells {
	struct tp_cell stage, does, calls, total, self, waited, waited_share;
};
TP_CELLS_ARE_COLUMNS(struct stage_cells, stage_columns);

/* On the host: by class, by host, by operation. */
static const struct tp_column class_columns[] = {
	TP_COLUMN("class", "Class"),
	TP_COLUMN("time_ms", "Time", .unit = TP_UNIT_MS, .decimals = 2),
	TP_SHARE_COLUMN("share", "Of input time", .bar = true),
	TP_COLUMN("helps", "How to reduce it"),
};
struct class_cells {
	struct tp_cell class, time, share, helps;
};
TP_CELLS_ARE_COLUMNS(struct class_cells, class_columns);

static const struct tp_column host_columns[] = {
	TP_COLUMN("host", "Host"),
	TP_COLUMN("enqueue_ms", "Enqueuing", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("preprocessing_ms", "Preprocessing", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("advanced_read_ms", "Read in advance", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("demanded_read_ms", "Read on demand", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("other_ms", "Other", .unit = TP_UNIT_MS, .decimals = 2),
	TP_COLUMN("total_ms", "All", .unit = TP_UNIT_MS, .decimals = 2),
};
struct host_cells {
	struct tp_cell host, classes[TP_INPUT_CLASS_COUNT], all;
};
TP_CELLS_ARE_COLUMNS(struct host_cells, host_columns);

static const struct tp_column op_columns[] = {
	TP_COLUMN("name", "Input operation", .code = true, TP_TEXT_FIELD(struct tp_input_op, name)),
	TP_COUNT_COLUMN("count", "Count", TP_COUNT_FIELD(struct tp_input_op, count)),
	TP_COLUMN("total_ms", "Total", .unit = TP_UNIT_MS, .decimals = 2,
		TP_FIELD(struct tp_input_op, total_ps, TP_UNIT_PS)),
	TP_SHARE_COLUMN("total_share", "Total, of all"),
	TP_COLUMN("self_ms", "Self, with waiting", .unit = TP_UNIT_MS, .decimals = 2, .sorted = true,
		TP_FIELD(struct tp_input_op, self_ps, TP_UNIT_PS)),
	TP_SHARE_COLUMN("self_share", "Self, of all", .bar = true),
	TP_COLUMN("class", "Class"),
};
struct op_cells {
	struct tp_cell name, count, total, total_share, self, self_share, class;
};
TP_CELLS_ARE_COLUMNS(struct op_cells, op_columns);

#endif
