/* Curves of scalars over wall time and over steps. */
#ifndef TP_ANALYZE_SCALARS_CHART_H
#define TP_ANALYZE_SCALARS_CHART_H

#include "analyze/job/scalars.h"
#include "report/doc.h"

/* One axis that all charts over it share. */
struct tp_scalar_axis {
	bool wall; /* else steps */
	double low, high;
	struct tp_slice key;         /* in ids: "" of wall time, "-by-step" */
	struct tp_slice words;       /* "wall time" */
	const struct tp_lane *lanes; /* NULL: none */
	size_t lane_count;
	const struct tp_moment *moments;
	size_t moment_count;
	double window_from, window_to; /* NaN: none */
	struct tp_slice window_label;
};

/* Restarts that are drawn: the first. */
enum { TP_SCALAR_MOMENTS = 100 };

/* Sessions, gaps, restarts and the profile's window on the axis of steps, whose ends are known (scalars_steps.c). */
void tp_scalar_mark_steps(
	const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis);

/* Charts of some scalars, a few a chart so that each finds room on a page. id: of the first; axis->key and a number follow. lead: a
 * curve before them, NULL: none; lanes: whether the first has all of the axis; the others have the last. */
void tp_scalar_charts(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axis, const struct tp_scalar *const *list, size_t count,
	const struct tp_curve *lead, bool lanes, const char *id, struct tp_doc *doc,
	struct tp_block *parent);

/* Whether it has two points that can be told apart on some axis. */
bool tp_scalar_drawable(const struct tp_scalar *s);

/* Folds with the curves of the others, one for each beginning of tags (scalars_groups.c). axes: those that there are. */
void tp_scalar_groups(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axes, size_t axis_count, const struct tp_scalar **list,
	size_t count, struct tp_doc *doc, struct tp_block *section);

#endif
