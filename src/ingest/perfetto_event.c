/* Track events: begins, ends, moments, values of counters, flows. Numbers: track_event.proto of https://perfetto.dev. */
#include "ingest/perfetto_packets.h"

#include "codec/pb_wire.h"
#include "ingest/tracks.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	EVENT_CATEGORY_NUMBER = 3,
	EVENT_LEGACY = 6,
	EVENT_TYPE = 9,
	EVENT_NAME_NUMBER = 10,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_VALUE = 30,
	EVENT_FLOW_OLD = 36,
	EVENT_FLOW_END_OLD = 42,
	EVENT_DOUBLE = 44,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
};
enum { BEGIN = 1, END = 2, MOMENT = 3, COUNTER = 4 };

/* LegacyEvent: what a Chrome trace in JSON says, by its phases. */
enum {
	LEGACY_NAME = 1,
	LEGACY_PHASE = 2,
	LEGACY_DURATION_US = 3,
	LEGACY_ID = 6,
	LEGACY_LOCAL_ID = 10,
	LEGACY_GLOBAL_ID = 11,
};

struct event {
	uint64_t type, track;
	uint32_t name, category; /* texts of the draft */
	bool has_value;
	double value;
	bool has_flows;
	/* Old events: their phase, 0: it is none; what an asynchronous one is told apart by. */
	uint8_t phase;
	uint64_t id, duration_us;
};

/* Kinds of keys. */
enum { OF_TRACK = 11, OF_COUNTER = 12, OF_ASYNCHRONOUS = 13 };

static void
read_categories(struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s,
	const struct tp_pb *p, struct event *e)
{
	struct tp_pb_list list = tp_pb_list_of(p);
	uint64_t number;

	/* Of several the first. */
	if (e->category == 0 && tp_pb_list_next(&list, &number))
		e->category = tp_perfetto_interned(r, s, TP_PERFETTO_CATEGORIES, number);
}

static void
read_legacy(struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s,
	struct tp_slice message, struct event *e)
{
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.type != TP_PB_VARINT)
			continue;
		if (p.field == LEGACY_NAME && e->name == 0)
			e->name = tp_perfetto_interned(r, s, TP_PERFETTO_NAMES, p.number);
		else if (p.field == LEGACY_PHASE)
			e->phase = p.number < UINT8_MAX ? (uint8_t)p.number : UINT8_MAX;
		else if (p.field == LEGACY_DURATION_US)
			e->duration_us = p.number;
		else if (p.field == LEGACY_ID || p.field == LEGACY_LOCAL_ID || p.field == LEGACY_GLOBAL_ID)
			e->id = p.number;
	}
}

static struct event
read_event(
	struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s, struct tp_slice message)
{
	struct event e = {.track = s->has_track ? s->track : 0};

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		switch (p.field) {
		case EVENT_TYPE:
			e.type = p.number;
			break;
		case EVENT_TRACK:
			e.track = p.number;
			break;
		case EVENT_NAME_NUMBER:
			e.name = tp_perfetto_interned(r, s, TP_PERFETTO_NAMES, p.number);
			break;
		case EVENT_NAME:
			if (p.type == TP_PB_BYTES)
				e.name = tp_tracks_text(r->tracks, p.bytes);
			break;
		case EVENT_CATEGORY_NUMBER:
			read_categories(r, s, &p, &e);
			break;
		case EVENT_CATEGORY:
			if (p.type == TP_PB_BYTES && e.category == 0)
				e.category = tp_tracks_text(r->tracks, p.bytes);
			break;
		case EVENT_LEGACY:
			if (p.type == TP_PB_BYTES)
				read_legacy(r, s, p.bytes, &e);
			break;
		case EVENT_VALUE:
			e.has_value = true;
			e.value = (double)(int64_t)p.number;
			break;
		case EVENT_DOUBLE:
			e.has_value = p.type == TP_PB_FIXED64;
			memcpy(&e.value, &p.number, sizeof e.value);
			break;
		case EVENT_FLOW:
		case EVENT_FLOW_END:
		case EVENT_FLOW_OLD:
		case EVENT_FLOW_END_OLD:
			e.has_flows = true;
			break;
		default:
			break;
		}
	}
	return e;
}

static uint32_t
process_of(struct tp_perfetto_reading *r, uint64_t uuid)
{
	struct tp_perfetto_owner owner = tp_perfetto_owner(&r->about, uuid);
	uint32_t process = tp_tracks_process(r->tracks, owner.key);
	char room[48];

	if (tp_tracks_is_process_named(r->tracks, process))
		return process;
	snprintf(room, sizeof room, "process %" PRId64, owner.pid);
	if (owner.name.len != 0 || owner.has_pid)
		tp_tracks_name_process(
			r->tracks, process, owner.name.len != 0 ? owner.name : tp_slice_of(room));
	return process;
}

static struct tp_slice
name_of(const struct tp_perfetto_about *a, char room[static 48])
{
	if (a == NULL)
		return TP_S("no track given");
	if (a->name.len != 0)
		return a->name;
	if (a->thread_name.len != 0)
		return a->thread_name;
	if (a->has_thread) {
		snprintf(room, 48, "thread %" PRId64, a->tid);
		return tp_slice_of(room);
	}
	return a->has_process ? TP_S("whole process") : TP_S("without a name");
}

static uint32_t
track_of(struct tp_perfetto_reading *r, uint64_t uuid)
{
	uint32_t track = tp_tracks_track(r->tracks, tp_hash_pair(OF_TRACK, uuid), process_of(r, uuid));
	const struct tp_perfetto_about *about = tp_perfetto_about(&r->about, uuid);
	char room[48];

	if (about != NULL && about->has_thread)
		tp_tracks_thread(r->tracks, track, about->tid);
	if (!tp_tracks_is_named(r->tracks, track))
		tp_tracks_name_track(r->tracks, track, name_of(about, room));
	return track;
}

static bool
take_value(struct tp_perfetto_reading *r, const struct event *e, int64_t at_ps)
{
	const struct tp_perfetto_about *a = tp_perfetto_about(&r->about, e->track);
	uint64_t key = tp_hash_pair(OF_COUNTER, e->track);
	double value = e->value * (a != NULL ? a->multiplier : 1);
	char room[48];
	uint32_t number,
		counter =
			tp_tracks_counter(r->tracks, key, process_of(r, e->track), name_of(a, room), TP_S(""));

	if (a != NULL && a->unit.len != 0)
		tp_tracks_counter_unit(r->tracks, counter, a->unit);
	if (a != NULL && a->incremental) {
		if (tp_map_number(&r->sum_of, key, &number))
			tp_buf_new(&r->sums, double);
		value = ((double *)r->sums.data)[number] += value;
	}
	return e->has_value && tp_tracks_point(r->tracks, counter, at_ps, value);
}

static void
take_flows(struct tp_perfetto_reading *r, struct tp_slice message, uint32_t track, int64_t at_ps)
{
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		bool ends = p.field == EVENT_FLOW_END || p.field == EVENT_FLOW_END_OLD;
		bool old = p.field == EVENT_FLOW_OLD || p.field == EVENT_FLOW_END_OLD;

		if ((!ends && p.field != EVENT_FLOW && !old) ||
			p.type != (old ? TP_PB_VARINT : TP_PB_FIXED64))
			continue;
		tp_tracks_flow(r->tracks, p.number, ends ? TP_TRACKS_FLOW_END : TP_TRACKS_FLOW_STEP,
			TP_TRACKS_LAST, track, at_ps);
	}
}

/* Clocks that began long ago are beyond 64 bits in ps. */
static bool
ps_of(struct tp_perfetto_reading *r, int64_t at_ns, int64_t *at_ps)
{
	enum { NS_A_S = 1000000000 };
	int64_t ns;

	if (!r->has_base) {
		r->has_base = true;
		if (at_ns > TP_TRACKS_LATEST_PS / 2 / 1000 || at_ns < -TP_TRACKS_LATEST_PS / 2 / 1000)
			r->base_ns = at_ns - at_ns % NS_A_S;
	}
	return !__builtin_sub_overflow(at_ns, r->base_ns, &ns) &&
		!__builtin_mul_overflow(ns, (int64_t)1000, at_ps);
}

/* Asynchronous ones of a category stand on a track of their own, in the process of their thread. */
static uint32_t
asynchronous_track(struct tp_perfetto_reading *r, const struct event *e)
{
	uint32_t process = process_of(r, e->track);
	uint32_t track = tp_tracks_track(
		r->tracks, tp_hash_pair(tp_hash_pair(OF_ASYNCHRONOUS, process), e->category), process);
	struct tp_slice category = tp_tracks_text_of(r->tracks, e->category);

	if (!tp_tracks_is_named(r->tracks, track))
		tp_tracks_name_track(r->tracks, track, category.len != 0 ? category : TP_S("asynchronous"));
	return track;
}

static bool
take_legacy(struct tp_perfetto_reading *r, const struct event *e, int64_t at_ps)
{
	uint64_t nest = tp_hash_pair(OF_TRACK, e->track);
	uint64_t id = tp_hash_pair(tp_hash_pair(OF_ASYNCHRONOUS, e->category), e->id);
	uint32_t op = tp_tracks_op(r->tracks, e->name, e->category);
	int64_t duration_ps;

	switch (e->phase) {
	case 'B':
		return tp_tracks_begin(r->tracks, track_of(r, e->track), nest, at_ps, op);
	case 'E':
		return tp_tracks_end(r->tracks, track_of(r, e->track), nest, at_ps, TP_TRACKS_ANY);
	case 'X':
		return !__builtin_mul_overflow(e->duration_us, (int64_t)1000000, &duration_ps) &&
			tp_tracks_slice(r->tracks, track_of(r, e->track), at_ps, duration_ps, op);
	case 'I':
	case 'i':
	case 'R':
		return tp_tracks_instant(r->tracks, track_of(r, e->track), at_ps, op);
	case 'b':
	case 'S':
		return tp_tracks_begin(r->tracks, asynchronous_track(r, e), id, at_ps, op);
	case 'e':
	case 'F':
		return tp_tracks_end(r->tracks, asynchronous_track(r, e), id, at_ps, op);
	case 'n':
		return tp_tracks_instant(r->tracks, asynchronous_track(r, e), at_ps, op);
	default:
		r->unknown++;
		return true;
	}
}

bool
tp_perfetto_event(struct tp_perfetto_reading *r, const struct tp_perfetto_sequence *s,
	struct tp_slice message, int64_t at_ns)
{
	struct event e = read_event(r, s, message);
	int64_t at_ps;

	if (!ps_of(r, at_ns, &at_ps))
		return false;
	if (e.type == COUNTER)
		return take_value(r, &e, at_ps);
	if (e.type == 0 && e.phase != 0)
		return take_legacy(r, &e, at_ps);
	if (e.type != BEGIN && e.type != END && e.type != MOMENT) {
		r->unknown++;
		return true;
	}
	uint32_t track = track_of(r, e.track);
	uint64_t nest = tp_hash_pair(OF_TRACK, e.track);

	if (e.type == END)
		return tp_tracks_end(r->tracks, track, nest, at_ps, TP_TRACKS_ANY);
	uint32_t op = tp_tracks_op(r->tracks, e.name, e.category);
	bool used = e.type == BEGIN ? tp_tracks_begin(r->tracks, track, nest, at_ps, op)
								: tp_tracks_instant(r->tracks, track, at_ps, op);

	if (used && e.has_flows)
		take_flows(r, message, track, at_ps);
	return used;
}
