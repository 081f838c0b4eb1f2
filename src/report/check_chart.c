/* Charts: as many series and points as their kind asks for, and nothing that cannot be drawn. */
#include "report/checker.h"
#include "report/timeline.h"

#include <math.h>

static bool
check_tint(struct tp_checker *c, int tint, struct tp_slice what)
{
	return tp_check_need(c, tint >= 0 && tint < TP_LOOKS, what, "has no such tint");
}

static bool
check_counts(struct tp_checker *c, const struct tp_chart *chart, bool as_asked)
{
	return tp_check_need(
		c, as_asked, chart->alt, "has not as many series and points as its kind asks for");
}

static bool
check_scatter(struct tp_checker *c, const struct tp_chart *chart)
{
	const struct tp_scatter *s = chart->scatter;

	if (!check_counts(c, chart, s != NULL && s->point_count > 0) || !tp_check_text(c, s->x_title) ||
		!tp_check_text(c, s->y_title))
		return false;
	for (size_t i = 0; i < s->point_count; i++) {
		const struct tp_point *p = &s->points[i];

		if (!tp_check_present(c, p->label, TP_S("a point's label")) ||
			!tp_check_finite(c, &p->weight, 1, 0, p->label) ||
			!tp_check_need(c, p->x > 0 && p->y > 0 && isfinite(p->x) && isfinite(p->y), p->label,
				"has no place on logarithmic axes") ||
			!tp_check_need(c, (p->role == TP_POINT_NAMED) == (p->number > 0), p->label,
				"has a number and no name, or no number"))
			return false;
	}
	for (size_t i = 0; i < s->ceiling_count; i++) {
		const struct tp_ceiling *k = &s->ceilings[i];

		if (!tp_check_present(c, k->key, TP_S("a ceiling's key")) || !tp_check_text(c, k->label) ||
			!tp_check_finite(c, &k->y, 1, 0, k->key) ||
			!tp_check_finite(c, &k->slope, 1, 0, k->key) ||
			!tp_check_need(c, (k->y > 0) != (k->slope > 0), k->key, "is neither flat nor a slope"))
			return false;
	}
	return true;
}

static bool
check_grid(struct tp_checker *c, const struct tp_chart *chart)
{
	const struct tp_grid *g = chart->grid;
	size_t cells = g != NULL ? g->row_count * g->columns : 0;

	if (!check_counts(c, chart, cells > 0) ||
		!tp_check_need(c, isfinite(g->low) && isfinite(g->high) && g->low < g->high && g->group > 0,
			TP_S("a heat map"), "has no scale") ||
		!tp_check_text(c, g->title))
		return false;
	for (size_t i = 0; i < g->row_count; i++) {
		if (!tp_check_text(c, g->rows[i]))
			return false;
	}
	for (size_t i = 0; i < cells; i++) {
		if (!tp_check_need(
				c, !isinf(g->values[i]), g->labels[i], "holds a number that cannot be drawn") ||
			!tp_check_text(c, g->labels[i]) ||
			(g->places != NULL && !tp_check_text(c, g->places[i])))
			return false;
	}
	for (size_t i = 0; i < g->marked_count; i++) {
		if (!tp_check_need(c, g->marked[i] < cells, TP_S("a heat map"), "marks no cell of its own"))
			return false;
	}
	for (size_t i = 0; i < g->link_count; i++) {
		if (!tp_check_need(c, g->links[i][0] < cells && g->links[i][1] < cells, TP_S("a heat map"),
				"links no cells of its own"))
			return false;
	}
	return true;
}

static bool
check_flame(struct tp_checker *c, const struct tp_chart *chart)
{
	if (!check_counts(c, chart, chart->frames != NULL && chart->frame_count > 0))
		return false;
	for (size_t i = 0; i < chart->frame_count; i++) {
		const struct tp_frame *f = &chart->frames[i];

		if (!tp_check_present(c, f->label, TP_S("a frame's label")) || !tp_check_text(c, f->note) ||
			!tp_check_need(c, f->from >= 0 && f->from <= f->to && f->to <= 1, f->label,
				"is outside the flame graph") ||
			!check_tint(c, f->tint, f->label) ||
			!tp_check_need(c, f->row < TP_FLAME_MOST_ROWS, f->label, "is too high to be drawn"))
			return false;
	}
	return true;
}

static bool
check_diagram(struct tp_checker *c, const struct tp_chart *chart)
{
	const struct tp_diagram *d = chart->diagram;

	if (!check_counts(c, chart,
			d != NULL && d->box_count > 0 && d->box_count <= TP_DIAGRAM_MOST_BOXES &&
				d->arrow_count <= TP_DIAGRAM_MOST_ARROWS))
		return false;
	for (size_t i = 0; i < d->box_count; i++) {
		const struct tp_box *b = &d->boxes[i];

		if (!tp_check_present(c, b->label, TP_S("a box's label")) || !tp_check_text(c, b->note) ||
			!tp_check_text(c, b->more) || !check_tint(c, b->tint, b->label))
			return false;
	}
	for (size_t i = 0; i < d->arrow_count; i++) {
		const struct tp_arrow *a = &d->arrows[i];

		if (!tp_check_need(c, a->from < d->box_count && a->to < d->box_count && a->from != a->to,
				TP_S("an arrow"), "does not lead from one box to another") ||
			!tp_check_need(
				c, isfinite(a->weight) && a->weight > 0, TP_S("an arrow"), "has no weight") ||
			!tp_check_text(c, a->label))
			return false;
	}
	return true;
}

static bool
check_window(struct tp_checker *c, const struct tp_timeline *t, const struct tp_timeline_window *w)
{
	if (!tp_check_present(c, w->label, TP_S("a window's label")) || !tp_check_text(c, w->note) ||
		!tp_check_need(c, isfinite(w->length) && w->length > 0, w->label, "has no length"))
		return false;
	for (size_t i = 0; i < w->bar_count; i++) {
		const struct tp_timeline_bar *b = &w->bars[i];

		if (!tp_check_present(c, b->label, TP_S("a bar's label")) || !tp_check_text(c, b->note) ||
			!check_tint(c, b->tint, b->label) ||
			!tp_check_need(c, b->from >= 0 && b->from <= b->to && b->to <= w->length, b->label,
				"is outside its window") ||
			!tp_check_need(c, b->row < t->row_count, b->label, "is in no row"))
			return false;
	}
	return true;
}

static bool
check_tiles(struct tp_checker *c, const struct tp_timeline_track *track)
{
	for (size_t i = 0; i < track->tile_count; i++) {
		const struct tp_timeline_tile *tile = &track->tiles[i];

		if (!tp_check_need(c,
				tile->from_ps >= 0 && tile->from_ps <= tile->to_ps && isfinite(tile->to_ps) &&
					tile->cell_ps >= 0,
				track->name, "has a tile that lies nowhere"))
			return false;
	}
	return true;
}

static bool
check_counter(struct tp_checker *c, const struct tp_timeline_counter *counter)
{
	return tp_check_present(c, counter->name, TP_S("a counter's name")) &&
		tp_check_need(c,
			isfinite(counter->top) && counter->top > 0 && counter->scale > 0 &&
				counter->cell_ps > 0,
			counter->name, "has no scale");
}

static bool
check_timeline(struct tp_checker *c, const struct tp_chart *chart)
{
	const struct tp_timeline *t = chart->timeline;

	if (!check_counts(c, chart, t != NULL && t->window_count > 0 && t->row_count > 0))
		return false;
	for (size_t i = 0; i < t->row_count; i++) {
		if (!tp_check_present(c, t->rows[i], TP_S("a row's name")))
			return false;
	}
	for (size_t i = 0; i < t->window_count; i++) {
		if (!check_window(c, t, &t->windows[i]))
			return false;
	}
	for (size_t i = 0; i < t->name_count; i++) {
		if (!tp_check_text(c, t->names[i].name) || !tp_check_text(c, t->names[i].more) ||
			!check_tint(c, t->names[i].tint, t->names[i].name))
			return false;
	}
	for (size_t i = 0; i < t->argument_count; i++) {
		if (!tp_check_text(c, t->arguments[i].text))
			return false;
	}
	for (size_t i = 0; i < t->finding_count; i++) {
		const struct tp_timeline_finding *f = &t->findings[i];

		if (!tp_check_text(c, f->label) ||
			!tp_check_need(c, f->from_ps >= 0 && f->from_ps <= f->to_ps && isfinite(f->to_ps),
				f->label, "is seen nowhere"))
			return false;
	}
	for (size_t i = 0; i < t->group_count; i++) {
		for (size_t k = 0; k < t->groups[i].track_count; k++) {
			if (!check_tiles(c, &t->groups[i].tracks[k]))
				return false;
		}
		for (size_t k = 0; k < t->groups[i].counter_count; k++) {
			if (!check_counter(c, &t->groups[i].counters[k]))
				return false;
		}
	}
	return true;
}

static bool
check_lane(struct tp_checker *c, const struct tp_curves *all, const struct tp_lane *lane)
{
	if (!tp_check_present(c, lane->label, TP_S("a lane's label")))
		return false;
	for (size_t i = 0; i < lane->count; i++) {
		const struct tp_period *k = &lane->periods[i];

		if (!tp_check_present(c, k->label, TP_S("an interval's label")) ||
			!tp_check_text(c, k->note) ||
			!tp_check_need(c, k->from >= all->low && k->from <= k->to && k->to <= all->high,
				k->label, "is outside the axis") ||
			!check_tint(c, k->tint, k->label))
			return false;
	}
	return true;
}

static bool
check_curves(struct tp_checker *c, const struct tp_chart *chart)
{
	const struct tp_curves *all = chart->curves;

	if (!check_counts(c, chart, all != NULL && all->curve_count + all->lane_count > 0) ||
		!tp_check_need(c, isfinite(all->high - all->low) && all->low < all->high, all->x_title,
			"is an axis without a length"))
		return false;
	for (size_t i = 0; i < all->curve_count; i++) {
		const struct tp_curve *k = &all->curves[i];

		if (!tp_check_present(c, k->label, TP_S("a curve's label")) ||
			!tp_check_need(c, k->count + k->non_finite_count > 0, k->label, "has no point") ||
			!tp_check_finite(c, k->xs, k->count, all->low, k->label) ||
			!tp_check_finite(c, k->ys, k->count, -INFINITY, k->label))
			return false;
	}
	for (size_t i = 0; i < all->lane_count; i++) {
		if (!check_lane(c, all, &all->lanes[i]))
			return false;
	}
	for (size_t i = 0; i < all->moment_count; i++) {
		if (!tp_check_present(c, all->moments[i].label, TP_S("a moment's label")))
			return false;
	}
	return true;
}

static bool
check_lifetimes(struct tp_checker *c, const struct tp_chart *chart)
{
	for (size_t i = 0; i < chart->lifetime_count; i++) {
		const struct tp_lifetime *life = &chart->lifetimes[i];

		if (!tp_check_present(c, life->label, TP_S("a lifetime's name")) ||
			!tp_check_text(c, life->note) ||
			!tp_check_need(c, life->from >= 0 && life->from <= life->to && life->to <= 1,
				life->label, "has a lifetime outside the axis"))
			return false;
	}
	return true;
}

/* Each point has at most all of its value unused. */
static bool
check_unused(struct tp_checker *c, const struct tp_chart *chart, const struct tp_series *s)
{
	bool sound = s->unused_count == 0 ||
		(s->unused_count == chart->point_count && s->unused_label.len != 0 &&
			(chart->kind == TP_CHART_STRIP || chart->kind == TP_CHART_BARS));

	if (s->unused != 0)
		sound = sound && s->unused > 0 && s->unused <= s->values[0] && chart->point_count == 1 &&
			s->unused_label.len != 0;
	for (size_t i = 0; sound && i < s->unused_count; i++)
		sound = s->unused_values[i] >= 0 && s->unused_values[i] <= s->values[i];
	return tp_check_need(c, sound, s->key, "has more that is not used than there is");
}

static bool
check_series(struct tp_checker *c, const struct tp_chart *chart)
{
	if (!check_counts(c, chart, chart->series_count > 0 && chart->point_count > 0) ||
		!tp_check_need(c, chart->marked == SIZE_MAX || chart->marked < chart->point_count,
			chart->alt, "marks no point of its own"))
		return false;
	for (size_t i = 0; i < chart->series_count; i++) {
		const struct tp_series *s = &chart->series[i];

		if (!tp_check_present(c, s->key, TP_S("a series' key")) ||
			!tp_check_present(c, s->label, TP_S("a series' label")) ||
			!check_tint(c, s->tint, s->key) ||
			!tp_check_finite(c, s->values, chart->point_count, 0, s->key) ||
			!check_unused(c, chart, s))
			return false;
	}
	for (size_t i = 0; i < chart->point_count; i++) {
		if (!tp_check_text(c, chart->labels[i]))
			return false;
	}
	for (size_t i = 0; i < chart->rule_count; i++) {
		if (!tp_check_text(c, chart->rules[i].label) ||
			!tp_check_finite(c, &chart->rules[i].value, 1, 0, chart->rules[i].label))
			return false;
	}
	return true;
}

static bool
check_stack(struct tp_checker *c, const struct tp_chart *chart)
{
	return check_counts(c, chart, chart->point_count == 1) && check_series(c, chart);
}

static bool
check_strip(struct tp_checker *c, const struct tp_chart *chart)
{
	return check_series(c, chart) && check_lifetimes(c, chart);
}

static bool
check_bars(struct tp_checker *c, const struct tp_chart *chart)
{
	return check_series(c, chart);
}

static bool
check_tile(struct tp_checker *c, const struct tp_chart *chart)
{
	return check_counts(c, chart, chart->series_count == 2 && chart->point_count == 2) &&
		check_series(c, chart);
}

bool
tp_check_chart(struct tp_checker *c, const struct tp_chart *chart)
{
	static bool (*const checks[])(struct tp_checker * c, const struct tp_chart *chart) = {
#define CHECK(KIND, name) [TP_CHART_##KIND] = check_##name,
		TP_CHART_KINDS(CHECK)
#undef CHECK
	};

	return tp_check_present(c, chart->alt, TP_S("a chart's alternative text")) &&
		checks[chart->kind](c, chart);
}
