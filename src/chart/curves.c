/* Curves above each other over one axis, each between its own least and greatest value, which stand at its right; a band marks a
 * part of the axis in all of them. */
#include "chart/layout.h"

#include <math.h>
#include <stdio.h>

#include "base/arena.h"
#include "chart/canvas.h"
#include "chart/label.h"
#include "report/doc.h"

enum {
	LABEL_PX = 18, /* above each plot, its name in it */
	PLOT_PX = 54,
	GAP_PX = 8,
	AXIS_PX = 20, /* below the last */
	LEFT_PX = 0,
	RIGHT_PX = 84,
	TEXT_PX = 11,
	TICKS = 5,
	LABEL_BUF = 512,
};

static const double least_window_share = 0.004; /* so that it can be seen */

static double
height(const struct tp_chart *chart)
{
	return (double)chart->curves->curve_count * (LABEL_PX + PLOT_PX + GAP_PX) + AXIS_PX;
}

static struct tp_margins
margins(const struct tp_chart *chart)
{
	(void)chart;
	return (struct tp_margins){LEFT_PX, RIGHT_PX};
}

static double
share_of(const struct tp_curves *all, double x)
{
	double share = all->high > all->low ? (x - all->low) / (all->high - all->low) : 0;

	return fmin(fmax(share, 0), 1);
}

static void
draw_number(struct tp_canvas *canvas, double value, double y)
{
	char buf[32];
	int n = snprintf(buf, sizeof buf, "%.4g", value);

	canvas->ops->text(canvas,
		&(struct tp_canvas_text){.x = {1, 6},
			.y = y,
			.ink = TP_INK_INK3,
			.size_px = TEXT_PX,
			.weight = 400,
			.wide = true,
			.text = {buf, (size_t)n}});
}

static void
draw_window(const struct tp_curves *all, struct tp_canvas *canvas, double top)
{
	if (!isfinite(all->window_from) || !isfinite(all->window_to))
		return;
	double from = share_of(all, all->window_from), to = share_of(all, all->window_to);

	if (to - from < least_window_share)
		to = fmin(1, from + least_window_share);
	canvas->ops->fill(
		canvas, (struct tp_x){from, 0}, (struct tp_x){to, 0}, top, PLOT_PX, TP_INK_TRACK);
}

static void
draw_line(const struct tp_curves *all, const struct tp_curve *c, struct tp_canvas *canvas,
	double top, struct tp_arena *scratch)
{
	struct tp_x left = {0, 0}, right = {1, 0};
	double *xs = tp_new_array(scratch, double, c->count),
		   *ys = tp_new_array(scratch, double, c->count);
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < c->count; i++) {
		least = fmin(least, c->ys[i]);
		most = fmax(most, c->ys[i]);
	}
	for (size_t i = 0; i < c->count; i++) {
		double share = most > least ? (c->ys[i] - least) / (most - least) : .5;

		xs[i] = share_of(all, c->xs[i]);
		ys[i] = top + 2 + (1 - share) * (PLOT_PX - 4);
	}
	canvas->ops->curve(
		canvas, left, right, xs, ys, c->count, false, top + PLOT_PX, TP_INK_INK2, 1.25);
	if (c->count == 1)
		canvas->ops->dot(canvas, (struct tp_x){xs[0], 0}, ys[0], 2, TP_INK_INK);
	draw_number(canvas, most, top + 10);
	if (most > least)
		draw_number(canvas, least, top + PLOT_PX);
}

static void
draw_axis(const struct tp_curves *all, struct tp_canvas *canvas, double y)
{
	char buf[32];

	for (int i = 0; i < TICKS; i++) {
		double share = (double)i / (TICKS - 1);
		bool last = i == TICKS - 1;
		int n = snprintf(buf, sizeof buf, "%s%.6g", i == 0 ? "step " : "",
			round(all->low + share * (all->high - all->low)));

		canvas->ops->text(canvas,
			&(struct tp_canvas_text){.x = {share, 0},
				.y = y + 14,
				.anchor = i == 0 ? TP_ANCHOR_START
					: last       ? TP_ANCHOR_END
								 : TP_ANCHOR_MIDDLE,
				.ink = TP_INK_INK3,
				.size_px = TEXT_PX,
				.weight = 400,
				.wide = i % 2 == 1,
				.text = {buf, (size_t)n}});
	}
}

static void
draw(const struct tp_chart *chart, struct tp_canvas *canvas, double top)
{
	const struct tp_curves *all = chart->curves;
	struct tp_arena *scratch = tp_arena_new();
	struct tp_x left = {0, 0}, right = {1, 0};
	double room =
		canvas->narrow_px > 0 ? fmin(canvas->narrow_px, canvas->width_px) : canvas->width_px;

	for (size_t i = 0; i < all->curve_count; i++) {
		const struct tp_curve *c = &all->curves[i];
		char buf[LABEL_BUF];

		canvas->ops->text(canvas,
			&(struct tp_canvas_text){.x = left,
				.y = top + LABEL_PX - 5,
				.ink = TP_INK_INK,
				.size_px = TEXT_PX,
				.weight = 500,
				.text = tp_label_cut(c->label, TEXT_PX, 500, room, buf, sizeof buf),
				.title = c->label});
		top += LABEL_PX;
		draw_window(all, canvas, top);
		canvas->ops->line(
			canvas, left, top + PLOT_PX, right, top + PLOT_PX, TP_INK_LINE2, 1, false);
		draw_line(all, c, canvas, top, scratch);
		top += PLOT_PX + GAP_PX;
	}
	draw_axis(all, canvas, top - GAP_PX);
	tp_arena_free(scratch);
}

const struct tp_chart_layout tp_curves_layout = {
	.height = height,
	.margins = margins,
	.draw = draw,
};
