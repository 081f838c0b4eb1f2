/* Two rounds: the first counts, the second reads into arrays of that size. Field numbers are those of hlo.proto
 * (BufferAssignmentProto and what it holds). */
#include "model/buffers.h"

#include "base/arena.h"
#include "codec/pb_message.h"
#include "hlo.pb-c.h"

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

	while (count < MOST && tp_pb_next_bytes(&p, field))
		count++;
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
	enum { SHAPE_INDEX = 3 };
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice path = {NULL, 0};
	Tp__HloLocation m = TP__HLO_LOCATION__INIT;

	while (tp_pb_fill(&p, &m.base)) {
		if (is(&p, SHAPE_INDEX, TP_PB_BYTES))
			path = p.bytes;
	}
	uint32_t at =
		m.has_instruction_id ? index_of(&r->instruction_of_id, m.instruction_id) : TP_MAP_NONE;

	/* Older files name the instruction instead. */
	if (at == TP_MAP_NONE && m.instruction_name.len != 0)
		out->instruction = tp_hlo_find(r->module, tp_pb_slice(m.instruction_name));
	else if (at != TP_MAP_NONE)
		out->instruction = &r->module->instructions[at];
	out->shape = out->instruction != NULL ? &out->instruction->shape : NULL;
	find_part(r, path, out);
	r->b->faults[TP_PLAN_NO_SUCH_INSTRUCTION] += out->shape == NULL;
}

static void
read_buffer(struct reading *r, struct tp_slice message, struct tp_logical_buffer *out)
{
	enum { DEFINED_AT = 3 };
	struct tp_pb p = tp_pb_open(message);
	Tp__HloBuffer m = TP__HLO_BUFFER__INIT;

	while (tp_pb_fill(&p, &m.base)) {
		if (is(&p, DEFINED_AT, TP_PB_BYTES))
			read_place(r, p.bytes, out);
	}
	out->id = (int64_t)m.id;
	out->size_bytes = size_of(r, m.size);
	out->space = (int64_t)m.color;
}

static uint32_t
assigned_buffer(const struct reading *r, struct tp_slice message)
{
	Tp__HloAssigned m = TP__HLO_ASSIGNED__INIT;

	tp_pb_message(&m.base, message);
	return index_of(&r->buffer_of_id, m.logical_buffer_id);
}

static void
read_allocation(struct reading *r, struct tp_slice message, struct tp_allocation *out)
{
	enum { ASSIGNED = 9 };
	struct tp_pb p = tp_pb_open(message);
	uint32_t first = r->assigned_count;
	Tp__HloAllocation m = TP__HLO_ALLOCATION__INIT;

	while (tp_pb_fill(&p, &m.base)) {
		if (!is(&p, ASSIGNED, TP_PB_BYTES))
			continue;
		uint32_t buffer = assigned_buffer(r, p.bytes);

		if (buffer != TP_MAP_NONE)
			r->b->assigned[r->assigned_count++] = buffer;
		r->b->faults[TP_PLAN_NO_SUCH_BUFFER] += buffer == TP_MAP_NONE;
	}
	*out = (struct tp_allocation){
		.index = (int64_t)m.index,
		.size_bytes = size_of(r, m.size),
		.space = (int64_t)m.color,
		.is_thread_local = m.is_thread_local != 0,
		.is_parameter = m.is_entry_computation_parameter != 0,
		.is_live_out = m.maybe_live_out != 0,
		.is_constant = m.is_constant != 0,
		.is_tuple = m.is_tuple != 0,
		.parameter_number = (int64_t)m.parameter_number,
		.first = first,
		.count = r->assigned_count - first,
	};
}

static void
read_event(const struct reading *r, struct tp_slice message, struct tp_heap_event *out)
{
	Tp__HloEvent m = TP__HLO_EVENT__INIT;

	tp_pb_message(&m.base, message);
	unsigned kind = (unsigned)m.kind;

	out->kind = kind == TP_HEAP_FREE ? TP_HEAP_FREE
		: kind == TP_HEAP_SHARE      ? TP_HEAP_SHARE
									 : TP_HEAP_ALLOC;
	out->instruction = tp_pb_slice(m.instruction_name);
	out->buffer = kind <= TP_HEAP_SHARE ? index_of(&r->buffer_of_id, m.buffer_id) : TP_MAP_NONE;
	out->canonical = index_of(&r->buffer_of_id, m.share_with_canonical_id);
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
	while (out->count < count && tp_pb_next_bytes(&p, 1))
		read_event(r, p.bytes, &out->events[out->count++]);
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

const char *
tp_plan_fault_text(enum tp_plan_fault fault)
{
	static const char *const texts[TP_PLAN_FAULT_COUNT] = {
		[TP_PLAN_SIZE_BELOW_0] = "sizes below 0",
		[TP_PLAN_ID_TWICE] = "buffers with the id of another",
		[TP_PLAN_NO_SUCH_BUFFER] = "uses of buffers that it does not hold",
		[TP_PLAN_NO_SUCH_INSTRUCTION] = "buffers of instructions that the module does not hold",
		[TP_PLAN_UNKNOWN_EVENT] = "events of an unknown kind",
		[TP_PLAN_LIVE_TWICE] = "events that give memory to what has some",
		[TP_PLAN_FREED_TWICE] = "events that free what is not live",
		[TP_PLAN_SHARED_WITH_ITSELF] = "buffers that share memory with themselves",
		[TP_PLAN_SHARED_WITH_NOTHING] = "buffers that share memory which was never given",
	};

	return texts[fault];
}

/* By buffer: whether it has memory now, and whether it ever had. */
struct state {
	bool live, ever;
};

static void
check_event(struct tp_buffers *b, struct state *states, const struct tp_heap_event *e)
{
	if (e->buffer == TP_MAP_NONE)
		return;
	struct state *own = &states[e->buffer];

	switch (e->kind) {
	case TP_HEAP_ALLOC:
		b->faults[TP_PLAN_LIVE_TWICE] += own->live;
		break;
	case TP_HEAP_FREE:
		b->faults[TP_PLAN_FREED_TWICE] += !own->live;
		own->live = false;
		return;
	case TP_HEAP_SHARE:
		if (e->canonical == TP_MAP_NONE)
			return;
		if (e->canonical == e->buffer) {
			b->faults[TP_PLAN_SHARED_WITH_ITSELF]++;
			return;
		}
		b->faults[TP_PLAN_LIVE_TWICE] += own->live;
		b->faults[TP_PLAN_SHARED_WITH_NOTHING] += !states[e->canonical].ever;
		break;
	}
	own->live = own->ever = true;
}

/* Replays every trace for the faults that only its order shows, and adds them. */
static void
check(struct tp_buffers *b, struct tp_arena *scratch)
{
	struct state *states = tp_new_array(scratch, struct state, b->buffer_count);

	for (uint32_t t = 0; t < b->trace_count; t++) {
		const struct tp_heap_trace *trace = &b->traces[t];

		/* Traces are many where each computation has its own: only what this one touches is made anew. */
		for (uint32_t i = 0; i < trace->count; i++) {
			if (trace->events[i].buffer != TP_MAP_NONE)
				states[trace->events[i].buffer] = (struct state){.live = false};
			if (trace->events[i].canonical != TP_MAP_NONE)
				states[trace->events[i].canonical] = (struct state){.live = false};
		}
		for (uint32_t i = 0; i < trace->count; i++)
			check_event(b, states, &trace->events[i]);
	}
}

enum tp_status
tp_buffers_read(struct tp_slice bytes, const struct tp_hlo_module *module, struct tp_arena *arena,
	const struct tp_buffers **out, struct tp_err *err)
{
	struct reading r = {
		.b = tp_new(arena, struct tp_buffers), .arena = arena, .module = module, .err = err};
	struct tp_slice assignment = {NULL, 0};

	*out = NULL;
	for (struct tp_pb p = tp_pb_open(bytes); tp_pb_next_bytes(&p, 3);)
		assignment = p.bytes;
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
	check(r.b, arena);
	*out = r.b;
	return TP_OK;
}
