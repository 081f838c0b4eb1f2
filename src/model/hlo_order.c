/* Putting a module in order. Both walks go in depth first, without recursion: a computation is taken once all that it calls
 * is, an instruction once all that it reads is, in the order in which they name them. */
#include "model/hlo_order.h"

#include "base/arena.h"
#include "base/buf.h"
#include "codec/pb_field.h"

/* Field numbers of hlo.proto. */
enum { MODULE_SCHEDULE = 7, PREDECESSORS = 37 };

enum { NEW, ENTERED, TAKEN };

struct ordering {
	const struct tp_hlo_module *m;
	struct tp_arena *arena;
	struct tp_map instruction_of_id; /* (computation, id) */
	uint32_t *instructions;          /* as they are taken */
	uint8_t *state;                  /* of each: NEW … */
	bool *is_read;                   /* likewise: something reads it */
	bool *has_sequence;              /* by computation: the schedule's is used */
	struct tp_buf stack;             /* of uint32_t */
};

static uint32_t
find(const struct ordering *o, uint32_t computation, uint64_t id)
{
	return tp_map_get(&o->instruction_of_id, tp_hash_pair(id, computation));
}

/* Takes a sequence of the schedule; false, and nothing taken, when it is not one of all instructions. */
static bool
take_sequence(struct ordering *o, uint32_t computation, struct tp_slice sequence)
{
	const struct tp_hlo_computation *c = &o->m->computations[computation];
	struct tp_pb_numbers ids = tp_pb_numbers(sequence, 1);
	uint32_t count = 0;
	bool sound = true;
	int64_t id;

	while (sound && tp_pb_next_number(&ids, &id)) {
		uint32_t at = find(o, computation, (uint64_t)id);

		sound = at != TP_MAP_NONE && o->state[at] == NEW;
		if (sound) {
			o->state[at] = TAKEN;
			o->instructions[c->first + count++] = at;
		}
	}
	sound = sound && count == c->count;
	for (uint32_t i = c->first; !sound && i < c->first + c->count; i++)
		o->state[i] = NEW;
	return sound;
}

/* An entry of the map from computations to sequences. */
static void
take_entry(struct ordering *o, const struct tp_map *computation_of_id, struct tp_slice entry)
{
	struct tp_pb sequence;
	uint64_t id = (uint64_t)tp_pb_number(entry, 1);
	uint32_t computation = tp_map_get(computation_of_id, id);

	if (computation != TP_MAP_NONE && !o->has_sequence[computation] &&
		tp_pb_field(entry, 2, TP_PB_BYTES, &sequence))
		o->has_sequence[computation] = take_sequence(o, computation, sequence.bytes);
}

static bool
take_schedule(struct ordering *o)
{
	struct tp_map computation_of_id;
	bool any = false;

	tp_map_init(&computation_of_id, o->arena);
	for (uint32_t c = 0; c < o->m->computation_count; c++)
		tp_map_put(&computation_of_id, (uint64_t)o->m->computations[c].id, c);
	for (struct tp_pb module = tp_pb_open(o->m->message);
		 tp_pb_next_bytes(&module, MODULE_SCHEDULE);) {
		any = true;
		for (struct tp_pb p = tp_pb_open(module.bytes); tp_pb_next_bytes(&p, 1);)
			take_entry(o, &computation_of_id, p.bytes);
	}
	return any;
}

static void
push(struct ordering *o, uint32_t at)
{
	if (o->state[at] == NEW)
		*tp_buf_new(&o->stack, uint32_t) = at;
}

/* Puts what must come before an instruction on the stack, so that the first of them is on top. */
static void
push_before(struct ordering *o, uint32_t at)
{
	const struct tp_hlo_instruction *i = &o->m->instructions[at];
	struct tp_pb_numbers predecessors = tp_pb_numbers(i->message, PREDECESSORS);
	size_t start = o->stack.count;
	int64_t id;

	for (uint32_t k = 0; k < i->operands.count; k++)
		push(o, i->operands.at[k]);
	while (tp_pb_next_number(&predecessors, &id)) {
		uint32_t before = find(o, i->computation, (uint64_t)id);

		if (before != TP_MAP_NONE)
			push(o, before);
	}
	uint32_t *stack = o->stack.data;

	for (size_t a = start, b = o->stack.count; a + 1 < b; a++) {
		uint32_t swap = stack[a];

		stack[a] = stack[--b];
		stack[b] = swap;
	}
}

/* Takes an instruction after all that it reads. Predecessors of a damaged module may stand in a circle: an instruction that
 * was entered is not entered again. */
static void
take_after_operands(struct ordering *o, uint32_t start, uint32_t *next)
{
	push(o, start);
	while (o->stack.count != 0) {
		uint32_t at = ((uint32_t *)o->stack.data)[o->stack.count - 1];

		if (o->state[at] == NEW) {
			o->state[at] = ENTERED;
			push_before(o, at);
			continue;
		}
		o->stack.count--;
		if (o->state[at] == ENTERED)
			o->instructions[(*next)++] = at;
		o->state[at] = TAKEN;
	}
}

/* From those that nothing reads. */
static void
order_instructions(struct ordering *o, const struct tp_hlo_computation *c)
{
	uint32_t last = c->first + c->count, next = c->first;

	for (uint32_t i = c->first; i < last; i++) {
		if (!o->is_read[i])
			take_after_operands(o, i, &next);
	}
}

/* A computation whose instructions are gone through for what they call. */
struct frame {
	uint32_t computation, instruction, called;
};

/* The next computation that a frame's instructions call; false: there is none any more. */
static bool
next_called(const struct tp_hlo_module *m, struct frame *f, uint32_t *out)
{
	const struct tp_hlo_computation *c = &m->computations[f->computation];

	for (; f->instruction < c->first + c->count; f->instruction++, f->called = 0) {
		const struct tp_hlo_list *called = &m->instructions[f->instruction].called;

		if (f->called < called->count) {
			*out = called->at[f->called++];
			return true;
		}
	}
	return false;
}

static void
order_computations(const struct tp_hlo_module *m, struct tp_arena *arena, uint32_t *out)
{
	struct frame *frames = tp_new_array(arena, struct frame, m->computation_count);
	bool *is_called = tp_new_array(arena, bool, m->computation_count);
	bool *met = tp_new_array(arena, bool, m->computation_count);
	uint32_t next = 0, called;

	for (uint32_t i = 0; i < m->instruction_count; i++) {
		for (uint32_t k = 0; k < m->instructions[i].called.count; k++)
			is_called[m->instructions[i].called.at[k]] = true;
	}
	for (uint32_t c = 0; c < m->computation_count; c++) {
		uint32_t depth = 0;

		if (!is_called[c])
			frames[depth++] = (struct frame){c, m->computations[c].first, 0};
		while (depth != 0) {
			struct frame *top = &frames[depth - 1];

			if (!next_called(m, top, &called)) {
				out[next++] = top->computation;
				depth--;
			} else if (!met[called]) {
				met[called] = true;
				frames[depth++] = (struct frame){called, m->computations[called].first, 0};
			}
		}
	}
}

struct tp_hlo_order
tp_hlo_order(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	uint32_t *computations = tp_new_array(arena, uint32_t, m->computation_count);
	struct ordering o = {
		.m = m,
		.arena = arena,
		.instructions = tp_new_array(arena, uint32_t, m->instruction_count),
		.state = tp_new_array(arena, uint8_t, m->instruction_count),
		.is_read = tp_new_array(arena, bool, m->instruction_count),
		.has_sequence = tp_new_array(arena, bool, m->computation_count),
	};

	tp_map_init(&o.instruction_of_id, arena);
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		const struct tp_hlo_instruction *at = &m->instructions[i];

		tp_map_put(&o.instruction_of_id, tp_hash_pair((uint64_t)at->id, at->computation), i);
		for (uint32_t k = 0; k < at->operands.count; k++)
			o.is_read[at->operands.at[k]] = true;
	}
	bool scheduled = take_schedule(&o);

	for (uint32_t c = 0; c < m->computation_count; c++) {
		if (!o.has_sequence[c])
			order_instructions(&o, &m->computations[c]);
	}
	tp_buf_free(&o.stack);
	order_computations(m, arena, computations);
	return (struct tp_hlo_order){scheduled, computations, o.instructions};
}
