/* What JSON holds of charts. */
#include "report/shape.h"

#include "report/chart.h"

static struct tp_slice
chart_of(unsigned value)
{
	static const char *const names[] = {
		[TP_CHART_STACK] = "stack",
		[TP_CHART_STRIP] = "strip",
		[TP_CHART_BARS] = "bars",
		[TP_CHART_TILE] = "tile",
		[TP_CHART_SCATTER] = "scatter",
		[TP_CHART_GRID] = "grid",
		[TP_CHART_CURVES] = "curves",
		[TP_CHART_FLAME] = "flame",
		[TP_CHART_DIAGRAM] = "graph",
		[TP_CHART_TIMELINE] = "timeline",
	};

	return tp_slice_of(names[value]);
}

/* "main" and "control" are words for true. */
static struct tp_slice
main_of(unsigned value)
{
	return value != 0 ? TP_S("main") : TP_S("");
}

static struct tp_slice
control_of(unsigned value)
{
	return value != 0 ? TP_S("control") : TP_S("");
}

static struct tp_slice
point_role_of(unsigned value)
{
	static const char *const names[] = {
		[TP_POINT_OTHER] = "other",
		[TP_POINT_NAMED] = "named",
		[TP_POINT_WHOLE] = "whole",
		[TP_POINT_MEAN] = "mean",
	};

	return tp_slice_of(names[value]);
}

static struct tp_slice
non_finite_of(unsigned value)
{
	static const char *const names[] = {
		[TP_NON_FINITE_NAN] = "nan",
		[TP_NON_FINITE_ABOVE] = "above",
		[TP_NON_FINITE_BELOW] = "below",
	};

	return tp_slice_of(names[value]);
}

const struct tp_names tp_chart_names = {chart_of, TP_CHART_TIMELINE + 1};
static const struct tp_names main_names = {main_of, 2};
static const struct tp_names control_names = {control_of, 2};
static const struct tp_names point_role_names = {point_role_of, TP_POINT_MEAN + 1};
static const struct tp_names non_finite_names = {non_finite_of, TP_NON_FINITE_KINDS};

static const struct tp_member charts[] = {
	TP_MEMBER_OF(NAME, struct tp_chart, "chart", kind, .names = &tp_chart_names),
	TP_MEMBER_OF(TEXT, struct tp_chart, "alt", alt),
	TP_MEMBER_OF(NAME, struct tp_chart, "unit", unit, .names = &tp_unit_names),
	TP_MEMBER_OF(FLAG, struct tp_chart, "legend", legend),
};
const struct tp_shape tp_chart_shape = TP_SHAPE(struct tp_chart, false, charts);

static const struct tp_member series[] = {
	TP_MEMBER_OF(TEXT, struct tp_series, "key", key),
	TP_MEMBER_OF(TEXT, struct tp_series, "label", label),
	TP_MEMBER_OF(NAME, struct tp_series, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_series, "tint", tint),
	TP_MEMBER_OF(POINT_NUMBERS, struct tp_series, "values", values),
	TP_MEMBER_OF(POSITIVE, struct tp_series, "unused", unused),
	TP_MEMBER_LIST_OF(NUMBERS_IF, struct tp_series, "unused_values", unused_values, unused_count),
	TP_MEMBER_OF(FILLED, struct tp_series, "unused_label", unused_label),
};
static const struct tp_shape one_series = TP_SHAPE(struct tp_series, true, series);

static const struct tp_member rules[] = {
	TP_MEMBER_OF(TEXT, struct tp_rule, "label", label),
	TP_MEMBER_OF(NUMBER, struct tp_rule, "value", value),
};
static const struct tp_shape rule_shape = TP_SHAPE(struct tp_rule, true, rules);

static const struct tp_member lifetimes[] = {
	TP_MEMBER_OF(TEXT, struct tp_lifetime, "label", label),
	TP_MEMBER_OF(FILLED, struct tp_lifetime, "note", note),
	TP_MEMBER_OF(NUMBER, struct tp_lifetime, "from", from),
	TP_MEMBER_OF(NUMBER, struct tp_lifetime, "to", to),
	TP_MEMBER_OF(NAME_IF, struct tp_lifetime, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_lifetime, "tint", tint),
};
static const struct tp_shape lifetime_shape = TP_SHAPE(struct tp_lifetime, true, lifetimes);

/* Points first: what follows has one of each. */
static const struct tp_member of_series[] = {
	TP_MEMBER_LIST_OF(POINTS, struct tp_chart, "labels", labels, point_count),
	TP_MEMBER_LIST_OF(LIST, struct tp_chart, "series", series, series_count, .of = &one_series),
	TP_MEMBER_LIST_OF(LIST, struct tp_chart, "rules", rules, rule_count, .of = &rule_shape),
	TP_MEMBER_OF(INDEX, struct tp_chart, "marked", marked),
	TP_MEMBER_OF(FLAG, struct tp_chart, "area", area),
	TP_MEMBER_OF(FILLED, struct tp_chart, "marked_label", marked_label),
	TP_MEMBER_OF(POSITIVE, struct tp_chart, "marked_value", marked_value),
	TP_MEMBER_OF(POSITIVE, struct tp_chart, "x_from", x_from),
	TP_MEMBER_OF(POSITIVE, struct tp_chart, "x_to", x_to),
	TP_MEMBER_OF(NAME_IF, struct tp_chart, "x_unit", x_unit, .names = &tp_unit_names),
	TP_MEMBER_OF(FILLED, struct tp_chart, "lifetimes_title", lifetimes_title),
	TP_MEMBER_OF(NONZERO, struct tp_chart, "axis_points", axis_points),
	TP_MEMBER_LIST_OF(
		LIST_IF, struct tp_chart, "lifetimes", lifetimes, lifetime_count, .of = &lifetime_shape),
	TP_MEMBER_OF(POINT_FLAGS, struct tp_chart, "open", open),
	TP_MEMBER_OF(POINT_FLAGS, struct tp_chart, "absent", absent),
};
const struct tp_shape tp_series_shape = TP_SHAPE(struct tp_chart, false, of_series);

static const struct tp_member points[] = {
	TP_MEMBER_OF(NAME, struct tp_point, "role", role, .names = &point_role_names),
	TP_MEMBER_OF(TEXT, struct tp_point, "label", label),
	TP_MEMBER_OF(NUMBER, struct tp_point, "x", x),
	TP_MEMBER_OF(NUMBER, struct tp_point, "y", y),
	TP_MEMBER_OF(NUMBER, struct tp_point, "weight", weight),
	TP_MEMBER_OF(NAME_IF, struct tp_point, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_point, "number", number),
};
static const struct tp_shape point_shape = TP_SHAPE(struct tp_point, true, points);

static const struct tp_member ceilings[] = {
	TP_MEMBER_OF(TEXT, struct tp_ceiling, "key", key),
	TP_MEMBER_OF(TEXT, struct tp_ceiling, "label", label),
	TP_MEMBER_OF(POSITIVE, struct tp_ceiling, "y", y),
	TP_MEMBER_OF(POSITIVE, struct tp_ceiling, "slope", slope),
	TP_MEMBER_OF(FLAG, struct tp_ceiling, "minor", minor),
};
static const struct tp_shape ceiling_shape = TP_SHAPE(struct tp_ceiling, true, ceilings);

static const struct tp_member scatters[] = {
	TP_MEMBER_OF(NAME, struct tp_scatter, "x_unit", x_unit, .names = &tp_unit_names),
	TP_MEMBER_OF(FILLED, struct tp_scatter, "x_title", x_title),
	TP_MEMBER_OF(FILLED, struct tp_scatter, "y_title", y_title),
	TP_MEMBER_LIST_OF(LIST, struct tp_scatter, "points", points, point_count, .of = &point_shape),
	TP_MEMBER_LIST_OF(
		LIST, struct tp_scatter, "ceilings", ceilings, ceiling_count, .of = &ceiling_shape),
};
const struct tp_shape tp_scatter_shape = TP_SHAPE(struct tp_scatter, false, scatters);

/* The cells, of which many may be empty, are written apart. */
static const struct tp_member grids[] = {
	TP_MEMBER_OF(FILLED, struct tp_grid, "title", title),
	TP_MEMBER_OF(WHOLE, struct tp_grid, "columns", columns),
	TP_MEMBER_OF(WHOLE, struct tp_grid, "group", group),
	TP_MEMBER_OF(NUMBER, struct tp_grid, "low", low),
	TP_MEMBER_OF(NUMBER, struct tp_grid, "high", high),
	TP_MEMBER_LIST_OF(TEXTS, struct tp_grid, "rows", rows, row_count),
	TP_MEMBER_LIST_OF(INDICES, struct tp_grid, "marked", marked, marked_count),
	TP_MEMBER_LIST_OF(PAIRS, struct tp_grid, "links", links, link_count),
};
const struct tp_shape tp_grid_shape = TP_SHAPE(struct tp_grid, false, grids);

static const struct tp_member periods[] = {
	TP_MEMBER_OF(TEXT, struct tp_period, "label", label),
	TP_MEMBER_OF(FILLED, struct tp_period, "note", note),
	TP_MEMBER_OF(NAME, struct tp_period, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_period, "tint", tint),
	TP_MEMBER_OF(NUMBER, struct tp_period, "from", from),
	TP_MEMBER_OF(NUMBER, struct tp_period, "to", to),
	TP_MEMBER_OF(FLAG, struct tp_period, "open", open),
};
static const struct tp_shape period_shape = TP_SHAPE(struct tp_period, true, periods);

static const struct tp_member lanes[] = {
	TP_MEMBER_OF(TEXT, struct tp_lane, "label", label),
	TP_MEMBER_LIST_OF(LIST, struct tp_lane, "intervals", periods, count, .of = &period_shape),
};
static const struct tp_shape lane_shape = TP_SHAPE(struct tp_lane, false, lanes);

static const struct tp_member moments[] = {
	TP_MEMBER_OF(TEXT, struct tp_moment, "label", label),
	TP_MEMBER_OF(NUMBER, struct tp_moment, "at", at),
};
static const struct tp_shape moment_shape = TP_SHAPE(struct tp_moment, true, moments);

static const struct tp_member non_finites[] = {
	TP_MEMBER_OF(NUMBER, struct tp_non_finite, "x", x),
	TP_MEMBER_OF(NAME, struct tp_non_finite, "is", kind, .names = &non_finite_names),
};
static const struct tp_shape non_finite_shape = TP_SHAPE(struct tp_non_finite, true, non_finites);

static const struct tp_member one_curve[] = {
	TP_MEMBER_OF(TEXT, struct tp_curve, "label", label),
	TP_MEMBER_OF(WHOLE, struct tp_curve, "points", points),
	TP_MEMBER_OF(FLAG, struct tp_curve, "held", held),
	TP_MEMBER_LIST_OF(NUMBERS, struct tp_curve, "x", xs, count),
	TP_MEMBER_LIST_OF(NUMBERS, struct tp_curve, "y", ys, count),
	TP_MEMBER_OF(NONZERO, struct tp_curve, "not_finite", not_finite),
	TP_MEMBER_LIST_OF(
		LIST_IF, struct tp_curve, "odd", non_finites, non_finite_count, .of = &non_finite_shape),
};
static const struct tp_shape curve_shape = TP_SHAPE(struct tp_curve, true, one_curve);

static const struct tp_member curves[] = {
	TP_MEMBER_OF(TEXT, struct tp_curves, "x_title", x_title),
	TP_MEMBER_OF(NUMBER, struct tp_curves, "low", low),
	TP_MEMBER_OF(NUMBER, struct tp_curves, "high", high),
	TP_MEMBER_OF(FINITE, struct tp_curves, "window_from", window_from),
	TP_MEMBER_OF(FINITE, struct tp_curves, "window_to", window_to),
	TP_MEMBER_OF(FILLED, struct tp_curves, "window_label", window_label),
	TP_MEMBER_OF(BOOL, struct tp_curves, "utc", utc),
	TP_MEMBER_LIST_OF(LIST_IF, struct tp_curves, "lanes", lanes, lane_count, .of = &lane_shape),
	TP_MEMBER_LIST_OF(
		LIST_IF, struct tp_curves, "moments", moments, moment_count, .of = &moment_shape),
	TP_MEMBER_LIST_OF(LIST, struct tp_curves, "curves", curves, curve_count, .of = &curve_shape),
};
const struct tp_shape tp_curves_shape = TP_SHAPE(struct tp_curves, false, curves);

static const struct tp_member frames[] = {
	TP_MEMBER_OF(TEXT, struct tp_frame, "label", label),
	TP_MEMBER_OF(FILLED, struct tp_frame, "note", note),
	TP_MEMBER_OF(WHOLE, struct tp_frame, "row", row),
	TP_MEMBER_OF(NUMBER, struct tp_frame, "from", from),
	TP_MEMBER_OF(NUMBER, struct tp_frame, "to", to),
	TP_MEMBER_OF(NAME_IF, struct tp_frame, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_frame, "tint", tint),
};
static const struct tp_shape frame_shape = TP_SHAPE(struct tp_frame, true, frames);

static const struct tp_member flames[] = {
	TP_MEMBER_LIST_OF(LIST, struct tp_chart, "frames", frames, frame_count, .of = &frame_shape),
};
const struct tp_shape tp_flame_shape = TP_SHAPE(struct tp_chart, false, flames);

static const struct tp_member boxes[] = {
	TP_MEMBER_OF(TEXT, struct tp_box, "label", label),
	TP_MEMBER_OF(FILLED, struct tp_box, "note", note),
	TP_MEMBER_OF(FILLED, struct tp_box, "more", more),
	TP_MEMBER_OF(NAME_IF, struct tp_box, "role", strong, .names = &main_names),
	TP_MEMBER_OF(NAME_IF, struct tp_box, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_box, "tint", tint),
};
static const struct tp_shape box_shape = TP_SHAPE(struct tp_box, true, boxes);

static const struct tp_member arrows[] = {
	TP_MEMBER_OF(WHOLE, struct tp_arrow, "from", from),
	TP_MEMBER_OF(WHOLE, struct tp_arrow, "to", to),
	TP_MEMBER_OF(NUMBER, struct tp_arrow, "weight", weight),
	TP_MEMBER_OF(FILLED, struct tp_arrow, "label", label),
	TP_MEMBER_OF(NAME_IF, struct tp_arrow, "kind", control, .names = &control_names),
};
static const struct tp_shape arrow_shape = TP_SHAPE(struct tp_arrow, true, arrows);

static const struct tp_member diagrams[] = {
	TP_MEMBER_LIST_OF(LIST, struct tp_diagram, "boxes", boxes, box_count, .of = &box_shape),
	TP_MEMBER_LIST_OF(LIST, struct tp_diagram, "arrows", arrows, arrow_count, .of = &arrow_shape),
};
const struct tp_shape tp_diagram_shape = TP_SHAPE(struct tp_diagram, false, diagrams);
