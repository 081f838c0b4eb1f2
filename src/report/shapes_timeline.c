/* What JSON holds of a timeline. */
#include "report/shape.h"

#include "report/timeline.h"

static const struct tp_member bars[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_bar, "label", label),
	TP_MEMBER_OF(FILLED, struct tp_timeline_bar, "note", note),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_bar, "row", row),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_bar, "from", from),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_bar, "to", to),
	TP_MEMBER_OF(NAME_IF, struct tp_timeline_bar, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_timeline_bar, "tint", tint),
};
static const struct tp_shape bar_shape = TP_SHAPE(struct tp_timeline_bar, true, bars);

static const struct tp_member windows[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_window, "label", label),
	TP_MEMBER_OF(FILLED, struct tp_timeline_window, "note", note),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_window, "from_ps", from_ps),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_window, "length", length),
	TP_MEMBER_LIST_OF(LIST, struct tp_timeline_window, "bars", bars, bar_count, .of = &bar_shape),
};
static const struct tp_shape window_shape = TP_SHAPE(struct tp_timeline_window, false, windows);

static const struct tp_member timeline_names[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_name, "name", name),
	TP_MEMBER_OF(FILLED, struct tp_timeline_name, "more", more),
	TP_MEMBER_OF(FILLED, struct tp_timeline_name, "shown", shown),
	TP_MEMBER_OF(NAME_IF, struct tp_timeline_name, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_timeline_name, "tint", tint),
};
static const struct tp_shape name_shape = TP_SHAPE(struct tp_timeline_name, true, timeline_names);

static const struct tp_member marks[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_mark, "label", label),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_mark, "from_ps", from_ps),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_mark, "to_ps", to_ps),
};
static const struct tp_shape mark_shape = TP_SHAPE(struct tp_timeline_mark, true, marks);

static const struct tp_member arguments[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_argument, "text", text),
};
static const struct tp_shape argument_shape =
	TP_SHAPE(struct tp_timeline_argument, true, arguments);

static const struct tp_member findings[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_finding, "finding", finding),
	TP_MEMBER_OF(TEXT, struct tp_timeline_finding, "label", label),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_finding, "from_ps", from_ps),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_finding, "to_ps", to_ps),
};
static const struct tp_shape finding_shape = TP_SHAPE(struct tp_timeline_finding, true, findings);

static const struct tp_member flows[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_flow, "kind", kind),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_flow, "count", count),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_flow, "all", all),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_flow, "tick_ps", tick_ps),
	TP_MEMBER_OF(PACKED, struct tp_timeline_flow, "data", data),
};
static const struct tp_shape flow_shape = TP_SHAPE(struct tp_timeline_flow, true, flows);

static const struct tp_member counters[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_counter, "name", name),
	TP_MEMBER_OF(TEXT, struct tp_timeline_counter, "how", how),
	TP_MEMBER_OF(NAME, struct tp_timeline_counter, "unit", unit, .names = &tp_unit_names),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_counter, "top", top),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_counter, "scale", scale),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_counter, "cell_ps", cell_ps),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_counter, "count", count),
	TP_MEMBER_OF(PACKED, struct tp_timeline_counter, "data", data),
};
static const struct tp_shape counter_shape = TP_SHAPE(struct tp_timeline_counter, true, counters);

static const struct tp_member tiles[] = {
	TP_MEMBER_OF(NUMBER, struct tp_timeline_tile, "from_ps", from_ps),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_tile, "to_ps", to_ps),
	TP_MEMBER_OF(POSITIVE, struct tp_timeline_tile, "cell_ps", cell_ps),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_tile, "count", count),
	TP_MEMBER_OF(PACKED, struct tp_timeline_tile, "data", data),
};
static const struct tp_shape tile_shape = TP_SHAPE(struct tp_timeline_tile, true, tiles);

static const struct tp_member tracks[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_track, "name", name),
	TP_MEMBER_OF(TEXT, struct tp_timeline_track, "kind", kind),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_track, "lanes", lanes),
	TP_MEMBER_OF(NONZERO, struct tp_timeline_track, "upper_lanes", upper_lanes),
	TP_MEMBER_OF(WHOLE, struct tp_timeline_track, "events", events),
	TP_MEMBER_OF(FLAG, struct tp_timeline_track, "arguments", arguments),
	TP_MEMBER_OF(NUMBER, struct tp_timeline_track, "tick_ps", tick_ps),
	TP_MEMBER_LIST_OF(
		LIST, struct tp_timeline_track, "tiles", tiles, tile_count, .of = &tile_shape),
};
static const struct tp_shape track_shape = TP_SHAPE(struct tp_timeline_track, false, tracks);

static const struct tp_member groups[] = {
	TP_MEMBER_OF(TEXT, struct tp_timeline_group, "name", name),
	TP_MEMBER_OF(FILLED, struct tp_timeline_group, "note", note),
	TP_MEMBER_OF(FLAG, struct tp_timeline_group, "lags", lags),
	TP_MEMBER_OF(FLAG, struct tp_timeline_group, "first", first),
	TP_MEMBER_LIST_OF(
		LIST, struct tp_timeline_group, "tracks", tracks, track_count, .of = &track_shape),
	TP_MEMBER_LIST_OF(LIST_IF, struct tp_timeline_group, "counters", counters, counter_count,
		.of = &counter_shape),
};
static const struct tp_shape group_shape = TP_SHAPE(struct tp_timeline_group, false, groups);

static const struct tp_member timelines[] = {
	TP_MEMBER_LIST_OF(TEXTS, struct tp_timeline, "rows", rows, row_count),
	TP_MEMBER_LIST_OF(
		LIST, struct tp_timeline, "windows", windows, window_count, .of = &window_shape),
	TP_MEMBER_OF(NUMBER, struct tp_timeline, "high_ps", high_ps),
	TP_MEMBER_OF(WHOLE, struct tp_timeline, "events", events),
	TP_MEMBER_LIST_OF(LIST_IF, struct tp_timeline, "names", names, name_count, .of = &name_shape),
	TP_MEMBER_LIST_OF(
		LIST_IF, struct tp_timeline, "arguments", arguments, argument_count, .of = &argument_shape),
	TP_MEMBER_LIST_OF(LIST_IF, struct tp_timeline, "marks", marks, mark_count, .of = &mark_shape),
	TP_MEMBER_OF(FLAG, struct tp_timeline, "inferred", inferred),
	TP_MEMBER_LIST_OF(
		LIST_IF, struct tp_timeline, "findings", findings, finding_count, .of = &finding_shape),
	TP_MEMBER_LIST_OF(
		LIST_IF, struct tp_timeline, "groups", groups, group_count, .of = &group_shape),
	TP_MEMBER_LIST_OF(LIST_IF, struct tp_timeline, "flows", flows, flow_count, .of = &flow_shape),
};
const struct tp_shape tp_timeline_shape = TP_SHAPE(struct tp_timeline, false, timelines);
