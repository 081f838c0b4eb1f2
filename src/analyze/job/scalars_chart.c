/* Curves of scalars over wall time, with the sessions, gaps, restarts and the profile's window of the job, and the same over steps:
 * each between its own least and greatest value. */
#include "analyze/job/scalars_chart.h"

#include "analyze/core/say.h"
#include "analyze/job/envelope.h"
#include "analyze/job/lanes.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/events.h"

#include <math.h>

enum { MOST_CURVES = 12, CURVES_A_CHART = 4, STRETCHES = 200 };

bool
tp_scalar_drawable(const struct tp_scalar *s)
{
	return s->points > 1 && s->least_step != s->most_step;
}

static struct tp_slice
label_of(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar *k)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, k->series->tag);

	if (tag.len == 0)
		tag = TP_S("(no tag)");
	return s->run_count == 1 || tp_slice_eq(s->runs[k->run].name, TP_S("."))
		? tag
		: tp_arena_printf(ctx->keep, "%.*s · %.*s", TP_ARG(tag), TP_ARG(s->runs[k->run].name));
}

static struct tp_curve
curve_of(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axis, const struct tp_scalar *k)
{
	struct tp_envelope e = tp_envelope_new(ctx->scratch, axis->low, axis->high, STRETCHES);
	struct tp_points_walk w = tp_points_walk(&k->series->points);
	struct tp_event_point p;

	while (tp_points_next(&w, &p))
		tp_envelope_put(&e, axis->wall ? p.wall_s : (double)p.step, p.value);
	struct tp_curve c = tp_envelope_curve(&e, ctx->keep);

	for (size_t i = 0; i < c.count; i++)
		((double *)c.ys)[i] = tp_number_of_single(c.ys[i]);
	c.label = label_of(ctx, s, k);
	return c;
}

/* Steps a second, from point to point of the tag that tells the pace: each is of all the time between two, however long. */
static struct tp_curve
speed_of(const struct tp_pass_ctx *ctx, const struct tp_scalar_axis *axis,
	const struct tp_scalar_pace *pace)
{
	struct tp_envelope e = tp_envelope_new(ctx->scratch, axis->low, axis->high, STRETCHES);
	struct tp_pace_walk w = {.points = tp_points_walk(&pace->series->points)};
	struct tp_slice tag = tp_utf8_clean(ctx->keep, pace->series->tag);
	struct tp_pace_interval i;

	while (tp_pace_next(&w, &i)) {
		double wall_s = i.to_s - i.from_s, rate = (double)(float)(i.steps / wall_s);

		if (!(i.steps > 0 && wall_s > 0 && isfinite(wall_s)))
			continue;
		if (e.points == 0)
			tp_envelope_put(&e, axis->wall ? i.from_s : (double)i.from_step, rate);
		tp_envelope_put(&e, axis->wall ? i.to_s : (double)i.to_step, rate);
	}
	struct tp_curve c = tp_envelope_curve(&e, ctx->keep);

	for (size_t k = 0; k < c.count; k++)
		((double *)c.ys)[k] = tp_number_of_single(c.ys[k]);
	c.held = true;
	c.label = tp_arena_printf(ctx->keep, "steps a second, by the points of %.*s", TP_ARG(tag));
	return c;
}

static void
chart_of(const struct tp_pass_ctx *ctx, const struct tp_scalar_axis *axis,
	const struct tp_curve *curves, size_t count, bool lanes, struct tp_slice id, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_curves *all = tp_new(ctx->keep, struct tp_curves);
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_CHART, id);
	struct tp_slice names = TP_S("");
	/* The last lane, of gaps, is in all: what is below it is read by it, and all plots begin at one place. */
	size_t some = lanes || axis->lane_count == 0 ? axis->lane_count : 1;

	*all = (struct tp_curves){
		.lanes = axis->lanes + axis->lane_count - some,
		.lane_count = some,
		.curves = curves,
		.curve_count = count,
		.moments = axis->moments,
		.moment_count = axis->moment_count,
		.x_title = axis->wall ? TP_S("UTC") : TP_S("step"),
		.utc = axis->wall,
		.low = axis->low,
		.high = axis->high,
		.window_from = axis->window_from,
		.window_to = axis->window_to,
		.window_label = axis->window_label,
	};
	for (size_t i = 0; i < count; i++)
		names = tp_arena_printf(
			ctx->keep, "%.*s%s%.*s", TP_ARG(names), i != 0 ? ", " : "", TP_ARG(curves[i].label));
	block->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = tp_arena_printf(ctx->keep,
			"Over %.*s%s, each between its least and its greatest value: %.*s.",
			TP_ARG(axis->words),
			lanes && axis->lane_count != 0 ? ", below the job's sessions and gaps" : "",
			TP_ARG(names)),
		.unit = TP_UNIT_NONE,
		.marked = SIZE_MAX,
		.curves = all,
	};
}

void
tp_scalar_charts(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axis, const struct tp_scalar *const *list, size_t count,
	const struct tp_curve *lead, bool lanes, const char *id, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_curve *curves = tp_new_array(ctx->keep, struct tp_curve, count + 1);
	size_t shown = 0;
	unsigned number = 1;

	if (lead != NULL)
		curves[shown++] = *lead;
	for (size_t i = 0; i < count; i++) {
		curves[shown] = curve_of(ctx, s, axis, list[i]);
		/* Every point may have a time that is none. */
		shown += curves[shown].count + curves[shown].non_finite_count != 0;
	}
	for (size_t from = 0; from < shown; from += CURVES_A_CHART, number++) {
		struct tp_slice name = number == 1
			? tp_arena_printf(ctx->keep, "%s%.*s", id, TP_ARG(axis->key))
			: tp_arena_printf(ctx->keep, "%s%.*s-%u", id, TP_ARG(axis->key), number);

		chart_of(ctx, axis, curves + from,
			shown - from < CURVES_A_CHART ? shown - from : CURVES_A_CHART, lanes && from == 0, name,
			doc, parent);
	}
}

/* The ends of an axis over all that is drawn; false: it has no length. */
static bool
ends(const struct tp_scalar *const *list, size_t count, struct tp_scalar_axis *axis)
{
	axis->low = INFINITY;
	axis->high = -INFINITY;
	for (size_t k = 0; k < count; k++) {
		struct tp_points_walk w = tp_points_walk(&list[k]->series->points);
		struct tp_event_point p;

		while (tp_points_next(&w, &p)) {
			double x = axis->wall ? p.wall_s : (double)p.step;

			if (axis->wall && !(fabs(x) < TP_LATEST_S))
				continue;
			axis->low = fmin(axis->low, x);
			axis->high = fmax(axis->high, x);
		}
	}
	return axis->low < axis->high;
}

/* Sessions and gaps of the job, and where it was begun anew. */
static void
mark_wall(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis)
{
	const struct tp_e2e *e = tp_result(ctx, &tp_pass_end_to_end);
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_lane *lanes = tp_new_array(ctx->keep, struct tp_lane, TP_PHASE_COUNT + 1);
	struct tp_moment *moments = tp_new_array(ctx->keep, struct tp_moment, TP_SCALAR_MOMENTS);

	if (e != NULL && fabs(e->first_unix_s) < TP_LATEST_S) {
		axis->low = fmin(axis->low, e->first_unix_s);
		axis->high = fmax(axis->high, fmin(e->first_unix_s + e->total_ms / 1e3, TP_LATEST_S));
		axis->lane_count = tp_job_phase_lanes(
			ctx, e, TP_PHASE_TRAIN, TP_PHASE_PREDICT, axis->low, axis->high, lanes);
	}
	/* A lane of nothing but steps says nothing. */
	if (tp_pace_unknown(pace).len == 0 && (pace->gap_count != 0 || axis->lane_count != 0))
		lanes[axis->lane_count++] = tp_job_pace_lane(ctx, pace, axis->low, axis->high);
	for (size_t i = 0; i < pace->restart_count && axis->moment_count < TP_SCALAR_MOMENTS; i++) {
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

/* Over both axes; the second in a fold. */
static void
first_curves(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axes, size_t axis_count, const struct tp_scalar *const *list,
	size_t count, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;

	for (size_t i = 0; i < axis_count; i++) {
		struct tp_block *parent = i == 0 ? section
										 : tp_doc_section(doc, section, TP_SECTION_FOLD,
											   "whole-run/by-step", "The same curves over steps");
		struct tp_curve speed;
		bool paced = !isnan(pace->step_s);

		if (paced) {
			speed = speed_of(ctx, &axes[i], pace);
			paced = speed.count != 0;
		}
		tp_scalar_charts(ctx, s, &axes[i], list, count, paced ? &speed : NULL, true,
			"whole-run/curves", doc, parent);
	}
}

void
tp_scalars_chart(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_scalar **list =
		tp_new_array(ctx->scratch, const struct tp_scalar *, s->scalar_count);
	struct tp_scalar_axis axes[2] = {{.wall = true, .key = TP_S(""), .words = TP_S("wall time")}};
	size_t count = 0, axis_count = 0;

	for (uint32_t i = 0; i < s->scalar_count; i++) {
		if (tp_scalar_drawable(&s->scalars[i]))
			list[count++] = &s->scalars[i];
	}
	if (count == 0)
		return;
	if (ends(list, count, &axes[0]))
		mark_wall(ctx, s, &axes[axis_count++]);
	axes[axis_count] = (struct tp_scalar_axis){.key = TP_S("-by-step"), .words = TP_S("steps")};
	if (ends(list, count, &axes[axis_count]))
		tp_scalar_mark_steps(ctx, s, &axes[axis_count++]);
	/* One place is for steps a second. */
	size_t first = count < MOST_CURVES ? count : MOST_CURVES - 1;

	first_curves(ctx, s, axes, axis_count, list, first, doc, section);
	tp_scalar_groups(ctx, s, axes, axis_count, list + first, count - first, doc, section);
	if (s->scalar_count > count)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/no-curve",
			TP_SAY(doc, "{} at a single step: in the table alone.",
				tp_say_number(ctx, s->scalar_count - count, "scalar is", "scalars are")));
}
