/* The words of lanes and curves: their intervals, points and moments, in JSON and in the outline. */
#include "render/chart_words.h"

#include <math.h>

#include "render/json.h"
#include "render/outline.h"
#include "report/shape.h"

static void
put_curves(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_shape(w, &tp_curves_shape, c->curves, c->point_count);
}

static void
show_lane(struct tp_outline *o, const struct tp_lane *lane)
{
	tp_outline_indent(o, 1);
	tp_outline_between(o, "lane ", lane->label, ":\n");
	for (size_t i = 0; i < lane->count && i < TP_OUTLINE_MOST; i++) {
		const struct tp_period *k = &lane->periods[i];

		tp_outline_indent(o, 2);
		tp_outline_put(o, k->label);
		tp_sink_printf(o->out, " %.13g to %.13g%s", k->from, k->to, k->open ? " (open)" : "");
		tp_outline_between(o, k->note.len != 0 ? ": " : "", k->note, "\n");
	}
	if (lane->count > TP_OUTLINE_MOST) {
		tp_outline_indent(o, 2);
		tp_sink_printf(o->out, "%zu more intervals\n", lane->count - TP_OUTLINE_MOST);
	}
}

static void
show_curves(struct tp_outline *o, const struct tp_chart *c)
{
	const struct tp_curves *all = c->curves;

	for (size_t i = 0; i < all->lane_count; i++)
		show_lane(o, &all->lanes[i]);
	for (size_t i = 0; i < all->curve_count; i++) {
		const struct tp_curve *k = &all->curves[i];

		tp_outline_indent(o, 1);
		tp_outline_put(o, k->label);
		tp_sink_printf(o->out, ": %zu points drawn", k->count);
		if (k->count != 0)
			tp_sink_printf(o->out, ", from %.13g, %.9g to %.13g, %.9g", k->xs[0], k->ys[0],
				k->xs[k->count - 1], k->ys[k->count - 1]);
		if (k->held)
			tp_sink_puts(o->out, ", in steps");
		if (k->not_finite != 0)
			tp_sink_printf(o->out, ", %llu not finite", (unsigned long long)k->not_finite);
		tp_sink_puts(o->out, "\n");
	}
	for (size_t i = 0; i < all->moment_count && i < TP_OUTLINE_MOST; i++) {
		tp_outline_indent(o, 1);
		tp_outline_put(o, all->moments[i].label);
		tp_sink_printf(o->out, " at %.13g\n", all->moments[i].at);
	}
	if (isfinite(all->window_from) && isfinite(all->window_to)) {
		tp_outline_indent(o, 1);
		tp_outline_put(o, all->window_label);
		tp_sink_printf(o->out, ": %.13g to %.13g\n", all->window_from, all->window_to);
	}
}

const struct tp_chart_words tp_curves_words = {
	.heading = "curves",
	.json = put_curves,
	.outline = show_curves,
};
