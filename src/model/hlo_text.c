/* An HLO module as text: its head, its computations, their instructions. Field numbers are those of hlo.proto. */
#include "model/hlo_text.h"

#include "base/arena.h"
#include "base/texts.h"
#include "io/sink.h"
#include "model/hlo_order.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>

enum { MODULE_LAYOUT = 4, MODULE_ALIASES = 8, MODULE_DONORS = 18, MODULE_FRONTEND = 19 };
enum { THREAD = 8 };
enum { LITERAL = 8, SHARDING = 40, BACKEND_CONFIG = 43, FRONTEND = 68, COMPOSITE = 89 };

/* ", input_output_alias={ {0}: (0, {}, may-alias) }" */
static void
put_aliases(const struct tp_hlo_writing *w, struct tp_slice aliases)
{
	const char *between = ", input_output_alias={ ";

	for (struct tp_pb p = tp_pb_open(aliases); tp_pb_next_bytes(&p, 1);) {
		tp_sink_puts(w->out, between);
		tp_hlo_put_index(w, p.bytes, 1);
		tp_sink_printf(w->out, ": (%" PRId64 ", ", tp_pb_number(p.bytes, 2));
		tp_hlo_put_index(w, p.bytes, 3);
		tp_sink_puts(w->out, tp_pb_number(p.bytes, 4) == 2 ? ", must-alias)" : ", may-alias)");
		between = ", ";
	}
	tp_sink_puts(w->out, between[2] == '\0' ? " }" : "");
}

/* ", buffer_donor={ (0, {}) }" */
static void
put_donors(const struct tp_hlo_writing *w, struct tp_slice donors)
{
	const char *between = ", buffer_donor={ ";

	for (struct tp_pb p = tp_pb_open(donors); tp_pb_next_bytes(&p, 1);) {
		tp_sink_printf(w->out, "%s(%" PRId64 ", ", between, tp_pb_number(p.bytes, 1));
		tp_hlo_put_index(w, p.bytes, 2);
		tp_sink_puts(w->out, ")");
		between = ", ";
	}
	tp_sink_puts(w->out, between[2] == '\0' ? " }" : "");
}

/* ", entry_computation_layout={(f32[8]{0})->f32[]}" */
static void
put_entry_layout(const struct tp_hlo_writing *w, struct tp_slice layout)
{
	struct tp_pb result = tp_pb_open(layout);
	unsigned count = 0;

	tp_sink_puts(w->out, ", entry_computation_layout={(");
	for (struct tp_pb p = tp_pb_open(layout); tp_pb_next_bytes(&p, 1);) {
		tp_sink_puts(w->out, count != 0 ? ", " : "");
		if (count != 0 && count % 5 == 0)
			tp_sink_printf(w->out, "/*index=%u*/", count);
		count++;
		tp_hlo_put_shape(w, p.bytes);
	}
	tp_sink_puts(w->out, ")->");
	if (tp_pb_field(layout, 2, TP_PB_BYTES, &result))
		tp_hlo_put_shape(w, result.bytes);
	tp_sink_puts(w->out, "}");
}

static void
put_frontend(const struct tp_hlo_writing *w, struct tp_slice message, uint32_t field)
{
	struct tp_pb p;

	if (!tp_pb_field(message, field, TP_PB_BYTES, &p) || p.bytes.len == 0)
		return;
	tp_sink_puts(w->out, ", frontend_attributes=");
	tp_hlo_put_frontend(w, p.bytes);
}

static void
put_head(const struct tp_hlo_writing *w, bool scheduled)
{
	struct tp_slice module = w->m->message;
	struct tp_pb p;

	tp_sink_puts(w->out, "HloModule ");
	tp_hlo_put(w, w->m->name);
	if (scheduled)
		tp_sink_puts(w->out, ", is_scheduled=true");
	if (tp_pb_field(module, MODULE_ALIASES, TP_PB_BYTES, &p))
		put_aliases(w, p.bytes);
	if (tp_pb_field(module, MODULE_DONORS, TP_PB_BYTES, &p))
		put_donors(w, p.bytes);
	if (tp_pb_field(module, MODULE_LAYOUT, TP_PB_BYTES, &p))
		put_entry_layout(w, p.bytes);
	put_frontend(w, module, MODULE_FRONTEND);
	tp_sink_puts(w->out, "\n");
}

static void
put_constant(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	struct tp_pb literal;
	bool has = tp_pb_field(i->message, LITERAL, TP_PB_BYTES, &literal);

	tp_hlo_put_literal(w, &i->shape, has ? literal.bytes : TP_S(""));
}

struct tp_slice
tp_hlo_constant_text(const struct tp_hlo_instruction *i, struct tp_arena *arena)
{
	const struct tp_hlo_writing w = {.out = tp_sink_memory(), .scratch = arena};

	put_constant(&w, i);
	struct tp_slice text = tp_arena_copy(arena, tp_sink_bytes(w.out));

	tp_sink_close(w.out);
	return text;
}

static void
put_operands(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	if (tp_slice_eq(i->opcode, TP_S("parameter")))
		tp_sink_printf(w->out, "%" PRId64, i->details->parameter_number);
	else if (tp_slice_eq(i->opcode, TP_S("constant")))
		put_constant(w, i);
	for (uint32_t k = 0; k < i->operands.count; k++) {
		tp_sink_puts(w->out, k == 0 ? "" : ", ");
		tp_hlo_put(w, w->m->instructions[i->operands.at[k]].name);
	}
}

static void
put_callee(const struct tp_hlo_writing *w, const char *name, const struct tp_hlo_instruction *i,
	uint32_t k)
{
	tp_sink_puts(w->out, name);
	tp_hlo_put(w, w->m->computations[i->called.at[k]].name);
}

/* How opcodes name those that they call: as many names as callees, else `list` with all of them. */
static const struct callees {
	const char *const *opcodes; /* NULL: all others */
	const char *names[2];
	uint32_t first; /* of called computations, to which the first name belongs */
	const char *list;
} callees[] = {
	{TP_TEXTS("while"), {", condition=", ", body="}, 1, ", calls={"},
	{TP_TEXTS("select-and-scatter"), {", select=", ", scatter="}, 0, ", calls={"},
	{TP_TEXTS("conditional"), {NULL, NULL}, 0, ", branch_computations={"},
	{TP_TEXTS("custom-call"), {NULL, NULL}, 0, ", called_computations={"},
	{TP_TEXTS("call", "map", "reduce", "reduce-window", "reduce-scatter", "all-reduce",
		 "all-reduce-start", "scatter", "sort", "scan", "topk"),
		{", to_apply=", NULL}, 0, ", calls={"},
	{NULL, {", calls=", NULL}, 0, ", calls={"},
};

static const struct callees *
callees_of(const struct tp_hlo_instruction *i)
{
	const struct callees *c = callees;

	while (c->opcodes != NULL && !tp_texts_any(i->opcode, tp_slice_eq, c->opcodes))
		c++;
	return c;
}

static void
put_callees(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	const struct callees *c = callees_of(i);
	uint32_t named = (c->names[0] != NULL) + (c->names[1] != NULL), count = i->called.count;

	if (count == 0)
		return;
	/* A choice between two by a truth value names them by it. */
	if (tp_slice_eq(i->opcode, TP_S("conditional")) && count == 2 && i->operands.count != 0 &&
		tp_slice_eq(
			tp_element_name(w->m->instructions[i->operands.at[0]].shape.type), TP_S("pred"))) {
		put_callee(w, ", true_computation=", i, 0);
		put_callee(w, ", false_computation=", i, 1);
		return;
	}
	for (uint32_t k = 0; k < count && count == named; k++)
		put_callee(w, c->names[k], i, (c->first + k) % count);
	if (count == named)
		return;
	for (uint32_t k = 0; k < count; k++)
		put_callee(w, k == 0 ? c->list : ", ", i, k);
	tp_sink_puts(w->out, "}");
}

static bool
is_async(const struct tp_hlo_instruction *i)
{
	return tp_slice_starts(i->opcode, TP_S("async-"));
}

/* What an instruction starts, goes on with or ends: the one that its computation consists of, where it is written in its
 * place ("slice-start"); else itself. */
static const struct tp_hlo_instruction *
meant(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	const struct tp_hlo_module *m = w->m;
	const struct tp_hlo_instruction *start = &m->instructions[w->started[i - m->instructions]];

	if (!is_async(start) || start->called.count == 0 || !w->alone[start->called.at[0]])
		return i;
	return &m->instructions[m->computations[start->called.at[0]].root];
}

static void
put_opcode(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i,
	const struct tp_hlo_instruction *what)
{
	tp_hlo_put(w, what->opcode);
	if (what != i)
		tp_hlo_put(w, tp_slice_from(i->opcode, strlen("async")));
}

static bool
put_sharding(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	struct tp_pb p;

	if (!tp_pb_field(i->message, SHARDING, TP_PB_BYTES, &p))
		return true;
	tp_sink_puts(w->out, ", sharding=");
	return tp_hlo_put_sharding(w, p.bytes);
}

/* Attributes that any instruction has, and what it calls. */
static bool
put_rest(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i)
{
	bool whole = tp_hlo_put_attributes(w, i);

	put_callees(w, i);
	if (tp_slice_eq(i->opcode, TP_S("call")) && tp_pb_number(i->message, COMPOSITE) != 0)
		tp_sink_puts(w->out, ", is_composite=true");
	return put_sharding(w, i) && whole;
}

static bool
put_instruction(const struct tp_hlo_writing *w, const struct tp_hlo_instruction *i, bool root)
{
	const struct tp_hlo_instruction *what = meant(w, i);
	struct tp_slice config = i->details->backend_config;
	bool whole;

	tp_sink_puts(w->out, root ? "  ROOT " : "  ");
	tp_hlo_put(w, i->name);
	tp_sink_puts(w->out, " = ");
	tp_sink_put(w->out, tp_shape_numbered_text(&i->shape, w->scratch));
	tp_sink_puts(w->out, " ");
	put_opcode(w, i, what);
	tp_sink_puts(w->out, "(");
	put_operands(w, i);
	tp_sink_puts(w->out, ")");
	if (what == i) {
		whole = put_rest(w, i);
	} else {
		whole = tp_hlo_put_attributes(w, i);
		if (i->called.count != 0)
			whole = put_rest(w, what) && whole;
		whole = put_sharding(w, i) && whole;
	}
	put_frontend(w, i->message, FRONTEND);
	whole = tp_hlo_put_accuracy(w, i, "result_accuracy") && whole;
	if (config.len != 0) {
		tp_sink_puts(w->out, ", backend_config=");
		tp_hlo_put_value(w, config);
	}
	tp_sink_puts(w->out, "\n");
	return whole;
}

/* Returns how many instructions lack something. */
static uint32_t
put_computation(const struct tp_hlo_writing *w, uint32_t at, const uint32_t *instructions)
{
	const struct tp_hlo_computation *c = &w->m->computations[at];
	uint32_t lacking = 0;
	struct tp_pb p;

	tp_sink_puts(w->out, at == w->m->entry ? "\nENTRY " : "\n");
	tp_hlo_put(w, c->name);
	tp_sink_puts(w->out, " {\n");
	for (uint32_t k = c->first; k < c->first + c->count; k++) {
		lacking +=
			!put_instruction(w, &w->m->instructions[instructions[k]], instructions[k] == c->root);
		tp_arena_reset(w->scratch);
	}
	tp_sink_puts(w->out, "}");
	if (tp_pb_field(c->message, THREAD, TP_PB_BYTES, &p) && p.bytes.len != 0 &&
		!tp_slice_eq(p.bytes, TP_S("main"))) {
		tp_sink_puts(w->out, ", execution_thread=\"");
		tp_hlo_put(w, p.bytes);
		tp_sink_puts(w->out, "\"");
	}
	tp_sink_puts(w->out, "\n");
	return lacking;
}

/* By computation: whether it is started, and holds nothing but parameters and its root. Such a one is written where it is
 * started, and not again. */
static bool *
find_alone(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	bool *alone = tp_new_array(arena, bool, m->computation_count);

	for (uint32_t k = 0; k < m->instruction_count; k++) {
		const struct tp_hlo_instruction *i = &m->instructions[k];

		if (tp_slice_eq(i->opcode, TP_S("async-start")) && i->called.count == 1)
			alone[i->called.at[0]] = m->computations[i->called.at[0]].root != TP_MAP_NONE;
	}
	for (uint32_t k = 0; k < m->instruction_count; k++) {
		const struct tp_hlo_instruction *i = &m->instructions[k];

		if (!tp_slice_eq(i->opcode, TP_S("parameter")) && m->computations[i->computation].root != k)
			alone[i->computation] = false;
	}
	alone[m->entry] = false;
	return alone;
}

/* By instruction. What is started stands before what goes on with it. */
static uint32_t *
find_started(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	uint32_t *started = tp_new_array(arena, uint32_t, m->instruction_count);

	for (uint32_t k = 0; k < m->instruction_count; k++) {
		const struct tp_hlo_instruction *i = &m->instructions[k];
		bool goes_on = is_async(i) && i->called.count == 0 && i->operands.count != 0;

		started[k] = goes_on ? started[i->operands.at[0]] : k;
	}
	return started;
}

uint32_t
tp_hlo_write_text(const struct tp_hlo_module *m, struct tp_sink *out)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_writing w = {
		m, out, tp_arena_new(), find_started(m, arena), find_alone(m, arena)};
	struct tp_hlo_order order = tp_hlo_order(m, arena);
	uint32_t lacking = 0;

	put_head(&w, order.scheduled);
	for (uint32_t c = 0; c < m->computation_count; c++) {
		if (!w.alone[order.computations[c]])
			lacking += put_computation(&w, order.computations[c], order.instructions);
	}
	tp_sink_puts(out, "\n");
	tp_arena_free(w.scratch);
	tp_arena_free(arena);
	return lacking;
}
