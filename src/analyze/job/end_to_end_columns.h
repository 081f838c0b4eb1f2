/* The columns of the tables of the section Whole run, where it is of a TPUEstimator job's sessions. */
#ifndef TP_ANALYZE_JOB_END_TO_END_COLUMNS_H
#define TP_ANALYZE_JOB_END_TO_END_COLUMNS_H

#include "analyze/job/end_to_end.h"
#include "report/column.h"
#include "report/draft.h"

static const struct tp_column kind_columns[] = {
	TP_COLUMN("kind", "Session, phase"),
	TP_COUNT_COLUMN("times", "Times"),
	TP_COLUMN("took_s", "Takes", .unit = TP_UNIT_S, .decimals = 3),
	TP_SHARE_COLUMN("share", "Of the run", .bar = true),
};
struct kind_cells {
	struct tp_cell kind, times, took, share;
};
TP_CELLS_ARE_COLUMNS(struct kind_cells, kind_columns);

static const struct tp_column span_columns[] = {
	TP_COLUMN("phase", "Session, phase"),
	TP_COLUMN("start_s", "Begins after", .unit = TP_UNIT_S, .decimals = 3,
		TP_FIELD(struct tp_e2e_span, start_ms, TP_UNIT_MS)),
	TP_COLUMN("took_s", "Takes", .unit = TP_UNIT_S, .decimals = 3),
	TP_SHARE_COLUMN("share", "Of the run", .bar = true),
	TP_COLUMN("ended", "Ended"),
};
struct span_cells {
	struct tp_cell phase, start, took, share, ended;
};
TP_CELLS_ARE_COLUMNS(struct span_cells, span_columns);

static const struct tp_column category_columns[] = {
	TP_COLUMN("category", "Category"),
	TP_COLUMN("ms", "Time", .unit = TP_UNIT_MS, .decimals = 3),
};
struct category_cells {
	struct tp_cell category, time;
};
TP_CELLS_ARE_COLUMNS(struct category_cells, category_columns);

#endif
