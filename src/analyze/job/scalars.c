/* What the scalars of event files come to, tag by tag. */
#include "analyze/job/scalars.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/job/end_to_end.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/events.h"
#include "model/profile.h"
#include "rank.pb-c.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

static void
take_point(struct tp_scalar *s, const struct tp_event_point *p)
{
	if (s->points++ == 0) {
		s->first_step = s->least_step = s->most_step = p->step;
		s->first_wall_s = p->wall_s;
		s->first = p->value;
	}
	s->last_step = p->step;
	s->last_wall_s = p->wall_s;
	s->last = p->value;
	s->least_step = p->step < s->least_step ? p->step : s->least_step;
	s->most_step = p->step > s->most_step ? p->step : s->most_step;
	if (!isfinite(p->value)) {
		if (s->not_finite++ == 0 || p->step < s->not_finite_at)
			s->not_finite_at = p->step;
		return;
	}
	if (!(p->value >= s->least)) {
		s->least = p->value;
		s->least_at = p->step;
	}
	if (!(p->value <= s->most)) {
		s->most = p->value;
		s->most_at = p->step;
	}
}

/* As a summary says it, which may have left out points. */
static struct tp_scalar
given_scalar(const struct tp_event_series *series, uint32_t run)
{
	const Tp__RankScalar *g = series->given;

	return (struct tp_scalar){
		.series = series,
		.run = run,
		.points = g->points,
		.not_finite = g->not_finite,
		.first_step = g->first_step,
		.last_step = g->last_step,
		.least_step = g->least_step,
		.most_step = g->most_step,
		.first_wall_s = g->first_wall_s,
		.last_wall_s = g->last_wall_s,
		.first = g->first,
		.last = g->last,
		.least = g->least,
		.most = g->most,
		.least_at = g->least_at,
		.most_at = g->most_at,
		.not_finite_at = g->not_finite_at,
	};
}

struct tp_scalar
tp_scalar_of(const struct tp_event_series *series, uint32_t run)
{
	struct tp_scalar s = {.series = series, .run = run, .least = NAN, .most = NAN};
	struct tp_points_walk w = tp_points_walk(&series->points);
	struct tp_event_point p;

	if (series->given != NULL)
		return given_scalar(series, run);
	while (tp_points_next(&w, &p))
		take_point(&s, &p);
	return s;
}

/* What people look at first. */
static int
rank_of(struct tp_slice tag)
{
	static const char *const words[] = {
		"loss", "acc", "learning_rate", "lr", "step", "examples", "grad"};
	enum { WORDS = sizeof words / sizeof *words };

	for (int w = 0; w < WORDS; w++) {
		if (tp_slice_has(tag, tp_slice_of(words[w])))
			return w;
	}
	return WORDS;
}

TP_ORDER(by_rank, struct tp_scalar, (a->points < 2) - (b->points < 2),
	rank_of(a->series->tag) - rank_of(b->series->tag), tp_slice_cmp(a->series->tag, b->series->tag),
	TP_UP(run));

TP_ORDER(by_folder, struct tp_scalar_run, tp_slice_cmp(a->run->folder, b->run->folder));

/* Bytes of a path before its last slash. */
static size_t
up_from(struct tp_slice path, size_t len)
{
	while (len > 0 && path.ptr[len - 1] != '/')
		len--;
	return len > 0 ? len - 1 : 0;
}

/* The length of the folder that all are in; of a single one the folder above. */
static size_t
shared_bytes(const struct tp_scalar_run *runs, uint32_t count)
{
	struct tp_slice first = runs[0].run->folder;
	size_t shared = count > 1 ? first.len : up_from(first, first.len);

	for (uint32_t i = 1; i < count; i++) {
		struct tp_slice other = runs[i].run->folder;

		while (shared > 0 &&
			!(tp_slice_starts(other, (struct tp_slice){first.ptr, shared}) &&
				(other.len == shared || other.ptr[shared] == '/')))
			shared = up_from(first, shared);
	}
	return shared;
}

static void
name_runs(const struct tp_pass_ctx *ctx, struct tp_scalar_run *runs, uint32_t count)
{
	size_t shared = shared_bytes(runs, count);

	for (uint32_t i = 0; i < count; i++) {
		struct tp_slice name = tp_slice_from(runs[i].run->folder, shared);

		if (name.len != 0 && *name.ptr == '/')
			name = tp_slice_from(name, 1);
		runs[i].name = name.len == 0 ? TP_S(".") : tp_utf8_clean(ctx->keep, name);
	}
}

static void
add_runs(const struct tp_pass_ctx *ctx, struct tp_scalars *s)
{
	uint32_t count = 0;

	for (const struct tp_event_run *r = ctx->profile->event_runs; r != NULL; r = r->next)
		count++;
	struct tp_scalar_run *runs = tp_new_array(ctx->keep, struct tp_scalar_run, count);

	count = 0;
	for (const struct tp_event_run *r = ctx->profile->event_runs; r != NULL; r = r->next)
		runs[count++].run = r;
	qsort(runs, count, sizeof *runs, by_folder);
	name_runs(ctx, runs, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct tp_event_run *r = runs[i].run;

		runs[i].evaluation = tp_e2e_is_evaluation(r->folder);
		tp_scalars_pace(ctx, r, runs[i].evaluation, &runs[i].pace);
		s->points += r->points;
		s->records += r->records;
		s->damaged += r->damaged;
		s->purged += r->purged;
		if (runs[i].evaluation < runs[s->main].evaluation ||
			(runs[i].evaluation == runs[s->main].evaluation &&
				r->points > runs[s->main].run->points))
			s->main = i;
	}
	s->runs = runs;
	s->run_count = count;
	tp_scalars_parts(ctx, s);
}

static void
add_scalars(const struct tp_pass_ctx *ctx, struct tp_scalars *s)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < s->run_count; i++)
		most += s->runs[i].run->tags.count;
	struct tp_scalar *all = tp_new_array(ctx->keep, struct tp_scalar, most);

	s->last_step = INT64_MIN;
	for (uint32_t i = 0; i < s->run_count; i++) {
		const struct tp_event_run *r = s->runs[i].run;

		for (uint32_t k = 0; k < r->tags.count && k < r->series_capacity; k++) {
			if (r->series[k].points.count == 0 && r->series[k].given == NULL)
				continue;
			struct tp_scalar *scalar = &all[s->scalar_count++];

			*scalar = tp_scalar_of(&r->series[k], i);
			s->last_step = scalar->most_step > s->last_step ? scalar->most_step : s->last_step;
		}
	}
	qsort(all, s->scalar_count, sizeof *all, by_rank);
	s->scalars = all;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_scalars *s = tp_new(ctx->keep, struct tp_scalars);

	(void)err;
	add_runs(ctx, s);
	add_scalars(ctx, s);
	*result = s;
	return TP_OK;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_scalars *s = result;
	struct tp_value skipped = tp_missing(tp_skipped(ctx, &tp_pass_scalars));
	const struct tp_scalar_pace *pace = s != NULL ? &s->runs[s->main].pace : NULL;

	tp_say_metric(doc, "events.records", "Records of event files",
		s != NULL ? tp_count(s->records) : skipped,
		"complete records in all event files of the job, scalars or not");
	tp_say_metric(doc, "events.damaged", "Damaged stretches of event files",
		s != NULL ? tp_count(s->damaged) : skipped, "stretches without a complete record, skipped");
	tp_say_metric(doc, "events.points", "Points of scalars",
		s != NULL ? tp_count(s->points) : skipped,
		"values of all tags, excluding those discarded by a restart");
	tp_say_metric(doc, "events.step_time_ms", "Wall time per step, from event files",
		pace == NULL              ? skipped
			: isnan(pace->step_s) ? tp_missing(tp_pace_unknown(pace))
								  : tp_number(pace->step_s * 1e3, TP_UNIT_MS),
		"median over neighbouring points of the most frequent tag, in the run with the most "
		"points: wall time between them / steps between them");
	tp_say_metric(doc, "events.goodput_share", "Time in steps, of the whole run",
		pace == NULL ? skipped : tp_pace_goodput(pace),
		"time between points of that tag, excluding gaps, over the time from the first record to "
		"the last that does not open a file; steps repeated after a restart count once, as does "
		"time of two programs at once");
	tp_say_metric(doc, "events.wall_s", "Wall time of the whole run, from event files",
		pace == NULL ? skipped : tp_pace_wall(pace),
		"from the first record of that run to the last that does not open a file");
	for (int part = 0; part < TP_PACE_PARTS; part++) {
		const struct tp_pace_part_info *info = &tp_pace_parts[part];

		tp_doc_metric(doc, tp_arena_printf(ctx->keep, "events.%s_s", info->key),
			tp_arena_printf(ctx->keep, "Whole run: %s", info->label).ptr,
			pace == NULL                         ? skipped
				: tp_pace_unknown(pace).len != 0 ? tp_missing(tp_pace_unknown(pace))
												 : tp_number(pace->part_s[part], TP_UNIT_S),
			tp_slice_of(info->how), TP_S(""));
	}
}

const struct tp_pass tp_pass_scalars = {
	.name = "scalars",
	.title = "Whole run",
	.summary = "scalars in event files over the whole run, its throughput, gaps and restarts",
	.needs_all = TP_HAS_EVENT_FILES,
	.after = TP_AFTER(&tp_pass_end_to_end),
	.place = TP_PLACE_WHOLE_RUN,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_scalars_present,
	.lacks = TP_LACKS({"scalars", "Scalars over the whole run: loss, rates, restarts",
		TP_LACK_TIMED,
		.pytorch = "Write them to the log directory with `torch.utils.tensorboard.SummaryWriter`.",
		.any = "Write them to the log directory with `tf.summary` or another event file writer."}),
};
