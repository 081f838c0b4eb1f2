/* Lanes: a name at left, an interval as a bar that says its name where there is room; where an end is not known it is drawn
 * open. */
#include "chart/lanes.h"

#include <math.h>
#include <stdio.h>

#include "chart/bar_label.h"
#include "chart/row_name.h"

enum {
	ROW_PX = 24,
	BAR_PX = 18,
	BASELINE_PX = 13,
	NAME_PX = 12,
	BELOW_PX = 8,
	TITLE_BUF = 512,
};

static const double least_share = .0015; /* so that it can be seen */

double
tp_curves_share(const struct tp_curves *all, double x)
{
	return fmin(fmax((x - all->low) / (all->high - all->low), 0), 1);
}

double
tp_lanes_height(const struct tp_curves *all)
{
	return all->lane_count != 0 ? (double)all->lane_count * ROW_PX + BELOW_PX : 0;
}

double
tp_lanes_margin(const struct tp_curves *all)
{
	double room_px = 0;

	for (size_t i = 0; i < all->lane_count; i++)
		room_px = fmax(room_px, tp_row_names_px(&all->lanes[i].label, 1, NAME_PX));
	return room_px;
}

static void
draw_period(
	const struct tp_curves *all, const struct tp_period *k, struct tp_canvas *canvas, double top)
{
	double from = tp_curves_share(all, k->from), to = tp_curves_share(all, k->to);
	char title[TITLE_BUF];
	int n = snprintf(title, sizeof title, "%.*s%s%.*s%s", TP_ARG(k->label),
		k->note.len != 0 ? ": " : "", TP_ARG(k->note), k->open ? ", no end is marked" : "");
	struct tp_slice said = n < TITLE_BUF ? (struct tp_slice){title, (size_t)n} : k->note;

	if (to - from < least_share) {
		to = fmin(1, from + least_share);
		from = to - least_share;
	}
	canvas->ops->mark(
		canvas, (struct tp_x){from, 0}, (struct tp_x){to, 0}, top, BAR_PX, k->hue, k->tint, said);
	if (k->tint == 0 && k->hue != TP_HUE_IDLE && k->hue != TP_HUE_NONE)
		tp_bar_label_draw(canvas, k->label, from, to, top + BASELINE_PX, k->hue, said);
	if (k->open)
		canvas->ops->line(canvas, (struct tp_x){to, 0}, top - 2, (struct tp_x){to, 0},
			top + BAR_PX + 2, TP_INK_INK, 2, true);
}

void
tp_lanes_draw(const struct tp_curves *all, struct tp_canvas *canvas, double top)
{
	double room_px = tp_lanes_margin(all);

	for (size_t i = 0; i < all->lane_count; i++, top += ROW_PX) {
		const struct tp_lane *lane = &all->lanes[i];

		tp_row_name_draw(canvas, lane->label, room_px, top + BASELINE_PX, NAME_PX, TP_INK_INK);
		canvas->ops->line(canvas, (struct tp_x){0, 0}, top + BAR_PX + 3, (struct tp_x){1, 0},
			top + BAR_PX + 3, TP_INK_LINE, 1, false);
		for (size_t k = 0; k < lane->count; k++)
			draw_period(all, &lane->periods[k], canvas, top);
	}
}
