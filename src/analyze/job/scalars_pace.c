/* How a run went: wall time a step, which time its steps cover, and where the profile lies. Points of the tag that was written most
 * often are the clock; where it does not grow from one to the next, nothing is said of the time between. */
#include "analyze/job/lanes.h"
#include "analyze/job/scalars.h"

#include "analyze/core/stats.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/events.h"
#include "model/profile.h"
#include "rank.pb-c.h"

#include <math.h>
#include <stdlib.h>

/* Places where steps go back without a mark are looked at one by one; a file can be made of nothing else. */
enum { MOST_TURNS = 64 };

static uint64_t
points_of(const struct tp_event_series *s)
{
	return s->given != NULL ? s->given->points : s->points.count;
}

static const struct tp_event_series *
most_points(const struct tp_event_run *run)
{
	const struct tp_event_series *best = NULL;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		const struct tp_event_series *s = &run->series[i];

		if (points_of(s) > 1 && (best == NULL || points_of(s) > points_of(best)))
			best = s;
	}
	return best;
}

bool
tp_pace_next(struct tp_pace_walk *w, struct tp_pace_interval *out)
{
	struct tp_event_point p;

	while (tp_points_next(&w->points, &p)) {
		double wall_s = fabs(p.wall_s) < TP_LATEST_S ? p.wall_s : NAN;
		bool has = w->behind++ != 0;

		*out = (struct tp_pace_interval){
			.steps = (double)p.step - (double)w->step,
			.from_s = w->wall_s,
			.to_s = wall_s,
			.from_step = w->step,
			.to_step = p.step,
		};
		w->step = p.step;
		w->wall_s = wall_s;
		if (has)
			return true;
	}
	return false;
}

static double
median_step_s(const struct tp_pass_ctx *ctx, struct tp_scalar_pace *pace)
{
	double *each = tp_new_array(ctx->scratch, double, pace->series->points.count);
	struct tp_pace_walk w = {.points = tp_points_walk(&pace->series->points)};
	struct tp_pace_interval i;
	size_t count = 0;

	while (tp_pace_next(&w, &i)) {
		double wall_s = i.to_s - i.from_s;

		if (i.steps > 0 && wall_s > 0 && isfinite(wall_s))
			each[count++] = wall_s / i.steps;
		else
			pace->backwards += i.steps > 0 && wall_s < 0;
	}
	pace->intervals = count;
	return tp_stats_of(each, count, ctx->scratch).p50;
}

/* Time that steps cover, up to the point at this step. */
struct cover {
	double from_s, to_s;
	int64_t step;
};

struct covering {
	struct tp_scalar_pace *pace;
	struct tp_buf covers, restarts; /* of struct cover, struct tp_pace_restart */
	size_t marked; /* restarts by marks, which come first and are in order of time */
	unsigned turns;
};

TP_ORDER(by_start, struct cover, TP_UP(from_s));

TP_ORDER(by_time, struct tp_pace_restart, TP_UP(at_s));

static void
add_marks(const struct tp_event_run *run, struct covering *c)
{
	for (uint32_t i = 0; i < run->mark_count; i++) {
		const struct tp_event_mark *m = &run->marks[i];

		if (m->kind == TP_EVENT_START && m->again && fabs(m->wall_s) < TP_LATEST_S)
			TP_PUSH(&c->restarts, struct tp_pace_restart, m->wall_s, m->purged_until_s);
	}
	c->marked = c->restarts.count;
	if (c->marked != 0)
		qsort(c->restarts.data, c->marked, sizeof(struct tp_pace_restart), by_time);
}

/* When a session began last in an interval; NaN: none did. */
static double
begun_in(const struct covering *c, const struct tp_pace_interval *i)
{
	const struct tp_pace_restart *all = c->restarts.data;
	size_t after = TP_FIRST_WHERE(k, c->marked, all[k].at_s > i->to_s);

	return after != 0 && all[after - 1].at_s > i->from_s ? all[after - 1].at_s : NAN;
}

static void
cover(struct covering *c, double from_s, double to_s, int64_t step)
{
	struct cover *all = c->covers.data;
	struct cover *last = c->covers.count != 0 ? &all[c->covers.count - 1] : NULL;

	if (last != NULL && from_s == last->to_s) {
		last->to_s = to_s;
		last->step = step;
		return;
	}
	TP_PUSH(&c->covers, struct cover, from_s, to_s, step);
}

/* When the last point before a step was written, of those up to a count; the first point's time where there is none. */
static double
written_before(const struct tp_event_series *series, uint64_t points, int64_t step)
{
	struct tp_points_walk w = tp_points_walk(&series->points);
	struct tp_event_point p = {0};
	double at_s = NAN;

	for (bool first = true; points != 0 && tp_points_next(&w, &p); points--, first = false)
		at_s = first || p.step < step ? p.wall_s : at_s;
	return at_s;
}

/* Steps go back and the clock does not: programs that mark no session were begun anew, and what lies in between is done again. Points
 * that merely come in another order are nearer together. */
static void
turn_back(struct covering *c, const struct tp_pace_walk *w, const struct tp_pace_interval *i)
{
	if (c->turns == MOST_TURNS)
		return;
	c->turns++;
	double kept_s = written_before(c->pace->series, w->behind - 1, i->to_step);

	if (!(i->to_s - kept_s > TP_PACE_GAP_FACTOR * c->pace->step_s))
		return;
	struct cover *all = c->covers.data;
	size_t count = c->covers.count;

	while (count != 0 && all[count - 1].from_s >= kept_s)
		count--;
	if (count != 0 && all[count - 1].to_s > kept_s) {
		all[count - 1].to_s = kept_s;
		all[count - 1].step = i->to_step != INT64_MIN ? i->to_step - 1 : i->to_step;
	}
	c->covers.count = count;
	TP_PUSH(&c->restarts, struct tp_pace_restart, i->to_s, i->from_s);
	c->pace->turns++;
}

static void
take_interval(struct covering *c, const struct tp_pace_walk *w, const struct tp_pace_interval *i)
{
	double wall_s = i->to_s - i->from_s, usual_s = i->steps * c->pace->step_s;

	if (!isfinite(wall_s))
		return;
	c->pace->overlaps += i->steps < 0 && wall_s < 0;
	if (i->steps < 0 && wall_s > 0)
		turn_back(c, w, i);
	if (!(i->steps > 0 && wall_s > 0))
		return;
	double begun_s = begun_in(c, i);

	/* Steps are taken to be what comes last: a restart, an evaluation or a saving is over when they go on. */
	if (wall_s > TP_PACE_GAP_FACTOR * usual_s || !isnan(begun_s))
		cover(c, fmax(fmax(i->from_s, begun_s), i->to_s - usual_s), i->to_s, i->to_step);
	else
		cover(c, i->from_s, i->to_s, i->to_step);
}

/* Sorts and joins them, for several programs can have written at the same time; returns how many are left. */
static size_t
unite(struct cover *all, size_t count)
{
	size_t kept = 0;
	bool ordered = true;

	for (size_t i = 1; i < count; i++)
		ordered &= all[i - 1].from_s <= all[i].from_s;
	if (!ordered)
		qsort(all, count, sizeof *all, by_start);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || all[i].from_s > all[kept - 1].to_s) {
			all[kept++] = all[i];
		} else if (all[i].to_s > all[kept - 1].to_s) {
			all[kept - 1].to_s = all[i].to_s;
			all[kept - 1].step = all[i].step;
		}
	}
	return kept;
}

static void
add_gap(
	struct tp_scalar_pace *pace, struct tp_pace_gap *list, double from_s, double to_s, int64_t step)
{
	if (!(to_s > from_s))
		return;
	list[pace->gap_count++] =
		(struct tp_pace_gap){.from_s = from_s, .to_s = to_s, .after_step = step};
	pace->gap_s += to_s - from_s;
}

/* What steps do not cover, between the earliest point and the latest. */
static void
find_gaps(const struct tp_pass_ctx *ctx, struct tp_scalar_pace *pace, const struct cover *covers,
	size_t count)
{
	struct tp_pace_gap *list = tp_new_array(ctx->keep, struct tp_pace_gap, count + 1);
	double until_s = pace->first_point_s;
	struct tp_points_walk w = tp_points_walk(&pace->series->points);
	struct tp_event_point first = {0};

	tp_points_next(&w, &first);
	int64_t step = first.step;

	for (size_t i = 0; i < count; i++) {
		add_gap(pace, list, until_s, covers[i].from_s, step);
		pace->in_steps_s += covers[i].to_s - covers[i].from_s;
		until_s = covers[i].to_s;
		step = covers[i].step;
	}
	add_gap(pace, list, until_s, pace->last_point_s, step);
	pace->gap_list = list;
}

static void
add_up(const struct tp_pass_ctx *ctx, const struct tp_event_run *run, struct tp_scalar_pace *pace)
{
	struct covering c = {.pace = pace};
	struct tp_pace_walk w = {.points = tp_points_walk(&pace->series->points)};
	struct tp_pace_interval i;

	add_marks(run, &c);
	while (tp_pace_next(&w, &i)) {
		take_interval(&c, &w, &i);
		pace->first_point_s = fmin(fmin(pace->first_point_s, i.from_s), i.to_s);
		pace->last_point_s = fmax(fmax(pace->last_point_s, i.from_s), i.to_s);
	}
	if (pace->intervals != 0)
		find_gaps(ctx, pace, c.covers.data, unite(c.covers.data, c.covers.count));
	if (c.restarts.count != 0) {
		struct tp_pace_restart *kept =
			tp_new_array(ctx->keep, struct tp_pace_restart, c.restarts.count);

		memcpy(kept, c.restarts.data, c.restarts.count * sizeof *kept);
		qsort(kept, c.restarts.count, sizeof *kept, by_time);
		pace->restarts = kept;
		pace->restart_count = c.restarts.count;
	}
	tp_buf_free(&c.covers);
	tp_buf_free(&c.restarts);
}

/* Steps from the last point before the window to the first behind it. */
static void
place_window(struct tp_scalar_pace *pace)
{
	double from = NAN, to = NAN;
	struct tp_points_walk w = tp_points_walk(&pace->series->points);
	struct tp_event_point p;

	while (tp_points_next(&w, &p)) {
		if (p.wall_s <= pace->window_from_s)
			from = (double)p.step;
		else if (isnan(to) && p.wall_s >= pace->window_to_s)
			to = (double)p.step;
	}
	/* Outside the run, or across a restart. */
	if (isnan(from) || isnan(to) || to < from)
		return;
	pace->window_from_step = from;
	pace->window_to_step = to;
}

void
tp_scalars_pace(const struct tp_pass_ctx *ctx, const struct tp_event_run *run, bool evaluation,
	struct tp_scalar_pace *pace)
{
	*pace = (struct tp_scalar_pace){
		.series = evaluation ? NULL : most_points(run),
		.evaluation = evaluation,
		.step_s = NAN,
		.wall_s = run->last_s - run->first_s,
		.first_point_s = NAN,
		.last_point_s = NAN,
		.window_from_step = NAN,
		.window_to_step = NAN,
	};
	tp_run_window(ctx->profile, &pace->window_from_s, &pace->window_to_s);
	if (pace->series != NULL && pace->series->points.count != points_of(pace->series)) {
		pace->thinned = true;
		pace->series = NULL;
		pace->step_s = run->step_s;
	}
	if (pace->series == NULL)
		return;
	pace->step_s = median_step_s(ctx, pace);
	add_up(ctx, run, pace);
	place_window(pace);
}
