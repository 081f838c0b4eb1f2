/* Lifetimes below a strip, over the same x axis: a name, and below it a bar as long as the thing was there. */
#include "chart/strip.h"

#include <math.h>
#include <stdio.h>

#include "chart/label.h"

enum {
	TITLE_PX = 24, /* above the first */
	ROW_PX = 24,
	TEXT_PX = 13, /* from a row's top to the base line of its name */
	BAR_TOP_PX = 17,
	BAR_PX = 5,
	LEAST_PX = 2,
};

double
tp_strip_lifetimes_height(const struct tp_chart *chart)
{
	return chart->lifetime_count != 0 ? TITLE_PX + ROW_PX * (double)chart->lifetime_count : 0;
}

static void
draw_text(const struct tp_strip *s, const struct tp_lifetime *life, double y)
{
	char cut[TP_STRIP_TITLE], full[TP_STRIP_TITLE], note[TP_STRIP_TITLE];
	double note_width;
	int n = snprintf(
		note, sizeof note, "%s%.*s", life->note.len != 0 ? " \u00b7 " : "", TP_ARG(life->note));
	struct tp_slice rest = {note, n < TP_STRIP_TITLE ? (size_t)n : 0};
	/* On a phone there is less room than anywhere else. */
	double room = s->canvas->narrow_px > 0 ? fmin(s->canvas->narrow_px, s->canvas->width_px)
										   : s->canvas->width_px;

	note_width = tp_label_width(rest, TP_STRIP_TEXT_PX, 400);
	struct tp_slice name =
		tp_label_cut(life->label, TP_STRIP_TEXT_PX, 400, room - note_width, cut, sizeof cut);

	n = snprintf(full, sizeof full, "%.*s%.*s", TP_ARG(name), TP_ARG(rest));
	s->canvas->ops->text(s->canvas,
		&(struct tp_canvas_text){.x = {0, 0},
			.y = y,
			.ink = TP_INK_INK2,
			.size_px = TP_STRIP_TEXT_PX,
			.weight = 400,
			.text = {full, n < TP_STRIP_TITLE ? (size_t)n : 0},
			.title = name.len != life->label.len ? life->label : TP_S("")});
}

static void
draw_bar(const struct tp_strip *s, const struct tp_lifetime *life, double y)
{
	/* The strip's slots may be more than its columns. */
	double used = (double)s->columns / (double)s->slots;
	struct tp_x left = {life->from * used, 0}, right = {life->to * used, 0};
	char title[TP_STRIP_TITLE];
	int n = snprintf(title, sizeof title, "%.*s%s%.*s", TP_ARG(life->label),
		life->note.len != 0 ? ": " : "", TP_ARG(life->note));

	s->canvas->ops->fill(
		s->canvas, (struct tp_x){0, 0}, (struct tp_x){used, 0}, y, BAR_PX, TP_INK_TRACK);
	/* What is too short to be seen is as wide as a line. */
	if ((right.share - left.share) * s->canvas->width_px < LEAST_PX)
		right = (struct tp_x){left.share, LEAST_PX};
	s->canvas->ops->mark(s->canvas, left, right, y, BAR_PX, life->hue, life->tint,
		n < TP_STRIP_TITLE ? (struct tp_slice){title, (size_t)n} : TP_S(""));
}

void
tp_strip_lifetimes(const struct tp_strip *s, double top)
{
	const struct tp_chart *chart = s->chart;

	if (chart->lifetime_count == 0)
		return;
	s->canvas->ops->text(s->canvas,
		&(struct tp_canvas_text){.x = {0, 0},
			.y = top + TITLE_PX - 8,
			.ink = TP_INK_INK,
			.size_px = TP_STRIP_TEXT_PX,
			.weight = 600,
			.text = chart->lifetimes_title});
	for (size_t i = 0; i < chart->lifetime_count; i++) {
		double y = top + TITLE_PX + ROW_PX * (double)i;

		draw_text(s, &chart->lifetimes[i], y + TEXT_PX);
		draw_bar(s, &chart->lifetimes[i], y + BAR_TOP_PX);
	}
	if (s->marked == SIZE_MAX)
		return;
	struct tp_x peak = {(tp_strip_left(s, s->marked) + tp_strip_right(s, s->marked)) / 2, 0};

	s->canvas->ops->line(s->canvas, peak, top + TITLE_PX, peak,
		top + tp_strip_lifetimes_height(chart), TP_INK_INK3, 1, true);
}
