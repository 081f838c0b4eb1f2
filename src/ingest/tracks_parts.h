/* What the parts of collecting tracks share: events as they come, and what they are made into. */
#ifndef TP_INGEST_TRACKS_PARTS_H
#define TP_INGEST_TRACKS_PARTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/map.h"
#include "ingest/tracks.h"
#include "model/tracks.h"

struct tp_arena;

struct tp_draft_event {
	int64_t at_ps, duration_ps;
	uint32_t op;
	bool instant;
};

struct tp_draft_track {
	uint32_t process;
	struct tp_slice name;
	int64_t thread;       /* its number; 0: not told */
	struct tp_buf events; /* struct tp_draft_event */
	uint32_t line;        /* of the profile, once it is built; TP_NONE: it has no events */
};

struct tp_draft_process {
	uint64_t key;
	struct tp_slice name;
};

struct tp_draft_op {
	uint32_t name, category; /* strings */
};

/* A begin or an end. */
struct tp_draft_half {
	uint64_t nest;
	int64_t at_ps;
	uint32_t track, op;
	uint32_t number; /* in the order of the file */
	bool end;
};

struct tp_draft_point {
	int64_t at_ps;
	double value;
	uint32_t number;
};

struct tp_draft_counter {
	uint32_t process;
	struct tp_slice name, unit;
	struct tp_buf points; /* struct tp_draft_point */
};

struct tp_draft_flow {
	uint64_t id;
	int64_t at_ps;
	uint32_t track, number;
	uint32_t event; /* of the track's line; TP_NONE: none was found */
	uint32_t half;  /* of TP_TRACKS_LAST: the begin that is meant; TP_NONE: a moment is */
	uint32_t op;    /* likewise: what it is */
	uint8_t what, bind;
};

struct tp_draft_tracks {
	struct tp_arena *arena;
	struct tp_strings strings;
	struct tp_map process_of, track_of, op_of, counter_of; /* by key */
	struct tp_buf processes, tracks, ops, counters;
	struct tp_buf halves; /* struct tp_draft_half */
	struct tp_buf flows;  /* struct tp_draft_flow */
	struct tp_buf
		lengths; /* int64_t: in ps, of the events of begins, by their number; filled where flows ask */
	bool exact;                  /* some flow does */
	uint32_t last_half, last_op; /* of what was added last; half TP_NONE: no begin */
	uint64_t count;
	int64_t last_ps;           /* the latest time of any event */
	uint64_t no_begin, no_end; /* ends without a begin, and the other way round */
	uint64_t unbound;          /* flows that pass where no event is */
};

static inline struct tp_draft_track *
tp_draft_track_at(const struct tp_draft_tracks *d, uint32_t index)
{
	return (struct tp_draft_track *)d->tracks.data + index;
}

/* Makes events of begins and ends (tracks_nest.c). */
void tp_tracks_join(struct tp_draft_tracks *d);

/* Arrows between the events of the lines that were built, in order of where they lead to (tracks_flow.c). ops: of the profile, by those of
 * the draft. */
const struct tp_track_flow *tp_tracks_arrows(
	struct tp_draft_tracks *d, const uint32_t *ops, struct tp_builder *out, uint32_t *count);

#endif
