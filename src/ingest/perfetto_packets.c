/* Reading packets. Numbers: trace_packet.proto of https://perfetto.dev. */
#include "ingest/perfetto_packets.h"

#include "codec/pb_wire.h"

enum {
	PACKET_CLOCKS = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLEARED = 41, /* as it was said before there were flags */
	PACKET_DROPPED = 42,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
};
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
enum { DEFAULTS_EVENT = 11, DEFAULTS_CLOCK = 58, DEFAULT_TRACK = 11 };

struct packet {
	bool timed, cleared, dropped, has_event, has_clocks, has_defaults;
	uint64_t timestamp, flags;
	uint32_t sequence, clock;
	struct tp_slice event, clocks, defaults;
	bool interns, other;
};

static struct packet
read_packet(struct tp_slice message)
{
	struct packet k = {.other = true};

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		bool number = p.type == TP_PB_VARINT, bytes = p.type == TP_PB_BYTES;

		if (p.field == PACKET_TIMESTAMP && number) {
			k.timed = true;
			k.timestamp = p.number;
		} else if (p.field == PACKET_SEQUENCE && number) {
			k.sequence = (uint32_t)p.number;
		} else if (p.field == PACKET_FLAGS && number) {
			k.flags = p.number;
		} else if (p.field == PACKET_CLEARED && number) {
			k.cleared = p.number != 0;
		} else if (p.field == PACKET_DROPPED && number) {
			k.dropped = p.number != 0;
		} else if (p.field == PACKET_CLOCK && number) {
			k.clock = (uint32_t)p.number;
		} else if (p.field == PACKET_EVENT && bytes) {
			k.has_event = true;
			k.event = p.bytes;
		} else if (p.field == PACKET_CLOCKS && bytes) {
			k.has_clocks = true;
			k.clocks = p.bytes;
		} else if (p.field == PACKET_DEFAULTS && bytes) {
			k.has_defaults = true;
			k.defaults = p.bytes;
		} else if (p.field == PACKET_INTERNED && bytes) {
			k.interns = true;
		} else if (p.field == PACKET_TRACK) {
			k.other = false;
		}
	}
	k.other &= !k.has_event && !k.has_clocks && !k.has_defaults && !k.interns;
	return k;
}

static void
take_defaults(struct tp_perfetto_sequence *s, struct tp_slice defaults)
{
	s->clock = 0;
	s->has_track = false;
	for (struct tp_pb p = tp_pb_open(defaults); tp_pb_next(&p);) {
		if (p.field == DEFAULTS_CLOCK && p.type == TP_PB_VARINT)
			s->clock = (uint32_t)p.number;
		if (p.field != DEFAULTS_EVENT || p.type != TP_PB_BYTES)
			continue;
		for (struct tp_pb of = tp_pb_open(p.bytes); tp_pb_next(&of);) {
			if (of.field != DEFAULT_TRACK || of.type != TP_PB_VARINT)
				continue;
			s->has_track = true;
			s->track = of.number;
		}
	}
}

/* What the packet says of its sequence. */
static void
take_state(struct tp_perfetto_reading *r, struct tp_perfetto_sequence *s, const struct packet *k,
	struct tp_slice packet)
{
	if (k->dropped)
		s->sound = false;
	if (k->cleared || (k->flags & STATE_CLEARED) != 0) {
		s->generation++;
		s->sound = true;
		s->clock = 0;
		s->has_track = false;
	}
	if (k->has_defaults)
		take_defaults(s, k->defaults);
	for (struct tp_pb p = tp_pb_open(packet); k->interns && tp_pb_next(&p);) {
		if (p.field == PACKET_INTERNED && p.type == TP_PB_BYTES)
			tp_perfetto_intern(r, s, p.bytes);
	}
}

void
tp_perfetto_packet(struct tp_perfetto_reading *r, struct tp_slice packet)
{
	struct packet k = read_packet(packet);
	struct tp_perfetto_sequence *s = tp_perfetto_sequence_of(r, k.sequence);
	int64_t ns;

	take_state(r, s, &k, packet);
	r->other_packets += k.other;
	if (k.has_clocks)
		tp_perfetto_clock_snapshot(&r->clocks, k.sequence, k.clocks);
	if (!k.has_event)
		return;
	r->events++;
	if ((k.flags & NEEDS_STATE) != 0 && !s->sound)
		r->lost++;
	else if (!k.timed)
		r->unusable++;
	else if (!tp_perfetto_time(
				 &r->clocks, k.sequence, k.clock != 0 ? k.clock : s->clock, k.timestamp, &ns))
		r->no_clock++;
	else
		r->unusable += !tp_perfetto_event(r, s, k.event, ns);
}
