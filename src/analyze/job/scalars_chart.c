/* Curves of scalars over wall time, with the sessions, gaps, restarts and the profile's window of the job, and the same over steps:
 * each between its own least and greatest value. */
#include "analyze/job/scalars.h"

#include "analyze/core/say.h"
#include "analyze/job/envelope.h"
#include "analyze/job/scalars_words.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/events.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CURVES = 12, CURVES_A_CHART = 4, STRETCHES = 200 };
enum { MOST_GROUPS = 24, MOST_A_GROUP = 12, MOST_IN_ALL = 60 };

/* Whether it has two points that can be told apart on some axis. */
static bool
drawable(const struct tp_scalar *s)
{
	return s->points > 1 && s->series->points.count > 1 && s->least_step != s->most_step;
}

static struct tp_slice
label_of(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar *k)
{
	struct tp_slice tag = tp_utf8_clean(ctx->keep, k->series->tag);

	if (tag.len == 0)
		tag = TP_S(text_no_tag);
	return s->run_count == 1 || tp_slice_eq(s->runs[k->run].name, TP_S("."))
		? tag
		: tp_arena_printf(ctx->keep, "%.*s · %.*s", TP_ARG(tag), TP_ARG(s->runs[k->run].name));
}

/* Its values are of single precision, as event files have them. */
static struct tp_curve
curve_from(const struct tp_pass_ctx *ctx, const struct tp_envelope *e)
{
	struct tp_curve c = tp_envelope_curve(e, ctx->keep);

	for (size_t i = 0; i < c.count; i++)
		((double *)c.ys)[i] = tp_number_of_single(c.ys[i]);
	return c;
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
	struct tp_curve c = curve_from(ctx, &e);

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
	struct tp_curve c = curve_from(ctx, &e);

	c.held = true;
	c.label = tp_arena_printf(ctx->keep, text_pace_curve, TP_ARG(tag));
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
		.alt = tp_arena_printf(ctx->keep, text_curves_alt, TP_ARG(axis->words),
			lanes && axis->lane_count != 0 ? text_above_lanes : "", TP_ARG(names)),
		.unit = TP_UNIT_NONE,
		.curves = all,
	};
}

/* Charts of some scalars, a few a chart so that each finds room on a page. id: of the first; axis->key and a number follow. lead: a
 * curve before them, NULL: none; lanes: whether the first has all of the axis; the others have the last. */
static void
charts(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar_axis *axis,
	const struct tp_scalar *const *list, size_t count, const struct tp_curve *lead, bool lanes,
	const char *id, struct tp_doc *doc, struct tp_block *parent)
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

/* Over both axes; the second in a fold. */
static void
first_curves(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axes, size_t axis_count, const struct tp_scalar *const *list,
	size_t count, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;

	for (size_t i = 0; i < axis_count; i++) {
		struct tp_block *parent = i == 0
			? section
			: tp_doc_section(doc, section, TP_SECTION_FOLD, "whole-run/by-step", title_by_step);
		struct tp_curve speed;
		bool paced = !isnan(pace->step_s) && pace->series != NULL;

		if (paced) {
			speed = speed_of(ctx, &axes[i], pace);
			paced = speed.count != 0;
		}
		charts(ctx, s, &axes[i], list, count, paced ? &speed : NULL, true, "whole-run/curves", doc,
			parent);
	}
}

/* "train" of "train/loss"; empty of "loss". */
static struct tp_slice
beginning(const struct tp_scalar *s)
{
	struct tp_slice tag = s->series->tag;
	const char *slash = tag.len != 0 ? memchr(tag.ptr, '/', tag.len) : NULL;

	return (struct tp_slice){tag.ptr, slash != NULL ? (size_t)(slash - tag.ptr) : 0};
}

TP_ORDER_POINTERS(by_beginning, struct tp_scalar, tp_slice_cmp(beginning(a), beginning(b)),
	tp_slice_cmp(a->series->tag, b->series->tag), TP_UP(run));

static void
fold_of(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	const struct tp_scalar_axis *axes, size_t axis_count, const struct tp_scalar *const *list,
	size_t count, size_t drawn, unsigned number, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_slice name = tp_utf8_clean(ctx->keep, beginning(list[0]));
	const char *id = tp_arena_printf(ctx->keep, "whole-run/group-%u", number).ptr;
	struct tp_slice title = name.len != 0
		? tp_arena_printf(
			  ctx->keep, title_prefix, TP_ARG(name), count, tp_plural(count, "scalar", "scalars"))
		: tp_arena_printf(ctx->keep, title_no_prefix, count, tp_plural(count, "scalar", "scalars"));
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, id, title.ptr);

	fold->section.off_paper = true;
	for (size_t i = 0; i < axis_count; i++)
		charts(ctx, s, &axes[i], list, drawn, NULL, false,
			tp_arena_printf(ctx->keep, "%s/curves", id).ptr, doc, fold);
	if (count > drawn)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL,
			tp_arena_printf(ctx->keep, "%s/rest", id).ptr,
			TP_SAY(doc, text_only_in_table, tp_count(count - drawn)));
}

/* The curves that the first charts have no room for: a fold for each beginning of tags, up to the first slash. */
static void
groups(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, const struct tp_scalar_axis *axes,
	size_t axis_count, const struct tp_scalar **list, size_t count, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t drawn = 0;
	unsigned folds = 0;

	if (count == 0)
		return;
	qsort(list, count, sizeof *list, by_beginning);
	for (size_t from = 0, to; from < count && folds < MOST_GROUPS && drawn < MOST_IN_ALL;
		 from = to) {
		struct tp_slice name = beginning(list[from]);
		size_t most = MOST_IN_ALL - drawn < MOST_A_GROUP ? MOST_IN_ALL - drawn : MOST_A_GROUP;

		for (to = from + 1; to < count && tp_slice_eq(beginning(list[to]), name); to++)
			continue;
		size_t some = to - from < most ? to - from : most;

		fold_of(ctx, s, axes, axis_count, list + from, to - from, some, ++folds, doc, section);
		drawn += some;
	}
	if (count > drawn)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/more-curves",
			TP_SAY(doc, text_beyond, tp_say_number(ctx, count, "scalar", "scalars"),
				tp_count(drawn), tp_count(count - drawn)));
}

void
tp_scalars_chart(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_scalar **list =
		tp_new_array(ctx->scratch, const struct tp_scalar *, s->scalar_count);
	static const struct tp_scalar_axis kinds[] = {
		{.wall = true, .key = TP_LIT(""), .words = TP_LIT("wall time")},
		{.key = TP_LIT("-by-step"), .words = TP_LIT("steps")},
	};
	struct tp_scalar_axis axes[2];
	size_t count = 0, axis_count = 0;

	for (uint32_t i = 0; i < s->scalar_count; i++) {
		if (drawable(&s->scalars[i]))
			list[count++] = &s->scalars[i];
	}
	if (count == 0)
		return;
	for (size_t i = 0; i < 2; i++) {
		axes[axis_count] = kinds[i];
		if (ends(list, count, &axes[axis_count]))
			tp_scalar_mark(ctx, s, &axes[axis_count++]);
	}
	/* One place is for steps a second. */
	size_t first = count < MOST_CURVES ? count : MOST_CURVES - 1;

	first_curves(ctx, s, axes, axis_count, list, first, doc, section);
	groups(ctx, s, axes, axis_count, list + first, count - first, doc, section);
	if (s->scalar_count > count)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/no-curve",
			TP_SAY(doc, text_single_step,
				tp_say_number(ctx, s->scalar_count - count, "scalar is", "scalars are")));
}
