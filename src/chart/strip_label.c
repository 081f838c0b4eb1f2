/* The labels of a strip: as many names of points as fit, the outlined point's value, what a column stands for. */
#include "chart/strip.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "chart/label.h"
#include "report/strip_gaps.h"

enum {
	MOST_X_LABELS = 16,
	LABEL_GAP_PX = 12,
	HALF_TEXT_PX = 4,
	RULE_CLEAR_PX = 8,
	AXIS_NAME_GAP_PX = 6, /* between the plot and the name of its axis, right of it */
	RAISED_PX = 6,        /* of the label of a peak, from what is below it */
	GAP_TEXT_PX = 5,      /* of "not traced", from the base line */
	WITH_GAPS = 2,        /* slots for a column's sum where gaps are on both sides */
	SUM_GAP_PX = 5,       /* of a column's sum, from its top */
	LEAST_NAME_PX = 70,   /* a name is not cut for a narrower slot: it gives way instead */
};

/* Whether a column stands at a round number. */
static bool
is_round(const struct tp_strip *s, size_t column)
{
	bool every_point = s->columns == s->chart->point_count;
	size_t number = every_point ? tp_label_number(s->chart->labels[s->point[column]]) : SIZE_MAX;

	return (number == SIZE_MAX ? column : number) % tp_axis_stride(s->columns, 7) == 0;
}

/* The columns that may be labelled, the most important first; of few columns, all. */
static size_t
label_candidates(const struct tp_strip *s, size_t columns[static MOST_X_LABELS])
{
	size_t last = s->columns - 1;
	size_t count = 0;

	columns[count++] = last;
	if (last > 0)
		columns[count++] = 0;
	if (s->marked != SIZE_MAX && s->marked != 0 && s->marked != last)
		columns[count++] = s->marked;
	for (size_t c = 1; c < last && count < MOST_X_LABELS; c++) {
		if (is_round(s, c) && c != s->marked)
			columns[count++] = c;
	}
	for (size_t c = 1; c < last && s->columns <= MOST_X_LABELS; c++) {
		if (!is_round(s, c) && c != s->marked)
			columns[count++] = c;
	}
	return count;
}

/* As much of the name of a column as may stand below it on a plot of this width. */
static struct tp_slice
name_below(
	const struct tp_strip *s, size_t column, double width_px, char buf[static TP_STRIP_TITLE])
{
	double slot_px = width_px / (double)s->columns - LABEL_GAP_PX - 1;

	return tp_label_cut(s->chart->labels[s->point[column]], TP_STRIP_TEXT_PX, 400,
		fmax(slot_px, LEAST_NAME_PX), buf, TP_STRIP_TITLE);
}

/* Where the name of a column lies: centred, the last one right-aligned. */
static struct tp_label_span
name_span(const struct tp_strip *s, size_t column, double width_px)
{
	char buf[TP_STRIP_TITLE];
	double half = tp_label_width(name_below(s, column, width_px, buf), TP_STRIP_TEXT_PX, 400) / 2;
	double left = tp_strip_left(s, column) * width_px, right = tp_strip_right(s, column) * width_px;
	double middle = (left + right) / 2;

	if (column == s->columns - 1 && middle + half > width_px)
		return (struct tp_label_span){.low = right - 2 * half, .high = right};
	return (struct tp_label_span){.low = middle - half, .high = middle + half};
}

static void
draw_x_labels(const struct tp_strip *s)
{
	size_t columns[MOST_X_LABELS];
	struct tp_label_span wide[MOST_X_LABELS], narrow[MOST_X_LABELS];
	size_t count = label_candidates(s, columns);

	for (size_t i = 0; i < count; i++) {
		wide[i] = name_span(s, columns[i], s->canvas->width_px);
		narrow[i] = name_span(s, columns[i], tp_canvas_least_px(s->canvas));
	}
	tp_labels_drop(wide, count, LABEL_GAP_PX);
	tp_labels_drop(narrow, count, LABEL_GAP_PX);
	for (size_t i = 0; i < count; i++) {
		double left = tp_strip_left(s, columns[i]), right = tp_strip_right(s, columns[i]);
		bool at_end = columns[i] == s->columns - 1 && wide[i].high == right * s->canvas->width_px;
		struct tp_slice name = s->chart->labels[s->point[columns[i]]];
		char cut[TP_STRIP_TITLE], cut_narrow[TP_STRIP_TITLE];

		if (!wide[i].kept)
			continue;
		struct tp_canvas_text text = {.x = {at_end ? right : (left + right) / 2, 0},
			.y = s->base + TP_STRIP_NAME_BELOW_PX,
			.anchor = at_end ? TP_ANCHOR_END : TP_ANCHOR_MIDDLE,
			.ink = TP_INK_INK3,
			.text = name_below(s, columns[i], s->canvas->width_px, cut)};

		text.title = text.text.len != name.len ? name : TP_S("");
		tp_canvas_write_both(s->canvas, text,
			narrow[i].kept ? name_below(s, columns[i], tp_canvas_least_px(s->canvas), cut_narrow)
						   : TP_S(""));
	}
}

/* How many px of a high strip are free above the columns that a text from low to high px would cover. */
static double
free_above(const struct tp_strip *s, double low, double high)
{
	double top = s->base;

	for (size_t c = 0; c < s->columns; c++) {
		double left = tp_strip_left(s, c) * s->canvas->width_px;
		double right = tp_strip_right(s, c) * s->canvas->width_px;

		if (left < high && low < right)
			top = fmin(top, tp_strip_y(s, tp_chart_total(s->chart, s->point[c])));
	}
	return top - s->top;
}

/* The base line of that label: at the top, or below the rules that would strike it through. */
static double
marked_label_y(const struct tp_strip *s)
{
	double y = s->top + 14;

	for (size_t pass = 0; pass < s->chart->rule_count; pass++) {
		for (size_t i = 0; i < s->chart->rule_count; i++) {
			double rule = tp_strip_y(s, s->chart->rules[i].value);

			if (fabs(rule - (y - HALF_TEXT_PX)) < RULE_CLEAR_PX)
				y = rule + RULE_CLEAR_PX + HALF_TEXT_PX;
		}
	}
	return y;
}

/* Above an area's peak where there is room, else beside it. */
static double
peak_label_y(const struct tp_strip *s)
{
	double peak = tp_strip_y(s, tp_strip_marked_value(s));
	double above = peak - RULE_CLEAR_PX;
	bool free = above - 2 * HALF_TEXT_PX > s->top;

	for (size_t i = 0; i < s->chart->rule_count && free; i++)
		free =
			fabs(tp_strip_y(s, s->chart->rules[i].value) - (above - HALF_TEXT_PX)) >= RULE_CLEAR_PX;
	return free ? above : peak + HALF_TEXT_PX;
}

/* Puts the label beside the top of the outlined column, on the side that has room; false: neither has. */
static bool
place_beside(const struct tp_strip *s, struct tp_canvas_text *text)
{
	double width = tp_label_width(text->text, TP_STRIP_TEXT_PX, 600);
	double left = tp_strip_left(s, s->marked), right = tp_strip_right(s, s->marked);

	/* An area's peak is a point in the middle of its column, which may be wide. */
	if (s->chart->area)
		left = right = (left + right) / 2;
	double left_px = left * s->canvas->width_px - 8, right_px = right * s->canvas->width_px + 8;
	double room = s->chart->area ? 0 : text->y - s->top + HALF_TEXT_PX;
	/* The names of rules stand right of the columns. */
	double end_px = s->canvas->width_px;

	if (left_px - width >= 0 && free_above(s, left_px - width, left_px) >= room) {
		text->x = (struct tp_x){left, -8};
		text->anchor = TP_ANCHOR_END;
		return true;
	}
	text->x = (struct tp_x){right, 8};
	return right_px + width <= end_px && free_above(s, right_px, right_px + width) >= room;
}

/* The label of an area's peak stands above what is drawn under it, where there is room up to the top: neither on hatching, nor on an
 * edge. Then a line leads to it from the peak. */
static void
raise_above(const struct tp_strip *s, struct tp_canvas_text *text)
{
	double width = tp_label_width(text->text, TP_STRIP_TEXT_PX, 600);
	double at_px = text->x.share * s->canvas->width_px + text->x.px;
	double low = text->anchor == TP_ANCHOR_END ? at_px - width : at_px;
	double y = s->top + free_above(s, low, low + width) - RAISED_PX;
	double peak = tp_strip_y(s, tp_strip_marked_value(s));

	if (y >= text->y || y - 2 * HALF_TEXT_PX < s->top)
		return;
	for (size_t i = 0; i < s->chart->rule_count; i++)
		if (fabs(tp_strip_y(s, s->chart->rules[i].value) - (y - HALF_TEXT_PX)) < RULE_CLEAR_PX)
			return;
	text->y = y;
	struct tp_x middle = {(tp_strip_left(s, s->marked) + tp_strip_right(s, s->marked)) / 2, 0};

	s->canvas->ops->line(
		s->canvas, middle, y - 2 * HALF_TEXT_PX, middle, peak, TP_INK_INK, 1, false);
}

/* "4,231: 196 ms", or the value alone where only that has room; nothing where that has none either. An area's peak, "peak 196 MiB at
 * 4,231", stands on the area where it must. */
static void
draw_marked_label(const struct tp_strip *s)
{
	char buf[TP_VALUE_BUF], label[TP_STRIP_TITLE];
	size_t point = s->point[s->marked];
	struct tp_value total = tp_number(tp_strip_marked_value(s), s->chart->unit);
	struct tp_slice value = tp_value_text(total, buf);
	struct tp_slice name =
		s->chart->marked_label.len != 0 ? s->chart->marked_label : s->chart->labels[point];
	int n = s->chart->area
		? snprintf(label, sizeof label, "peak %.*s at %.*s", TP_ARG(value), TP_ARG(name))
		: snprintf(label, sizeof label, "%.*s: %.*s", TP_ARG(name), TP_ARG(value));
	struct tp_canvas_text text = {.y = s->chart->area ? peak_label_y(s) : marked_label_y(s),
		.ink = TP_INK_INK,
		.weight = 600,
		.wide = true,
		.halo = true,
		.ground = s->chart->area,
		.text = {label, n < TP_STRIP_TITLE ? (size_t)n : 0}};

	if (!place_beside(s, &text)) {
		text.text = value;
		if (!place_beside(s, &text))
			return;
	}
	if (s->chart->area)
		raise_above(s, &text);
	tp_canvas_write(s->canvas, text);
}

/* Says it when a column stands for several points. */
static void
draw_binning_note(const struct tp_strip *s)
{
	char note[96];
	size_t each = (s->chart->point_count + s->columns - 1) / s->columns;
	int n = snprintf(note, sizeof note,
		s->chart->area ? "a column is the highest of up to %zu points"
					   : "a column is the highest of up to %zu",
		each);
	/* On the side away from the mark and its label. */
	bool right = s->marked != SIZE_MAX && 2 * s->marked < s->columns;

	if (each < 2)
		return;
	TP_WRITE(s->canvas, .x = {right ? 1 : 0, right ? -4 : 4}, .y = s->top + 12,
		.anchor = right ? TP_ANCHOR_END : TP_ANCHOR_START, .ink = TP_INK_INK3, .halo = true,
		.text = {note, (size_t)n});
}

static bool
is_absent(const struct tp_strip *s, size_t column)
{
	return s->chart->absent[s->point[column]];
}

/* "not traced", once for each gap that has room for it. */
static void
draw_gaps(const struct tp_strip *s)
{
	const struct tp_slice words = TP_S("not traced");
	double needed = tp_label_width(words, TP_STRIP_TEXT_PX, 400) + LABEL_GAP_PX;

	for (size_t c = 0, end; c < s->columns; c = end + 1) {
		for (end = c; end < s->columns && is_absent(s, end); end++)
			;
		if (end == c)
			continue;
		double left = tp_strip_left(s, c), right = tp_strip_right(s, end - 1);

		if ((right - left) * s->canvas->width_px >= needed)
			TP_WRITE(s->canvas, .x = {(left + right) / 2, 0}, .y = s->base - GAP_TEXT_PX,
				.anchor = TP_ANCHOR_MIDDLE, .ink = TP_INK_INK3, .text = words, .halo = true,
				.wide = (right - left) * tp_canvas_least_px(s->canvas) < needed);
	}
}

/* The sums above columns that have gaps between them: so there are few. */
static void
draw_sums(const struct tp_strip *s)
{
	for (size_t c = 0; c < s->columns; c++) {
		double left = tp_strip_left(s, c), right = tp_strip_right(s, c);
		double total = tp_chart_total(s->chart, s->point[c]);
		char buf[TP_VALUE_BUF];
		struct tp_slice text = tp_value_text(tp_number(total, s->chart->unit), buf);
		double needed = tp_label_width(text, TP_STRIP_TEXT_PX, 600);
		double slots =
			(c == 0 || is_absent(s, c - 1)) && (c + 1 == s->columns || is_absent(s, c + 1))
			? WITH_GAPS
			: 1;

		if (is_absent(s, c) || tp_strip_is_cut(s, c) ||
			needed > slots / (double)s->columns * s->canvas->width_px)
			continue;
		/* Neither on the axis nor on the name of a rule. */
		bool at_left = c == 0, at_right = c + 1 == s->columns;

		TP_WRITE(s->canvas,
			.x = {at_left      ? left
					: at_right ? right
							   : (left + right) / 2,
				0},
			.y = fmax(tp_strip_y(s, total) - SUM_GAP_PX, s->top + 2 * HALF_TEXT_PX),
			.anchor = at_left ? TP_ANCHOR_START
				: at_right    ? TP_ANCHOR_END
							  : TP_ANCHOR_MIDDLE,
			.ink = TP_INK_INK, .weight = 600, .halo = true, .text = text,
			.wide = needed > slots / (double)s->columns * tp_canvas_least_px(s->canvas));
	}
}

void
tp_strip_label(const struct tp_strip *s)
{
	if (s->chart->absent != NULL) {
		draw_gaps(s);
		draw_sums(s);
	}
	if (s->chart->x_from < s->chart->x_to)
		tp_x_axis_draw(s->canvas,
			&(struct tp_x_axis){
				.low = s->chart->x_from, .high = s->chart->x_to, .unit = s->chart->x_unit},
			s->base);
	else
		draw_x_labels(s);
	if (s->chart->lifetime_count != 0)
		TP_WRITE(s->canvas, .x = {1, AXIS_NAME_GAP_PX}, .y = s->base + TP_STRIP_NAME_BELOW_PX,
			.ink = TP_INK_INK3, .text = TP_S("program point"));
	if (s->marked != SIZE_MAX && s->chart->legend && s->chart->absent == NULL &&
		!tp_strip_is_cut(s, s->marked))
		draw_marked_label(s);
	draw_binning_note(s);
}
