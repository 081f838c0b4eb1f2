/* A timeline: what ran when, on the lines of devices and threads. Two things in one: windows that are drawn, for paper and pages without
 * scripts, and tiles that a script draws from, so that all of the capture can be looked at.
 *
 * Times are picoseconds from the first event of the capture. */
#ifndef TP_REPORT_TIMELINE_H
#define TP_REPORT_TIMELINE_H

#include "base/number.h"
#include "base/slice.h"
#include "report/judge.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bar of a window: an event, or several that are too short to be seen. */
struct tp_timeline_bar {
	struct tp_slice label; /* its name; of several that which takes longest */
	struct tp_slice note;  /* "37.9 ms", "12 events" */
	size_t row;
	double from,
		to; /* in the chart's unit, from the start of the window; of several as long as they cover */
	enum tp_hue hue;
	int tint;
};

/* All windows of a timeline are drawn on one scale, side by side. */
struct tp_timeline_window {
	struct tp_slice label; /* "Step 14" */
	struct tp_slice note;  /* "slowest, 51.7 ms" */
	double from_ps;
	double length;                      /* in the chart's unit, > 0 */
	const struct tp_timeline_bar *bars; /* by row, then from */
	size_t bar_count;
};

struct tp_timeline_name {
	struct tp_slice name; /* of an event: "fusion.12" */
	struct tp_slice more; /* framework operation, source, shape; may be empty */
	enum tp_hue hue;
	int tint;
	struct tp_slice
		shown; /* in bars, of a kernel with a long name of C++: its short one; else empty */
};

/* What events were called with, where it is the same of many: "shapes [[64,3,7,7]]". */
struct tp_timeline_argument {
	struct tp_slice text;
};

/* A step. */
struct tp_timeline_mark {
	struct tp_slice label; /* "14" */
	double from_ps, to_ps;
};

/* What a finding is about, where it is seen best. */
struct tp_timeline_finding {
	struct tp_slice finding; /* its id: "TPR-INPUT-001" */
	struct tp_slice label;   /* "Waiting for input" */
	double from_ps, to_ps;
};

/* Arrows of one kind, each from an event to one that it leads to. The bytes are as those of tiles, in order of the first event's start:
 * its track, counted through all groups; its lane; its start as difference from that of the arrow before, in ticks; of the second
 * event track and lane, and its start as difference from the first's, in ticks, folded: 0, -1, 1, -2 … are 0, 1, 2, 3 … */
struct tp_timeline_flow {
	struct tp_slice kind; /* "launch" */
	uint64_t count;
	uint64_t
		all; /* that the profile holds: of those whose events are not kept in full there is no arrow */
	double tick_ps;
	struct tp_slice data;
};

/* A figure over time, which stays as it is between changes. The bytes are as those of tiles: cell numbers as differences from the
 * one before, and values, in units of `scale`. */
struct tp_timeline_counter {
	struct tp_slice name; /* "In use" */
	struct tp_slice how;  /* what the value of a cell is */
	enum tp_unit unit;
	double top; /* the greatest value, > 0 */
	double scale, cell_ps;
	uint64_t count;
	struct tp_slice data;
};

/* Events of a track, or cells that each sum up some. The bytes are unsigned LEB128 numbers, column after column, `count` of each:
 * - events, in order of start: starts as differences from the one before (the first from from_ps), and durations, both in ticks of
 *   the track; indices of names; lanes; and of a track with arguments, their indices from 1 on, 0 for none. The tile holds every event of its track that starts between from_ps and to_ps.
 * - cells, by lane, then time: lanes as differences from the one before; cell numbers, counted from from_ps, as differences from the
 *   one before in the same lane; how much of the cell is covered, in 1/255; the index of the name that covers most of it; how many
 *   events start in it. */
struct tp_timeline_tile {
	double from_ps, to_ps;
	double cell_ps; /* how long a cell is; 0: events */
	uint64_t count;
	struct tp_slice data;
};

struct tp_timeline_track {
	struct tp_slice name; /* "XLA ops" */
	struct tp_slice kind; /* "ops", "thread" … */
	uint64_t lanes;       /* rows in which its events nest or overlap */
	uint64_t
		upper_lanes; /* the first of them, above those in which functions of Python nest; 0: not both are there */
	uint64_t events; /* that the profile holds */
	bool arguments;  /* of its events some are known */
	double tick_ps;
	const struct tp_timeline_tile *tiles; /* events first, then cells, the shortest first */
	size_t tile_count;
};

struct tp_timeline_group {
	struct tp_slice name; /* "TPU:0" */
	struct tp_slice note; /* "core 13"; may be empty */
	bool lags;            /* a straggler, for which others wait */
	bool first; /* stands before others: a straggler, or whose step the section tells of */
	const struct tp_timeline_track *tracks;
	size_t track_count;
	const struct tp_timeline_counter *counters;
	size_t counter_count;
};

struct tp_timeline {
	struct tp_packed *packed; /* its bytes as outputs write them (render/packed.h); NULL: nobody has
	                           * begun with that; not in JSON */
	const struct tp_slice *
		rows; /* names of the rows of windows; one without a bar is a head: it says whose those after it are */
	const bool *
		inner; /* by row: it is a head, or a level of the thread that the row before it is of; not in JSON */
	size_t row_count;
	const struct tp_timeline_window *windows;
	size_t window_count;
	double high_ps; /* the end of the last event */
	uint64_t events;
	const struct tp_timeline_name *names;
	size_t name_count;
	const struct tp_timeline_argument *arguments;
	size_t argument_count;
	const struct tp_timeline_mark *marks; /* steps, by time */
	size_t mark_count;
	bool inferred;                              /* nothing marks the steps: they are what repeats */
	const struct tp_timeline_finding *findings; /* as the page has them */
	size_t finding_count;
	const struct tp_timeline_group *groups;
	size_t group_count;
	const struct tp_timeline_flow *flows;
	size_t flow_count;
};

#endif
