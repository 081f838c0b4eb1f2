/* What is marked on the axes of scalars. On wall time: sessions of the job, steps and gaps, restarts. On steps: sessions from the
 * step before their begin to the last that they wrote, gaps and restarts between two steps. On both where the profile lies. */
#include "analyze/job/lanes.h"
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/events.h"

#include <math.h>
#include <stdlib.h>

/* Restarts that are drawn: the first. */
enum { MOMENTS = 100 };

static struct tp_period
pace_period(const struct tp_pass_ctx *ctx, enum tp_pace_part part, double from_s, double to_s)
{
	const struct tp_pace_part_info *info = &tp_pace_parts[part];

	return (struct tp_period){
		.label = tp_slice_of(info->label),
		.note = tp_say_value(ctx, tp_number(to_s - from_s, TP_UNIT_S)),
		.from = from_s,
		.to = to_s,
		.hue = info->hue,
		.tint = info->tint,
	};
}

/* Steps and the gaps between them, by time. */
static struct tp_lane
pace_lane(const struct tp_pass_ctx *ctx, const struct tp_scalar_pace *pace, double low, double high)
{
	struct tp_period *periods = tp_new_array(ctx->keep, struct tp_period, 3 * pace->gap_count + 1);
	double until_s = pace->first_point_s;
	size_t count = 0;

	for (uint32_t i = 0; i < pace->gap_count; i++) {
		const struct tp_pace_gap *gap = &pace->gap_list[i];
		double again_until_s = gap->from_s + gap->again_s;

		if (gap->from_s > until_s)
			periods[count++] = pace_period(ctx, TP_PACE_STEPS, until_s, gap->from_s);
		if (gap->again_s > 0)
			periods[count++] = pace_period(ctx, TP_PACE_AGAIN, gap->from_s, again_until_s);
		if (gap->to_s > again_until_s)
			periods[count++] = pace_period(ctx, gap->cause, again_until_s, gap->to_s);
		until_s = gap->to_s;
	}
	if (pace->last_point_s > until_s)
		periods[count++] = pace_period(ctx, TP_PACE_STEPS, until_s, pace->last_point_s);
	return tp_job_lane(ctx, "steps, gaps", periods, count, low, high);
}

static void
mark_wall(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis)
{
	const struct tp_e2e *e = tp_result(ctx, &tp_pass_end_to_end);
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_lane *lanes = tp_new_array(ctx->keep, struct tp_lane, TP_PHASE_COUNT + 1);
	struct tp_moment *moments = tp_new_array(ctx->keep, struct tp_moment, MOMENTS);

	if (e != NULL && fabs(e->first_unix_s) < TP_LATEST_S) {
		axis->low = fmin(axis->low, e->first_unix_s);
		axis->high = fmax(axis->high, fmin(e->first_unix_s + e->total_ms / 1e3, TP_LATEST_S));
		axis->lane_count = tp_job_phase_lanes(
			ctx, e, TP_PHASE_TRAIN, TP_PHASE_PREDICT, axis->low, axis->high, lanes);
	}
	/* A lane of nothing but steps says nothing. */
	if (tp_pace_unknown(pace).len == 0 && (pace->gap_count != 0 || axis->lane_count != 0))
		lanes[axis->lane_count++] = pace_lane(ctx, pace, axis->low, axis->high);
	for (size_t i = 0; i < pace->restart_count && axis->moment_count < MOMENTS; i++) {
		double at_s = pace->restarts[i].at_s;

		if (at_s > pace->first_point_s && at_s >= axis->low && at_s <= axis->high)
			moments[axis->moment_count++] = (struct tp_moment){TP_S("restart"), at_s};
	}
	axis->lanes = lanes;
	axis->moments = moments;
	axis->window_from = pace->window_from_s;
	axis->window_to = pace->window_to_s;
	axis->window_label = tp_run_window_label(ctx, pace->window_from_s, pace->window_to_s);
}

/* A time, and the step of the last point up to it. */
struct moment {
	double at_s, step;
};

TP_ORDER(by_time, struct moment, TP_UP(at_s));

/* The first that is not before a time; count: none. */
static size_t
first_from(const struct moment *all, size_t count, double at_s)
{
	return TP_FIRST_WHERE(i, count, all[i].at_s >= at_s);
}

/* Before the first point it is that point's step. */
static void
find_steps(const struct tp_event_series *series, struct moment *all, size_t count)
{
	struct tp_points_walk w = tp_points_walk(&series->points);
	struct tp_event_point p;
	double step = NAN;

	qsort(all, count, sizeof *all, by_time);
	while (tp_points_next(&w, &p)) {
		step = isnan(step) ? (double)p.step : step;
		size_t at = fabs(p.wall_s) < TP_LATEST_S ? first_from(all, count, p.wall_s) : count;

		if (at < count)
			all[at].step = (double)p.step;
	}
	for (size_t i = 0; i < count; i++)
		all[i].step = step = isnan(all[i].step) ? step : all[i].step;
}

static double
step_at(const struct moment *all, size_t count, double at_s)
{
	return all[first_from(all, count, at_s)].step;
}

/* The begins and ends of all periods, with their steps. */
static struct moment *
bounds_of(const struct tp_pass_ctx *ctx, const struct tp_event_series *series,
	const struct tp_lane *lanes, size_t lane_count, size_t *count)
{
	size_t most = 0;

	for (size_t i = 0; i < lane_count; i++)
		most += 2 * lanes[i].count;
	struct moment *all = tp_new_array(ctx->scratch, struct moment, most);

	*count = 0;
	for (size_t i = 0; i < lane_count; i++) {
		for (size_t k = 0; k < lanes[i].count; k++) {
			all[(*count)++] = (struct moment){lanes[i].periods[k].from, NAN};
			all[(*count)++] = (struct moment){lanes[i].periods[k].to, NAN};
		}
	}
	find_steps(series, all, *count);
	return all;
}

/* The sessions of profile loggers; how many lanes. */
static size_t
session_lanes(const struct tp_pass_ctx *ctx, const struct tp_scalar_pace *pace,
	const struct tp_scalar_axis *axis, struct tp_lane *lanes)
{
	const struct tp_e2e *e = tp_result(ctx, &tp_pass_end_to_end);
	size_t bound_count;

	if (e == NULL || !(fabs(e->first_unix_s) < TP_LATEST_S) || tp_pace_unknown(pace).len != 0)
		return 0;
	size_t count = tp_job_phase_lanes(ctx, e, TP_PHASE_TRAIN, TP_PHASE_PREDICT, e->first_unix_s,
		e->first_unix_s + e->total_ms / 1e3, lanes);
	const struct moment *bounds = bounds_of(ctx, pace->series, lanes, count, &bound_count);

	for (size_t i = 0; i < count; i++) {
		struct tp_period *periods = tp_new_array(ctx->keep, struct tp_period, lanes[i].count);

		for (size_t k = 0; k < lanes[i].count; k++) {
			periods[k] = lanes[i].periods[k];
			double from = step_at(bounds, bound_count, periods[k].from),
				   to = step_at(bounds, bound_count, periods[k].to);

			/* Steps may have gone back in it. */
			periods[k].from = fmin(from, to);
			periods[k].to = fmax(from, to);
		}
		lanes[i] =
			tp_job_lane(ctx, lanes[i].label.ptr, periods, lanes[i].count, axis->low, axis->high);
	}
	return count;
}

/* A gap has no width here: it is drawn where it is. */
static struct tp_lane
gap_lane(const struct tp_pass_ctx *ctx, const struct tp_scalar_pace *pace,
	const struct tp_scalar_axis *axis)
{
	struct tp_period *gaps = tp_new_array(ctx->keep, struct tp_period, pace->gap_count);

	for (uint32_t i = 0; i < pace->gap_count; i++) {
		const struct tp_pace_gap *gap = &pace->gap_list[i];

		gaps[i] = pace_period(ctx, gap->cause, gap->from_s, gap->to_s);
		gaps[i].from = gaps[i].to = (double)gap->after_step;
	}
	return tp_job_lane(ctx, "gaps", gaps, pace->gap_count, axis->low, axis->high);
}

static void
mark_steps(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_lane *lanes = tp_new_array(ctx->keep, struct tp_lane, TP_PHASE_COUNT + 1);
	struct tp_moment *moments = tp_new_array(ctx->keep, struct tp_moment, MOMENTS);

	axis->lane_count = session_lanes(ctx, pace, axis, lanes);
	/* Times of a clock that was set back tell of no gaps. */
	if (tp_pace_unknown(pace).len == 0 && pace->gap_count != 0)
		lanes[axis->lane_count++] = gap_lane(ctx, pace, axis);
	for (uint32_t i = 0; i < pace->gap_count && axis->moment_count < MOMENTS; i++) {
		if (pace->gap_list[i].cause == TP_PACE_RESTART)
			moments[axis->moment_count++] =
				(struct tp_moment){TP_S("restart"), (double)pace->gap_list[i].after_step};
	}
	axis->lanes = lanes;
	axis->moments = moments;
	axis->window_from = pace->window_from_step;
	axis->window_to = pace->window_to_step;
	axis->window_label = TP_S("profile");
}

void
tp_scalar_mark(
	const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis)
{
	if (axis->wall)
		mark_wall(ctx, s, axis);
	else
		mark_steps(ctx, s, axis);
}
