/* Heat maps of a distributed run. */
#ifndef TP_ANALYZE_POD_GRID_H
#define TP_ANALYZE_POD_GRID_H

#include "analyze/pod/pod.h"

struct tp_pod_traffic;

/* Where each unit is drawn. */
struct tp_pod_map {
	enum tp_pod_level level; /* what a cell is */
	bool host_rows;          /* each host has a row of its own */
	bool mesh;               /* chips are drawn as they are arranged */
	size_t rows, columns, group;
	uint32_t *cell_of_unit;
	struct tp_slice *row_names, *labels; /* by row, by cell */
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
