/* Charts in JSON: their series, points and cells as numbers. */
#include "render/json.h"

#include <math.h>

static const char *const chart_kinds[] = {
	[TP_CHART_STACK] = "stack",
	[TP_CHART_STRIP] = "strip",
	[TP_CHART_BARS] = "bars",
	[TP_CHART_SCATTER] = "scatter",
	[TP_CHART_GRID] = "grid",
	[TP_CHART_TILE] = "tile",
	[TP_CHART_CURVES] = "curves",
	[TP_CHART_FLAME] = "flame",
	[TP_CHART_GRAPH] = "graph",
};

static const char *const point_roles[] = {
	[TP_POINT_OTHER] = "other",
	[TP_POINT_NAMED] = "named",
	[TP_POINT_WHOLE] = "whole",
	[TP_POINT_MEAN] = "mean",
};

static void
put_series(struct tp_json_report *w, const struct tp_series *s, size_t points)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "key", s->key);
	tp_json_string(&w->json, "label", s->label);
	tp_json_string(&w->json, "hue", tp_hue_name(s->hue));
	tp_json_put_numbers(w, "values", s->values, points);
	tp_json_close(&w->json);
}

static void
put_scatter(struct tp_json_report *w, const struct tp_scatter *s)
{
	tp_json_string(&w->json, "x_unit", tp_unit_name(s->x_unit));
	tp_json_open(&w->json, "points", TP_JSON_ARRAY);
	for (size_t i = 0; i < s->point_count; i++) {
		const struct tp_point *p = &s->points[i];

		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_put_name(w, "role", point_roles[p->role]);
		tp_json_string(&w->json, "label", p->label);
		tp_json_number(&w->json, "x", p->x);
		tp_json_number(&w->json, "y", p->y);
		tp_json_number(&w->json, "weight", p->weight);
		if (p->role == TP_POINT_NAMED) {
			tp_json_string(&w->json, "hue", tp_hue_name(p->hue));
			tp_json_integer(&w->json, "number", p->number);
		}
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	tp_json_open(&w->json, "ceilings", TP_JSON_ARRAY);
	for (size_t i = 0; i < s->ceiling_count; i++) {
		const struct tp_ceiling *k = &s->ceilings[i];

		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "key", k->key);
		tp_json_string(&w->json, "label", k->label);
		tp_json_number(&w->json, k->y > 0 ? "y" : "slope", k->y > 0 ? k->y : k->slope);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_grid(struct tp_json_report *w, const struct tp_grid *g)
{
	tp_json_put_filled(w, "title", g->title);
	tp_json_integer(&w->json, "columns", (int64_t)g->columns);
	tp_json_integer(&w->json, "group", (int64_t)g->group);
	tp_json_number(&w->json, "low", g->low);
	tp_json_number(&w->json, "high", g->high);
	tp_json_open(&w->json, "rows", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < g->row_count; i++)
		tp_json_string(&w->json, NULL, g->rows[i]);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "cells", TP_JSON_ARRAY);
	for (size_t i = 0; i < g->row_count * g->columns; i++) {
		if (isnan(g->values[i]))
			continue;
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_integer(&w->json, "cell", (int64_t)i);
		tp_json_string(&w->json, "label", g->labels[i]);
		tp_json_number(&w->json, "value", g->values[i]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	tp_json_open(&w->json, "marked", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < g->marked_count; i++)
		tp_json_integer(&w->json, NULL, (int64_t)g->marked[i]);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "links", TP_JSON_ARRAY);
	for (size_t i = 0; i < g->link_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_ARRAY);
		tp_json_integer(&w->json, NULL, (int64_t)g->links[i][0]);
		tp_json_integer(&w->json, NULL, (int64_t)g->links[i][1]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_lifetimes(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_open(&w->json, "lifetimes", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->lifetime_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", c->lifetimes[i].label);
		tp_json_put_filled(w, "note", c->lifetimes[i].note);
		tp_json_number(&w->json, "from", c->lifetimes[i].from);
		tp_json_number(&w->json, "to", c->lifetimes[i].to);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_frames(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_open(&w->json, "frames", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->frame_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", c->frames[i].label);
		tp_json_put_filled(w, "note", c->frames[i].note);
		tp_json_integer(&w->json, "row", c->frames[i].row);
		tp_json_number(&w->json, "from", c->frames[i].from);
		tp_json_number(&w->json, "to", c->frames[i].to);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

static void
put_diagram(struct tp_json_report *w, const struct tp_diagram *d)
{
	tp_json_open(&w->json, "boxes", TP_JSON_ARRAY);
	for (size_t i = 0; i < d->box_count; i++) {
		const struct tp_box *b = &d->boxes[i];

		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", b->label);
		tp_json_put_filled(w, "note", b->note);
		tp_json_put_filled(w, "more", b->more);
		if (b->strong)
			tp_json_put_name(w, "role", "main");
		if (b->hue != TP_HUE_NONE)
			tp_json_string(&w->json, "hue", tp_hue_name(b->hue));
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	tp_json_open(&w->json, "arrows", TP_JSON_ARRAY);
	for (size_t i = 0; i < d->arrow_count; i++) {
		const struct tp_arrow *a = &d->arrows[i];

		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_integer(&w->json, "from", (int64_t)a->from);
		tp_json_integer(&w->json, "to", (int64_t)a->to);
		tp_json_number(&w->json, "weight", a->weight);
		tp_json_put_filled(w, "label", a->label);
		if (a->control)
			tp_json_put_name(w, "kind", "control");
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

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
put_odds(struct tp_json_report *w, const struct tp_curve *c)
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
put_curves(struct tp_json_report *w, const struct tp_curves *all)
{
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
			put_odds(w, &all->curves[i]);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
}

void
tp_json_put_chart(struct tp_json_report *w, const struct tp_chart *c)
{
	tp_json_put_name(w, "chart", chart_kinds[c->kind]);
	tp_json_string(&w->json, "alt", c->alt);
	tp_json_string(&w->json, "unit", tp_unit_name(c->unit));
	if (c->scatter != NULL) {
		put_scatter(w, c->scatter);
		return;
	}
	if (c->grid != NULL) {
		put_grid(w, c->grid);
		return;
	}
	if (c->curves != NULL) {
		put_curves(w, c->curves);
		return;
	}
	if (c->frames != NULL) {
		put_frames(w, c);
		return;
	}
	if (c->diagram != NULL) {
		put_diagram(w, c->diagram);
		return;
	}
	tp_json_open(&w->json, "labels", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < c->point_count; i++)
		tp_json_string(&w->json, NULL, c->labels[i]);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "series", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->series_count; i++)
		put_series(w, &c->series[i], c->point_count);
	tp_json_close(&w->json);
	tp_json_open(&w->json, "rules", TP_JSON_ARRAY);
	for (size_t i = 0; i < c->rule_count; i++) {
		tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
		tp_json_string(&w->json, "label", c->rules[i].label);
		tp_json_number(&w->json, "value", c->rules[i].value);
		tp_json_close(&w->json);
	}
	tp_json_close(&w->json);
	if (c->marked != SIZE_MAX)
		tp_json_integer(&w->json, "marked", (int64_t)c->marked);
	if (c->lifetime_count != 0)
		put_lifetimes(w, c);
	if (c->open == NULL)
		return;
	tp_json_open(&w->json, "open", TP_JSON_FLAT_ARRAY);
	for (size_t i = 0; i < c->point_count; i++) {
		if (c->open[i])
			tp_json_integer(&w->json, NULL, (int64_t)i);
	}
	tp_json_close(&w->json);
}
