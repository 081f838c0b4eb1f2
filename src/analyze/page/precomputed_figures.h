/* Figures of tool files where events give none, and where the two do not agree. */
#ifndef TP_ANALYZE_PRECOMPUTED_FIGURES_H
#define TP_ANALYZE_PRECOMPUTED_FIGURES_H

#include "analyze/facts/precomputed.h"

struct tp_block;
struct tp_tile;

/* After all passes registered theirs: figures that are missing, but that a tool file gives. */
void tp_precomputed_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* Tiles of figures that a tool file gives, at most `room`; returns how many. */
size_t tp_precomputed_tiles(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list, size_t room);

/* The metric that a figure is of. */
const char *tp_precomputed_metric_of(enum tp_precomputed_figure figure);
const char *tp_precomputed_input_metric_of(enum tp_precomputed_input_time time);

#endif
