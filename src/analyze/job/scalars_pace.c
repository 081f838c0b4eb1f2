/* How a run went: wall time a step, gaps, and where the profile lies. Points of the tag that was written most often are the clock;
 * where it does not grow from one to the next, as where a restart went back, nothing is said of the time between. */
#include "analyze/job/scalars.h"

#include "analyze/stats.h"
#include "base/arena.h"
#include "model/events.h"
#include "model/profile.h"

#include <math.h>

static const struct tp_event_series *
most_points(const struct tp_event_run *run)
{
	const struct tp_event_series *best = NULL;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		const struct tp_event_series *s = &run->series[i];

		if (s->count > 1 && (best == NULL || s->count > best->count))
			best = s;
	}
	return best;
}

/* From a point to the next. */
struct interval {
	double steps, wall_s;
	int64_t after;
};

/* A walk over the points of a series. */
struct walk {
	const struct tp_event_points *piece;
	uint32_t at;
	bool has_before;
	int64_t step;
	double wall_s;
};

static struct walk
walk_from(const struct tp_event_series *series)
{
	return (struct walk){.piece = series->points};
}

static bool
next_interval(struct walk *w, struct interval *out)
{
	for (; w->piece != NULL; w->piece = w->piece->next, w->at = 0) {
		while (w->at < w->piece->count) {
			int64_t step = w->piece->step[w->at];
			double wall_s = w->piece->wall_s[w->at++];
			bool has = w->has_before;

			*out = (struct interval){(double)step - (double)w->step, wall_s - w->wall_s, w->step};
			w->has_before = true;
			w->step = step;
			w->wall_s = wall_s;
			if (has)
				return true;
		}
	}
	return false;
}

static double
median_step_s(const struct tp_pass_ctx *ctx, struct tp_scalar_pace *pace)
{
	double *each = tp_new_array(ctx->scratch, double, pace->series->count);
	struct walk w = walk_from(pace->series);
	struct interval i;
	size_t count = 0;

	while (next_interval(&w, &i)) {
		if (i.steps > 0 && i.wall_s > 0 && isfinite(i.wall_s))
			each[count++] = i.wall_s / i.steps;
		else
			pace->backwards += i.steps > 0 && i.wall_s < 0;
	}
	pace->intervals = count;
	return tp_stats_of(each, count, ctx->scratch).p50;
}

static void
add_up(struct tp_scalar_pace *pace)
{
	struct walk w = walk_from(pace->series);
	struct interval i;

	while (next_interval(&w, &i)) {
		double usual_s = i.steps * pace->step_s;

		if (!(i.steps > 0 && i.wall_s > 0 && isfinite(i.wall_s)))
			continue;
		if (i.wall_s <= TP_PACE_GAP * usual_s) {
			pace->in_steps_s += i.wall_s;
			continue;
		}
		double gap_s = i.wall_s - usual_s;

		pace->in_steps_s += usual_s;
		pace->gap_s += gap_s;
		pace->gaps++;
		if (gap_s > pace->longest_gap_s) {
			pace->longest_gap_s = gap_s;
			pace->longest_gap_step = i.after;
		}
	}
}

/* When the profile was taken, by the clocks of its hosts. */
static void
find_window(const struct tp_profile *p, struct tp_scalar_pace *pace)
{
	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_host *host = &p->hosts[h];

		if (host->start_unix_ns <= 0 || host->stop_unix_ns < host->start_unix_ns)
			continue;
		pace->window_from_s = fmin(pace->window_from_s, (double)host->start_unix_ns / 1e9);
		pace->window_to_s = fmax(pace->window_to_s, (double)host->stop_unix_ns / 1e9);
	}
}

/* Steps from the last point before the window to the first behind it. */
static void
place_window(struct tp_scalar_pace *pace)
{
	double from = NAN, to = NAN;

	for (const struct tp_event_points *p = pace->series->points; p != NULL; p = p->next) {
		for (uint32_t i = 0; i < p->count; i++) {
			if (p->wall_s[i] <= pace->window_from_s)
				from = (double)p->step[i];
			else if (isnan(to) && p->wall_s[i] >= pace->window_to_s)
				to = (double)p->step[i];
		}
	}
	/* Outside the run, or across a restart. */
	if (isnan(from) || isnan(to) || to < from)
		return;
	pace->window_from_step = from;
	pace->window_to_step = to;
}

void
tp_scalars_pace(
	const struct tp_pass_ctx *ctx, const struct tp_event_run *run, struct tp_scalar_pace *pace)
{
	*pace = (struct tp_scalar_pace){
		.series = most_points(run),
		.step_s = NAN,
		.wall_s = run->last_s - run->first_s,
		.window_from_s = NAN,
		.window_to_s = NAN,
		.window_from_step = NAN,
		.window_to_step = NAN,
	};
	find_window(ctx->profile, pace);
	if (pace->series == NULL)
		return;
	pace->step_s = median_step_s(ctx, pace);
	add_up(pace);
	place_window(pace);
}
