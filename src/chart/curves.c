/* Lanes, and below them curves, over one axis: each curve is between its own least and greatest value, which stand at its right,
 * on narrow screens above it.
 * A band marks a part of the axis in all of them, lines mark moments. */
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "chart/axis.h"
#include "chart/canvas.h"
#include "chart/label.h"
#include "chart/row_names.h"

enum {
	LABEL_PX = 18, /* above each plot, its name in it */
	PLOT_PX = 54,
	GAP_PX = 8,
	MARKS_BASELINE_PX = 11,
	MARK_PAD_PX = 3,
	MARKS_PX = 16, /* above all, where something is marked */
	RIGHT_PX = 84,
	TEXT_PX = 11,
	ODD_APART_PX = 10,
	SMALLER_PHONE_PX = 30, /* that a phone may be narrower */
	LABEL_BUF = 512,
	RANGE_BUF = 64,
};

enum {
	LANE_PX = 24,
	BAR_PX = 18,
	BAR_BASELINE_PX = 13,
	LANE_NAME_PX = 12,
	BELOW_LANES_PX = 8,
};

/* So that they can be seen. */
static const double least_window_share = 0.004, least_share = .0015;

struct range {
	double least, most; /* least > most: of nothing */
};

/* Where a value of the axis is, 0…1. */
static double
share_of(const struct tp_curves *all, double x)
{
	return fmin(fmax((x - all->low) / (all->high - all->low), 0), 1);
}

static double
lanes_height(const struct tp_curves *all)
{
	return all->lane_count != 0 ? (double)all->lane_count * LANE_PX + BELOW_LANES_PX : 0;
}

/* For their names; 0 without lanes. */
static double
lanes_margin(const struct tp_curves *all)
{
	double room_px = 0;

	for (size_t i = 0; i < all->lane_count; i++)
		room_px = fmax(room_px, tp_row_names_px(&all->lanes[i].label, 1, LANE_NAME_PX));
	return room_px;
}

/* A bar that says its name where there is room; drawn open where its end is not known. */
static void
draw_period(
	const struct tp_curves *all, const struct tp_period *k, struct tp_canvas *canvas, double top)
{
	double from = share_of(all, k->from), to = share_of(all, k->to);
	char title[LABEL_BUF];
	int n = snprintf(title, sizeof title, "%.*s%s%.*s%s", TP_ARG(k->label),
		k->note.len != 0 ? ": " : "", TP_ARG(k->note), k->open ? ", no end is marked" : "");
	struct tp_slice said = n < LABEL_BUF ? (struct tp_slice){title, (size_t)n} : k->note;

	if (to - from < least_share) {
		to = fmin(1, from + least_share);
		from = to - least_share;
	}
	canvas->ops->mark(
		canvas, (struct tp_x){from, 0}, (struct tp_x){to, 0}, top, BAR_PX, k->hue, k->tint, said);
	if (k->tint == 0 && k->hue != TP_HUE_IDLE && k->hue != TP_HUE_NONE)
		tp_bar_label_draw(
			canvas, k->label, (struct tp_bar){from, to, to, k->hue}, top + BAR_BASELINE_PX, said);
	if (k->open)
		canvas->ops->line(canvas, (struct tp_x){to, 0}, top - 2, (struct tp_x){to, 0},
			top + BAR_PX + 2, TP_INK_INK, 2, true);
}

static void
draw_lanes(const struct tp_curves *all, struct tp_canvas *canvas, double top)
{
	double room_px = lanes_margin(all);

	for (size_t i = 0; i < all->lane_count; i++, top += LANE_PX) {
		const struct tp_lane *lane = &all->lanes[i];

		tp_row_name_draw(
			canvas, &lane->label, 1, 0, room_px, top + BAR_BASELINE_PX, LANE_NAME_PX, TP_INK_INK);
		canvas->ops->line(canvas, (struct tp_x){0, 0}, top + BAR_PX + 3, (struct tp_x){1, 0},
			top + BAR_PX + 3, TP_INK_LINE, 1, false);
		for (size_t k = 0; k < lane->count; k++)
			draw_period(all, &lane->periods[k], canvas, top);
	}
}

static bool
has_window(const struct tp_curves *all)
{
	return all->window_from <= all->high && all->window_to >= all->low;
}

static double
marks_px(const struct tp_curves *all)
{
	return has_window(all) || all->moment_count != 0 ? MARKS_PX : 0;
}

static double
height(const struct tp_chart *chart)
{
	const struct tp_curves *all = chart->curves;

	return marks_px(all) + lanes_height(all) +
		(double)all->curve_count * (LABEL_PX + PLOT_PX + GAP_PX) + TP_X_AXIS_PX;
}

static struct tp_margins
margins(const struct tp_chart *chart)
{
	return (struct tp_margins){
		(int)lanes_margin(chart->curves), chart->curves->curve_count != 0 ? RIGHT_PX : 0};
}

static void
draw_number(struct tp_canvas *canvas, double value, double y)
{
	char buf[32];
	int n = snprintf(buf, sizeof buf, "%.4g", value);

	TP_WRITE(
		canvas, .x = {1, 6}, .y = y, .ink = TP_INK_INK3, .wide = true, .text = {buf, (size_t)n});
}

/* What is marked, the most important first: the window, then moments. */
struct mark {
	struct tp_slice label;
	double at; /* share */
};

static void
draw_mark_labels(struct tp_canvas *canvas, const struct mark *marks, size_t count, double top,
	struct tp_arena *scratch)
{
	double room = tp_canvas_least_px(canvas);
	struct tp_label_span *spans = tp_new_array(scratch, struct tp_label_span, count);

	for (size_t i = 0; i < count; i++) {
		double at_px = marks[i].at * room,
			   px = tp_label_width(marks[i].label, TEXT_PX, 400) + MARK_PAD_PX;

		spans[i] = at_px + px > room ? (struct tp_label_span){.low = at_px - px, .high = at_px}
									 : (struct tp_label_span){.low = at_px, .high = at_px + px};
	}
	tp_labels_drop(spans, count, GAP_PX);
	for (size_t i = 0; i < count; i++) {
		bool before = spans[i].high <= marks[i].at * room;

		if (!spans[i].kept)
			continue;
		TP_WRITE(canvas, .x = {marks[i].at, before ? -MARK_PAD_PX : MARK_PAD_PX},
			.y = top + MARKS_BASELINE_PX, .anchor = before ? TP_ANCHOR_END : TP_ANCHOR_START,
			.ink = TP_INK_INK2, .halo = true, .text = marks[i].label);
	}
}

/* The band and the lines, from top to bottom and below everything else, with their names above. */
static void
draw_marks(const struct tp_curves *all, struct tp_canvas *canvas, double top, double bottom,
	struct tp_arena *scratch)
{
	struct mark *marks = tp_new_array(scratch, struct mark, all->moment_count + 1);
	size_t count = 0;

	if (has_window(all)) {
		double from = share_of(all, all->window_from);
		double to = fmin(1, fmax(share_of(all, all->window_to), from + least_window_share));

		from = fmin(from, to - least_window_share);
		canvas->ops->fill(
			canvas, (struct tp_x){from, 0}, (struct tp_x){to, 0}, top, bottom - top, TP_INK_TRACK);
		canvas->ops->line(canvas, (struct tp_x){from, 0}, top, (struct tp_x){from, 0}, bottom,
			TP_INK_INK3, 1, false);
		marks[count++] = (struct mark){all->window_label, from};
	}
	for (size_t i = 0; i < all->moment_count; i++) {
		double at = share_of(all, all->moments[i].at);

		canvas->ops->line(
			canvas, (struct tp_x){at, 0}, top, (struct tp_x){at, 0}, bottom, TP_INK_INK3, 1, true);
		marks[count++] = (struct mark){all->moments[i].label, at};
	}
	draw_mark_labels(canvas, marks, count, top, scratch);
}

static struct range
range_of(const struct tp_curve *c)
{
	struct range r = {INFINITY, -INFINITY};

	for (size_t i = 0; i < c->count; i++) {
		r.least = fmin(r.least, c->ys[i]);
		r.most = fmax(r.most, c->ys[i]);
	}
	return r;
}

static void
draw_line(const struct tp_curves *all, const struct tp_curve *c, struct range range,
	struct tp_canvas *canvas, double top, struct tp_arena *scratch)
{
	struct tp_x left = {0, 0}, right = {1, 0};
	double *xs = tp_new_array(scratch, double, 2 * c->count),
		   *ys = tp_new_array(scratch, double, 2 * c->count);
	bool flat = !(range.most > range.least);
	size_t count = 0;

	if (c->count == 0)
		return;
	for (size_t i = 0; i < c->count; i++) {
		double share = flat ? .5 : (c->ys[i] - range.least) / (range.most - range.least);
		double y = top + 2 + (1 - share) * (PLOT_PX - 4);

		if (c->held && i != 0) {
			xs[count] = xs[count - 1];
			ys[count++] = y;
		}
		xs[count] = share_of(all, c->xs[i]);
		ys[count++] = y;
	}
	canvas->ops->curve(canvas, left, right, xs, ys, count, false, top + PLOT_PX, TP_INK_INK2, 1.25);
	if (c->count == 1)
		canvas->ops->dot(canvas, (struct tp_x){xs[0], 0}, ys[0], 2, TP_INK_INK);
	draw_number(canvas, range.most, top + (flat ? PLOT_PX / 2. + 4 : 10));
	if (!flat)
		draw_number(canvas, range.least, top + PLOT_PX);
}

static void
draw_range(struct range range, struct tp_canvas *canvas, double y, char buf[static RANGE_BUF])
{
	if (range.most > range.least)
		snprintf(buf, RANGE_BUF, "%.4g to %.4g", range.least, range.most);
	else
		snprintf(buf, RANGE_BUF, "%.4g", range.most);
	TP_WRITE(canvas, .x = {1, 0}, .y = y, .anchor = TP_ANCHOR_END, .ink = TP_INK_INK3,
		.narrow = true, .halo = true, .text = tp_slice_of(buf));
}

/* The name above a plot. A narrow screen has no room beside plots: there the range is at the end of this line. */
static void
draw_name(const struct tp_curve *c, struct range range, struct tp_canvas *canvas, double y)
{
	char wide[LABEL_BUF], narrow[LABEL_BUF], numbers[RANGE_BUF] = "";
	struct tp_canvas_text text = {.x = {0, 0},
		.y = y,
		.ink = TP_INK_INK,
		.weight = 500,
		.wide = canvas->narrow_px > 0,
		.halo = true,
		.text = tp_label_cut(c->label, TEXT_PX, 500, canvas->width_px, wide, sizeof wide),
		.title = c->label};

	tp_canvas_write(canvas, text);
	if (!text.wide)
		return;
	if (c->count != 0)
		draw_range(range, canvas, y, numbers);
	double room = tp_canvas_least_px(canvas) - SMALLER_PHONE_PX - GAP_PX -
		tp_label_width(tp_slice_of(numbers), TEXT_PX, 400);

	text.wide = false;
	text.narrow = true;
	text.text = tp_label_cut(c->label, TEXT_PX, 500, room, narrow, sizeof narrow);
	tp_canvas_write(canvas, text);
}

/* × where a value was NaN, ∞ where it was infinite; of a crowd the first. */
static void
draw_odds(
	const struct tp_curves *all, const struct tp_curve *c, struct tp_canvas *canvas, double top)
{
	static const struct {
		const char *sign;
		double y;
	} kinds[TP_NON_FINITE_KINDS] = {
		[TP_NON_FINITE_NAN] = {"×", PLOT_PX / 2 + 4},
		[TP_NON_FINITE_ABOVE] = {"∞", 9},
		[TP_NON_FINITE_BELOW] = {"−∞", PLOT_PX - 3},
	};
	double free_from[TP_NON_FINITE_KINDS] = {0};

	for (size_t i = 0; i < c->non_finite_count; i++) {
		const struct tp_non_finite *non_finite = &c->non_finites[i];
		double at = share_of(all, non_finite->x);

		if (at < free_from[non_finite->kind])
			continue;
		free_from[non_finite->kind] = at + ODD_APART_PX / canvas->width_px;
		TP_WRITE(canvas, .x = {at, 0}, .y = top + kinds[non_finite->kind].y,
			.anchor = at > .98 ? TP_ANCHOR_END
				: at < .02     ? TP_ANCHOR_START
							   : TP_ANCHOR_MIDDLE,
			.ink = TP_INK_INK, .weight = 600, .halo = true,
			.text = tp_slice_of(kinds[non_finite->kind].sign));
	}
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_curves *all = chart->curves;
	struct tp_arena *scratch = tp_arena_new();
	struct tp_x left = {0, 0}, right = {1, 0};
	double bottom = top + height(chart) - TP_X_AXIS_PX;

	draw_marks(all, canvas, top, bottom, scratch);
	top += marks_px(all);
	draw_lanes(all, canvas, top);
	top += lanes_height(all);
	for (size_t i = 0; i < all->curve_count; i++) {
		const struct tp_curve *c = &all->curves[i];
		struct range range = range_of(c);

		draw_name(c, range, canvas, top + LABEL_PX - 5);
		top += LABEL_PX;
		canvas->ops->line(
			canvas, left, top + PLOT_PX, right, top + PLOT_PX, TP_INK_LINE2, 1, false);
		draw_line(all, c, range, canvas, top, scratch);
		draw_odds(all, c, canvas, top);
		top += PLOT_PX + GAP_PX;
	}
	tp_x_axis_draw(canvas,
		&(struct tp_x_axis){.low = all->low,
			.high = all->high,
			.utc = all->utc,
			.unit = chart->unit,
			.title = all->x_title},
		bottom);
	tp_arena_free(scratch);
}

const struct tp_chart_layout tp_curves_layout = {
	.height = height,
	.margins = margins,
	.draw = draw,
};
