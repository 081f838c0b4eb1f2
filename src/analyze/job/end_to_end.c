/* Sessions and phases paired up, and how much of the job they cover. */
#include "analyze/job/end_to_end.h"
#include "analyze/core/pass.h"

#include "analyze/core/intervals.h"
#include "analyze/core/say.h"
#include "analyze/job/end_to_end_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/path.h"
#include "base/texts.h"
#include "model/events.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>

static double
latest_mark(const struct tp_phases *p)
{
	double latest_ms = -INFINITY;

	for (uint32_t i = 0; i < p->count; i++)
		latest_ms = fmax(latest_ms, p->marks[i].wall_ms);
	return latest_ms;
}

static size_t
depth(struct tp_slice folder)
{
	size_t depth = 0;

	for (size_t i = 0; i < folder.len; i++)
		depth += folder.ptr[i] == '/';
	return depth;
}

/* A job writes into one folder, however often it began anew. Of several jobs it is that of the run, whose folder lies below those of files that
 * are of no run; else the one that wrote last. */
static struct tp_slice
folder_of_job(const struct tp_phases *first)
{
	const struct tp_phases *best = NULL;

	for (const struct tp_phases *p = first; p != NULL; p = p->next) {
		size_t deep = depth(tp_path_folder(p->from)),
			   best_deep = best != NULL ? depth(tp_path_folder(best->from)) : 0;

		if (p->count != 0 &&
			(best == NULL || deep > best_deep ||
				(deep == best_deep && latest_mark(p) > latest_mark(best))))
			best = p;
	}
	return best != NULL ? tp_path_folder(best->from) : TP_S("");
}

/* The marks of all files of that job, in order. */
static uint32_t
gather(const struct tp_phases *first, const struct tp_phase_mark **out, struct tp_e2e *e,
	struct tp_arena *scratch)
{
	struct tp_slice folder = folder_of_job(first);
	uint32_t count = 0, at = 0;

	for (const struct tp_phases *p = first; p != NULL; p = p->next)
		count += p->count;
	struct tp_phase_mark *all = tp_new_array(scratch, struct tp_phase_mark, count);

	for (const struct tp_phases *p = first; p != NULL; p = p->next) {
		if (!tp_slice_eq(tp_path_folder(p->from), folder)) {
			e->other_files += p->count != 0;
			e->other = p->count != 0 ? p : e->other;
			continue;
		}
		e->from = e->from == NULL ? p : e->from;
		memcpy(all + at, p->marks, p->count * sizeof *all);
		at += p->count;
	}
	*out = all;
	return at;
}

/* What is open while the marks are walked. */
struct pairing {
	struct tp_e2e_span *spans;
	uint32_t count;
	uint32_t open[TP_PHASE_COUNT], number[TP_PHASE_COUNT]; /* open: index, TP_NONE: none */
	struct tp_e2e *out;
	struct tp_e2e_back *backs;
};

static void
close_span(struct pairing *p, enum tp_phase phase, double end_ms, enum tp_e2e_until until)
{
	struct tp_e2e_span *span = &p->spans[p->open[phase]];

	span->end_ms = end_ms > span->start_ms ? end_ms : span->start_ms;
	span->until = until;
	p->out->unended += until != TP_E2E_MARKED && phase < TP_PHASE_SESSIONS;
	p->open[phase] = TP_NONE;
}

/* A session takes with it what is open inside it. */
static void
close_session(struct pairing *p, enum tp_phase phase, double end_ms, enum tp_e2e_until until)
{
	uint32_t session = p->open[phase];

	close_span(p, phase, end_ms, until);
	for (int inside = TP_PHASE_SESSIONS; inside < TP_PHASE_COUNT && phase < TP_PHASE_SESSIONS;
		 inside++) {
		if (p->open[inside] != TP_NONE && p->spans[p->open[inside]].session == session)
			close_span(p, (enum tp_phase)inside, end_ms,
				until == TP_E2E_MARKED ? TP_E2E_OF_SESSION : until);
	}
}

static uint32_t
open_session(const struct pairing *p)
{
	uint32_t latest = TP_NONE;

	for (int s = 0; s < TP_PHASE_SESSIONS; s++) {
		if (p->open[s] != TP_NONE && (latest == TP_NONE || p->open[s] > latest))
			latest = p->open[s];
	}
	return latest;
}

/* A begin while one is open means that the job was killed and began anew. */
static void
take(struct pairing *p, const struct tp_phase_mark *mark, double at_ms, double before_ms)
{
	if (mark->end && p->open[mark->phase] == TP_NONE) {
		p->out->strays++;
		return;
	}
	if (mark->end) {
		close_session(p, mark->phase, at_ms, TP_E2E_MARKED);
		return;
	}
	if (p->open[mark->phase] != TP_NONE) {
		p->out->began_anew += mark->phase < TP_PHASE_SESSIONS;
		close_session(p, mark->phase, before_ms, TP_E2E_LAST_MARK);
	}
	p->out->session_count += mark->phase < TP_PHASE_SESSIONS;
	p->out->times[mark->phase]++;
	p->spans[p->count] = (struct tp_e2e_span){
		.phase = mark->phase,
		.number = ++p->number[mark->phase],
		.start_ms = at_ms,
		.session = mark->phase < TP_PHASE_SESSIONS ? TP_NONE : open_session(p),
	};
	p->open[mark->phase] = p->count++;
}

/* Whether this begin says that the session of the span was killed: it ended with the mark before. */
static bool
ends_before(const struct pairing *p, const struct tp_phase_mark *mark, int phase)
{
	uint32_t killed = mark->end ? TP_NONE : p->open[mark->phase];

	return killed != TP_NONE &&
		(p->open[phase] == killed || p->spans[p->open[phase]].session == killed);
}

/* What is open then lasts longer than the clock says. */
static void
set_back(struct pairing *p, const struct tp_phase_mark *mark, double at_ms, double before_ms)
{
	p->backs[p->out->backwards++] = (struct tp_e2e_back){at_ms, before_ms};
	for (int i = 0; i < TP_PHASE_COUNT; i++) {
		if (p->open[i] != TP_NONE && !ends_before(p, mark, i))
			p->spans[p->open[i]].set_back = true;
	}
}

static void
pair(const struct tp_phase_mark *marks, uint32_t count, struct pairing *p)
{
	double first_ms = marks[0].wall_ms, latest_ms = 0, before_ms = 0;

	for (int i = 0; i < TP_PHASE_COUNT; i++)
		p->open[i] = TP_NONE;
	for (uint32_t i = 1; i < count; i++)
		first_ms = fmin(first_ms, marks[i].wall_ms);
	for (uint32_t i = 0; i < count; i++) {
		double at_ms = marks[i].wall_ms - first_ms;

		if (at_ms < before_ms)
			set_back(p, &marks[i], at_ms, before_ms);
		if (marks[i].phase < TP_PHASE_SESSIONS)
			p->out->has[marks[i].phase] = true;
		take(p, &marks[i], at_ms, before_ms);
		before_ms = at_ms;
		latest_ms = fmax(latest_ms, at_ms);
	}
	for (int i = 0; i < TP_PHASE_COUNT; i++) {
		if (p->open[i] != TP_NONE)
			close_span(p, (enum tp_phase)i, before_ms, TP_E2E_LAST_MARK);
	}
	p->out->first_unix_s = first_ms / 1e3;
	p->out->total_ms = latest_ms;
}

/* Milliseconds that spans of the phases from first to last cover together; measured: without those that last longer than the clock says. */
static double
covered_ms(const struct tp_e2e *e, int first, int last, bool measured, struct tp_arena *scratch)
{
	struct tp_interval *s = tp_new_array(scratch, struct tp_interval, e->span_count);
	size_t count = 0;

	for (uint32_t i = 0; i < e->span_count; i++) {
		const struct tp_e2e_span *span = &e->spans[i];

		/* Intervals are of whole picoseconds; here nanoseconds do, for jobs that take months. */
		if (measured && span->set_back)
			continue;
		if ((int)span->phase >= first && (int)span->phase <= last && span->start_ms < 9e12 &&
			span->end_ms < 9e12)
			s[count++] = (struct tp_interval){
				(int64_t)(span->start_ms * 1e6), (int64_t)(span->end_ms * 1e6)};
	}
	return (double)tp_intervals_ps(s, tp_intervals_unite(s, count)) / 1e6;
}

static struct tp_value
took(const struct tp_e2e *e, enum tp_phase phase, struct tp_arena *scratch)
{
	for (uint32_t i = 0; i < e->span_count; i++) {
		if (e->spans[i].phase == phase && e->spans[i].set_back)
			return tp_missing(TP_S(why_set_back));
	}
	return tp_number(covered_ms(e, (int)phase, (int)phase, true, scratch), TP_UNIT_MS);
}

bool
tp_e2e_is_evaluation(struct tp_slice folder)
{
	return tp_texts_any(tp_path_name(folder), tp_slice_starts, TP_TEXTS("eval", "valid", "test"));
}

/* The sessions of one kind, in order of their begins. */
struct kind {
	struct tp_e2e_span **sessions;
	uint32_t count;
};

static struct kind
sessions_of(
	struct tp_e2e_span *spans, uint32_t count, enum tp_phase phase, struct tp_arena *scratch)
{
	struct kind kind = {tp_new_array(scratch, struct tp_e2e_span *, count), 0};

	for (uint32_t i = 0; i < count; i++) {
		if (spans[i].phase == phase)
			kind.sessions[kind.count++] = &spans[i];
	}
	return kind;
}

/* Something was written at this time: it is of the session that began last. */
static void
take_time(const struct kind *kind, double at_ms)
{
	size_t later = TP_FIRST_WHERE(i, kind->count, kind->sessions[i]->start_ms > at_ms);
	struct tp_e2e_span *session = later != 0 ? kind->sessions[later - 1] : NULL;

	if (session == NULL || !tp_e2e_unended(session) || session->end_ms >= at_ms)
		return;
	session->end_ms = at_ms;
	session->until = TP_E2E_LAST_SCALAR;
}

static void
take_points(const struct tp_event_run *run, const struct kind *kind, double first_s)
{
	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		struct tp_points_walk w = tp_points_walk(&run->series[i].points);
		struct tp_event_point p;

		while (tp_points_next(&w, &p)) {
			if (fabs(p.wall_s) < TP_LATEST_S)
				take_time(kind, (p.wall_s - first_s) * 1e3);
		}
	}
	/* What a restart made void was written all the same. */
	for (uint32_t i = 0; i < run->mark_count; i++) {
		if (isfinite(run->marks[i].purged_until_s))
			take_time(kind, (run->marks[i].purged_until_s - first_s) * 1e3);
	}
}

/* The last mark of a session without an end is that of its first step, but scalars go on: it lasts until the last of them before
 * the next begin of its kind. Returns how long the job takes then. */
static double
extend(const struct tp_pass_ctx *ctx, struct tp_e2e_span *spans, uint32_t count, double first_s,
	double total_ms)
{
	const struct kind training = sessions_of(spans, count, TP_PHASE_TRAIN, ctx->scratch),
					  evaluation = sessions_of(spans, count, TP_PHASE_EVAL, ctx->scratch);

	for (const struct tp_event_run *r = ctx->profile->event_runs; r != NULL; r = r->next)
		take_points(r, tp_e2e_is_evaluation(r->folder) ? &evaluation : &training, first_s);
	for (uint32_t i = 0; i < count; i++)
		total_ms = fmax(total_ms, spans[i].end_ms);
	return total_ms;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_e2e *e = tp_new(ctx->keep, struct tp_e2e);
	const struct tp_phase_mark *marks;
	uint32_t count = gather(ctx->profile->phases, &marks, e, ctx->scratch);

	if (count == 0)
		return tp_fail(err, TP_ABSENT, why_no_phase);
	struct pairing p = {
		.spans = tp_new_array(ctx->keep, struct tp_e2e_span, count),
		.backs = tp_new_array(ctx->keep, struct tp_e2e_back, count),
		.out = e,
	};

	tp_e2e_tensorboard(marks, count, e->category_ms);
	pair(marks, count, &p);
	/* A clock that was set back leaves no order to go by. */
	if (e->unended != 0 && e->backwards == 0)
		e->total_ms = extend(ctx, p.spans, p.count, e->first_unix_s, e->total_ms);
	e->spans = p.spans;
	e->span_count = p.count;
	e->backs = p.backs;
	e->session_ms = covered_ms(e, 0, TP_PHASE_SESSIONS - 1, false, ctx->scratch);
	e->before_steps_ms = covered_ms(e, TP_PHASE_SESSIONS, TP_PHASE_COUNT - 1, true, ctx->scratch);
	for (int phase = 0; phase < TP_PHASE_COUNT; phase++) {
		e->took[phase] = took(e, (enum tp_phase)phase, ctx->scratch);
		e->before_steps_longer |= phase >= TP_PHASE_SESSIONS && !tp_known(e->took[phase]);
	}
	*result = e;
	return TP_OK;
}

/* Of all sessions, which the ten figures are not. */
static void
session_metrics(const struct tp_e2e *e, struct tp_slice skipped, struct tp_doc *doc)
{
	static const struct {
		const char *took, *took_label, *count, *count_label;
		struct tp_slice none;
	} kinds[TP_PHASE_SESSIONS] = {
		{"sessions.training_ms", "Time in training sessions", "sessions.training",
			"Training sessions", TP_LIT("no training session")},
		{"sessions.eval_ms", "Time in evaluation sessions", "sessions.eval", "Evaluation sessions",
			TP_LIT("no eval session")},
		{"sessions.predict_ms", "Time in prediction sessions", "sessions.predict",
			"Prediction sessions", TP_LIT("no predict session")},
	};

	for (int i = 0; i < TP_PHASE_SESSIONS; i++) {
		enum tp_phase phase = (enum tp_phase)i;

		tp_say_metric(doc, kinds[i].took, kinds[i].took_label,
			e == NULL                  ? tp_missing(skipped)
				: e->times[phase] == 0 ? tp_missing(kinds[i].none)
									   : e->took[phase],
			"from start to end of all such sessions, overlaps counted once; without an end, to the "
			"last mark or scalar");
		tp_say_metric(doc, kinds[i].count, kinds[i].count_label,
			e != NULL ? tp_count(e->times[phase]) : tp_missing(skipped),
			"starts marked by the profile logger");
	}
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_e2e *e = result;
	struct tp_slice skipped = tp_skipped(ctx, &tp_pass_end_to_end);

	for (int c = 0; c < TP_E2E_COUNT; c++) {
		const struct tp_e2e_category_info *info = &tp_e2e_categories[c];

		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "e2e.%s_ms", info->key),
			tp_arena_printf(ctx->keep, "End to end: %s", info->label).ptr,
			e != NULL ? tp_number(e->category_ms[c], TP_UNIT_MS) : tp_missing(skipped),
			TP_S("as computed by TensorBoard's end-to-end tool: an absent session is 0, and "
				 "training counts what precedes its steps again"),
			TP_S(""));
	}
	session_metrics(e, skipped, doc);
}

const struct tp_pass tp_pass_end_to_end = {
	.name = "end-to-end",
	.title = "Whole run",
	.summary = "sessions of a TPUEstimator job from start to end, and what each did before its "
			   "first step",
	.needs_all = TP_HAS_PHASES,
	.place = TP_PLACE_WHOLE_RUN,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_e2e_present,
	.lacks_nothing = "only TPUEstimator marks its sessions",
};
