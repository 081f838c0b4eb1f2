/* Taking the neighbourhood of an operation out of the HLO of its program. */
#include "analyze/ops/op_graph.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/hlo_text.h"
#include "model/profile.h"

struct tp_op_program {
	const struct tp_hlo_module *m;
	struct tp_hlo_links *links;
	const struct tp_op_total **totals; /* by instruction; NULL: it took no time */
	int64_t *weight;
	uint32_t *callers; /* by computation: an instruction that calls it; TP_NONE: none does */
	struct tp_arena *arena;
};

struct tp_slice
tp_op_text(struct tp_arena *keep, struct tp_slice text)
{
	enum { LONGEST = 2048 };
	struct tp_slice clean = tp_utf8_clean(keep, text);

	clean.len = tp_utf8_fit(clean, LONGEST);
	return tp_arena_copy(keep, clean);
}

struct tp_slice
tp_op_source(struct tp_arena *keep, const struct tp_hlo_instruction *i)
{
	if (i->source_file.len == 0)
		return TP_S("");
	return tp_arena_printf(
		keep, "%.*s:%d", TP_ARG(tp_op_text(keep, i->source_file)), (int)i->source_line);
}

static uint64_t
key_of(struct tp_slice name, uint64_t program_id)
{
	return tp_hash_pair(tp_hash_bytes(name), program_id);
}

struct tp_op_index
tp_op_index(const struct tp_ops *ops, struct tp_arena *arena)
{
	struct tp_op_index index = {.ops = ops};

	tp_map_init(&index.at, arena);
	for (uint32_t i = 0; ops != NULL && i < ops->count; i++) {
		if (ops->ops[i].has_program)
			tp_map_put(&index.at, key_of(ops->ops[i].op->label, ops->ops[i].program_id), i);
	}
	return index;
}

static void
find_callers(struct tp_op_program *p)
{
	const struct tp_hlo_module *m = p->m;

	p->callers = tp_new_array(p->arena, uint32_t, m->computation_count);
	memset(p->callers, 0xff, m->computation_count * sizeof *p->callers);
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		for (uint32_t c = 0; c < m->instructions[i].called.count; c++)
			p->callers[m->instructions[i].called.at[c]] = i;
	}
}

struct tp_op_program *
tp_op_program(const struct tp_hlo_module *m, uint64_t program_id, const struct tp_op_index *index,
	struct tp_arena *arena)
{
	struct tp_op_program *p = tp_new(arena, struct tp_op_program);

	p->m = m;
	p->arena = arena;
	p->links = tp_hlo_links(m, arena);
	p->totals = tp_new_array(arena, const struct tp_op_total *, m->instruction_count);
	p->weight = tp_new_array(arena, int64_t, m->instruction_count);
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		uint32_t at = tp_map_get(&index->at, key_of(m->instructions[i].name, program_id));

		if (at == TP_MAP_NONE)
			continue;
		p->totals[i] = &index->ops->ops[at];
		p->weight[i] = p->totals[i]->self_ps;
	}
	find_callers(p);
	return p;
}

/* How many instructions a fusion holds; parameters are none. */
static uint32_t
fused_by(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < i->called.count; c++) {
		const struct tp_hlo_computation *in = &m->computations[i->called.at[c]];

		for (uint32_t k = in->first; k < in->first + in->count; k++)
			count += !tp_slice_eq(m->instructions[k].opcode, TP_S("parameter"));
	}
	return count;
}

static struct tp_slice
what_is(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i, struct tp_arena *keep)
{
	struct tp_slice opcode = tp_op_text(keep, i->opcode);

	if (tp_slice_eq(opcode, TP_S("parameter")))
		return tp_arena_printf(keep, "parameter %lld", (long long)i->details->parameter_number);
	if (tp_slice_eq(opcode, TP_S("get-tuple-element")))
		return tp_arena_printf(
			keep, "%.*s %lld", TP_ARG(opcode), (long long)i->details->tuple_index);
	if (tp_slice_eq(opcode, TP_S("constant")))
		return tp_arena_printf(
			keep, "%.*s %.*s", TP_ARG(opcode), TP_ARG(tp_hlo_constant_text(i, keep)));
	if (!tp_slice_eq(opcode, TP_S("fusion")))
		return opcode;
	uint32_t fused = fused_by(m, i);

	return tp_arena_printf(
		keep, "fusion of %u %s", fused, tp_plural(fused, "instruction", "instructions"));
}

/* The name of most begins with the opcode: then what it gives says more. */
static struct tp_slice
brief_of(const struct tp_op_program *p, const struct tp_hlo_instruction *i, struct tp_arena *keep)
{
	struct tp_shape plain = i->shape;

	if (i->shape.kind != TP_SHAPE_ARRAY || !tp_slice_starts(i->name, i->opcode) ||
		tp_slice_eq(i->opcode, TP_S("constant")))
		return what_is(p->m, i, keep);
	plain.layout = NULL;
	return tp_op_text(keep, tp_shape_text(&plain, p->arena));
}

static uint64_t
result_bytes(const struct tp_shape *s)
{
	uint64_t bytes = s->kind == TP_SHAPE_TUPLE ? 0 : tp_shape_padded_bytes(s);

	for (uint32_t i = 0; i < s->member_count; i++) {
		if (__builtin_add_overflow(bytes, result_bytes(&s->members[i]), &bytes))
			return UINT64_MAX;
	}
	return bytes;
}

static struct tp_op_graph_node
describe(const struct tp_op_program *p, const struct tp_hlo_near_node *near, struct tp_arena *keep)
{
	const struct tp_hlo_instruction *i = &p->m->instructions[near->instruction];

	return (struct tp_op_graph_node){
		.name = tp_op_text(keep, i->name),
		.shape = tp_op_text(keep, tp_shape_text(&i->shape, p->arena)),
		.framework = tp_op_text(keep, i->framework),
		.source = tp_op_source(keep, i),
		.what = what_is(p->m, i, keep),
		.brief = brief_of(p, i, keep),
		.total = p->totals[near->instruction],
		.bytes = result_bytes(&i->shape),
		.distance = near->distance,
		.operands_left_out = near->operands_left_out,
		.users_left_out = near->users_left_out,
	};
}

const struct tp_op_graph *
tp_op_graph(struct tp_op_program *p, const struct tp_hlo_instruction *i, unsigned width,
	struct tp_arena *keep)
{
	const struct tp_hlo_near_wish wish = {
		.instruction = (uint32_t)(i - p->m->instructions),
		.width = width,
		.weight = p->weight,
	};
	struct tp_hlo_near near = tp_hlo_near(p->links, &wish, keep);
	struct tp_op_graph *graph = tp_new(keep, struct tp_op_graph);
	uint32_t caller = p->callers[i->computation];

	graph->nodes = tp_new_array(keep, struct tp_op_graph_node, near.node_count);
	graph->node_count = near.node_count;
	graph->edges = near.edges;
	graph->edge_count = near.edge_count;
	for (size_t n = 0; n < near.node_count; n++) {
		graph->nodes[n] = describe(p, &near.nodes[n], keep);
		if (near.nodes[n].distance == 0)
			graph->middle = n;
	}
	graph->computation = tp_op_text(keep, p->m->computations[i->computation].name);
	if (caller != TP_NONE)
		graph->caller = tp_op_text(keep, p->m->instructions[caller].name);
	return graph;
}
