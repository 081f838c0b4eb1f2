/* Puts the timeline together, and presents it. */
#include "analyze/timeline/timeline.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/clock.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/allocators.h"
#include "analyze/ops/padding.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/places.h"
#include "analyze/timeline/timeline_longest.h"
#include "analyze/timeline/timeline_words.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"

#include <string.h>

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
	out->inferred = s->inferred && out->mark_count != 0;
}

/* The lines once more, with what depends on the steps: another pass has those of the result. */
static struct tp_timeline_found
begin(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *lines)
{
	struct tp_timeline_found t = *lines;

	t.lines = tp_new_array(ctx->scratch, struct tp_timeline_line, t.line_count);
	memcpy(t.lines, lines->lines, t.line_count * sizeof *t.lines);
	return t;
}

enum tp_status
tp_timeline_make(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *lines,
	struct tp_slice all, struct tp_timeline_shown *shown, struct tp_err *err)
{
	struct tp_timeline_found t = begin(ctx, lines);
	struct tp_timeline *out = &shown->timeline;

	tp_timeline_find_spans(ctx, &t);
	if (t.span_count == 0) {
		t.without_steps = true;
		t.spans[t.span_count++] = (struct tp_timeline_span){.label = all, .to_ps = t.high_ps};
	}
	tp_timeline_cover(&t);
	out->high_ps = (double)t.high_ps;
	out->events = t.events;
	tp_timeline_draw(ctx, &t, out);
	if (out->row_count == 0)
		return tp_fail(err, TP_ABSENT, why_no_event_in_steps);
	tp_timeline_find_places(ctx, &t, &shown->places);
	shown->drawn = tp_timeline_drawn(ctx, &t);
	shown->host_range = tp_timeline_host_range(&t);
	t.blank = shown->places.blank;
	shown->longest = tp_timeline_find_longest(ctx, &t);
	if (ctx->options->timeline_bytes != 0) {
		mark_steps(ctx, &t, out);
		tp_timeline_keep(ctx, &t, shown->places.of, TP_SEEN_PLACES);
		tp_timeline_fill(ctx, &t, out);
		tp_timeline_flows(ctx, &t, out);
	}
	shown->missing = t.missing;
	memcpy(shown->spans, t.spans, sizeof shown->spans);
	return TP_OK;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_timeline_found *lines = tp_result(ctx, &tp_pass_timeline_lines);
	struct tp_timeline_shown *shown = tp_new(ctx->keep, struct tp_timeline_shown);
	struct tp_slice why = tp_skipped(ctx, &tp_pass_timeline_lines);
	struct tp_pass_ctx own = *ctx;

	if (lines == NULL)
		return tp_fail(err, TP_ABSENT, "%.*s", TP_ARG(why));
	own.profile = lines->profile;
	enum tp_status status = tp_timeline_make(&own, lines, TP_S(title_all), shown, err);

	if (status == TP_OK && ctx->options->timeline_made != NULL)
		ctx->options->timeline_made(ctx->options->timeline_with, &shown->timeline);
	*result = status == TP_OK ? shown : NULL;
	return status;
}

const struct tp_timeline_places *
tp_timeline_places_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_timeline_shown *shown = tp_result(ctx, &tp_pass_timeline);

	return shown != NULL ? &shown->places : NULL;
}

/* The step that is drawn and holds that time; NULL: none does. */
static const struct tp_timeline_span *
span_of(const struct tp_timeline_shown *shown, double at_ps)
{
	for (size_t i = 0; i < shown->timeline.window_count; i++) {
		const struct tp_timeline_span *span = &shown->spans[i];

		if (span->step != NULL && at_ps >= (double)span->from_ps && at_ps < (double)span->to_ps)
			return span;
	}
	return NULL;
}

/* The findings that the page without a script and paper say where to look for. */
static void
say_findings(const struct tp_timeline_shown *shown, const struct tp_timeline *t, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_text text = TP_SAY0(doc, text_findings);

	for (size_t i = 0; i < t->finding_count; i++) {
		const struct tp_timeline_finding *f = &t->findings[i];

		const struct tp_timeline_span *span = span_of(shown, f->from_ps);
		double from_ps = span != NULL ? (double)span->from_ps : 0;

		TP_SAY_MORE(doc, text, i != 0 ? ", [{}](#{}) at {} of {}" : " [{}](#{}) at {} of {}",
			tp_text_value(f->label), tp_text_value(f->finding),
			tp_number((f->from_ps - from_ps) / 1e9, TP_UNIT_MS),
			tp_text_value(span != NULL
					? tp_arena_printf(doc->arena, "step %.*s", TP_ARG(span->step->name))
					: TP_S("the capture")));
	}
	if (t->finding_count != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "timeline/findings", text);
}

/* From this share of the capture on. */
#define GAP_SHARE 0.5

/* Spans may lie far apart: then all that ran is at the ends of the map. */
static void
say_gap(const struct tp_timeline *t, struct tp_stretch gap, struct tp_doc *doc,
	struct tp_block *section)
{
	double from_ps = (double)gap.from_ps, length_ps = (double)(gap.to_ps - gap.from_ps);

	if (!(gap.from_ps > 0 && length_ps >= GAP_SHARE * t->high_ps))
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "timeline/gap",
		TP_SAY(doc, text_gap, tp_number(length_ps, TP_UNIT_PS), tp_number(t->high_ps, TP_UNIT_PS),
			tp_number(from_ps, TP_UNIT_PS)));
}

/* Of tracks it is not known what their events are; they have no classes of time. */
static bool
has_tracks(const struct tp_timeline *t)
{
	for (size_t g = 0; g < t->group_count; g++) {
		for (size_t i = 0; i < t->groups[g].track_count; i++) {
			if (tp_slice_eq(t->groups[g].tracks[i].kind, TP_S("track")))
				return true;
		}
	}
	return false;
}

/* Steps may differ by less than their figures show. */
static struct tp_text
say_slowest(const struct tp_timeline_span *span, struct tp_value longest, struct tp_value median,
	struct tp_doc *doc)
{
	char longest_buf[TP_VALUE_BUF], median_buf[TP_VALUE_BUF];

	return tp_slice_eq(tp_value_text(longest, longest_buf), tp_value_text(median, median_buf))
		? TP_SAY(doc, text_hardly_slowest, tp_text_value(span->step->name), longest)
		: TP_SAY(doc, text_slowest, tp_text_value(span->label), longest, median);
}

void
tp_timeline_chart(const struct tp_pass_ctx *ctx, const struct tp_timeline *t, const char *id,
	bool classes, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_timeline_window *last = &t->windows[t->window_count - 1];

	tp_doc_add(doc, section, TP_BLOCK_CHART, tp_slice_of(id))->chart = (struct tp_chart){
		.kind = TP_CHART_TIMELINE,
		.alt = tp_arena_printf(ctx->keep, text_alt, TP_ARG(t->windows[0].label),
			t->window_count > 1 ? " and " : "",
			TP_ARG(t->window_count > 1 ? last->label : TP_S("")), t->row_count,
			tp_plural(t->row_count, "row", "rows")),
		.unit = TP_UNIT_MS,
		.legend = classes,
		.timeline = t,
	};
}

static bool
as_long_as_drawn(const struct tp_timeline_shown *shown)
{
	const struct tp_timeline *t = &shown->timeline;
	bool same = true;

	for (size_t i = 0; i < t->window_count; i++) {
		const struct tp_step *step = shown->spans[i].step;

		same = same &&
			(step == NULL || tp_timeline_same_length(step->time_ps, t->windows[i].length * 1e9));
	}
	return same;
}

/* The bar of the range that marks a step on the host may say another time than the step takes, and so may a core's bar of a step. */
static struct tp_text
say_mark(const struct tp_pass_ctx *ctx, const struct tp_timeline_shown *shown, struct tp_doc *doc)
{
	size_t last = shown->timeline.window_count - 1;
	const struct tp_timeline_window *window = &shown->timeline.windows[last];
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_step *step = shown->spans[last].step;
	char time_buf[TP_VALUE_BUF], mark_buf[TP_VALUE_BUF];

	if (step != NULL && s->source->of_cores && !as_long_as_drawn(shown))
		return TP_SAY(doc, s->timelines > 1 ? text_step_by_host_others : text_step_by_host,
			tp_text_value(step->name), tp_number(window->length, TP_UNIT_MS),
			tp_text_value(tp_steps_timeline_name(ctx, s, step->slowest)));
	if (step == NULL || !(step->mark_ps > 0))
		return (struct tp_text){0};
	struct tp_value time = tp_ps_in_ms(step->time_ps), mark = tp_ps_in_ms(step->mark_ps);

	if (tp_slice_eq(tp_value_text(time, time_buf), tp_value_text(mark, mark_buf)))
		return (struct tp_text){0};
	return s->source == &tp_step_source_torch ? TP_SAY(doc, text_step_of_torch, mark, time)
											  : TP_SAY(doc, text_step_of_range, mark, time);
}

/* Rows of the host are of later steps where it runs ahead of the device by more than half of a step. */
static void
say_ahead(const struct tp_timeline_shown *shown, struct tp_doc *doc, struct tp_text *text)
{
	const struct tp_timeline_span *span = &shown->spans[shown->timeline.window_count - 1];
	uint64_t end_ps = shown->host_range.to_ps;

	if (end_ps == 0 || end_ps >= span->from_ps + (span->to_ps - span->from_ps) / 2)
		return;
	if (text->count != 0)
		TP_SAY_MORE(doc, *text, " ");
	if (end_ps <= span->from_ps)
		TP_SAY_MORE(doc, *text, text_host_before);
	else
		TP_SAY_MORE(doc, *text, text_host_ahead, tp_ps_in_ms((double)(end_ps - span->from_ps)));
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
	const struct tp_step *step = shown->spans[t->window_count - 1].step;
	struct tp_value longest = tp_doc_value(doc, "step.time.max_ms"),
					median = tp_doc_value(doc, "step.time.p50_ms");

	section->section.answer =
		shown->spans[t->window_count - 1].slowest && tp_known(longest) && tp_known(median)
		? say_slowest(&shown->spans[t->window_count - 1], longest, median, doc)
		: TP_SAY(doc, text_drawn, tp_text_value(last->label),
			  tp_number(step != NULL ? step->time_ps / 1e9 : last->length, TP_UNIT_MS));
	section->section.so_what = say_mark(ctx, shown, doc);
	say_ahead(shown, doc, &section->section.so_what);
	section->section.aside = TP_SAY(doc, "{}", tp_say_number(ctx, t->events, "event", "events"));
	tp_timeline_place_findings(ctx, doc, &shown->places, t);
	tp_timeline_chart(ctx, t, "timeline/view", !has_tracks(t), doc, section);
	tp_timeline_say_drawn(t, shown->drawn, doc, section);
	say_gap(t, shown->places.blank, doc, section);
	if (shown->longest != NULL)
		tp_timeline_present_longest(
			ctx, shown->longest, t, shown->places.device, as_long_as_drawn(shown), doc, section);
	say_findings(shown, t, doc, section);
}

const struct tp_pass tp_pass_timeline = {
	.name = "timeline",
	.title = "Timeline",
	.summary = "what ran when, on threads and devices",
	.of_profile = true,
	.after = TP_AFTER(&tp_pass_steps, &tp_pass_torch_correlation, &tp_pass_torch_comm,
		&tp_pass_torch_gpus, &tp_pass_pod, &tp_pass_allocators, &tp_pass_torch_memory,
		&tp_pass_padding, &tp_pass_devices, &tp_pass_peaks, &tp_pass_timeline_lines,
		&tp_pass_op_times),
	.place = TP_PLACE_TIMELINE,
	.analyze = analyze,
	.present = present,
	.lacks_nothing = "what a profile holds of events is in it",
};
