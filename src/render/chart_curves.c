/* The words of lanes and curves: their intervals, points and moments, in JSON and in the outline. */
#include "render/chart_words.h"

#include <math.h>

#include "render/json.h"
#include "render/outline.h"

static void
put_lanes(struct tp_json_report *w, const struct tp_curves *all)
{
	tp_json_open(&w->json, "lanes", TP_JSON_ARRAY);
	for (size_t i = 0; i < all->lane_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_OBJECT);
		tp_json_string(&w->json, "label", all->lanes[i].label);
		tp_json_open(&w->json, "intervals", TP_JSON_ARRAY);
		for (size_t k = 0; k < all->lanes[i].count; k++) {
			const struct tp_period *v = &all->lanes[i].periods[k];

			tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
			tp_json_string(&w->json, "label", v->label);
			tp_json_put_filled(w, "note", v->note);
			tp_json_string(&w->json, "hue", tp_hue_name(v->hue));
			tp_json_number(&w->json, "from", v->from);
			tp_json_number(&w->json, "to", v->to);
			if (v->open)
				tp_json_bool(&w->json, "open", true);
			tp_json_close(&w->json);
		}
		tp_json_close(&w->json);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_moments(struct tp_json_report *w, const struct tp_curves *all)
{
	tp_json_open(&w->json, "moments", TP_JSON_ARRAY);
	for (size_t i = 0; i < all->moment_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", all->moments[i].label);
		tp_json_number(&w->json, "at", all->moments[i].at);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_non_finites(struct tp_json_report *w, const struct tp_curve *c)
{
	static const char *const kinds[TP_NON_FINITE_KINDS] = {
		[TP_NON_FINITE_NAN] = "nan",
		[TP_NON_FINITE_ABOVE] = "above",
		[TP_NON_FINITE_BELOW] = "below",
	};

	tp_json_integer(&w->json, "not_finite", (int64_t)c->not_finite);
	tp_json_open(&w->json, "odd", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < c->non_finite_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_number(&w->json, "x", c->non_finites[i].x);
		tp_json_put_name(w, "is", kinds[c->non_finites[i].kind]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_curves(struct tp_json_report *w, const struct tp_chart *c)
{
	const struct tp_curves *all = c->curves;

	tp_json_string(&w->json, "x_title", all->x_title);
	tp_json_number(&w->json, "low", all->low);
	tp_json_number(&w->json, "high", all->high);
	if (isfinite(all->window_from) && isfinite(all->window_to)) {
		tp_json_number(&w->json, "window_from", all->window_from);
		tp_json_number(&w->json, "window_to", all->window_to);
	}
	tp_json_bool(&w->json, "utc", all->utc);
	if (all->lane_count != 0)
		put_lanes(w, all);
	if (all->moment_count != 0)
		put_moments(w, all);
	tp_json_open(&w->json, "curves", TP_JSON_ARRAY);
	for (size_t i = 0; i < all->curve_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", all->curves[i].label);
		tp_json_integer(&w->json, "points", (int64_t)all->curves[i].points);
		if (all->curves[i].held)
			tp_json_bool(&w->json, "held", true);
		tp_json_put_numbers(w, "x", all->curves[i].xs, all->curves[i].count);
		tp_json_put_numbers(w, "y", all->curves[i].ys, all->curves[i].count);
		if (all->curves[i].non_finite_count != 0)
			put_non_finites(w, &all->curves[i]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
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
	.name = "curves",
	.heading = "curves",
	.json = put_curves,
	.outline = show_curves,
};
