/* What a trace of any program holds beside its lines of events: counters, and arrows from event to event. Plain data. */
#ifndef TP_MODEL_TRACKS_H
#define TP_MODEL_TRACKS_H

#include "base/slice.h"

#include <stdint.h>

/* A value over time: each point holds until the next. */
struct tp_track_counter {
	struct tp_slice process; /* empty: the trace does not say whose it is */
	struct tp_slice name;
	struct tp_slice unit; /* as written: "bytes"; empty: none */
	uint32_t count;
	const int64_t *at_ps; /* in order */
	const double *values; /* finite */
};

/* What led to what. */
struct tp_track_flow {
	uint32_t from_line, from_event, to_line, to_event;
};

/* Of one file. */
struct tp_tracks {
	uint32_t input, host;
	const struct tp_track_counter *counters;
	uint32_t counter_count;
	const struct tp_track_flow *flows; /* in order of where they lead to */
	uint32_t flow_count;
	struct tp_tracks *next;
};

#endif
