/* Windows of a timeline side by side on one scale: bars in rows, the names of the rows at the left. */
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>

#include "chart/axis.h"
#include "chart/canvas.h"
#include "chart/label.h"
#include "chart/row_names.h"
#include "report/timeline.h"

enum {
	TITLE_BASELINE_PX = 12,
	TICKS_BASELINE_PX = 28,
	TOP_PX = 34, /* titles and ticks */
	ROW_PX = 20,
	BAR_PX = 17,
	BAR_BASELINE_PX = 13,
	NAME_PX = 12,
	TITLE_SIZE_PX = 11,
	TITLE_LINE_PX = 15, /* of a title that has a line of its own */
	TITLE_GAP_PX = 8,   /* to the next window */
	NARROW_PX = 480,    /* of a plot: where titles fit there, they are side by side */
	MOST_TICKS = 6,
	TICK_ROOM_PX = 34,
	TICK_GAP_PX = 6,
	TEXT_BUF = 512,
};

/* Between windows, of the width. */
static const double gap_share = 0.015;

/* So that an event without a length can be seen. */
static const double least_share = 0.0008;

struct scale {
	double per_unit; /* share of the width */
	struct tp_axis axis;
};

static struct scale
scale_of(const struct tp_chart *chart)
{
	const struct tp_timeline *t = chart->timeline;
	double sum = 0, longest = 0;

	for (size_t i = 0; i < t->window_count; i++) {
		sum += t->windows[i].length;
		longest = fmax(longest, t->windows[i].length);
	}
	return (struct scale){
		.per_unit = (1 - gap_share * (double)(t->window_count - 1)) / sum,
		.axis = tp_axis_for(longest, chart->unit, MOST_TICKS),
	};
}

static struct tp_slice
title_of(const struct tp_timeline_window *w, char buf[static TEXT_BUF])
{
	int n = snprintf(buf, TEXT_BUF, "%.*s%s%.*s", TP_ARG(w->label), w->note.len != 0 ? " · " : "",
		TP_ARG(w->note));

	return n < TEXT_BUF ? (struct tp_slice){buf, (size_t)n} : w->label;
}

/* Lines above the windows: where a title is longer than its window, each has its own. */
static size_t
title_lines(const struct tp_chart *chart)
{
	const struct tp_timeline *t = chart->timeline;
	double px_per_unit = scale_of(chart).per_unit * NARROW_PX;
	char buf[TEXT_BUF];

	for (size_t i = 0; i < t->window_count && t->window_count > 1; i++) {
		if (tp_label_width(title_of(&t->windows[i], buf), TITLE_SIZE_PX, 600) + TITLE_GAP_PX >
			t->windows[i].length * px_per_unit)
			return t->window_count;
	}
	return 1;
}

/* Of titles and ticks. */
static double
top_px(const struct tp_chart *chart)
{
	return TOP_PX + TITLE_LINE_PX * (double)(title_lines(chart) - 1);
}

static double
height(const struct tp_chart *chart)
{
	return top_px(chart) + ROW_PX * (double)chart->timeline->row_count;
}

static struct tp_margins
margins(const struct tp_chart *chart)
{
	const struct tp_timeline *t = chart->timeline;

	return (struct tp_margins){(int)tp_row_names_px(t->rows, t->row_count, NAME_PX), 0};
}

/* From the left edge of its window, or up to the right one where the window lies right of the middle. */
static void
draw_title(const struct tp_timeline_window *w, double from, double to, bool own_line,
	struct tp_canvas *canvas, double y)
{
	char whole[TEXT_BUF], cut[TEXT_BUF], narrow[TEXT_BUF];
	struct tp_slice title = title_of(w, whole);
	bool leftwards = own_line && from > 0.5;
	double room = !own_line ? to - from : leftwards ? to : 1 - from;
	struct tp_canvas_text text = {
		.x = {leftwards ? to : from, 0},
		.y = y,
		.anchor = leftwards ? TP_ANCHOR_END : TP_ANCHOR_START,
		.ink = TP_INK_INK,
		.size_px = TITLE_SIZE_PX,
		.weight = 600,
		.text = tp_label_cut(
			title, TITLE_SIZE_PX, 600, room * canvas->width_px - TITLE_GAP_PX, cut, sizeof cut),
		.title = title,
	};

	tp_canvas_write_both(canvas, text,
		tp_label_cut(title, TITLE_SIZE_PX, 600, room * tp_canvas_least_px(canvas) - TITLE_GAP_PX,
			narrow, sizeof narrow));
}

/* Whether the label of a tick does not meet the one before, in a drawing of this width. Near the end of the window it stands left of its tick. */
static bool
has_room(double at, double last, bool leftwards, double label_px, double width_px)
{
	return (at - last) * width_px >= (leftwards ? 2 * label_px + TICK_GAP_PX : TICK_ROOM_PX);
}

static void
draw_ticks(const struct scale *scale, const struct tp_timeline_window *w, double from, double to,
	struct tp_canvas *canvas, double top, double bottom)
{
	double last = from - 1, last_narrow = from - 1;

	for (unsigned i = 0; i < scale->axis.ticks; i++) {
		char buf[TP_VALUE_BUF];
		double value = i * scale->axis.step / scale->axis.factor;
		double at = from + value * scale->per_unit;

		if (value > w->length)
			break;
		canvas->ops->line(canvas, (struct tp_x){at, 0}, top + TICKS_BASELINE_PX + 3,
			(struct tp_x){at, 0}, bottom, TP_INK_LINE, 1, false);
		double label_px =
			tp_label_width(tp_axis_tick(&scale->axis, i, i == 0, buf), TITLE_SIZE_PX, 400);
		bool leftwards = i != 0 && (to - at) * canvas->width_px < TICK_ROOM_PX;

		if (!has_room(at, last, leftwards, label_px, canvas->width_px))
			continue;
		bool narrow = has_room(at, last_narrow, leftwards, label_px, tp_canvas_least_px(canvas)) &&
			(leftwards || (to - at) * tp_canvas_least_px(canvas) >= TICK_ROOM_PX);

		last = at;
		last_narrow = narrow ? at : last_narrow;
		TP_WRITE(canvas, .x = {at, leftwards ? -2 : 0}, .y = top + TICKS_BASELINE_PX,
			.anchor = leftwards ? TP_ANCHOR_END : TP_ANCHOR_START, .ink = TP_INK_INK3,
			.wide = !narrow, .text = tp_axis_tick(&scale->axis, i, i == 0, buf));
	}
}

/* Closer ones look like one bar, of the window's length. */
static const double apart_share = 0.01;

/* Up to where a label right of a bar may go: the next in its row, or the end of the window. Nowhere, where the bar looks like the
 * end of those before it: they would all be taken to be called so. In the chart's unit. */
static double
next_of(const struct tp_timeline_window *w, size_t bar)
{
	const struct tp_timeline_bar *own = &w->bars[bar], *before = own - 1, *next = own + 1;

	if (bar != 0 && before->row == own->row && own->from - before->to < apart_share * w->length)
		return own->to;
	return bar + 1 < w->bar_count && next->row == own->row ? next->from : w->length;
}

/* Shares of the width; next: up to where its label may go. */
static void
draw_bar(const struct tp_timeline_bar *bar, double from, double to, double next,
	struct tp_canvas *canvas, double y)
{
	char title[TEXT_BUF];
	int n = snprintf(title, sizeof title, "%.*s%s%.*s", TP_ARG(bar->label),
		bar->note.len != 0 ? ": " : "", TP_ARG(bar->note));
	struct tp_slice said = n < TEXT_BUF ? (struct tp_slice){title, (size_t)n} : bar->note;

	to = fmax(to, from + least_share);
	canvas->ops->mark(
		canvas, (struct tp_x){from, 0}, (struct tp_x){to, 0}, y, BAR_PX, bar->hue, bar->tint, said);
	tp_bar_label_draw(canvas, bar->label,
		(struct tp_bar){from, to, next, bar->tint == 0 ? bar->hue : TP_HUE_NONE},
		y + BAR_BASELINE_PX, said);
}

static bool
is_head(const struct tp_timeline *t, size_t row)
{
	for (size_t i = 0; i < t->window_count; i++) {
		for (size_t k = 0; k < t->windows[i].bar_count; k++) {
			if (t->windows[i].bars[k].row == row)
				return false;
		}
	}
	return true;
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_timeline *t = chart->timeline;
	struct scale scale = scale_of(chart);
	size_t lines = title_lines(chart);
	double from = 0, rows = top + top_px(chart), bottom = rows + ROW_PX * (double)t->row_count;
	double room_px = tp_row_names_px(t->rows, t->row_count, NAME_PX);

	for (size_t i = 0; i < t->row_count; i++) {
		double y = rows + ROW_PX * (double)i + BAR_BASELINE_PX;

		if (is_head(t, i))
			tp_row_head_draw(canvas, t->rows, t->row_count, i, room_px, y, NAME_PX);
		else
			tp_row_name_draw(canvas, t->rows, t->row_count, i, room_px, y, NAME_PX, TP_INK_INK);
	}
	for (size_t i = 0; i < t->window_count; i++) {
		const struct tp_timeline_window *w = &t->windows[i];
		double to = from + w->length * scale.per_unit;

		double line = top + TITLE_LINE_PX * (double)(lines == 1 ? 0 : i);

		draw_title(w, from, to, lines > 1, canvas, line + TITLE_BASELINE_PX);
		/* What leads from a title past those below it. */
		if (i + 1 < lines)
			canvas->ops->line(canvas, (struct tp_x){from, 0}, line + TITLE_BASELINE_PX + 4,
				(struct tp_x){from, 0}, rows, TP_INK_LINE2, 1, false);
		draw_ticks(&scale, w, from, to, canvas, rows - TOP_PX, bottom);
		for (size_t k = 0; k < w->bar_count; k++) {
			const struct tp_timeline_bar *bar = &w->bars[k];

			draw_bar(bar, from + bar->from * scale.per_unit, from + bar->to * scale.per_unit,
				from + next_of(w, k) * scale.per_unit, canvas, rows + ROW_PX * (double)bar->row);
		}
		from = to + gap_share;
	}
}

const struct tp_chart_layout tp_timeline_layout = {
	.height = height,
	.margins = margins,
	.draw = draw,
};
