/* What the tables and charts of a distributed run share. */
#ifndef TP_ANALYZE_POD_TABLES_H
#define TP_ANALYZE_POD_TABLES_H

#include "analyze/pod/pod.h"

struct tp_pod_traffic;

/* What a part is called in this run: without ids of collectives their wait cannot be told apart, and hosts have other words. */
struct tp_slice tp_pod_part_label(const struct tp_pod *pod, enum tp_pod_part part);
/* How it is drawn, for the same reason: hatched where it is nothing but waiting. */
int tp_pod_part_tint(const struct tp_pod *pod, enum tp_pod_part part);

/* The parts of which some unit has any; returns how many. */
size_t tp_pod_parts(const struct tp_pod *pod, enum tp_pod_part parts[static TP_POD_PART_COUNT]);

/* "13": a unit in the ids of rows and below columns. In ctx->keep. */
struct tp_slice tp_pod_unit_key(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t unit);

/* Columns of a table of units: the step where wanted, who, its own time and step, its parts. */
struct tp_pod_layout {
	struct tp_column *columns;
	size_t count;
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t part_count;
};
struct tp_pod_layout tp_pod_lay_out(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, bool steps);

/* Fills in the cells of a row that say who it is, and those behind them, of [part] times. */
void tp_pod_fill_row(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	const struct tp_pod_layout *l, size_t unit, const double *part_ps, struct tp_cell *cell);

/* What the straggler costs and where it is longer, and every core: pod_tables.c. */
void tp_pod_tables(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section);
/* Single steps, folded: who was the slowest of each, some of them, and all. */
void tp_pod_step_tables(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section);

/* One step as a column a core: pod_chart.c. */
void tp_pod_strip(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t step,
	const char *id, struct tp_doc *doc, struct tp_block *parent);

/* Where each unit is drawn on a heat map: pod_grid.c. */
struct tp_pod_map {
	enum tp_pod_level level; /* what a cell is */
	bool host_rows;          /* each host has a row of its own */
	bool mesh;               /* chips are drawn as they are arranged */
	size_t rows, columns, group;
	uint32_t *cell_of_unit;
	struct tp_slice *row_names, *labels; /* by row, by cell */
	struct tp_slice *places; /* by cell, chip and core; NULL: not known, or the labels say it */
};
/* Rows, columns, groups and cell_of_unit, for the level that is set: pod_place.c */
void tp_pod_place_cells(
	const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_pod_map *map);

/* The maps of own time and of each part, and one with the slowest channels. */
void tp_pod_maps(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section);
void tp_pod_link_map(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	const struct tp_pod_traffic *t, struct tp_doc *doc, struct tp_block *part);

#endif
