/* Finds what the timeline is of: lines with events, the clock that all share, the steps that are drawn. */
#include "analyze/timeline/timeline.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/memory/allocators.h"
#include "analyze/ops/padding.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/derive.h"
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/places.h"
#include "analyze/timeline/timeline_longest.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"

#include <math.h>

/* A clock that began longer ago than 2^61 ps, 26 days, is none of a capture. */
#define EARLIEST_PS (-((int64_t)1 << 61))

/* The coarsest clock of a profiler: µs. Finer ones are ns and ps. */
#define COARSEST_TICK_PS 1000000

static void
find_lines(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	const struct tp_profile *p = ctx->profile;
	int64_t base_ns = p->host_count != 0 ? tp_timeline_base_ns(p) : 0;

	t->lines = tp_new_array(ctx->scratch, struct tp_timeline_line, p->line_count);
	t->low_ps = INT64_MAX;
	for (uint32_t i = 0; i < p->line_count; i++) {
		const struct tp_line *line = &p->lines[i];

		if (line->count == 0)
			continue;
		struct tp_timeline_line *l = &t->lines[t->line_count++];

		*l = (struct tp_timeline_line){
			.line = line,
			.number = i,
			.offset_ps = tp_timeline_offset_ps(p, line->host, base_ns),
			.tick_ps = COARSEST_TICK_PS,
		};
		int64_t first;

		if (__builtin_add_overflow(tp_line_start_ps(line, 0), l->offset_ps, &first))
			first = INT64_MAX;
		t->low_ps = first < t->low_ps ? first : t->low_ps;
		t->events += i < t->read_count ? line->count : 0;
	}
	/* What is further in the past than any capture lasts begins with it. */
	t->low_ps = t->low_ps < EARLIEST_PS ? EARLIEST_PS : t->low_ps;
	for (size_t i = 0; i < t->line_count; i++)
		t->lines[i].shift_ps = (uint64_t)t->lines[i].offset_ps - (uint64_t)t->low_ps;
}

static void
add_span(struct tp_timeline_found *t, struct tp_slice label, struct tp_slice note, int64_t from_ps,
	int64_t to_ps)
{
	__int128 from = (__int128)from_ps - t->low_ps, to = (__int128)to_ps - t->low_ps;

	if (to <= 0 || to <= from || to > (__int128)TP_TIMELINE_LATEST_PS)
		return;
	t->spans[t->span_count++] = (struct tp_timeline_span){
		.label = label,
		.note = note,
		.from_ps = from > 0 ? (uint64_t)from : 0,
		.to_ps = (uint64_t)to,
	};
}

static void
add_step(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_timeline_found *t,
	const struct tp_step *step, const char *which)
{
	const struct tp_profile *p = ctx->profile;
	int64_t offset_ps =
		tp_timeline_offset_ps(p, tp_timeline_step_host(ctx, s, step), tp_timeline_base_ns(p));
	struct tp_slice took = tp_say_value(ctx, tp_number(step->time_ps / 1e9, TP_UNIT_MS));

	add_span(t, tp_arena_printf(ctx->keep, "Step %.*s", TP_ARG(step->name)),
		tp_arena_printf(ctx->keep, "%s, %.*s", which, TP_ARG(took)), step->start_ps + offset_ps,
		step->end_ps + offset_ps);
}

/* The step whose time is nearest to the median. */
static const struct tp_step *
median_step(const struct tp_steps *s)
{
	const struct tp_step *best = &s->steps[0];

	for (size_t i = 1; i < s->count; i++)
		best = fabs(s->steps[i].time_ps - s->time.p50) < fabs(best->time_ps - s->time.p50)
			? &s->steps[i]
			: best;
	return best;
}

static void
mark_steps(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL || s->precomputed_from.len != 0)
		return;
	struct tp_timeline_mark *marks = tp_new_array(ctx->keep, struct tp_timeline_mark, s->count);

	for (size_t i = 0; i < s->count; i++) {
		struct tp_stretch at = tp_timeline_step(ctx, t, s, &s->steps[i]);

		marks[out->mark_count++] =
			(struct tp_timeline_mark){s->steps[i].name, (double)at.from_ps, (double)at.to_ps};
	}
	out->marks = marks;
}

/* A device of the host that has lines, the one with most events. */
static uint32_t
busiest_device(const struct tp_timeline_found *t, uint32_t host)
{
	const struct tp_line *most = NULL;

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_line *line = t->lines[i].line;

		if (line->host == host && line->device != TP_NONE &&
			(line->kind == TP_LINE_OPS || line->kind == TP_LINE_STREAM) &&
			(most == NULL || line->count > most->count))
			most = line;
	}
	return most != NULL ? most->device : TP_NONE;
}

const struct tp_step *
tp_timeline_step_called(const struct tp_steps *s, struct tp_slice wish)
{
	if (tp_slice_eq(wish, TP_S("slowest")))
		return &s->steps[s->slowest];
	if (tp_slice_eq(wish, TP_S("median")))
		return median_step(s);
	for (size_t i = 0; i < s->count; i++) {
		if (tp_slice_eq(s->steps[i].name, wish))
			return &s->steps[i];
	}
	return NULL;
}

static void
add_asked(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_timeline_found *t)
{
	for (size_t i = 0; i < ctx->options->window_count; i++) {
		const struct tp_timeline_wish *wish = &ctx->options->windows[i];
		const struct tp_step *step =
			s != NULL && wish->step.len != 0 ? tp_timeline_step_called(s, wish->step) : NULL;
		struct tp_value took = tp_number((wish->to_s - wish->from_s) * 1e3, TP_UNIT_MS);

		if (step != NULL)
			add_step(ctx, s, t, step, "as asked for");
		else if (wish->step.len == 0 && wish->to_s * 1e12 < (double)TP_TIMELINE_LATEST_PS)
			t->spans[t->span_count++] =
				(struct tp_timeline_span){wish->asked, tp_say_value(ctx, took),
					(uint64_t)(wish->from_s * 1e12), (uint64_t)(wish->to_s * 1e12)};
		else if (t->missing.len == 0)
			t->missing = wish->asked;
	}
}

static void
find_spans(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s != NULL && (s->count == 0 || s->precomputed_from.len != 0))
		s = NULL;
	t->host =
		s != NULL ? tp_timeline_step_host(ctx, s, &s->steps[s->slowest]) : t->lines[0].line->host;
	t->device = s != NULL && s->cores != NULL ? s->cores[s->steps[s->slowest].slowest].device
											  : busiest_device(t, t->host);
	if (ctx->options->window_count != 0) {
		add_asked(ctx, s, t);
		return;
	}
	if (s == NULL)
		return;
	const struct tp_step *slow = &s->steps[s->slowest], *median = median_step(s);

	if (median != slow)
		add_step(ctx, s, t, median, "near the median");
	add_step(ctx, s, t, slow, median != slow ? "slowest" : "the only one");
}

static bool
are_whole(struct tp_timeline_place at, uint64_t tick_ps)
{
	return at.from_ps % tick_ps == 0 && at.to_ps % tick_ps == 0;
}

/* Constant divisors: there may be millions of events. */
static uint64_t
tick_of(uint64_t tick_ps, struct tp_timeline_place at)
{
	if (tick_ps == COARSEST_TICK_PS && !are_whole(at, COARSEST_TICK_PS))
		tick_ps = 1000;
	if (tick_ps == 1000 && !are_whole(at, 1000))
		tick_ps = 1;
	return tick_ps;
}

static void
count_in_spans(
	const struct tp_timeline_found *t, struct tp_timeline_line *line, uint32_t event, unsigned lane)
{
	struct tp_timeline_place at = tp_timeline_place(line, event);

	for (size_t k = 0; k < t->span_count; k++) {
		const struct tp_timeline_span *span = &t->spans[k];

		if (at.from_ps < span->from_ps)
			line->before[k][lane] = event + 1;
		if (at.from_ps >= span->to_ps || at.to_ps <= span->from_ps)
			continue;
		line->covered_ps[k][lane] += (at.to_ps < span->to_ps ? at.to_ps : span->to_ps) -
			(at.from_ps > span->from_ps ? at.from_ps : span->from_ps);
	}
}

/* Goes through all events once: where they end, in which ticks their times are, in which lanes they lie, and how much they cover of what
 * is drawn. */
static void
look_at(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t, struct tp_timeline_line *line)
{
	uint8_t *lane_of = tp_new_array(ctx->scratch, uint8_t, line->line->count);
	struct tp_lanes lanes = {0};

	for (uint32_t i = 0; i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place(line, i);
		unsigned lane = tp_lane_of(&lanes, at.from_ps, at.to_ps);

		lane_of[i] = (uint8_t)lane;
		t->high_ps = at.to_ps > t->high_ps ? at.to_ps : t->high_ps;
		line->tick_ps = tick_of(line->tick_ps, at);
		if (lane < TP_TIMELINE_DRAWN_LANES)
			count_in_spans(t, line, i, lane);
	}
	line->lanes = lanes.used;
	line->lane_of = lane_of;
}

/* Without steps all is drawn. */
static void
draw_all(struct tp_timeline_found *t, struct tp_slice label)
{
	t->without_steps = true;
	t->spans[t->span_count++] = (struct tp_timeline_span){.label = label, .to_ps = t->high_ps};
	for (size_t i = 0; i < t->line_count; i++) {
		for (uint32_t k = 0; k < t->lines[i].line->count; k++) {
			if (t->lines[i].lane_of[k] < TP_TIMELINE_DRAWN_LANES)
				count_in_spans(t, &t->lines[i], k, t->lines[i].lane_of[k]);
		}
	}
}

enum tp_status
tp_timeline_make(const struct tp_pass_ctx *ctx, const struct tp_timeline_wanted *wanted,
	struct tp_timeline_shown *shown, struct tp_err *err)
{
	struct tp_timeline_found t = {
		.profile = ctx->profile,
		.looks = wanted->looks,
		.read_count = wanted->read_count != 0 ? wanted->read_count : ctx->profile->line_count,
		.device = TP_NONE,
	};
	struct tp_timeline *out = &shown->timeline;

	if (ctx->options->no_timeline)
		return tp_fail(err, TP_ABSENT, "--timeline none leaves it out");
	if (ctx->options->short_of_memory)
		return tp_fail(err, TP_ABSENT, "memory did not suffice for it (--memory-limit)");
	find_lines(ctx, &t);
	if (t.line_count == 0)
		return tp_fail(err, TP_ABSENT, "the profile holds no events");
	find_spans(ctx, &t);
	for (size_t i = 0; i < t.line_count; i++)
		look_at(ctx, &t, &t.lines[i]);
	if (t.high_ps == 0)
		return tp_fail(err, TP_ABSENT, "no event of the profile has a length");
	if (t.span_count == 0)
		draw_all(&t, wanted->all);
	out->high_ps = (double)t.high_ps;
	out->events = t.events;
	tp_timeline_draw(ctx, &t, out);
	if (out->row_count == 0)
		return tp_fail(err, TP_ABSENT, "no event lies in the steps");
	tp_timeline_find_places(ctx, &t, &shown->places);
	shown->longest = tp_timeline_find_longest(ctx, &t);
	if (ctx->options->timeline_bytes != 0) {
		mark_steps(ctx, &t, out);
		tp_timeline_keep(ctx, &t, shown->places.of, TP_SEEN_PLACES);
		tp_timeline_fill(ctx, &t, out);
		tp_timeline_flows(ctx, &t, out);
	}
	shown->missing = t.missing;
	return TP_OK;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_timeline_shown *shown = tp_new(ctx->keep, struct tp_timeline_shown);

	struct tp_timeline_wanted wanted = {
		.all = TP_S("All of the capture"), .read_count = ctx->profile->line_count};
	struct tp_pass_ctx own = *ctx;

	/* What is derived is looked at in the page alone. */
	if (ctx->options->timeline_bytes != 0 && !ctx->options->no_timeline &&
		!ctx->options->short_of_memory)
		own.profile = tp_timeline_derive(ctx);
	enum tp_status status = tp_timeline_make(&own, &wanted, shown, err);

	*result = status == TP_OK ? shown : NULL;
	return status;
}

const struct tp_timeline_places *
tp_timeline_places_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_timeline_shown *shown = tp_result(ctx, &tp_pass_timeline);

	return shown != NULL ? &shown->places : NULL;
}

/* The findings that the page without a script and paper say where to look for. */
static void
say_findings(const struct tp_timeline *t, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_text text =
		TP_SAY0(doc, "Where findings are seen best, from the start of the capture:");

	for (size_t i = 0; i < t->finding_count; i++) {
		const struct tp_timeline_finding *f = &t->findings[i];

		TP_SAY_MORE(doc, text, i != 0 ? ", [{}](#{}) at {}" : " [{}](#{}) at {}",
			tp_text_value(f->label), tp_text_value(f->finding),
			tp_number(f->from_ps / 1e9, TP_UNIT_MS));
	}
	if (t->finding_count != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "timeline/findings", text);
}

/* Steps may differ by less than their figures show. */
static struct tp_text
say_slowest(
	struct tp_slice name, struct tp_value longest, struct tp_value median, struct tp_doc *doc)
{
	char longest_buf[TP_VALUE_BUF], median_buf[TP_VALUE_BUF];

	return tp_slice_eq(tp_value_text(longest, longest_buf), tp_value_text(median, median_buf))
		? TP_SAY(doc, "{} is the slowest by little: {}, like the median.", tp_text_value(name),
			  longest)
		: TP_SAY(doc, "{} is the slowest: {}, against {} in the median.", tp_text_value(name),
			  longest, median);
}

void
tp_timeline_chart(const struct tp_pass_ctx *ctx, const struct tp_timeline *t, const char *id,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_timeline_window *last = &t->windows[t->window_count - 1];

	tp_doc_add(doc, section, TP_BLOCK_CHART, tp_slice_of(id))->chart = (struct tp_chart){
		.kind = TP_CHART_TIMELINE,
		.alt = tp_arena_printf(ctx->keep, "What ran when: %.*s%s%.*s, %zu %s",
			TP_ARG(t->windows[0].label), t->window_count > 1 ? " and " : "",
			TP_ARG(t->window_count > 1 ? last->label : TP_S("")), t->row_count,
			tp_plural(t->row_count, "row", "rows")),
		.unit = TP_UNIT_MS,
		.timeline = t,
	};
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_timeline_shown *shown = result;
	struct tp_timeline *t = tp_new(ctx->keep, struct tp_timeline);

	*t = shown->timeline;
	const struct tp_timeline_window *last = &t->windows[t->window_count - 1];
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "timeline", "Timeline");

	if (shown->missing.len != 0)
		tp_fail(ctx->refusal, TP_ERR_USAGE,
			"--window %.*s: no such step; `tpreport show PATH steps` lists them",
			TP_ARG(shown->missing));
	struct tp_value longest = tp_doc_value(doc, "step.time.max_ms"),
					median = tp_doc_value(doc, "step.time.p50_ms");

	section->section.answer = ctx->options->window_count == 0 && t->window_count > 1 &&
			tp_known(longest) && tp_known(median)
		? say_slowest(last->label, longest, median, doc)
		: TP_SAY(doc, "{} on its threads and devices.", tp_text_value(last->label));
	section->section.aside = TP_SAY(doc, "{}", tp_say_number(ctx, t->events, "event", "events"));
	tp_timeline_place_findings(ctx, doc, &shown->places, t);
	tp_timeline_chart(ctx, t, "timeline/view", doc, section);
	if (shown->longest != NULL)
		tp_timeline_present_longest(ctx, shown->longest, t, doc, section);
	say_findings(t, doc, section);
}

const struct tp_pass tp_pass_timeline = {
	.name = "timeline",
	.title = "Timeline",
	.summary = "what ran when, on threads and devices",
	.of_profile = true,
	.after = TP_AFTER(&tp_pass_steps, &tp_pass_torch_correlation, &tp_pass_pod, &tp_pass_allocators,
		&tp_pass_torch_memory, &tp_pass_padding),
	.place = TP_PLACE_TIMELINE,
	.analyze = analyze,
	.present = present,
	.lacks_nothing = "what a profile holds of events is in it",
};
