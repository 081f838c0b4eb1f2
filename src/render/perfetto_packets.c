/* Writing packets: names and categories once, then by number. Field numbers: protos/perfetto/trace of https://perfetto.dev. */
#include "render/perfetto_packets.h"

#include "codec/pb_write.h"
#include "io/sink.h"
#include "report/run_events.h"

/* Trace, TracePacket. */
enum {
	TRACE_PACKET = 1,
	PACKET_CLOCKS = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,
};

/* TrackEvent, InternedData, DebugAnnotation. */
enum {
	EVENT_CATEGORY = 3,
	EVENT_NOTE = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_NUMBER = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_DOUBLE = 44,
	EVENT_FLOW = 47,
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_KEY = 3,
	INTERNED_TEXT = 29,
	NOTE_KEY_NUMBER = 1,
	NOTE_INTEGER = 4,
	NOTE_TEXT = 6,
	NOTE_TEXT_NUMBER = 17,
};

/* Further texts of arguments stand where they are used, so that memory is bounded. */
enum { MOST_TEXTS = 1 << 16, LONGEST_TEXT = 4096 };

/* TrackDescriptor, ProcessDescriptor, CounterDescriptor. */
enum {
	TRACK_NUMBER = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	COUNTER_UNIT = 3,
	COUNTER_UNIT_NAME = 6,
	UNIT_BYTES = 3,
};

enum { REALTIME = 1, BOOTTIME = 6 };         /* BuiltinClock */
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 }; /* SequenceFlags */
enum { SEQUENCE = 1 };                       /* all packets are of one */

static void
put_fixed(struct tp_buf *o, uint32_t field, uint64_t bits)
{
	char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (char)(bits >> 8 * i);
	tp_pb_put_varint(o, (uint64_t)field << 3 | 1);
	tp_pb_put_raw(o, (struct tp_slice){bytes, sizeof bytes});
}

static void
finish(struct tp_perfetto *w, unsigned flags)
{
	tp_pb_put_number(&w->packet, PACKET_SEQUENCE, SEQUENCE);
	if (flags != 0)
		tp_pb_put_number(&w->packet, PACKET_FLAGS, flags);
	tp_pb_wrap(&w->packet, TRACE_PACKET, w->packet.count);
	tp_sink_put(w->out, tp_pb_written(&w->packet));
	w->packet.count = 0;
}

static void
put_clock(struct tp_perfetto *w, unsigned clock, uint64_t ns)
{
	w->inner.count = 0;
	tp_pb_put_number(&w->inner, 1, clock);
	tp_pb_put_number(&w->inner, 2, ns);
	tp_pb_put_bytes(&w->part, 1, tp_pb_written(&w->inner));
}

void
tp_perfetto_begin(struct tp_perfetto *w, int64_t unix_ns)
{
	w->part.count = 0;
	put_clock(w, BOOTTIME, 0);
	if (unix_ns > 0)
		put_clock(w, REALTIME, (uint64_t)unix_ns);
	tp_pb_put_bytes(&w->packet, PACKET_CLOCKS, tp_pb_written(&w->part));
	finish(w, STATE_CLEARED);
}

static void
begin_track(struct tp_perfetto *w, uint64_t parent)
{
	w->part.count = 0;
	tp_pb_put_number(&w->part, TRACK_NUMBER, ++w->tracks);
	if (parent != 0)
		tp_pb_put_number(&w->part, TRACK_PARENT, parent);
}

static uint64_t
finish_track(struct tp_perfetto *w)
{
	tp_pb_put_bytes(&w->packet, PACKET_TRACK, tp_pb_written(&w->part));
	finish(w, 0);
	return w->tracks;
}

uint64_t
tp_perfetto_process(struct tp_perfetto *w, struct tp_slice name)
{
	begin_track(w, 0);
	w->inner.count = 0;
	tp_pb_put_number(&w->inner, PROCESS_PID, w->tracks);
	tp_pb_put_bytes(&w->inner, PROCESS_NAME, name);
	tp_pb_put_bytes(&w->part, TRACK_PROCESS, tp_pb_written(&w->inner));
	return finish_track(w);
}

uint64_t
tp_perfetto_track(struct tp_perfetto *w, uint64_t parent, struct tp_slice name)
{
	begin_track(w, parent);
	tp_pb_put_bytes(&w->part, TRACK_NAME, name);
	return finish_track(w);
}

uint64_t
tp_perfetto_counter(
	struct tp_perfetto *w, uint64_t parent, struct tp_slice name, struct tp_slice unit)
{
	begin_track(w, parent);
	tp_pb_put_bytes(&w->part, TRACK_NAME, name);
	w->inner.count = 0;
	if (tp_slice_eq(unit, TP_S("bytes")))
		tp_pb_put_number(&w->inner, COUNTER_UNIT, UNIT_BYTES);
	else if (unit.len != 0)
		tp_pb_put_bytes(&w->inner, COUNTER_UNIT_NAME, unit);
	tp_pb_put_bytes(&w->part, TRACK_COUNTER, tp_pb_written(&w->inner));
	return finish_track(w);
}

void
tp_perfetto_open(struct tp_perfetto *w, enum tp_perfetto_type type, uint64_t track)
{
	w->part.count = w->packet.count = w->interned.count = 0;
	tp_pb_put_number(&w->part, EVENT_TYPE, type);
	tp_pb_put_number(&w->part, EVENT_TRACK, track);
}

void
tp_perfetto_name(struct tp_perfetto *w, struct tp_slice name)
{
	tp_pb_put_bytes(&w->part, EVENT_NAME, name);
}

/* For the packet in the making. */
static void
intern(struct tp_perfetto *w, uint32_t field, uint64_t number, struct tp_slice name)
{
	w->inner.count = 0;
	tp_pb_put_number(&w->inner, 1, number);
	tp_pb_put_bytes(&w->inner, 2, name);
	tp_pb_put_bytes(&w->interned, field, tp_pb_written(&w->inner));
}

static uint32_t
number_of(struct tp_perfetto *w, struct tp_strings *known, uint32_t field, struct tp_slice text)
{
	uint32_t before = known->count, number = tp_intern_copy(known, text);

	if (known->count != before)
		intern(w, field, number, text);
	return number;
}

void
tp_perfetto_known_name(struct tp_perfetto *w, const struct tp_run_events *e, uint32_t name)
{
	struct tp_slice category = e->category(e, name);

	if (!w->written[name])
		intern(w, INTERNED_NAME, (uint64_t)name + 1, e->name(e, name));
	w->written[name] = 1;
	tp_pb_put_number(&w->part, EVENT_NAME_NUMBER, (uint64_t)name + 1);
	if (category.len == 0)
		return;
	tp_pb_put_number(
		&w->part, EVENT_CATEGORY, number_of(w, &w->categories, INTERNED_CATEGORY, category));
}

void
tp_perfetto_flow(struct tp_perfetto *w, uint64_t id)
{
	put_fixed(&w->part, EVENT_FLOW, id);
}

void
tp_perfetto_value(struct tp_perfetto *w, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	put_fixed(&w->part, EVENT_DOUBLE, bits);
}

void
tp_perfetto_note(struct tp_perfetto *w, struct tp_slice key, struct tp_slice text)
{
	uint32_t key_number = number_of(w, &w->keys, INTERNED_KEY, key), text_number = 0;

	if (text.len <= LONGEST_TEXT &&
		(w->texts.count < MOST_TEXTS || tp_strings_find(&w->texts, text) != TP_MAP_NONE))
		text_number = number_of(w, &w->texts, INTERNED_TEXT, text);
	w->inner.count = 0;
	tp_pb_put_number(&w->inner, NOTE_KEY_NUMBER, key_number);
	if (text_number != 0)
		tp_pb_put_number(&w->inner, NOTE_TEXT_NUMBER, text_number);
	else
		tp_pb_put_bytes(&w->inner, NOTE_TEXT, text);
	tp_pb_put_bytes(&w->part, EVENT_NOTE, tp_pb_written(&w->inner));
}

void
tp_perfetto_number(struct tp_perfetto *w, struct tp_slice key, int64_t number)
{
	uint32_t key_number = number_of(w, &w->keys, INTERNED_KEY, key);

	w->inner.count = 0;
	tp_pb_put_number(&w->inner, NOTE_KEY_NUMBER, key_number);
	tp_pb_put_number(&w->inner, NOTE_INTEGER, (uint64_t)number);
	tp_pb_put_bytes(&w->part, EVENT_NOTE, tp_pb_written(&w->inner));
}

void
tp_perfetto_close(struct tp_perfetto *w, int64_t ns)
{
	tp_pb_put_number(
		&w->packet, PACKET_TIMESTAMP, ns > w->zero_ns ? (uint64_t)(ns - w->zero_ns) : 0);
	if (w->interned.count != 0)
		tp_pb_put_bytes(&w->packet, PACKET_INTERNED, tp_pb_written(&w->interned));
	tp_pb_put_bytes(&w->packet, PACKET_EVENT, tp_pb_written(&w->part));
	finish(w, NEEDS_STATE);
}
