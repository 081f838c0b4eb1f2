/* The columns of the tables of the section Tracks. */
#ifndef TP_ANALYZE_TRACKS_TRACKS_COLUMNS_H
#define TP_ANALYZE_TRACKS_TRACKS_COLUMNS_H

#include "analyze/tracks/tracks.h"
#include "report/column.h"
#include "report/draft.h"

#define US_COLUMN(key, title, ...)                                                                 \
	TP_COLUMN(key, title, .unit = TP_UNIT_US, .decimals = 1, __VA_ARGS__)

static const struct tp_column name_columns[] = {
	TP_COLUMN("name", "Track, name", .code = true),
	US_COLUMN("self_us", "Self time", .core = true),
	TP_SHARE_COLUMN("track_share", "Of the track", .bar = true),
	TP_COUNT_COLUMN("calls", "Calls"),
	US_COLUMN("total_us", "Total"),
	US_COLUMN("mean_us", "Mean"),
	US_COLUMN("max_us", "Longest"),
	TP_COLUMN("category", "Category"),
};
struct name_cells {
	struct tp_cell name, self, share, calls, total, mean, longest, category;
};
TP_CELLS_ARE_COLUMNS(struct name_cells, name_columns);

static const struct tp_column counter_columns[] = {
	TP_COLUMN("counter", "Counter", .code = true),
	TP_COLUMN("process", "Process", .code = true),
	TP_COUNT_COLUMN("points", "Points"),
	TP_COLUMN("least", "Min", .decimals = 3),
	TP_COLUMN("mean", "Mean over time", .decimals = 3),
	TP_COLUMN("most", "Max", .decimals = 3),
	TP_COLUMN("last", "Last", .decimals = 3),
	TP_COLUMN("unit", "Unit"),
};
struct counter_cells {
	struct tp_cell counter, process, points, least, mean, most, last, unit;
};
TP_CELLS_ARE_COLUMNS(struct counter_cells, counter_columns);

#endif
