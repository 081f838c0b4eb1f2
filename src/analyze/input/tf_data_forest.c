/* Calls nest on their thread; through a buffer, the event that takes an element out is joined to the one that put it in. */
#include "analyze/input/tf_data_forest.h"

#include "analyze/input/input_names.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"

/* What an operation's events are here. */
enum part { NO_PART, CALL, PRODUCE, CONSUME };

/* An event that hands an element on: who nests in it, or in whom it nests. */
struct handover {
	uint32_t call; /* PRODUCE: the first call in it; CONSUME: the call that it is in */
	uint32_t next; /* of the same buffer and element */
	int64_t element;
};

struct open_event {
	int64_t end_ps;
	uint32_t call;     /* TP_NONE for hand-overs */
	uint32_t handover; /* of `produced`; TP_NONE: none */
};

struct builder {
	const struct tp_profile *p;
	struct tp_iterator_forest *out;
	const uint8_t *part_of_op;
	struct tp_map iterators;
	struct tp_map heads;    /* (buffer, element) → first of a list in produced */
	struct tp_buf produced; /* struct handover */
	struct tp_buf consumed;
	struct tp_buf ids; /* uint64_t: key of each iterator */
};

static struct tp_iterator_call *
call_at(struct builder *b, uint32_t index)
{
	return (struct tp_iterator_call *)b->out->calls.data + index;
}

static enum part
part_of_name(struct tp_slice name)
{
	static const char *const buffers[] = {"Prefetch", "ParallelInterleave", "ParallelMap",
		"MapAndBatch", "ParseExample", "ParallelBatch"};

	if (tp_slice_starts(name, TP_S("Iterator::")))
		return CALL;
	for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
		struct tp_slice buffer = tp_slice_of(buffers[i]);

		if (!tp_slice_starts(name, buffer))
			continue;
		if (tp_slice_eq(tp_slice_from(name, buffer.len), TP_S("Produce")))
			return PRODUCE;
		if (tp_slice_eq(tp_slice_from(name, buffer.len), TP_S("Consume")))
			return CONSUME;
	}
	return NO_PART;
}

static uint64_t
key_of(const struct tp_line *line, uint32_t i, size_t *tag, struct tp_slice name, bool *has_id)
{
	int64_t id;

	*has_id = tp_tag_find(line, tag, i, TP_TAG_ITERATOR, &id);
	return *has_id ? (uint64_t)id : tp_hash_bytes(name);
}

static uint32_t
iterator_of(struct builder *b, const struct tp_line *line, uint32_t i, size_t *tag)
{
	struct tp_slice name = b->p->ops[tp_line_op(line, i)].name;
	bool has_id;
	uint64_t key = key_of(line, i, tag, name, &has_id);
	uint32_t index;
	int64_t parallelism;

	if (tp_map_number(&b->iterators, tp_hash_pair(key, has_id), &index)) {
		TP_PUSH(&b->out->iterators, struct tp_iterator, .long_name = name,
			.root = tp_iterator_parts(name) == 2);
		TP_PUSH(&b->ids, uint64_t, key);
		b->out->by_name |= !has_id;
	}
	if (tp_tag_find(line, tag, i, TP_TAG_PARALLELISM, &parallelism) && parallelism > 0 &&
		parallelism < UINT32_MAX)
		((struct tp_iterator *)b->out->iterators.data)[index].parallelism = (uint32_t)parallelism;
	return index;
}

/* Puts child first in the list of what parent waits for. A root is called by a consumer, whatever it may be nested in: what
 * is below it is another pipeline's. */
static void
adopt(struct builder *b, uint32_t parent, uint32_t child, bool handed_over)
{
	const struct tp_iterator *iterators = b->out->iterators.data;
	struct tp_iterator_call *p = call_at(b, parent), *c = call_at(b, child);

	if (iterators[c->iterator].root)
		return;
	c->next = p->first_child;
	c->handed_over = handed_over;
	p->first_child = child;
}

static struct open_event *
top_of(struct tp_buf *stack)
{
	return stack->count != 0 ? (struct open_event *)stack->data + stack->count - 1 : NULL;
}

static void
note_handover(struct builder *b, const struct tp_line *line, uint32_t i, size_t *tag,
	enum part part, const struct open_event *outer, struct open_event *open)
{
	int64_t element;

	if (!tp_tag_find(line, tag, i, TP_TAG_ELEMENT, &element))
		return;
	if (part == PRODUCE) {
		open->handover = (uint32_t)b->produced.count;
		TP_PUSH(&b->produced, struct handover, TP_NONE, TP_NONE, element);
	} else if (outer != NULL && outer->call != TP_NONE) {
		TP_PUSH(&b->consumed, struct handover, outer->call, TP_NONE, element);
	}
}

/* The first call within an event that puts an element into a buffer makes this element; its parent is the buffer. */
static void
note_maker(struct builder *b, const struct tp_line *line, uint32_t i, size_t *tag,
	struct open_event *outer, uint32_t call)
{
	struct handover *made = (struct handover *)b->produced.data + outer->handover;
	int64_t buffer;

	outer->handover = TP_NONE;
	if (!tp_tag_find(line, tag, i, TP_TAG_ITERATOR_PARENT, &buffer))
		return;
	uint64_t key = tp_hash_pair((uint64_t)buffer, (uint64_t)made->element);
	uint32_t head = tp_map_get(&b->heads, key);

	made->call = call;
	made->next = head == TP_MAP_NONE ? TP_NONE : head;
	tp_map_put(&b->heads, key, (uint32_t)(made - (struct handover *)b->produced.data));
}

static void
take_thread(struct builder *b, const struct tp_line *line)
{
	struct tp_buf stack = {0}; /* of struct open_event */
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		enum part part = b->part_of_op[tp_line_op(line, i)];
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i);

		if (part == NO_PART)
			continue;
		while (top_of(&stack) != NULL && top_of(&stack)->end_ps < end)
			stack.count--;
		struct open_event *outer = top_of(&stack), open = {end, TP_NONE, TP_NONE};

		if (part == CALL) {
			open.call = (uint32_t)b->out->calls.count;
			TP_PUSH(&b->out->calls, struct tp_iterator_call, .start_ps = tp_line_start_ps(line, i),
				.end_ps = end, .iterator = iterator_of(b, line, i, &tag), .first_child = TP_NONE,
				.next = TP_NONE, .outermost = outer == NULL);
			if (outer != NULL && outer->call != TP_NONE)
				adopt(b, outer->call, open.call, false);
			else if (outer != NULL && outer->handover != TP_NONE)
				note_maker(b, line, i, &tag, outer, open.call);
		} else {
			note_handover(b, line, i, &tag, part, outer, &open);
		}
		*(struct open_event *)tp_buf_add(&stack, sizeof open) = open;
	}
	tp_buf_free(&stack);
}

/* Who takes an element out of a buffer waits for those who made it; they are handed out once. */
static void
join(struct builder *b)
{
	const struct handover *consumed = b->consumed.data;
	struct handover *produced = b->produced.data;
	const uint64_t *ids = b->ids.data;

	for (size_t i = 0; i < b->consumed.count; i++) {
		uint64_t buffer = ids[call_at(b, consumed[i].call)->iterator];
		uint32_t head = tp_map_get(&b->heads, tp_hash_pair(buffer, (uint64_t)consumed[i].element));

		if (head == TP_MAP_NONE || produced[head].call == TP_NONE)
			continue;
		for (uint32_t at = head; at != TP_NONE; at = produced[at].next)
			adopt(b, consumed[i].call, produced[at].call, true);
		produced[head].call = TP_NONE;
	}
}

const uint8_t *
tp_iterator_events(const struct tp_profile *p, struct tp_arena *scratch)
{
	uint8_t *parts = tp_new_array(scratch, uint8_t, p->op_count);
	bool any = false;

	for (uint32_t i = 0; i < p->op_count; i++) {
		parts[i] = (uint8_t)part_of_name(p->ops[i].name);
		any |= parts[i] == CALL;
	}
	return any ? parts : NULL;
}

void
tp_iterator_forest_build(const struct tp_profile *p, uint32_t host, const uint8_t *events,
	struct tp_iterator_forest *out, struct tp_arena *scratch)
{
	struct builder b = {.p = p, .out = out, .part_of_op = events};

	*out = (struct tp_iterator_forest){0};
	tp_map_init(&b.iterators, scratch);
	tp_map_init(&b.heads, scratch);
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].host == host && p->lines[l].kind == TP_LINE_THREAD)
			take_thread(&b, &p->lines[l]);
	}
	join(&b);
	tp_buf_free(&b.produced);
	tp_buf_free(&b.consumed);
	tp_buf_free(&b.ids);
}
