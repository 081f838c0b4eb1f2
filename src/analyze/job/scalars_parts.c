/* Where the wall time of a run went: steps, and why the rest was none, as far as the files tell. */
#include "analyze/job/end_to_end.h"
#include "analyze/job/scalars.h"

#include "analyze/job/scalars_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/path.h"
#include "model/events.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

const struct tp_pace_part_info tp_pace_parts[TP_PACE_PARTS] = {
	[TP_PACE_STEPS] = {"steps", "steps",
		"time between neighbouring points of the most frequent tag, excluding gaps", TP_HUE_COMPUTE,
		0},
	[TP_PACE_AGAIN] = {"again", "steps repeated after a restart",
		"from the last point before the step at which a restart resumes to the last one it "
		"discards",
		TP_HUE_INPUT, 0},
	[TP_PACE_RESTART] = {"restart", "restarts",
		"remaining gaps in which a session starts or steps go back", TP_HUE_COMPILE, 0},
	[TP_PACE_EVAL] = {"eval", "evaluation",
		"gaps with an evaluation session, or with points in a folder beside or below named eval, "
		"valid or test",
		TP_HUE_COMPUTE, 1},
	[TP_PACE_SAVE] = {"save", "saving a checkpoint", "other gaps with a checkpoint mark",
		TP_HUE_OUTPUT, 0},
	[TP_PACE_GAP] = {"gap", "unexplained gaps",
		"intervals above five times the median, minus the median, that nothing in the files "
		"explains",
		TP_HUE_IDLE, 0},
	[TP_PACE_BEFORE] = {"before", "before the first point",
		"from the first record to the first point of the tag", TP_HUE_COMPILE, 1},
	[TP_PACE_AFTER] = {"after", "after the last point",
		"from the last point of the tag to the last record", TP_HUE_COMPILE, 2},
};

struct tp_slice
tp_pace_unknown(const struct tp_scalar_pace *pace)
{
	return pace->evaluation    ? TP_S(why_evaluation)
		: pace->thinned        ? TP_S(why_thinned)
		: isnan(pace->step_s)  ? TP_S(why_no_tag_twice)
		: pace->backwards != 0 ? TP_S(why_set_back)
							   : TP_S("");
}

struct tp_value
tp_pace_goodput(const struct tp_scalar_pace *pace)
{
	struct tp_slice why = tp_pace_unknown(pace);

	return why.len != 0 ? tp_missing(why)
						: tp_share(pace->in_steps_s, pace->wall_s, TP_S(why_no_time_passed));
}

struct tp_value
tp_pace_wall(const struct tp_scalar_pace *pace)
{
	return tp_number_or(pace->wall_s, TP_UNIT_S, TP_S(why_no_time));
}

/* An evaluation writes beside the training or into a folder of it: train and validation, model and model/eval. */
static bool
evaluates(struct tp_slice folder, struct tp_slice training)
{
	struct tp_slice parent = tp_path_folder(folder);

	return tp_slice_eq(parent, training) || tp_slice_eq(parent, tp_path_folder(training));
}

TP_ORDER(by_number, double, (*a > *b) - (*a < *b));

struct moments {
	double *at_s;
	size_t count;
};

/* Points that are held: a summary counts more (tp_event_run.points). */
static uint64_t
held_points(const struct tp_event_run *run)
{
	uint64_t held = 0;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++)
		held += run->series[i].points.count;
	return held;
}

static void
add_points(const struct tp_event_run *run, struct moments *m)
{
	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		struct tp_points_walk w = tp_points_walk(&run->series[i].points);
		struct tp_event_point p;

		while (tp_points_next(&w, &p)) {
			if (isfinite(p.wall_s))
				m->at_s[m->count++] = p.wall_s;
		}
	}
}

static struct moments
evaluations(const struct tp_pass_ctx *ctx, const struct tp_scalars *s)
{
	struct tp_slice training = s->runs[s->main].run->folder;
	struct moments m = {NULL, 0};
	uint64_t most = 0;

	for (uint32_t i = 0; i < s->run_count; i++)
		most += s->runs[i].evaluation ? held_points(s->runs[i].run) : 0;
	m.at_s = tp_new_array(ctx->scratch, double, most + 1);
	for (uint32_t i = 0; i < s->run_count; i++) {
		if (s->runs[i].evaluation && i != s->main && evaluates(s->runs[i].run->folder, training))
			add_points(s->runs[i].run, &m);
	}
	qsort(m.at_s, m.count, sizeof *m.at_s, by_number);
	return m;
}

static struct moments
checkpoints(const struct tp_pass_ctx *ctx, const struct tp_event_run *run)
{
	struct moments m = {tp_new_array(ctx->scratch, double, run->mark_count + 1), 0};

	for (uint32_t i = 0; i < run->mark_count; i++) {
		if (run->marks[i].kind == TP_EVENT_CHECKPOINT && isfinite(run->marks[i].wall_s))
			m.at_s[m.count++] = run->marks[i].wall_s;
	}
	qsort(m.at_s, m.count, sizeof *m.at_s, by_number);
	return m;
}

/* *at: where to look from; gaps come in order of time. */
static bool
any_within(const struct moments *m, size_t *at, const struct tp_pace_gap *gap)
{
	while (*at < m->count && m->at_s[*at] < gap->from_s)
		++*at;
	return *at < m->count && m->at_s[*at] <= gap->to_s;
}

/* Sessions of evaluation that a profile logger marked. *at as above; sessions are in order of their begins. */
static bool
in_session(const struct tp_e2e *e, uint32_t *at, const struct tp_pace_gap *gap)
{
	for (; e != NULL && *at < e->span_count; ++*at) {
		const struct tp_e2e_span *span = &e->spans[*at];
		double from_s = e->first_unix_s + span->start_ms / 1e3,
			   to_s = e->first_unix_s + span->end_ms / 1e3;

		if (from_s >= gap->to_s)
			return false;
		if (span->phase == TP_PHASE_EVAL && to_s > gap->from_s)
			return true;
	}
	return false;
}

/* How long steps of this gap were done that a restart in it did again; NaN: no restart is in it. */
static double
again_s(const struct tp_scalar_pace *pace, const struct tp_pace_gap *gap)
{
	double again = NAN;

	for (size_t i = TP_FIRST_WHERE(k, pace->restart_count, pace->restarts[k].at_s > gap->from_s);
		 i < pace->restart_count && pace->restarts[i].at_s <= gap->to_s; i++) {
		double lost_s = pace->restarts[i].lost_until_s - gap->from_s;

		again = fmax(fmax(again, 0), isfinite(lost_s) ? lost_s : 0);
	}
	return isnan(again) ? again : fmin(again, gap->to_s - gap->from_s);
}

void
tp_scalars_parts(const struct tp_pass_ctx *ctx, const struct tp_scalars *s)
{
	const struct tp_e2e *e = tp_result(ctx, &tp_pass_end_to_end);
	struct tp_scalar_run *main = &s->runs[s->main];
	struct tp_scalar_pace *pace = &main->pace;
	size_t eval_at = 0, save_at = 0;
	uint32_t session_at = 0;

	if (isnan(pace->step_s) || pace->series == NULL)
		return;

	struct moments evals = evaluations(ctx, s), saves = checkpoints(ctx, main->run);

	for (uint32_t i = 0; i < pace->gap_count; i++) {
		struct tp_pace_gap *gap = &pace->gap_list[i];
		double again = again_s(pace, gap), length_s = gap->to_s - gap->from_s;
		bool session = in_session(e, &session_at, gap);

		gap->again_s = again > 0 ? again : 0;
		gap->cause = !isnan(again)                         ? TP_PACE_RESTART
			: session || any_within(&evals, &eval_at, gap) ? TP_PACE_EVAL
			: any_within(&saves, &save_at, gap)            ? TP_PACE_SAVE
														   : TP_PACE_GAP;
		pace->part_s[TP_PACE_AGAIN] += gap->again_s;
		pace->part_s[gap->cause] += length_s - gap->again_s;
	}
	pace->part_s[TP_PACE_STEPS] = pace->in_steps_s;
	pace->part_s[TP_PACE_BEFORE] = pace->first_point_s - main->run->first_s;
	pace->part_s[TP_PACE_AFTER] = fmax(0, main->run->last_s - pace->last_point_s);
}
