/* The whole run as lines: sessions of profile loggers with their phases, and of each run of event files its sessions, steps and gaps,
 * evaluations and checkpoints; and when the profile was taken. */
#include "analyze/timeline/timeline_more.h"

#include "analyze/core/pass.h"
#include "analyze/job/end_to_end.h"
#include "analyze/job/lanes.h"
#include "analyze/job/scalars.h"
#include "base/arena.h"
#include "base/path.h"
#include "model/build.h"
#include "model/events.h"

#include <math.h>

/* Evaluations or checkpoints of a run: the first. */
enum { MOST_MOMENTS = 10000 };

/* A line and its events in seconds since 1970, until it is known when the first began. */
struct line {
	struct tp_slice process, name;
	struct tp_buf events; /* struct tp_made_event */
};

struct job {
	const struct tp_pass_ctx *ctx;
	struct tp_builder *builder;
	struct tp_buf lines; /* struct line */
	struct tp_buf looks; /* struct tp_timeline_look, by operation */
};

static struct line *
add_line(struct job *j, struct tp_slice process, const char *name)
{
	TP_PUSH(&j->lines, struct line, process, tp_slice_of(name), {0});
	return &((struct line *)j->lines.data)[j->lines.count - 1];
}

static uint32_t
add_name(struct job *j, struct tp_slice name, struct tp_slice more, enum tp_hue hue, int tint)
{
	struct tp_op *op;
	uint32_t index = tp_build_op(j->builder, &op);

	op->name = op->label = name;
	op->source = more;
	TP_PUSH(&j->looks, struct tp_timeline_look, hue, tint);
	return index;
}

/* Clocks tell whole microseconds. What has no time is left out. */
static void
add_event(struct line *line, double from_s, double to_s, uint32_t op)
{
	if (!(fabs(from_s) < TP_LATEST_S) || !(fabs(to_s) < TP_LATEST_S))
		return;
	int64_t from_us = llround(from_s * 1e6), to_us = llround(to_s * 1e6);

	TP_PUSH(&line->events, struct tp_made_event, from_us, to_us > from_us ? to_us - from_us : 0, op,
		TP_NONE);
}

/* A line for each kind of session and phase. */
static void
add_phases(struct job *j)
{
	const struct tp_e2e *e = tp_result(j->ctx, &tp_pass_end_to_end);

	for (int phase = 0; e != NULL && phase < TP_PHASE_COUNT; phase++) {
		const struct tp_phase_look *look = &tp_phase_looks[phase];
		struct line *line =
			e->times[phase] != 0 ? add_line(j, TP_S("Sessions of the job"), look->name) : NULL;

		for (uint32_t i = 0; i < e->span_count; i++) {
			const struct tp_e2e_span *span = &e->spans[i];

			if ((int)span->phase == phase)
				add_event(line, e->first_unix_s + span->start_ms / 1e3,
					e->first_unix_s + span->end_ms / 1e3,
					add_name(j, tp_e2e_span_name(j->ctx, span),
						tp_e2e_unended(span) ? TP_S("no mark of its end") : TP_S(""), look->hue,
						look->tint));
		}
	}
}

/* From each begin of the program to its end, or to the next begin; the last to the last record. */
static void
add_sessions(struct job *j, const struct tp_event_run *run, struct tp_slice process)
{
	struct line *line = add_line(j, process, "sessions");
	double from_s = run->first_s;
	uint32_t number = 0;

	for (uint32_t i = 0; i <= run->mark_count; i++) {
		const struct tp_event_mark *mark = i < run->mark_count ? &run->marks[i] : NULL;
		double at_s = mark != NULL ? mark->wall_s : run->last_s;

		if (mark != NULL && mark->kind == TP_EVENT_CHECKPOINT)
			continue;
		if (!isnan(from_s) && at_s > from_s)
			add_event(line, from_s, at_s,
				add_name(j, tp_arena_printf(j->ctx->keep, "session %u", ++number), TP_S(""),
					TP_HUE_HOST, 1));
		from_s = mark != NULL && mark->kind == TP_EVENT_STOP ? NAN : at_s;
	}
}

static void
add_checkpoints(struct job *j, const struct tp_event_run *run, struct tp_slice process)
{
	struct line *line = add_line(j, process, "checkpoints");

	for (uint32_t i = 0; i < run->mark_count && line->events.count < MOST_MOMENTS; i++) {
		const struct tp_event_mark *mark = &run->marks[i];

		if (mark->kind == TP_EVENT_CHECKPOINT)
			add_event(line, mark->wall_s, mark->wall_s,
				add_name(j,
					tp_arena_printf(j->ctx->keep, "checkpoint at step %lld", (long long)mark->step),
					mark->path, TP_HUE_OUTPUT, 0));
	}
}

/* Points of the tag that an evaluation wrote most often. */
static void
add_evaluations(struct job *j, const struct tp_event_run *run, struct tp_slice process)
{
	struct line *line = add_line(j, process, "evaluations");
	const struct tp_event_series *most = NULL;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		if (most == NULL || run->series[i].points.count > most->points.count)
			most = &run->series[i];
	}
	if (most == NULL)
		return;
	struct tp_points_walk w = tp_points_walk(&most->points);

	for (struct tp_event_point p; line->events.count < MOST_MOMENTS && tp_points_next(&w, &p);)
		add_event(line, p.wall_s, p.wall_s,
			add_name(j, tp_arena_printf(j->ctx->keep, "evaluation at step %lld", (long long)p.step),
				TP_S(""), TP_HUE_COMPUTE, 1));
}

/* Steps of the main run and what lies between them. */
static void
add_pace(struct job *j, const struct tp_scalar_pace *pace, struct tp_slice process)
{
	if (tp_pace_unknown(pace).len != 0)
		return;
	struct line *line = add_line(j, process, "steps and gaps");
	double until_s = pace->first_point_s;
	uint32_t name_of[TP_PACE_PARTS];

	for (int part = 0; part < TP_PACE_PARTS; part++)
		name_of[part] = add_name(j, tp_slice_of(tp_pace_parts[part].label), TP_S(""),
			tp_pace_parts[part].hue, tp_pace_parts[part].tint);
	for (uint32_t i = 0; i < pace->gap_count; i++) {
		const struct tp_pace_gap *gap = &pace->gap_list[i];
		double again_until_s = gap->from_s + gap->again_s;

		if (gap->from_s > until_s)
			add_event(line, until_s, gap->from_s, name_of[TP_PACE_STEPS]);
		if (gap->again_s > 0)
			add_event(line, gap->from_s, again_until_s, name_of[TP_PACE_AGAIN]);
		if (gap->to_s > again_until_s)
			add_event(line, again_until_s, gap->to_s, name_of[gap->cause]);
		until_s = gap->to_s;
	}
	if (pace->last_point_s > until_s)
		add_event(line, until_s, pace->last_point_s, name_of[TP_PACE_STEPS]);
}

static void
add_runs(struct job *j)
{
	const struct tp_scalars *s = tp_result(j->ctx, &tp_pass_scalars);

	for (uint32_t i = 0; s != NULL && i < s->run_count; i++) {
		const struct tp_scalar_run *run = &s->runs[i];
		bool top = tp_slice_eq(run->name, TP_S("."));
		struct tp_slice folder = top ? tp_path_name(run->run->folder) : run->name;
		struct tp_slice process = folder.len != 0
			? tp_arena_printf(j->ctx->keep, "Run %.*s", TP_ARG(folder))
			: TP_S("Run");

		add_sessions(j, run->run, process);
		if (i == s->main)
			add_pace(j, &run->pace, process);
		if (run->evaluation)
			add_evaluations(j, run->run, process);
		add_checkpoints(j, run->run, process);
	}
}

static void
add_profile(struct job *j)
{
	double from_s, to_s;

	tp_run_window(j->ctx->profile, &from_s, &to_s);
	if (!isnan(from_s))
		add_event(add_line(j, TP_S("This profile"), "capture"), from_s, to_s,
			add_name(j, TP_S("the profile was taken"), TP_S(""), TP_HUE_COMPILE, 1));
}

/* Lines of the job alone are worth a timeline. */
static size_t
events_of(const struct job *j, int64_t *first_us)
{
	const struct line *lines = j->lines.data;
	size_t count = 0;

	*first_us = INT64_MAX;
	for (size_t i = 0; i < j->lines.count; i++) {
		const struct tp_made_event *event = lines[i].events.data;

		count += lines[i].events.count;
		for (size_t k = 0; k < lines[i].events.count; k++)
			*first_us = event[k].at_us < *first_us ? event[k].at_us : *first_us;
	}
	return count;
}

bool
tp_timeline_of_job(const struct tp_pass_ctx *ctx, struct tp_timeline_source *out)
{
	struct job j = {.ctx = ctx, .builder = tp_builder_new(ctx->keep)};
	struct tp_host *host;
	int64_t zero_us;

	tp_build_host(j.builder, &host);
	add_phases(&j);
	add_runs(&j);
	size_t of_job = events_of(&j, &zero_us);

	add_profile(&j);
	events_of(&j, &zero_us);
	struct line *lines = j.lines.data;

	for (size_t i = 0; i < j.lines.count; i++) {
		tp_timeline_made_line(
			j.builder, TP_LINE_TRACK, lines[i].process, lines[i].name, &lines[i].events, zero_us);
		tp_buf_free(&lines[i].events);
	}
	tp_buf_free(&j.lines);
	out->profile = tp_builder_finish(j.builder);
	out->looks = tp_buf_settle(&j.looks, sizeof(struct tp_timeline_look), ctx->keep);
	if (of_job == 0)
		tp_profile_release_lines(out->profile);
	return of_job != 0;
}
