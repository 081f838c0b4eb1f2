/* All events of the run that a report is of, for outputs that other tools open. They stay where they lie and are asked for one by one, so
 * that no second copy of them is ever made, and nobody who renders sees the profile.
 *
 * Times are picoseconds on one clock for all, from any zero. */
#ifndef TP_REPORT_RUN_EVENTS_H
#define TP_REPORT_RUN_EVENTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_finding;

/* A line of the profile: a thread, a stream, the operations of a core. */
struct tp_run_track {
	struct tp_slice group; /* "GPU:0", "Host threads"; tracks of one stand together */
	struct tp_slice name;
	struct tp_slice kind; /* "thread", "stream" … */
	uint64_t events;
};

struct tp_run_event {
	int64_t from_ps;
	int64_t length_ps; /* ≥ 0 */
	uint32_t name;     /* below name_count */
	bool moment;       /* has no length, and is meant so */
};

/* What an event was called with: "Input Dims": "[[64,3,7,7]]", or a number where text.ptr is NULL. */
struct tp_run_argument {
	const char *key;
	struct tp_slice text; /* lasts while it is being given */
	int64_t number;
};

struct tp_run_counter {
	struct tp_slice group, name, unit; /* unit: "bytes"; may be empty */
	uint64_t points;                   /* at most so many */
};

struct tp_run_point {
	int64_t at_ps;
	double value;
};

struct tp_run_step {
	struct tp_slice name;
	int64_t from_ps, to_ps;
};

/* Where a finding is seen best; over all of the capture where it has no place. */
struct tp_run_finding {
	const struct tp_finding *finding;
	int64_t from_ps, to_ps;
};

struct tp_run_events {
	const struct tp_run_track *tracks;
	size_t track_count;
	const struct tp_run_counter *counters;
	size_t counter_count;
	const struct tp_run_step *steps;
	size_t step_count;
	const struct tp_run_finding
		*findings; /* the open ones of the report, by time, the longer first */
	size_t finding_count;
	uint32_t name_count;
	int64_t begin_ps,
		end_ps; /* of the first event, and of the last to end; of all, also where only a part is asked for */
	int64_t zero_unix_ns; /* what times count from; 0: not known */
	/* How the clocks of several hosts go together, in a sentence; empty: there is one. */
	struct tp_slice clocks;
	/* Why one file of all of them would mislead; empty: it would not. */
	struct tp_slice refused;

	const void *of;
	/* The event with this number, in order of start, the longer first. False: it is not in the part that is asked for. */
	bool (*event)(
		const struct tp_run_events *e, size_t track, uint64_t number, struct tp_run_event *out);
	/* Gives each flow that leaves an event, or reaches it, to `put`: what two events are linked by has the same id. */
	void (*flows)(const struct tp_run_events *e, size_t track, uint64_t number,
		void (*put)(void *with, uint64_t id, bool leaves), void *with);
	void (*arguments)(const struct tp_run_events *e, size_t track, uint64_t number,
		void (*put)(void *with, const struct tp_run_argument *argument), void *with);
	struct tp_slice (*name)(const struct tp_run_events *e, uint32_t name);
	struct tp_slice (*category)(const struct tp_run_events *e, uint32_t name); /* may be empty */
	/* In order of time. False: there is none of this number. */
	bool (*point)(
		const struct tp_run_events *e, size_t counter, uint64_t number, struct tp_run_point *out);
};

#endif
