/* The axes that curves of scalars are drawn over, wall time and steps, and what is marked on them. */
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

/* Widens an axis to the sessions of the job and marks on it what there is of sessions, gaps, restarts and the profile's window: on
 * wall time, and on steps, whose ends are known. */
void tp_scalar_mark_wall(
	const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis);
void tp_scalar_mark_steps(
	const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis);

#endif
