/* Tracks of a trace of any program: which names take time on each, and what its counters counted. */
#ifndef TP_ANALYZE_TRACKS_H
#define TP_ANALYZE_TRACKS_H

#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

struct tp_block;
struct tp_doc;
struct tp_line;
struct tp_pass_ctx;
struct tp_track_counter;

/* All events of a track with one name and category. */
struct tp_track_name {
	struct tp_slice name, category;
	uint64_t calls;
	/* self: what is covered by no event inside it; at most the total, which counts nested calls again */
	int64_t total_ps, self_ps, longest_ps;
};

struct tp_track_sums {
	const struct tp_line *line;
	uint64_t events, moments; /* moments: of the events, those without length that are meant so */
	int64_t self_ps;          /* of all names */
	const struct tp_track_name *names; /* those with most self time first */
	size_t name_count;                 /* that are kept of … */
	size_t all_names;                  /* … so many */
};

struct tp_counter_sums {
	const struct tp_track_counter *counter;
	double least, most, last;
	double mean; /* over time, each value until the next; NaN: all points are at one time */
};

struct tp_track_totals {
	const struct tp_track_sums *tracks; /* those with most time first */
	size_t track_count;
	const struct tp_counter_sums *counters;
	size_t counter_count;
	uint64_t events, flows;
	int64_t self_ps; /* of all tracks */
};

/* struct tp_track_totals */
extern const struct tp_pass tp_pass_tracks;

/* tracks_present.c */
void tp_tracks_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
