/* The events of a run for other tools: which lines there are, on one clock, and what of them is asked for. */
#include "analyze/timeline/run_events.h"
#include "analyze/core/pass.h"

#include "analyze/facts/clock.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof.h"
#include "analyze/timeline/places.h"
#include "analyze/timeline/start_order.h"
#include "analyze/timeline/timeline.h"
#include "analyze/timeline/timeline_more.h"
#include "analyze/timeline/timeline_words.h"
#include "analyze/torch/comm/torch_comm.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

#include <stdlib.h>

/* Times beyond are none of a capture. */
#define LATEST_PS ((int64_t)1 << 62)

static int64_t
clamp(__int128 ps)
{
	return ps > LATEST_PS ? LATEST_PS : ps < -LATEST_PS ? -LATEST_PS : (int64_t)ps;
}

static bool
event(const struct tp_run_events *e, size_t track, uint64_t number, struct tp_run_event *out)
{
	const struct tp_run_of *of = e->of;
	const struct tp_run_line *l = &of->lines[track];
	int64_t from_ps = clamp((__int128)tp_line_start_ps(l->line, number) + l->shift_ps), value;
	int64_t to_ps = clamp((__int128)from_ps + tp_line_duration_ps(l->line, number));
	int64_t length_ps = to_ps - from_ps;
	size_t tag = 0;

	*out = (struct tp_run_event){from_ps, length_ps, tp_line_op(l->line, number), false};
	if (!tp_run_is_wanted(of, from_ps, to_ps))
		return false;
	if (length_ps == 0 && (l->line->tag_keys & (uint64_t)1 << TP_TAG_INSTANT) != 0) {
		tag = TP_FIRST_WHERE(i, l->line->tag_count, l->line->tags[i].event >= number);
		out->moment = tp_tag_find(l->line, &tag, (uint32_t)number, TP_TAG_INSTANT, &value);
	}
	return true;
}

/* Operations of XLA by their short name: the long one is their whole text. */
static struct tp_slice
name(const struct tp_run_events *e, uint32_t number)
{
	const struct tp_run_of *of = e->of;
	const struct tp_op *op = &of->profile->ops[number];

	return op->xla && op->label.len != 0 ? op->label : op->name;
}

static struct tp_slice
category(const struct tp_run_events *e, uint32_t number)
{
	const struct tp_run_of *of = e->of;

	return of->profile->ops[number].category;
}

/* Which lane of which trace a line is. */
static void
find_torch_lanes(const struct tp_pass_ctx *ctx, const double *late_ps, struct tp_run_line *of_line)
{
	const struct tp_torch *torch = ctx->profile->torch;

	for (uint32_t i = 0; torch != NULL && i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];

		for (uint32_t k = 0; k < t->lane_count; k++) {
			of_line[t->lanes[k].line].torch = t;
			of_line[t->lanes[k].line].first = t->lanes[k].first;
			of_line[t->lanes[k].line].shift_ps = -(int64_t)late_ps[i];
		}
	}
}

TP_ORDER(by_group, struct tp_run_line, TP_UP(line->device), TP_UP(line->host), TP_UP(number));

static struct tp_run_line *
find_lines(const struct tp_pass_ctx *ctx, const struct tp_run_clock *clock, size_t *count)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_run_line *lines = tp_new_array(ctx->keep, struct tp_run_line, p->line_count);

	find_torch_lanes(ctx, clock->late_of_trace_ps, lines);
	for (uint32_t i = 0; i < p->line_count; i++) {
		struct tp_run_line line = lines[i];

		line.line = &p->lines[i];
		line.number = i;
		line.shift_ps += clock->shift_of_host_ps[p->lines[i].host];
		lines[(*count)] = line;
		*count += p->lines[i].count != 0;
	}
	qsort(lines, *count, sizeof *lines, by_group);
	return lines;
}

static void
describe(const struct tp_pass_ctx *ctx, const struct tp_run_line *lines, struct tp_run_events *out)
{
	struct tp_run_track *tracks = tp_new_array(ctx->keep, struct tp_run_track, out->track_count);

	out->begin_ps = INT64_MAX;
	out->end_ps = INT64_MIN;
	for (size_t i = 0; i < out->track_count; i++) {
		const struct tp_line *line = lines[i].line;

		tracks[i] = (struct tp_run_track){
			.group = tp_timeline_group_name(ctx, line),
			.name = tp_timeline_line_name(line),
			.kind = tp_timeline_kind(line),
			.events = line->count,
		};
		for (uint32_t k = 0; k < line->count; k++) {
			int64_t from_ps = clamp((__int128)tp_line_start_ps(line, k) + lines[i].shift_ps);
			int64_t to_ps = clamp((__int128)from_ps + tp_line_duration_ps(line, k));

			out->begin_ps = from_ps < out->begin_ps ? from_ps : out->begin_ps;
			out->end_ps = to_ps > out->end_ps ? to_ps : out->end_ps;
		}
	}
	out->tracks = tracks;
}

static struct tp_run_step
step_on(const struct tp_pass_ctx *ctx, const struct tp_run_clock *clock, const struct tp_steps *s,
	const struct tp_step *step)
{
	int64_t shift_ps = clock->shift_of_host_ps[tp_timeline_step_host(ctx, s, step)];

	return (struct tp_run_step){step->name, clamp((__int128)step->start_ps + shift_ps),
		clamp((__int128)step->end_ps + shift_ps)};
}

static void
find_steps(
	const struct tp_pass_ctx *ctx, const struct tp_run_clock *clock, struct tp_run_events *out)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL || s->precomputed_from.len != 0)
		return;
	struct tp_run_step *steps = tp_new_array(ctx->keep, struct tp_run_step, s->count);

	for (size_t i = 0; i < s->count; i++) {
		struct tp_run_step step = step_on(ctx, clock, s, &s->steps[i]);

		if (step.to_ps >= step.from_ps)
			steps[out->step_count++] = step;
	}
	out->steps = steps;
}

/* A step that there is not is complained of by the timeline; where that is left out, nothing is asked for. */
static void
find_windows(const struct tp_pass_ctx *ctx, const struct tp_run_clock *clock, int64_t begin_ps,
	struct tp_run_of *of)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	for (size_t i = 0; i < ctx->options->window_count; i++) {
		const struct tp_timeline_wish *wish = &ctx->options->windows[i];
		const struct tp_step *step =
			s != NULL && wish->step.len != 0 ? tp_timeline_step_called(s, wish->step) : NULL;
		struct tp_run_window *w = &of->windows[of->window_count++];

		if (step != NULL) {
			struct tp_run_step on = step_on(ctx, clock, s, step);

			*w = (struct tp_run_window){on.from_ps, on.to_ps};
		} else if (wish->step.len == 0 && wish->to_s * 1e12 < (double)LATEST_PS) {
			*w = (struct tp_run_window){clamp((__int128)begin_ps + (int64_t)(wish->from_s * 1e12)),
				clamp((__int128)begin_ps + (int64_t)(wish->to_s * 1e12))};
		} else {
			*w = (struct tp_run_window){LATEST_PS, LATEST_PS};
		}
	}
}

static struct tp_run_clock
find_clock(const struct tp_pass_ctx *ctx, struct tp_run_events *out)
{
	const struct tp_profile *p = ctx->profile;
	int64_t base_ns = tp_clock_of(p).base_ns;
	int64_t *shifts = tp_new_array(ctx->scratch, int64_t, p->host_count);
	double *late_ps =
		tp_new_array(ctx->scratch, double, p->torch != NULL ? p->torch->trace_count : 0);

	for (uint32_t i = 0; i < p->host_count; i++)
		shifts[i] = tp_clock_offset_ps(p, i, base_ns);
	tp_run_find_clocks(ctx, late_ps, out);
	out->zero_unix_ns = base_ns > 0 ? base_ns : 0;
	return (struct tp_run_clock){shifts, late_ps};
}

static const double *
late_of_hosts(const struct tp_pass_ctx *ctx, const double *late_of_trace_ps)
{
	const struct tp_torch *torch = ctx->profile->torch;
	double *late_ps = tp_new_array(ctx->keep, double, ctx->profile->host_count);

	for (uint32_t i = 0; torch != NULL && i < torch->trace_count; i++)
		late_ps[torch->traces[i]->host] = late_of_trace_ps[i];
	return late_ps;
}

/* Fills `out` with what the profile of ctx holds. */
static enum tp_status
find_events(const struct tp_pass_ctx *ctx, struct tp_run_events *out, struct tp_err *err)
{
	struct tp_run_of *of = tp_new(ctx->keep, struct tp_run_of);

	*out = (struct tp_run_events){
		.name_count = ctx->profile->op_count,
		.of = of,
		.event = event,
		.flows = tp_run_flows,
		.arguments = tp_run_arguments,
		.name = name,
		.category = category,
		.point = tp_run_point,
	};
	of->profile = ctx->profile;
	struct tp_run_clock clock = find_clock(ctx, out);

	of->late_of_host_ps = late_of_hosts(ctx, clock.late_of_trace_ps);
	of->lines = find_lines(ctx, &clock, &out->track_count);
	describe(ctx, of->lines, out);
	find_steps(ctx, &clock, out);
	tp_run_find_arrows(ctx, of);
	tp_run_find_targets(ctx, of, out->track_count);
	tp_run_find_links(ctx, of, out->track_count);
	tp_run_find_counters(ctx, &clock, of, out);
	if (out->track_count == 0 && out->counter_count == 0)
		return tp_fail(err, TP_ABSENT, why_no_events);
	if (out->track_count == 0)
		out->begin_ps = out->end_ps = 0;
	find_windows(ctx, &clock, out->begin_ps, of);
	return TP_OK;
}

/* Where the profile has no events, runs of nodes of the first dump that says when they were. */
static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_tfprof_section *tfprof = tp_result(ctx, &tp_pass_tfprof);
	struct tp_run_events *out = tp_new(ctx->keep, struct tp_run_events);
	struct tp_timeline_source nodes = {0};
	struct tp_timeline_alone alone = {.ctx = *ctx};

	if (!ctx->options->run_events)
		return tp_fail(err, TP_ABSENT, why_not_asked);
	if (ctx->profile->event_count == 0 && tfprof != NULL &&
		tp_timeline_of_tfprof(ctx, tfprof->tfprof, &nodes))
		tp_timeline_alone(ctx, &nodes, &alone);
	alone.ctx.profile = tp_timeline_start_order(alone.ctx.profile, ctx->keep);
	enum tp_status status = find_events(&alone.ctx, out, err);

	if (status == TP_OK)
		*result = out;
	return status;
}

TP_ORDER(by_place, struct tp_run_finding, TP_UP(from_ps), TP_DOWN(to_ps),
	tp_slice_cmp(a->finding->id, b->finding->id));

static struct tp_run_finding
place_finding(
	const struct tp_pass_ctx *ctx, const struct tp_run_events *e, const struct tp_finding *finding)
{
	const struct tp_timeline_places *places = tp_timeline_places_of(ctx);
	const struct tp_run_of *of = e->of;
	uint32_t host = 0;
	const struct tp_stretch *at =
		places != NULL ? tp_timeline_place_of(places, finding->id, &host) : NULL;

	if (at == NULL || host >= of->profile->host_count)
		return (struct tp_run_finding){finding, e->begin_ps, e->end_ps};
	__int128 zero_ps = (__int128)places->low_ps - (int64_t)of->late_of_host_ps[host];

	return (struct tp_run_finding){
		finding, clamp(zero_ps + at->from_ps), clamp(zero_ps + at->to_ps)};
}

/* Findings are known once all has been presented that is judged. */
static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_run_events *events = result;
	struct tp_run_events *out = tp_new(ctx->keep, struct tp_run_events);
	struct tp_buf findings = {0};

	*out = *events;
	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		const struct tp_block *b = w.block;

		if (w.event == TP_WALK_ENTER && b->kind == TP_BLOCK_FINDING && !b->finding.brief &&
			b->finding.finding->status == TP_FINDING_OPEN)
			*tp_buf_new(&findings, struct tp_run_finding) =
				place_finding(ctx, events, b->finding.finding);
	}
	if (findings.count != 0)
		qsort(findings.data, findings.count, sizeof(struct tp_run_finding), by_place);
	out->finding_count = findings.count;
	out->findings = tp_buf_settle(&findings, sizeof(struct tp_run_finding), ctx->keep);
	doc->events = out;
}

static const struct tp_pass *const after[] = {
	&tp_pass_steps, &tp_pass_tfprof, &tp_pass_torch_comm, &tp_pass_pod, &tp_pass_timeline, NULL};

const struct tp_pass tp_pass_run_events = {
	.name = "run-events",
	.title = "Events for other tools",
	.summary = "all events on one clock, for outputs that other tools open",
	.after = after,
	.place = TP_PLACE_TIMELINE,
	.analyze = analyze,
	.present = present,
	.lacks_nothing = "what a profile holds of events is in it",
};
