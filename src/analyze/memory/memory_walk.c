/* The compiler's heap simulation, replayed. Rules as xprof's hlo_proto_to_memory_visualization_utils.cc has them (checked
 * on 26 modules to the byte), except for unpadded sizes: xprof counts what is live all the time padded. */
#include "analyze/memory/memory_walk.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/saturate.h"

const char *const tp_buffer_kind_names[TP_BUFFER_KIND_COUNT] = {
	[TP_BUFFER_PARAMETER] = "parameter",
	[TP_BUFFER_OUTPUT] = "output",
	[TP_BUFFER_THREAD_LOCAL] = "thread-local",
	[TP_BUFFER_CONSTANT] = "constant",
	[TP_BUFFER_TEMPORARY] = "temporary",
	[TP_BUFFER_SEVERAL] = "several",
};

static enum tp_buffer_kind
kind_of(const struct tp_allocation *a)
{
	if (a->is_parameter)
		return TP_BUFFER_PARAMETER;
	if (a->is_live_out)
		return TP_BUFFER_OUTPUT;
	if (a->is_thread_local)
		return TP_BUFFER_THREAD_LOCAL;
	return a->is_constant ? TP_BUFFER_CONSTANT : TP_BUFFER_TEMPORARY;
}

/* Live from beginning to end: what comes in, goes out, or never changes. */
static bool
is_whole(const struct tp_allocation *a)
{
	return a->is_parameter || a->is_constant || a->is_live_out;
}

static uint64_t
unpadded(const struct tp_logical_buffer *b)
{
	if (b->shape == NULL ||
		(b->shape->kind == TP_SHAPE_ARRAY && tp_element_bits(b->shape->type) == 0))
		return b->size_bytes;
	return tp_shape_bytes(b->shape);
}

struct walk {
	const struct tp_buffers *b;
	int64_t space;
	struct tp_arena *arena;
	struct tp_memory_walk *out;
	uint32_t *allocation_of; /* by logical buffer; TP_MAP_NONE: none */
	const struct tp_heap_trace *trace;
	struct live {
		uint32_t users;     /* buffers in its memory, while it is live */
		uint32_t canonical; /* whose memory it uses */
		bool holds;         /* it is one of these users itself */
		/* the buffer that made the memory live: itself, or the first to use it again */
		uint32_t owner;
		uint32_t start;
		uint32_t row; /* in at_peak, while the rows are made */
	} * live;         /* by logical buffer */
	uint64_t heap, heap_unpadded, peak_heap, peak_heap_unpadded;
	bool any_peak;
};

static void
find_allocations(struct walk *w)
{
	w->allocation_of = tp_new_array(w->arena, uint32_t, w->b->buffer_count);
	memset(w->allocation_of, 0xff, w->b->buffer_count * sizeof *w->allocation_of);
	for (uint32_t a = 0; a < w->b->allocation_count; a++) {
		for (uint32_t k = 0; k < w->b->allocations[a].count; k++)
			w->allocation_of[w->b->assigned[w->b->allocations[a].first + k]] = a;
	}
}

/* The biggest assigned buffer stands for an allocation; NULL when all are empty. */
static const struct tp_logical_buffer *
biggest(const struct walk *w, const struct tp_allocation *a)
{
	const struct tp_logical_buffer *best = NULL;

	for (uint32_t k = 0; k < a->count; k++) {
		const struct tp_logical_buffer *b = &w->b->buffers[w->b->assigned[a->first + k]];

		if (b->size_bytes > (best != NULL ? best->size_bytes : 0))
			best = b;
	}
	return best;
}

static void
add_allocations(struct walk *w)
{
	struct tp_memory_walk *out = w->out;

	for (uint32_t i = 0; i < w->b->allocation_count; i++) {
		const struct tp_allocation *a = &w->b->allocations[i];

		if (a->space != w->space)
			continue;
		uint64_t *kind = &out->kind_bytes[kind_of(a)];

		*kind = tp_plus(*kind, a->size_bytes);
		if (!a->is_thread_local)
			out->allocated_bytes = tp_plus(out->allocated_bytes, a->size_bytes);
		const struct tp_logical_buffer *b = is_whole(a) ? biggest(w, a) : NULL;

		if (b == NULL)
			continue;
		out->whole_bytes = tp_plus(out->whole_bytes, a->size_bytes);
		out->whole_unpadded_bytes = tp_plus(out->whole_unpadded_bytes, unpadded(b));
		out->at_peak_count++;
	}
}

/* How many events are about buffers of the space that come and go. */
static uint32_t
events_in_space(const struct walk *w, const struct tp_heap_trace *t)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t b = t->events[i].buffer;

		count += b != TP_MAP_NONE && w->b->buffers[b].space == w->space;
	}
	return count;
}

/* The trace of the space's heap: the first that begins with a buffer of an allocation of the space that is not live all the
 * time; else the one with the most events in the space. */
static void
choose_trace(struct walk *w)
{
	uint32_t most = 0;

	for (uint32_t t = 0; t < w->b->trace_count; t++) {
		const struct tp_heap_trace *trace = &w->b->traces[t];
		uint32_t buffer = trace->count != 0 ? trace->events[0].buffer : TP_MAP_NONE;
		uint32_t a = buffer != TP_MAP_NONE ? w->allocation_of[buffer] : TP_MAP_NONE;

		if (a != TP_MAP_NONE && w->b->allocations[a].space == w->space &&
			!is_whole(&w->b->allocations[a])) {
			w->trace = trace;
			return;
		}
		uint32_t count = events_in_space(w, trace);

		if (count > most) {
			most = count;
			w->trace = trace;
		}
	}
}

static void
come(struct walk *w, uint32_t buffer, uint32_t owner, uint32_t at)
{
	w->live[buffer].start = at;
	w->live[buffer].owner = owner;
	w->heap = tp_plus(w->heap, w->b->buffers[buffer].size_bytes);
	w->heap_unpadded = tp_plus(w->heap_unpadded, unpadded(&w->b->buffers[buffer]));
}

static void
go(struct walk *w, uint32_t buffer)
{
	uint64_t size = w->b->buffers[buffer].size_bytes, data = unpadded(&w->b->buffers[buffer]);

	w->heap -= size < w->heap ? size : w->heap;
	w->heap_unpadded -= data < w->heap_unpadded ? data : w->heap_unpadded;
}

/* Buffers that share memory count once; it is free when the last of them is. Events that contradict themselves (freed
 * twice, shared with itself) change nothing. */
static void
apply(struct walk *w, const struct tp_heap_event *e, uint32_t at)
{
	if (e->buffer == TP_MAP_NONE)
		return;
	struct live *own = &w->live[e->buffer];
	struct live *canonical;

	switch (e->kind) {
	case TP_HEAP_ALLOC:
		if (own->holds)
			break;
		own->holds = true;
		own->canonical = e->buffer;
		if (own->users++ == 0)
			come(w, e->buffer, e->buffer, at);
		break;
	case TP_HEAP_FREE:
		if (!own->holds)
			break;
		own->holds = false;
		canonical = &w->live[own->canonical];
		if (canonical->users != 0 && --canonical->users == 0)
			go(w, own->canonical);
		break;
	case TP_HEAP_SHARE:
		if (e->canonical == TP_MAP_NONE || e->canonical == e->buffer || own->holds)
			break;
		own->holds = true;
		/* A chain is never longer than one: what it leads to is kept. */
		own->canonical = w->live[e->canonical].canonical != TP_MAP_NONE
			? w->live[e->canonical].canonical
			: e->canonical;
		if (w->live[own->canonical].users++ == 0)
			come(w, own->canonical, e->buffer, at);
		break;
	}
}

static void
start_over(struct walk *w)
{
	for (uint32_t i = 0; i < w->b->buffer_count; i++)
		w->live[i] = (struct live){.canonical = TP_MAP_NONE, .row = TP_MAP_NONE};
	w->heap = w->heap_unpadded = 0;
}

static void
draw_timeline(struct walk *w)
{
	struct tp_memory_walk *out = w->out;
	uint32_t count = w->trace != NULL ? w->trace->count : 0;
	uint64_t *bytes = tp_new_array(w->arena, uint64_t, count + 1);
	uint64_t *data = tp_new_array(w->arena, uint64_t, count + 1);
	struct tp_slice *names = tp_new_array(w->arena, struct tp_slice, count);

	start_over(w);
	for (uint32_t i = 0; i < count; i++) {
		bytes[i] = tp_plus(w->heap, out->whole_bytes);
		data[i] = tp_plus(w->heap_unpadded, out->whole_unpadded_bytes);
		names[i] = w->trace->events[i].instruction;
		apply(w, &w->trace->events[i], i);
		if (w->heap <= w->peak_heap)
			continue;
		w->peak_heap = w->heap;
		w->peak_heap_unpadded = w->heap_unpadded;
		w->any_peak = true;
		out->peak_position = i;
	}
	bytes[count] = tp_plus(w->heap, out->whole_bytes);
	data[count] = tp_plus(w->heap_unpadded, out->whole_unpadded_bytes);
	out->event_count = count;
	out->bytes = bytes;
	out->unpadded = data;
	out->instructions = names;
	out->peak_bytes = tp_plus(w->peak_heap, out->whole_bytes);
	out->peak_unpadded_bytes = tp_plus(w->peak_heap_unpadded, out->whole_unpadded_bytes);
}

static uint32_t
add_whole(const struct walk *w, struct tp_live_buffer *rows)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->b->allocation_count; i++) {
		const struct tp_allocation *a = &w->b->allocations[i];
		const struct tp_logical_buffer *b =
			a->space == w->space && is_whole(a) ? biggest(w, a) : NULL;

		if (b == NULL)
			continue;
		rows[n++] = (struct tp_live_buffer){.buffer = b,
			.kind = kind_of(a),
			.size_bytes = a->size_bytes,
			.unpadded_bytes = unpadded(b),
			.end = w->out->event_count,
			.whole = true};
	}
	return n;
}

/* The walk once more, up to the peak for what is live there, and on for when it goes: when its memory does, with the last
 * buffer that shares it. xprof's span ends with the buffer's own free, while its memory is still taken. */
static void
list_peak(struct walk *w)
{
	struct tp_memory_walk *out = w->out;
	uint32_t live = 0;

	start_over(w);
	for (uint32_t i = 0; w->any_peak && i <= out->peak_position; i++)
		apply(w, &w->trace->events[i], i);
	for (uint32_t i = 0; i < w->b->buffer_count; i++)
		live += w->live[i].users != 0;
	struct tp_live_buffer *rows =
		tp_new_array(w->arena, struct tp_live_buffer, out->at_peak_count + live);
	uint32_t n = add_whole(w, rows);

	for (uint32_t i = 0; w->any_peak && i <= out->peak_position; i++) {
		uint32_t b = w->trace->events[i].buffer;
		uint32_t c = b != TP_MAP_NONE ? w->live[b].canonical : TP_MAP_NONE;

		if (c == TP_MAP_NONE || w->live[c].users == 0 || w->live[c].start != i ||
			w->live[c].row != TP_MAP_NONE)
			continue;
		uint32_t a = w->allocation_of[c];

		w->live[c].row = n;
		rows[n++] = (struct tp_live_buffer){.buffer = &w->b->buffers[w->live[c].owner],
			.kind = a != TP_MAP_NONE ? kind_of(&w->b->allocations[a]) : TP_BUFFER_TEMPORARY,
			.size_bytes = w->b->buffers[c].size_bytes,
			.unpadded_bytes = unpadded(&w->b->buffers[c]),
			.start = i,
			.end = out->event_count};
	}
	for (uint32_t i = out->peak_position + 1; w->any_peak && i < out->event_count; i++) {
		uint32_t b = w->trace->events[i].buffer;
		uint32_t c = b != TP_MAP_NONE ? w->live[b].canonical : TP_MAP_NONE;

		apply(w, &w->trace->events[i], i);
		if (c == TP_MAP_NONE || w->live[c].row == TP_MAP_NONE || w->live[c].users != 0)
			continue;
		rows[w->live[c].row].end = i;
		w->live[c].row = TP_MAP_NONE;
	}
	out->at_peak = rows;
	out->at_peak_count = n;
}

bool
tp_memory_walk(
	const struct tp_buffers *b, int64_t space, struct tp_arena *arena, struct tp_memory_walk *out)
{
	struct walk w = {.b = b, .space = space, .arena = arena, .out = out};

	*out = (struct tp_memory_walk){.event_count = 0};
	w.live = tp_new_array(arena, struct live, b->buffer_count);
	find_allocations(&w);
	add_allocations(&w);
	choose_trace(&w);
	draw_timeline(&w);
	list_peak(&w);
	return out->allocated_bytes != 0 || out->kind_bytes[TP_BUFFER_THREAD_LOCAL] != 0 ||
		out->peak_bytes != 0;
}
