/* Packets of a Perfetto trace, one after the other, with what each sequence of them holds: interned names, defaults. */
#ifndef TP_INGEST_PERFETTO_PACKETS_H
#define TP_INGEST_PERFETTO_PACKETS_H

#include "base/buf.h"
#include "base/map.h"
#include "base/slice.h"
#include "ingest/perfetto_clock.h"
#include "ingest/perfetto_tracks.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_draft_tracks;

/* What a sequence of packets holds; names that it interned are forgotten when it says so. */
struct tp_perfetto_sequence {
	uint32_t id;
	uint32_t generation; /* of its names */
	bool sound;          /* nothing of it was lost since it last began */
	uint32_t clock;      /* of packets that name none; 0: the trace's */
	bool has_track;
	uint64_t track; /* of events that name none */
};

struct tp_perfetto_reading {
	struct tp_draft_tracks *tracks;
	struct tp_perfetto_tracks about;
	struct tp_perfetto_clocks clocks;
	struct tp_map sequence_of; /* by id → index */
	struct tp_buf sequences;   /* struct tp_perfetto_sequence */
	struct tp_map interned;    /* by sequence, generation, kind and number → text of the draft */
	struct tp_map sum_of;      /* by counter → index */
	struct tp_buf sums;        /* double: of counters whose values are differences */
	bool has_base;
	int64_t base_ns; /* what times of the draft count from */
	uint64_t events, other_packets, lost, no_clock, packed, unusable, unknown;
};

/* A packet; names are looked at in the order of the file. */
void tp_perfetto_packet(struct tp_perfetto_reading *r, struct tp_slice packet);

/* A TrackEvent of a sequence, at that time. False: it cannot be used (perfetto_event.c). */
bool tp_perfetto_event(struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s,
	struct tp_slice event, int64_t at_ns);

enum tp_perfetto_interned { TP_PERFETTO_CATEGORIES = 1, TP_PERFETTO_NAMES = 2 };

/* The sequence with this id, made when it is first asked for; the next that is made may move it. And what a message InternedData adds to its
 * names (perfetto_sequence.c). */
struct tp_perfetto_sequence *tp_perfetto_sequence_of(struct tp_perfetto_reading *r, uint32_t id);
void tp_perfetto_intern(
	struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s, struct tp_slice message);

/* The text that a sequence interned with this number; 0, the empty one: it did not. */
uint32_t tp_perfetto_interned(const struct tp_perfetto_reading *r,
	const struct tp_perfetto_sequence *s, enum tp_perfetto_interned kind, uint64_t number);

#endif
