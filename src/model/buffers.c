/* Two rounds: the first counts, the second reads into arrays of that size. Field numbers are those of hlo.proto
 * (BufferAssignmentProto and what it holds). */
#include "model/buffers.h"

#include "base/arena.h"
#include "codec/pb_wire.h"

enum {
	MOST = 16000000
}; /* buffers, assignments, events: the largest programs have some hundred thousand */

/* Index by id. Compilers count ids up, so that nearly all plans do without hashing. */
struct ids {
	uint32_t *small; /* by id below limit; TP_MAP_NONE: none */
	uint64_t limit;
	struct tp_map large;
};

static void
open_ids(struct ids *ids, struct tp_arena *arena, uint64_t expected)
{
	ids->limit = 2 * expected + 1024;
	ids->small = tp_new_array(arena, uint32_t, ids->limit);
	memset(ids->small, 0xff, ids->limit * sizeof *ids->small);
	tp_map_init(&ids->large, arena);
}

static uint32_t
index_of(const struct ids *ids, uint64_t id)
{
	return id < ids->limit ? ids->small[id] : tp_map_get(&ids->large, id);
}

static void
put_id(struct ids *ids, uint64_t id, uint32_t index)
{
	if (id < ids->limit)
		ids->small[id] = index;
	else
		tp_map_put(&ids->large, id, index);
}

struct reading {
	struct tp_buffers *b;
	struct tp_arena *arena;
	const struct tp_hlo_module *module;
	struct ids instruction_of_id, buffer_of_id;
	uint32_t assigned_count;
	struct tp_err *err;
};

static bool
is(const struct tp_pb *p, uint32_t field, enum tp_pb_type type)
{
	return p->field == field && p->type == type;
}

/* The fields of BufferAssignmentProto. */
enum { LOGICAL_BUFFERS = 1, ALLOCATIONS = 3, HEAP_TRACES = 4 };

/* How often a field of messages occurs. */
static uint32_t
occurrences(struct tp_slice message, uint32_t field)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t count = 0;

	while (count < MOST && tp_pb_next(&p))
		count += is(&p, field, TP_PB_BYTES);
	return count;
}

/* The part of a tuple that an index path names, and its text. A path that leads nowhere leaves the shape unknown. */
static void
find_part(struct reading *r, struct tp_slice packed, struct tp_logical_buffer *out)
{
	struct tp_pb path = tp_pb_open(packed);
	uint64_t at;

	while (path.at != path.end && tp_pb_varint(&path, &at)) {
		bool there = out->shape != NULL && out->shape->kind == TP_SHAPE_TUPLE &&
			at < out->shape->member_count;

		out->shape = there ? &out->shape->members[at] : NULL;
		out->part = tp_arena_printf(r->arena, "%.*s%s%llu", TP_ARG(out->part),
			out->part.len != 0 ? "," : "", (unsigned long long)at);
		if (!there)
			break;
	}
}

static uint64_t
size_of(struct reading *r, uint64_t number)
{
	if ((int64_t)number >= 0)
		return number;
	r->b->faults[TP_PLAN_SIZE_BELOW_0]++;
	return 0;
}

static void
read_place(struct reading *r, struct tp_slice message, struct tp_logical_buffer *out)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice path = {NULL, 0}, name = {NULL, 0};
	uint32_t at = TP_MAP_NONE;

	while (tp_pb_next(&p)) {
		if (is(&p, 2, TP_PB_BYTES))
			name = p.bytes;
		else if (is(&p, 3, TP_PB_BYTES))
			path = p.bytes;
		else if (is(&p, 4, TP_PB_VARINT))
			at = index_of(&r->instruction_of_id, p.number);
	}
	/* Older files name the instruction instead. */
	if (at == TP_MAP_NONE && name.len != 0)
		out->instruction = tp_hlo_find(r->module, name);
	else if (at != TP_MAP_NONE)
		out->instruction = &r->module->instructions[at];
	out->shape = out->instruction != NULL ? &out->instruction->shape : NULL;
	find_part(r, path, out);
	r->b->faults[TP_PLAN_NO_SUCH_INSTRUCTION] += out->shape == NULL;
}

static void
read_buffer(struct reading *r, struct tp_slice message, struct tp_logical_buffer *out)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_VARINT))
			out->id = (int64_t)p.number;
		else if (is(&p, 2, TP_PB_VARINT))
			out->size_bytes = size_of(r, p.number);
		else if (is(&p, 3, TP_PB_BYTES))
			read_place(r, p.bytes, out);
		else if (is(&p, 4, TP_PB_VARINT))
			out->space = (int64_t)p.number;
	}
}

static uint32_t
assigned_buffer(const struct reading *r, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t id = 0;

	while (tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_VARINT))
			id = p.number;
	}
	return index_of(&r->buffer_of_id, id);
}

static void
read_allocation(struct reading *r, struct tp_slice message, struct tp_allocation *out)
{
	struct tp_pb p = tp_pb_open(message);

	out->first = r->assigned_count;
	while (tp_pb_next(&p)) {
		if (is(&p, 9, TP_PB_BYTES)) {
			uint32_t buffer = assigned_buffer(r, p.bytes);

			if (buffer != TP_MAP_NONE)
				r->b->assigned[r->assigned_count++] = buffer;
			r->b->faults[TP_PLAN_NO_SUCH_BUFFER] += buffer == TP_MAP_NONE;
			continue;
		}
		if (p.type != TP_PB_VARINT)
			continue;
		switch (p.field) {
		case 1:
			out->index = (int64_t)p.number;
			break;
		case 2:
			out->size_bytes = size_of(r, p.number);
			break;
		case 3:
			out->is_thread_local = p.number != 0;
			break;
		case 5:
			out->is_parameter = p.number != 0;
			break;
		case 6:
			out->parameter_number = (int64_t)p.number;
			break;
		case 7:
			out->is_live_out = p.number != 0;
			break;
		case 8:
			out->space = (int64_t)p.number;
			break;
		case 11:
			out->is_tuple = p.number != 0;
			break;
		case 12:
			out->is_constant = p.number != 0;
			break;
		default:
			break;
		}
	}
	out->count = r->assigned_count - out->first;
}

static void
read_event(const struct reading *r, struct tp_slice message, struct tp_heap_event *out)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t kind = TP_HEAP_ALLOC, buffer = 0, canonical = 0;

	while (tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_VARINT))
			kind = p.number;
		else if (is(&p, 2, TP_PB_VARINT))
			buffer = p.number;
		else if (is(&p, 4, TP_PB_BYTES))
			out->instruction = p.bytes;
		else if (is(&p, 5, TP_PB_VARINT))
			canonical = p.number;
	}
	out->kind = kind == TP_HEAP_FREE ? TP_HEAP_FREE
		: kind == TP_HEAP_SHARE      ? TP_HEAP_SHARE
									 : TP_HEAP_ALLOC;
	out->buffer = kind <= TP_HEAP_SHARE ? index_of(&r->buffer_of_id, buffer) : TP_MAP_NONE;
	out->canonical = index_of(&r->buffer_of_id, canonical);
	if (kind > TP_HEAP_SHARE)
		r->b->faults[TP_PLAN_UNKNOWN_EVENT]++;
	else if (out->buffer == TP_MAP_NONE || (kind == TP_HEAP_SHARE && out->canonical == TP_MAP_NONE))
		r->b->faults[TP_PLAN_NO_SUCH_BUFFER]++;
}

static void
read_trace(const struct reading *r, struct tp_slice message, struct tp_heap_trace *out)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t count = occurrences(message, 1);

	out->events = tp_new_array(r->arena, struct tp_heap_event, count);
	while (out->count < count && tp_pb_next(&p)) {
		if (is(&p, 1, TP_PB_BYTES))
			read_event(r, p.bytes, &out->events[out->count++]);
	}
}

/* What has to be there before others can name it. */
static void
read_buffers(struct reading *r, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buffers *b = r->b;
	uint32_t assigned = 0;

	b->buffers =
		tp_new_array(r->arena, struct tp_logical_buffer, occurrences(message, LOGICAL_BUFFERS));
	while (tp_pb_next(&p)) {
		if (is(&p, ALLOCATIONS, TP_PB_BYTES))
			assigned += occurrences(p.bytes, 9);
		if (!is(&p, LOGICAL_BUFFERS, TP_PB_BYTES))
			continue;
		read_buffer(r, p.bytes, &b->buffers[b->buffer_count]);
		uint64_t id = (uint64_t)b->buffers[b->buffer_count].id;

		b->faults[TP_PLAN_ID_TWICE] += index_of(&r->buffer_of_id, id) != TP_MAP_NONE;
		put_id(&r->buffer_of_id, id, b->buffer_count);
		b->buffer_count++;
	}
	b->assigned = tp_new_array(r->arena, uint32_t, assigned);
}

static enum tp_status
read_assignment(struct reading *r, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buffers *b = r->b;

	read_buffers(r, message);
	b->allocations =
		tp_new_array(r->arena, struct tp_allocation, occurrences(message, ALLOCATIONS));
	b->traces = tp_new_array(r->arena, struct tp_heap_trace, occurrences(message, HEAP_TRACES));
	while (tp_pb_next(&p)) {
		if (is(&p, ALLOCATIONS, TP_PB_BYTES))
			read_allocation(r, p.bytes, &b->allocations[b->allocation_count++]);
		else if (is(&p, HEAP_TRACES, TP_PB_BYTES))
			read_trace(r, p.bytes, &b->traces[b->trace_count++]);
	}
	return p.state == TP_PB_END
		? TP_OK
		: tp_fail(r->err, TP_ERR_FORMAT, "the buffer assignment is damaged");
}

enum tp_status
tp_buffers_read(struct tp_slice bytes, const struct tp_hlo_module *module, struct tp_arena *arena,
	const struct tp_buffers **out, struct tp_err *err)
{
	struct reading r = {
		.b = tp_new(arena, struct tp_buffers), .arena = arena, .module = module, .err = err};
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_slice assignment = {NULL, 0};

	*out = NULL;
	while (tp_pb_next(&p)) {
		if (is(&p, 3, TP_PB_BYTES))
			assignment = p.bytes;
	}
	if (assignment.len == 0)
		return tp_fail(err, TP_ABSENT, "the program carries no buffer assignment");
	if (occurrences(assignment, LOGICAL_BUFFERS) == MOST)
		return tp_fail(err, TP_ERR_LIMIT, "more than %d buffers", MOST);
	open_ids(&r.instruction_of_id, arena, module->instruction_count);
	open_ids(&r.buffer_of_id, arena, occurrences(assignment, LOGICAL_BUFFERS));
	for (uint32_t i = 0; i < module->instruction_count; i++)
		put_id(&r.instruction_of_id, (uint64_t)module->instructions[i].id, i);
	enum tp_status status = read_assignment(&r, assignment);

	if (status != TP_OK)
		return status;
	tp_buffers_check(r.b, arena);
	*out = r.b;
	return TP_OK;
}
