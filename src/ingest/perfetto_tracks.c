/* Descriptors of tracks. Numbers: track_descriptor.proto and the like of https://perfetto.dev. */
#include "ingest/perfetto_tracks.h"

#include "codec/pb_wire.h"

enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_STATIC_NAME = 10,
	TRACK_ATRACE_NAME = 13,
};
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 3, COUNTER_MULTIPLIER = 4, COUNTER_INCREMENTAL = 5, COUNTER_UNIT_NAME = 6 };

/* Above these nobody looks: a file may put tracks in a circle. */
enum { DEEPEST = 64 };

void
tp_perfetto_tracks_init(struct tp_perfetto_tracks *t, struct tp_arena *arena)
{
	*t = (struct tp_perfetto_tracks){0};
	tp_map_init(&t->number_of, arena);
	tp_map_init(&t->process_name_of, arena);
}

void
tp_perfetto_tracks_free(struct tp_perfetto_tracks *t)
{
	tp_buf_free(&t->tracks);
}

static void
read_process(struct tp_perfetto_about *a, struct tp_slice message)
{
	a->has_process = true;
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field == PROCESS_PID && p.type == TP_PB_VARINT)
			a->pid = (int64_t)p.number;
		else if (p.field == PROCESS_NAME && p.type == TP_PB_BYTES)
			a->process_name = p.bytes;
	}
}

static void
read_thread(struct tp_perfetto_about *a, struct tp_slice message)
{
	a->has_thread = true;
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field == THREAD_PID && p.type == TP_PB_VARINT)
			a->pid = (int64_t)p.number;
		else if (p.field == THREAD_TID && p.type == TP_PB_VARINT)
			a->tid = (int64_t)p.number;
		else if (p.field == THREAD_NAME && p.type == TP_PB_BYTES)
			a->thread_name = p.bytes;
	}
}

static void
read_counter(struct tp_perfetto_about *a, struct tp_slice message)
{
	static const char *const units[] = {"", "ns", "", "bytes"};

	a->counter = true;
	a->multiplier = 1;
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field == COUNTER_UNIT_NAME && p.type == TP_PB_BYTES)
			a->unit = p.bytes;
		else if (p.type != TP_PB_VARINT)
			continue;
		else if (p.field == COUNTER_UNIT && p.number < sizeof units / sizeof *units)
			a->unit = tp_slice_of(units[p.number]);
		else if (p.field == COUNTER_MULTIPLIER && p.number != 0)
			a->multiplier = (double)(int64_t)p.number;
		else if (p.field == COUNTER_INCREMENTAL)
			a->incremental = p.number != 0;
	}
}

void
tp_perfetto_describe(struct tp_perfetto_tracks *t, struct tp_slice descriptor)
{
	struct tp_perfetto_about a = {.multiplier = 1};
	uint64_t uuid = 0;
	uint32_t number;

	for (struct tp_pb p = tp_pb_open(descriptor); tp_pb_next(&p);) {
		if (p.type == TP_PB_VARINT && p.field == TRACK_UUID)
			uuid = p.number;
		else if (p.type == TP_PB_VARINT && p.field == TRACK_PARENT)
			a.parent = p.number;
		else if (p.type != TP_PB_BYTES)
			continue;
		else if (p.field == TRACK_NAME || p.field == TRACK_STATIC_NAME ||
			p.field == TRACK_ATRACE_NAME)
			a.name = p.bytes;
		else if (p.field == TRACK_PROCESS)
			read_process(&a, p.bytes);
		else if (p.field == TRACK_THREAD)
			read_thread(&a, p.bytes);
		else if (p.field == TRACK_COUNTER)
			read_counter(&a, p.bytes);
	}
	if (tp_map_number(&t->number_of, uuid, &number))
		tp_buf_add(&t->tracks, sizeof a);
	((struct tp_perfetto_about *)t->tracks.data)[number] = a;
	if (a.has_process && a.process_name.len != 0)
		tp_map_put(&t->process_name_of, (uint64_t)a.pid, number);
}

const struct tp_perfetto_about *
tp_perfetto_about(const struct tp_perfetto_tracks *t, uint64_t uuid)
{
	uint32_t number = tp_map_get(&t->number_of, uuid);

	return number != TP_MAP_NONE ? (const struct tp_perfetto_about *)t->tracks.data + number : NULL;
}

struct tp_perfetto_owner
tp_perfetto_owner(const struct tp_perfetto_tracks *t, uint64_t uuid)
{
	const struct tp_perfetto_about *a = tp_perfetto_about(t, uuid), *above = a;

	for (int depth = 0; above != NULL && depth < DEEPEST; depth++) {
		if (above->has_process || above->has_thread) {
			uint32_t named = tp_map_get(&t->process_name_of, (uint64_t)above->pid);
			const struct tp_perfetto_about *by = named != TP_MAP_NONE
				? (const struct tp_perfetto_about *)t->tracks.data + named
				: above;

			return (struct tp_perfetto_owner){
				tp_hash_pair(1, (uint64_t)above->pid), by->process_name, true, above->pid};
		}
		a = above;
		if (above->parent == 0)
			break;
		uuid = above->parent;
		above = tp_perfetto_about(t, uuid);
	}
	return (struct tp_perfetto_owner){tp_hash_pair(2, a != NULL && a->parent == 0 ? uuid : 0),
		a != NULL ? a->name : TP_S(""), false, 0};
}
