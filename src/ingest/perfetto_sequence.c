/* Names that sequences of packets intern. Numbers: interned_data.proto of https://perfetto.dev. */
#include "codec/pb_wire.h"
#include "ingest/perfetto_packets.h"
#include "ingest/tracks.h"

struct tp_perfetto_sequence *
tp_perfetto_sequence_of(struct tp_perfetto_reading *r, uint32_t id)
{
	uint32_t number;

	if (tp_map_number(&r->sequence_of, id, &number))
		TP_PUSH(&r->sequences, struct tp_perfetto_sequence, .id = id);
	return (struct tp_perfetto_sequence *)r->sequences.data + number;
}

static uint64_t
key_of(const struct tp_perfetto_sequence *s, enum tp_perfetto_interned kind, uint64_t number)
{
	return tp_hash_pair(
		tp_hash_pair((uint64_t)s->id << 32 | s->generation, (uint64_t)kind), number);
}

uint32_t
tp_perfetto_interned(const struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s,
	enum tp_perfetto_interned kind, uint64_t number)
{
	uint32_t text = tp_map_get(&r->interned, key_of(s, kind, number));

	return text != TP_MAP_NONE ? text : 0;
}

/* {number, name} */
static void
intern(struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s,
	enum tp_perfetto_interned kind, struct tp_slice entry)
{
	uint64_t number = 0;
	struct tp_slice name = TP_S("");

	for (struct tp_pb p = tp_pb_open(entry); tp_pb_next(&p);) {
		if (p.field == 1 && p.type == TP_PB_VARINT)
			number = p.number;
		else if (p.field == 2 && p.type == TP_PB_BYTES)
			name = p.bytes;
	}
	tp_map_put(&r->interned, key_of(s, kind, number), tp_tracks_text(r->tracks, name));
}

void
tp_perfetto_intern(
	struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s, struct tp_slice message)
{
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.type == TP_PB_BYTES &&
			(p.field == TP_PERFETTO_CATEGORIES || p.field == TP_PERFETTO_NAMES))
			intern(r, s, (enum tp_perfetto_interned)p.field, p.bytes);
	}
}
