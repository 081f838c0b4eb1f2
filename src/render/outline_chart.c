/* Charts in the outline: what they draw, in words. */
#include "render/outline.h"

#include <math.h>

/* Many points would drown the rest: a long series is shown by its least and greatest. */
enum { MOST_POINTS = 12 };

static void
put_point(struct tp_outline *o, const struct tp_chart *c, double value)
{
	char buf[TP_VALUE_BUF];

	tp_sink_puts(o->out, " ");
	tp_outline_put(o, tp_value_fixed(tp_number(value, c->unit), c->unit, 2, buf));
}

static void
show_series(struct tp_outline *o, const struct tp_chart *c, const struct tp_series *s)
{
	double least = s->values[0], greatest = s->values[0];

	tp_outline_indent(o, 1);
	tp_outline_put(o, s->label);
	tp_outline_between(o, " (", tp_hue_name(s->hue), "):");
	for (size_t i = 0; i < c->point_count; i++) {
		least = s->values[i] < least ? s->values[i] : least;
		greatest = s->values[i] > greatest ? s->values[i] : greatest;
		if (c->point_count <= MOST_POINTS)
			put_point(o, c, s->values[i]);
	}
	if (c->point_count > MOST_POINTS) {
		put_point(o, c, least);
		tp_sink_puts(o->out, " to");
		put_point(o, c, greatest);
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_points(struct tp_outline *o, const struct tp_chart *c)
{
	size_t count = c->point_count;

	tp_outline_indent(o, 1);
	tp_sink_printf(o->out, "points (%zu): ", count);
	for (size_t i = 0; i < count && count <= MOST_POINTS; i++)
		tp_outline_between(o, i == 0 ? "" : " | ", c->labels[i], "");
	if (count > MOST_POINTS) {
		tp_outline_between(o, "", c->labels[0], " to ");
		tp_outline_put(o, c->labels[count - 1]);
	}
	if (c->marked < count)
		tp_outline_between(o, ", marked: ", c->labels[c->marked], "");
	for (size_t i = 0; c->open != NULL && i < count; i++) {
		if (c->open[i])
			tp_outline_between(o, ", open: ", c->labels[i], "");
	}
	tp_sink_puts(o->out, "\n");
}

static void
show_scatter(struct tp_outline *o, const struct tp_chart *c)
{
	static const char *const roles[] = {
		[TP_POINT_OTHER] = "point ",
		[TP_POINT_NAMED] = "named point ",
		[TP_POINT_WHOLE] = "whole ",
		[TP_POINT_MEAN] = "mean ",
	};
	const struct tp_scatter *s = c->scatter;
	size_t others = 0;

	for (size_t i = 0; i < s->ceiling_count; i++) {
		const struct tp_ceiling *k = &s->ceilings[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, k->minor ? "minor ceiling " : "ceiling ", k->label,
			k->y > 0 ? ": flat\n" : ": slope\n");
	}
	for (size_t i = 0; i < s->point_count; i++) {
		const struct tp_point *p = &s->points[i];

		others += p->role == TP_POINT_OTHER;
		if (p->role == TP_POINT_OTHER && others > MOST_POINTS)
			continue;
		tp_outline_indent(o, 1);
		tp_outline_between(o, roles[p->role], p->label, ": ");
		tp_outline_value(o, tp_number(p->x, s->x_unit));
		tp_sink_puts(o->out, ", ");
		tp_outline_value(o, tp_number(p->y, c->unit));
		if (p->role == TP_POINT_NAMED)
			tp_outline_between(o, " (", tp_hue_name(p->hue), ")");
		tp_sink_puts(o->out, "\n");
	}
	if (others > MOST_POINTS) {
		tp_outline_indent(o, 1);
		tp_sink_printf(o->out, "%zu more points\n", others - MOST_POINTS);
	}
}

static void
show_grid(struct tp_outline *o, const struct tp_chart *c)
{
	const struct tp_grid *g = c->grid;

	if (g->title.len != 0) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "", g->title, "\n");
	}
	for (size_t r = 0; r < g->row_count && r < MOST_POINTS; r++) {
		tp_outline_indent(o, 1);
		tp_outline_put(o, g->rows[r]);
		tp_sink_puts(o->out, ":");
		for (size_t k = r * g->columns; k < (r + 1) * g->columns; k++) {
			char buf[TP_VALUE_BUF];

			if (isnan(g->values[k]))
				continue;
			tp_sink_puts(o->out, " ");
			tp_outline_put(o, tp_value_fixed(tp_number(g->values[k], c->unit), c->unit, 2, buf));
		}
		tp_sink_puts(o->out, "\n");
	}
	if (g->row_count > MOST_POINTS) {
		tp_outline_indent(o, 1);
		tp_sink_printf(o->out, "%zu more rows\n", g->row_count - MOST_POINTS);
	}
	for (size_t i = 0; i < g->marked_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "marked: ", g->labels[g->marked[i]], "\n");
	}
	for (size_t i = 0; i < g->link_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "link: ", g->labels[g->links[i][0]], " to ");
		tp_outline_put(o, g->labels[g->links[i][1]]);
		tp_sink_puts(o->out, "\n");
	}
}

static void
show_frames(struct tp_outline *o, const struct tp_chart *c)
{
	for (size_t i = 0; i < c->frame_count && i < MOST_POINTS; i++) {
		const struct tp_frame *f = &c->frames[i];

		tp_outline_indent(o, 1 + (int)f->row);
		tp_outline_put(o, f->label);
		tp_sink_printf(o->out, " %.4f to %.4f", f->from, f->to);
		tp_outline_between(o, f->note.len != 0 ? ": " : "", f->note, "\n");
	}
	if (c->frame_count > MOST_POINTS) {
		tp_outline_indent(o, 1);
		tp_sink_printf(o->out, "%zu more frames\n", c->frame_count - MOST_POINTS);
	}
}

static void
show_diagram(struct tp_outline *o, const struct tp_diagram *d)
{
	for (size_t i = 0; i < d->box_count; i++) {
		const struct tp_box *b = &d->boxes[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, b->strong ? "main box " : "box ", b->label, "");
		tp_outline_between(o, b->note.len != 0 ? ": " : "", b->note, "");
		tp_outline_between(o, b->more.len != 0 ? "; " : "", b->more, "");
		if (b->hue != TP_HUE_NONE)
			tp_outline_between(o, " (", tp_hue_name(b->hue), ")");
		tp_sink_puts(o->out, "\n");
	}
	for (size_t i = 0; i < d->arrow_count; i++) {
		const struct tp_arrow *a = &d->arrows[i];

		tp_outline_indent(o, 1);
		tp_outline_between(o, a->control ? "control " : "arrow ", d->boxes[a->from].label, " to ");
		tp_outline_put(o, d->boxes[a->to].label);
		tp_sink_printf(o->out, ", %.6g", a->weight);
		tp_outline_between(o, a->label.len != 0 ? ": " : "", a->label, "\n");
	}
}

static void
show_lane(struct tp_outline *o, const struct tp_lane *lane)
{
	tp_outline_indent(o, 1);
	tp_outline_between(o, "lane ", lane->label, ":\n");
	for (size_t i = 0; i < lane->count && i < MOST_POINTS; i++) {
		const struct tp_period *k = &lane->periods[i];

		tp_outline_indent(o, 2);
		tp_outline_put(o, k->label);
		tp_sink_printf(o->out, " %.13g to %.13g%s", k->from, k->to, k->open ? " (open)" : "");
		tp_outline_between(o, k->note.len != 0 ? ": " : "", k->note, "\n");
	}
	if (lane->count > MOST_POINTS) {
		tp_outline_indent(o, 2);
		tp_sink_printf(o->out, "%zu more intervals\n", lane->count - MOST_POINTS);
	}
}

static void
show_curves(struct tp_outline *o, const struct tp_curves *all)
{
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
	for (size_t i = 0; i < all->moment_count && i < MOST_POINTS; i++) {
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

void
tp_outline_chart(struct tp_outline *o, const struct tp_block *b)
{
	static const char *const kinds[] = {
		[TP_CHART_STACK] = "stack chart",
		[TP_CHART_STRIP] = "strip chart",
		[TP_CHART_BARS] = "bars chart",
		[TP_CHART_SCATTER] = "scatter chart",
		[TP_CHART_GRID] = "grid chart",
		[TP_CHART_TILE] = "tile chart",
		[TP_CHART_CURVES] = "curves",
		[TP_CHART_FLAME] = "flame chart",
		[TP_CHART_GRAPH] = "graph chart",
	};
	const struct tp_chart *c = &b->chart;

	tp_outline_head(o, b, kinds[c->kind]);
	tp_outline_put(o, c->alt);
	tp_outline_between(o, " (", tp_unit_symbol(c->unit), ")");
	tp_sink_puts(o->out, "\n");
	if (c->scatter != NULL) {
		show_scatter(o, c);
		return;
	}
	if (c->grid != NULL) {
		show_grid(o, c);
		return;
	}
	if (c->curves != NULL) {
		show_curves(o, c->curves);
		return;
	}
	if (c->frames != NULL) {
		show_frames(o, c);
		return;
	}
	if (c->diagram != NULL) {
		show_diagram(o, c->diagram);
		return;
	}
	show_points(o, c);
	for (size_t i = 0; i < c->series_count; i++)
		show_series(o, c, &c->series[i]);
	for (size_t i = 0; i < c->rule_count; i++) {
		tp_outline_indent(o, 1);
		tp_outline_between(o, "rule ", c->rules[i].label, ": ");
		tp_outline_value(o, tp_number(c->rules[i].value, c->unit));
		tp_sink_puts(o->out, "\n");
	}
}
