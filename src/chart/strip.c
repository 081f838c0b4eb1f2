/* Stacked columns over points (steps), with rules such as p50 and p95 and one outlined point. */
#include "chart/strip.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "chart/label.h"
#include "chart/layout.h"

enum {
	LOW_PX = 130,   /* without a legend: the strip of the first screen */
	HIGH_PX = 214,  /* with a legend: a section's own chart */
	LABELS_PX = 18, /* below the base line */
	LEFT_PX = 38,
	RIGHT_PX = 84,
	MOST_TICKS = 5,
	FEWEST_SLOTS =
		6, /* fewer columns are as wide as of so many: three steps do not become three walls */
	MOST_RULES = 6,
	RULE_GAP_PX = 13,
	PEAK_PX = 3,
	OPEN_PX = 14, /* how far the sides of a column go on whose figure is only a part */
};

/* What the axis of an area, or of columns that say their sums, is at least, by the greatest. */
static const double PEAK_ROOM = 1.1;

/* Lower ones cannot be seen. */
static const double least_mark_px = .05;

/* Lifetimes below the strip, over the same x axis: a name, and below it a bar as long as the thing was there. */
enum {
	LIVES_TITLE_PX = 24, /* above the first */
	LIFE_PX = 24,
	LIFE_BASELINE_PX = 13, /* from a row's top to the base line of its name */
	LIFE_TOP_PX = 17,
	LIFE_BAR_PX = 5,
	LEAST_LIFE_PX = 2,
};

static double
strip_height(const struct tp_chart *chart)
{
	return chart->legend ? HIGH_PX : LOW_PX;
}

static double
lifetimes_height(const struct tp_chart *chart)
{
	return chart->lifetime_count != 0 ? LIVES_TITLE_PX + LIFE_PX * (double)chart->lifetime_count
									  : 0;
}

static double
height(const struct tp_chart *chart)
{
	return strip_height(chart) + lifetimes_height(chart);
}

/* The point that stands for those from `from` up to `to`: the marked one, else the one with the largest total. */
static size_t
representative(const struct tp_chart *chart, size_t from, size_t to)
{
	size_t best = from;

	for (size_t i = from; i < to; i++) {
		if (i == chart->marked)
			return i;
		if (tp_chart_total(chart, i) > tp_chart_total(chart, best))
			best = i;
	}
	return best;
}

static size_t
columns_of(const struct tp_chart *chart)
{
	return chart->point_count < TP_STRIP_COLUMNS ? chart->point_count : TP_STRIP_COLUMNS;
}

/* A column takes 0.78 of its slot, the rest is air; few stay slim, in the middle of wide slots. An area has no air. */
static struct tp_strip_slot
slot_of(const struct tp_chart *chart)
{
	size_t columns = columns_of(chart);
	double full = .78, slim = full * (double)columns / FEWEST_SLOTS;

	if (chart->area)
		return (struct tp_strip_slot){0, 1};
	if (columns >= FEWEST_SLOTS)
		return (struct tp_strip_slot){0, full};
	return (struct tp_strip_slot){(1 - slim) / 2, slim};
}

static void
pick_columns(struct tp_strip *s)
{
	size_t points = s->chart->point_count;

	s->columns = columns_of(s->chart);
	s->slot = slot_of(s->chart);
	s->marked = SIZE_MAX;
	for (size_t c = 0; c < s->columns; c++) {
		s->point[c] =
			representative(s->chart, c * points / s->columns, (c + 1) * points / s->columns);
		if (s->point[c] == s->chart->marked)
			s->marked = c;
	}
}

/* That the axis holds. */
static double
largest(const struct tp_chart *chart)
{
	double most = tp_chart_largest(chart);

	for (size_t i = 0; i < chart->rule_count; i++)
		most = fmax(most, chart->rules[i].value);
	return fmin(most, tp_strip_cap(chart));
}

static struct tp_axis
axis_of(const struct tp_chart *chart)
{
	double most = largest(chart), room = 1;

	/* The label of an area's peak stands above it, not on its neighbours; likewise the sum of a column. */
	if ((chart->area && chart->marked < chart->point_count) || chart->absent != NULL)
		room = fmax(1, PEAK_ROOM * fmin(tp_chart_largest(chart), tp_strip_cap(chart)) / most);
	return tp_axis_with_room(most, room, chart->unit, MOST_TICKS);
}

static void
draw_grid(const struct tp_strip *s)
{
	struct tp_x left = {0, 0}, right = {1, 0};

	for (unsigned i = 0; i < s->axis.ticks; i++) {
		char buf[TP_VALUE_BUF];
		double y = tp_strip_y(s, i * s->axis.step / s->axis.factor);

		s->canvas->ops->line(
			s->canvas, left, y, right, y, i == 0 ? TP_INK_LINE2 : TP_INK_LINE, 1, false);
		TP_WRITE(s->canvas, .x = {0, -6}, .y = y + 4, .anchor = TP_ANCHOR_END, .ink = TP_INK_INK3,
			.text = tp_axis_tick(&s->axis, i, i == 0, buf));
	}
}

/* "14: Collectives 1.46 ms" */
static struct tp_slice
title_of(const struct tp_strip *s, size_t point, struct tp_slice label, double value,
	char buf[static TP_STRIP_TITLE])
{
	char value_buf[TP_VALUE_BUF];
	struct tp_slice text = tp_value_text(tp_number(value, s->chart->unit), value_buf);
	int n = snprintf(buf, TP_STRIP_TITLE, "%.*s: %.*s %.*s", TP_ARG(s->chart->labels[point]),
		TP_ARG(label), TP_ARG(text));

	return n < TP_STRIP_TITLE ? (struct tp_slice){buf, (size_t)n} : TP_S("");
}

static struct tp_slice
mark_title(const struct tp_strip *s, size_t column, const struct tp_series *series,
	char buf[static TP_STRIP_TITLE])
{
	size_t point = s->point[column];

	return title_of(s, point, series->label, series->values[point], buf);
}

/* What was paid for and not used: the hatched top of a part. Returns where the rest of the part begins. */
static double
draw_unused(const struct tp_strip *s, size_t column, const struct tp_series *series, double top,
	double bottom)
{
	struct tp_x left = {tp_strip_left(s, column), 0}, right = {tp_strip_right(s, column), 0};
	size_t point = s->point[column];
	char title[TP_STRIP_TITLE];
	double value = series->unused_count != 0 ? series->unused_values[point] : 0;
	double height = value > 0 ? (bottom - top) * (value / series->values[point]) : 0;

	if (height < least_mark_px)
		return top;
	s->canvas->ops->mark(s->canvas, left, right, top, height, series->hue, TP_TINT_UNUSED,
		height < 2 ? TP_S("") : title_of(s, point, series->unused_label, value, title));
	return top + height;
}

static void
draw_column(const struct tp_strip *s, size_t column)
{
	struct tp_x left = {tp_strip_left(s, column), 0}, right = {tp_strip_right(s, column), 0};
	double sum = 0;

	for (size_t i = 0; i < s->chart->series_count; i++) {
		const struct tp_series *series = &s->chart->series[i];
		double value = series->values[s->point[column]];
		double low = tp_strip_y(s, sum), high = tp_strip_y(s, sum + value);
		char title[TP_STRIP_TITLE];

		sum += value;
		if (low - high < least_mark_px)
			continue;
		high = draw_unused(s, column, series, high, low);
		if (low - high < least_mark_px)
			continue;
		/* A mark too thin to point at needs no tooltip. */
		s->canvas->ops->mark(s->canvas, left, right, high, low - high, series->hue, series->tint,
			low - high < 2 ? TP_S("") : mark_title(s, column, series, title));
	}
}

static double
sum_below(const struct tp_chart *chart, size_t series, size_t point)
{
	double sum = 0;

	for (size_t i = 0; i < series; i++)
		sum += chart->series[i].values[point];
	return sum;
}

/* One series as an area on those below it: a piece for each run of columns in which neither changes. */
static void
draw_series_area(const struct tp_strip *s, size_t series, struct tp_arena *scratch)
{
	const struct tp_series *of = &s->chart->series[series];
	struct tp_canvas_piece *pieces = tp_new_array(scratch, struct tp_canvas_piece, s->columns);
	double was_low = NAN, was_high = NAN;
	size_t count = 0;

	for (size_t c = 0; c < s->columns; c++) {
		double below = sum_below(s->chart, series, s->point[c]);
		double low = tp_strip_y(s, below), high = tp_strip_y(s, below + of->values[s->point[c]]);
		char *title;

		if (count != 0 && low == was_low && high == was_high) {
			pieces[count - 1].to = tp_strip_right(s, c);
			continue;
		}
		was_low = was_high = NAN;
		if (!(low - high >= least_mark_px))
			continue;
		title = tp_arena_array(scratch, TP_STRIP_TITLE, 1);
		pieces[count++] = (struct tp_canvas_piece){.from = tp_strip_left(s, c),
			.to = tp_strip_right(s, c),
			.top = high,
			.height = low - high,
			.title = mark_title(s, c, of, title)};
		was_low = low;
		was_high = high;
	}
	s->canvas->ops->area(s->canvas, pieces, count, of->hue, of->tint);
}

static void
draw_area(const struct tp_strip *s)
{
	struct tp_arena *scratch = tp_arena_new();

	for (size_t i = 0; i < s->chart->series_count; i++)
		draw_series_area(s, i, scratch);
	tp_arena_free(scratch);
}

/* The outlined column; of an area its peak, from there down. */
static void
draw_marked(const struct tp_strip *s)
{
	struct tp_x left = {tp_strip_left(s, s->marked), 0}, right = {tp_strip_right(s, s->marked), 0};
	struct tp_x middle = {(left.share + right.share) / 2, 0};
	double y = tp_strip_y(s, tp_strip_marked_value(s));

	if (!s->chart->area) {
		s->canvas->ops->frame(s->canvas, left, right, y - 1, s->base - y + 1, TP_INK_INK, 1.5);
		return;
	}
	/* It must be seen on every tint, on a dark ground, too. */
	s->canvas->ops->line(s->canvas, middle, y, middle, s->base, TP_INK_PAPER, 3, false);
	s->canvas->ops->line(s->canvas, middle, y, middle, s->base, TP_INK_INK, 1, true);
	s->canvas->ops->dot(s->canvas, middle, y, PEAK_PX + 1.5, TP_INK_PAPER);
	s->canvas->ops->dot(s->canvas, middle, y, PEAK_PX, TP_INK_INK);
}

/* The sides of a column whose figure is only a part go on, dashed, and it has no upper edge. */
static void
draw_open(const struct tp_strip *s, size_t column)
{
	struct tp_x left = {tp_strip_left(s, column), 0}, right = {tp_strip_right(s, column), 0};
	double top = tp_strip_y(s, tp_chart_total(s->chart, s->point[column]));
	double high = top - OPEN_PX > s->top ? top - OPEN_PX : s->top;

	s->canvas->ops->line(s->canvas, left, s->base, left, high, TP_INK_INK2, 1, true);
	s->canvas->ops->line(s->canvas, right, s->base, right, high, TP_INK_INK2, 1, true);
}

static void
draw_rules(const struct tp_strip *s)
{
	double y[MOST_RULES];
	size_t order[MOST_RULES];
	size_t count = s->chart->rule_count < MOST_RULES ? s->chart->rule_count : MOST_RULES;
	struct tp_x left = {0, 0}, right = {1, 0};

	for (size_t i = 0; i < count; i++) {
		size_t at = i;

		for (; at > 0 && s->chart->rules[order[at - 1]].value < s->chart->rules[i].value; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (size_t i = 0; i < count; i++)
		y[i] = tp_strip_y(s, s->chart->rules[order[i]].value);
	for (size_t i = 0; i < count; i++)
		if (!tp_strip_is_above(s, s->chart->rules[order[i]].value))
			s->canvas->ops->line(s->canvas, left, y[i], right, y[i], TP_INK_INK, 1, true);
	tp_labels_spread(y, count, RULE_GAP_PX, s->top, s->base);
	for (size_t i = 0; i < count; i++) {
		char buf[TP_VALUE_BUF], label[TP_STRIP_TITLE];
		const struct tp_rule *rule = &s->chart->rules[order[i]];
		struct tp_slice value = tp_value_text(tp_number(rule->value, s->chart->unit), buf);
		int n = snprintf(label, sizeof label, "%.*s %.*s", TP_ARG(rule->label), TP_ARG(value));

		if (tp_strip_is_above(s, rule->value))
			TP_WRITE(s->canvas, .x = {1, 4}, .y = y[i] + 4, .anchor = TP_ANCHOR_END,
				.ink = TP_INK_INK2, .text = TP_S("↑"));
		TP_WRITE(s->canvas, .x = {1, 6}, .y = y[i] + 4, .ink = TP_INK_INK2,
			.text = n < TP_STRIP_TITLE ? (struct tp_slice){label, (size_t)n} : value);
	}
}

/* "fusion.12 · 4.00 MiB, temporary", with the name cut to the room that there is. */
static struct tp_slice
life_words(const struct tp_lifetime *life, double room_px, char buf[static TP_STRIP_TITLE])
{
	char cut[TP_STRIP_TITLE], note[TP_STRIP_TITLE];
	int n = snprintf(
		note, sizeof note, "%s%.*s", life->note.len != 0 ? " \u00b7 " : "", TP_ARG(life->note));
	struct tp_slice rest = {note, n < TP_STRIP_TITLE ? (size_t)n : 0};
	struct tp_slice name = tp_label_cut(life->label, TP_STRIP_TEXT_PX, 400,
		room_px - tp_label_width(rest, TP_STRIP_TEXT_PX, 400), cut, sizeof cut);

	n = snprintf(buf, TP_STRIP_TITLE, "%.*s%.*s", TP_ARG(name), TP_ARG(rest));
	return (struct tp_slice){buf, n < TP_STRIP_TITLE ? (size_t)n : 0};
}

static void
draw_life_name(const struct tp_strip *s, const struct tp_lifetime *life, double y)
{
	char wide[TP_STRIP_TITLE], narrow[TP_STRIP_TITLE];
	struct tp_slice on_phone = life_words(life, tp_canvas_least_px(s->canvas), narrow);

	tp_canvas_write_both(s->canvas,
		(struct tp_canvas_text){.x = {0, 0},
			.y = y,
			.ink = TP_INK_INK2,
			.halo = true,
			.text = life_words(life, s->canvas->width_px, wide),
			.title = tp_slice_starts(on_phone, life->label) ? TP_S("") : life->label},
		on_phone);
}

static void
draw_life(const struct tp_strip *s, const struct tp_lifetime *life, double y)
{
	struct tp_x left = {life->from, 0}, right = {life->to, 0};
	char title[TP_STRIP_TITLE];
	int n = snprintf(title, sizeof title, "%.*s%s%.*s", TP_ARG(life->label),
		life->note.len != 0 ? ": " : "", TP_ARG(life->note));

	s->canvas->ops->fill(
		s->canvas, (struct tp_x){0, 0}, (struct tp_x){1, 0}, y, LIFE_BAR_PX, TP_INK_TRACK);
	/* What is too short to be seen is as wide as a line. */
	if ((right.share - left.share) * s->canvas->width_px < LEAST_LIFE_PX)
		right = (struct tp_x){left.share, LEAST_LIFE_PX};
	s->canvas->ops->mark(s->canvas, left, right, y, LIFE_BAR_PX, life->hue, life->tint,
		n < TP_STRIP_TITLE ? (struct tp_slice){title, (size_t)n} : TP_S(""));
}

static double
life_top(double top, size_t index)
{
	return top + LIVES_TITLE_PX + LIFE_PX * (double)index;
}

/* The line of the peak goes on through all lifetimes: over their bars and behind their names. */
static void
draw_peak_below(const struct tp_strip *s, double top)
{
	if (s->marked == SIZE_MAX)
		return;
	struct tp_x peak = {(tp_strip_left(s, s->marked) + tp_strip_right(s, s->marked)) / 2, 0};

	s->canvas->ops->line(s->canvas, peak, life_top(top, 0), peak, top + lifetimes_height(s->chart),
		TP_INK_INK3, 1, true);
}

static void
draw_lifetimes(const struct tp_strip *s, double top)
{
	const struct tp_chart *chart = s->chart;

	if (chart->lifetime_count == 0)
		return;
	TP_WRITE(s->canvas, .x = {0, 0}, .y = top + LIVES_TITLE_PX - 8, .ink = TP_INK_INK,
		.weight = 600, .text = chart->lifetimes_title);
	for (size_t i = 0; i < chart->lifetime_count; i++)
		draw_life(s, &chart->lifetimes[i], life_top(top, i) + LIFE_TOP_PX);
	draw_peak_below(s, top);
	for (size_t i = 0; i < chart->lifetime_count; i++)
		draw_life_name(s, &chart->lifetimes[i], life_top(top, i) + LIFE_BASELINE_PX);
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	struct tp_strip s = {.chart = chart, .canvas = canvas, .top = top};

	s.base = top + strip_height(chart) - LABELS_PX;
	s.axis = axis_of(chart);
	pick_columns(&s);
	draw_grid(&s);
	if (chart->area)
		draw_area(&s);
	for (size_t c = 0; c < s.columns && !chart->area; c++) {
		draw_column(&s, c);
		if (chart->open != NULL && chart->open[s.point[c]])
			draw_open(&s, c);
	}
	if (s.marked != SIZE_MAX)
		draw_marked(&s);
	tp_strip_draw_gaps(&s);
	draw_rules(&s);
	tp_strip_draw_cuts(&s);
	tp_strip_label(&s);
	draw_lifetimes(&s, s.base + LABELS_PX);
}

struct tp_strip_axis
tp_chart_strip_axis(const struct tp_chart *chart)
{
	struct tp_axis y = axis_of(chart);

	return (struct tp_strip_axis){.slot = slot_of(chart),
		.height_px = strip_height(chart) - LABELS_PX,
		.top = y.top / y.factor};
}

const struct tp_chart_layout tp_strip_layout = {
	.height = height,
	.room = {LEFT_PX, RIGHT_PX},
	.legend_above = true,
	.draw = draw,
};
