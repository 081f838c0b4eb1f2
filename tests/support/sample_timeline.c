/* The sample document's timeline: two windows, one track of three events in full, of which one has a name that means harm; an arrow, a
 * counter, and what a finding is about. */
#include "sample_doc.h"

#include "report/doc.h"
#include "report/timeline.h"

void
sample_timeline(struct tp_doc *doc)
{
	static const struct tp_slice rows[] = {TP_S("ops"), TP_S("ops, level 2")};
	static const struct tp_timeline_bar median[] = {
		{.label = TP_S("while"), .note = TP_S("40.0 ms"), .to = 40},
		{.label = TP_S("fusion.12"),
			.note = TP_S("30.0 ms"),
			.row = 1,
			.from = 5,
			.to = 35,
			.hue = TP_HUE_COMPUTE},
	};
	static const struct tp_timeline_bar slowest[] = {
		{.label = TP_S("while"), .note = TP_S("90.0 ms"), .to = 90},
		{.label = TP_S("infeed <b>"),
			.note = TP_S("and others, 3 events"),
			.row = 1,
			.to = 0,
			.hue = TP_HUE_INPUT,
			.tint = 1},
	};
	static const struct tp_timeline_window windows[] = {
		{.label = TP_S("Step 11"),
			.note = TP_S("near the median, 40.0 ms"),
			.length = 40,
			.bars = median,
			.bar_count = 2},
		{.label = TP_S("Step 14"),
			.note = TP_S("slowest, 90.0 ms"),
			.from_ps = 4e10,
			.length = 90,
			.bars = slowest,
			.bar_count = 2},
	};
	static const struct tp_timeline_name names[] = {
		{.name = TP_S("while")},
		{.name = TP_S("infeed <b>"), .more = TP_S("queue & more"), .hue = TP_HUE_INPUT},
	};
	/* starts, durations, names, lanes, arguments of three events */
	static const char events[] = {0, 5, 40, 40, 3, 90, 0, 1, 0, 0, 1, 0, 0, 1, 0};
	static const struct tp_timeline_argument arguments[] = {{TP_S("shapes [[2,<b>]]")}};
	/* from the second event to the third: track, lane, start, track, lane, difference of starts */
	static const char arrow[] = {0, 1, 5, 0, 0, 80};
	/* half full from the third cell on, full in the fifth */
	static const char busy[] = {2, 2, 5, 10};
	static const struct tp_timeline_tile tiles[] = {
		{.to_ps = 1.3e11, .count = 3, .data = {events, sizeof events}},
	};
	static const struct tp_timeline_track tracks[] = {
		{.name = TP_S("ops"),
			.kind = TP_S("ops"),
			.lanes = 2,
			.events = 3,
			.arguments = true,
			.tick_ps = 1e9,
			.tiles = tiles,
			.tile_count = 1},
	};
	static const struct tp_timeline_counter counters[] = {
		{.name = TP_S("Busy & more"),
			.how = TP_S("share of the time in which it works"),
			.unit = TP_UNIT_SHARE,
			.top = 1,
			.scale = 0.1,
			.cell_ps = 1 << 30,
			.count = 2,
			.data = {busy, sizeof busy}},
	};
	static const struct tp_timeline_group groups[] = {
		{.name = TP_S("TPU:0"),
			.note = TP_S("chip 0"),
			.tracks = tracks,
			.track_count = 1,
			.counters = counters,
			.counter_count = 1},
	};
	static const struct tp_timeline_flow flows[] = {
		{.kind = TP_S("launch"),
			.count = 1,
			.all = 3,
			.tick_ps = 1e9,
			.data = {arrow, sizeof arrow}},
	};
	static const struct tp_timeline_finding findings[] = {
		{TP_S("TPR-INPUT-001"), TP_S("1 Waiting for input <b>"), 4e10, 1e11},
	};
	static const struct tp_timeline_mark marks[] = {
		{TP_S("11"), 0, 4e10},
		{TP_S("14"), 4e10, 1.3e11},
	};
	static const struct tp_timeline timeline = {
		.rows = rows,
		.row_count = 2,
		.windows = windows,
		.window_count = 2,
		.high_ps = 1.3e11,
		.events = 3,
		.names = names,
		.name_count = 2,
		.arguments = arguments,
		.argument_count = 1,
		.findings = findings,
		.finding_count = 1,
		.flows = flows,
		.flow_count = 1,
		.marks = marks,
		.mark_count = 2,
		.groups = groups,
		.group_count = 1,
	};
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "timeline", "Timeline");

	section->section.answer = TP_SAY0(doc, "Step 14 is the slowest.");
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("timeline/view"))->chart = (struct tp_chart){
		.kind = TP_CHART_TIMELINE,
		.alt = TP_S("What ran when: Step 11 and Step 14, 2 rows"),
		.unit = TP_UNIT_MS,
		.timeline = &timeline,
	};
}
