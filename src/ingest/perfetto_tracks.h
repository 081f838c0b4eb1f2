/* What a Perfetto trace says of its tracks, before any of its events is read: they may be described behind their events. */
#ifndef TP_INGEST_PERFETTO_TRACKS_H
#define TP_INGEST_PERFETTO_TRACKS_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_perfetto_about {
	uint64_t parent; /* 0: none */
	struct tp_slice name;
	bool has_process, has_thread, counter, incremental;
	int64_t pid, tid;
	struct tp_slice process_name, thread_name, unit;
	double multiplier; /* of a counter's values */
};

struct tp_perfetto_tracks {
	struct tp_map number_of;       /* by uuid */
	struct tp_buf tracks;          /* struct tp_perfetto_about */
	struct tp_map process_name_of; /* by pid → track that names it */
};

void tp_perfetto_tracks_init(struct tp_perfetto_tracks *t, struct tp_arena *arena);
void tp_perfetto_tracks_free(struct tp_perfetto_tracks *t);

/* Takes a TrackDescriptor, whose bytes live as long; what a later one of the same track says counts. */
void tp_perfetto_describe(struct tp_perfetto_tracks *t, struct tp_slice descriptor);

/* NULL: nothing is said of it. */
const struct tp_perfetto_about *tp_perfetto_about(
	const struct tp_perfetto_tracks *t, uint64_t uuid);

/* Whose it is: the process that it or a track above it is of, by pid and name; else the outermost track above it. */
struct tp_perfetto_owner {
	uint64_t key;
	struct tp_slice name; /* may be empty */
	bool has_pid;
	int64_t pid;
};
struct tp_perfetto_owner tp_perfetto_owner(const struct tp_perfetto_tracks *t, uint64_t uuid);

#endif
