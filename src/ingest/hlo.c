/* What HLO modules say about the operations that events name. */
#include "ingest/hlo.h"

#include <ctype.h>

#include "base/arena.h"
#include "ingest/hlo_products.h"
#include "ingest/reader.h"
#include "model/buffers.h"
#include "model/build.h"
#include "model/hlo.h"
#include "model/hlo_fingerprint.h"

/* The module's own texts go with the module. */
static struct tp_slice
kept(struct tp_builder *b, struct tp_slice text)
{
	return text.len == 0 ? text : tp_arena_copy(tp_builder_profile(b)->arena, text);
}

/* "kLoop" → "loop fusion", as the compiler's categories of other devices are called. */
static struct tp_slice
category_of(struct tp_builder *b, const struct tp_hlo_instruction *i)
{
	static const struct {
		const char *kind, *category;
	} fusions[] = {
		{"kLoop", "loop fusion"},
		{"kInput", "input fusion"},
		{"kOutput", "output fusion"},
		{"kCustom", "custom fusion"},
	};
	for (size_t k = 0; k < sizeof fusions / sizeof *fusions; k++) {
		if (tp_slice_eq(i->details->fusion_kind, tp_slice_of(fusions[k].kind)))
			return tp_slice_of(fusions[k].category);
	}
	return kept(b, i->opcode);
}

/* The metadata of a parameter is the name of the program's argument, which what copies or transposes it inherits: no operation is called so. */
static struct tp_map
arguments_of(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	struct tp_map names;

	tp_map_init(&names, arena);
	for (uint32_t i = 0; i < m->instruction_count; i++) {
		if (m->instructions[i].computation == m->entry &&
			tp_slice_eq(m->instructions[i].opcode, TP_S("parameter")))
			tp_map_put(&names, tp_hash_bytes(m->instructions[i].framework), i);
	}
	return names;
}

static void
describe(struct tp_builder *b, struct tp_op *op, const struct tp_hlo_instruction *i,
	const struct tp_map *arguments)
{
	op->category = category_of(b, i);
	if (tp_map_get(arguments, tp_hash_bytes(i->framework)) == TP_MAP_NONE)
		op->framework = kept(b, i->framework);
	if (i->source_file.len != 0)
		op->source = tp_arena_printf(
			tp_builder_profile(b)->arena, "%.*s:%d", TP_ARG(i->source_file), (int)i->source_line);
}

static bool
is_half(const struct tp_shape *shape)
{
	struct tp_slice type = tp_element_name(shape->type);

	if (shape->kind == TP_SHAPE_ARRAY)
		return tp_slice_eq(type, TP_S("bf16")) || tp_slice_eq(type, TP_S("f16"));
	for (uint32_t i = 0; shape->kind == TP_SHAPE_TUPLE && i < shape->member_count; i++) {
		if (is_half(&shape->members[i]))
			return true;
	}
	return false;
}

static void
describe_kernel(struct tp_builder *b, struct tp_op *op, const struct tp_hlo_module *m,
	const struct tp_hlo_instruction *i, const struct tp_map *arguments)
{
	describe(b, op, i, arguments);
	op->half = is_half(&i->shape);
	for (uint32_t k = 0; k < i->operands.count; k++)
		op->half |= is_half(&m->instructions[i->operands.at[k]].shape);
	op->half_known = true;
}

/* XLA names a kernel by the instruction that it was made for, with _ for what C allows in no name. AMD's runtime may add ".kd", for the
 * kernel's descriptor. */
static uint64_t
kernel_key(struct tp_slice name, uint64_t program_id)
{
	uint64_t key = program_id;

	if (tp_slice_ends(name, TP_S(".kd")))
		name.len -= sizeof ".kd" - 1;
	for (size_t i = 0; i < name.len; i++)
		key = tp_hash_pair(key, isalnum((unsigned char)name.ptr[i]) ? (uint64_t)name.ptr[i] : '_');
	return key;
}

/* What is being read: of one program at a time. */
struct checking {
	const struct tp_source *in;
	struct tp_builder *out;
	struct tp_program *program;
	struct tp_arena *arena;
};

static void
warn(const struct checking *c, const char *what, const char *why)
{
	tp_built_input(c->out, c->in->input)->partial = true;
	tp_diag_at(&tp_builder_profile(c->out)->diags, TP_DIAG_WARNING, c->in->path, c->program->hlo_at,
		"the %s of program %.*s %s", what, TP_ARG(c->program->name), why);
}

/* A plan that contradicts itself is used as far as it goes. */
static void
check_plan(const struct checking *c, const struct tp_hlo_module *m)
{
	const struct tp_buffers *b;
	struct tp_err err;
	enum tp_status status = tp_buffers_read(c->program->hlo, m, c->arena, &b, &err);
	struct tp_slice faults = TP_S("");

	if (status == TP_ABSENT)
		return;
	if (status != TP_OK) {
		warn(c, "memory plan", tp_arena_printf(c->arena, "is not used: %s", err.text).ptr);
		return;
	}
	for (int i = 0; i < TP_PLAN_FAULT_COUNT; i++) {
		if (b->faults[i] != 0)
			faults = tp_arena_printf(c->arena, "%.*s%s%llu %s", TP_ARG(faults),
				faults.len != 0 ? ", " : "", (unsigned long long)b->faults[i],
				tp_plan_fault_text((enum tp_plan_fault)i));
	}
	if (faults.len != 0)
		warn(c, "memory plan",
			tp_arena_printf(c->arena, "contradicts itself (%.*s); the rest is used", TP_ARG(faults))
				.ptr);
}

/* Operations that lack what the program's HLO says of them. */
struct wanted {
	struct tp_map instructions; /* (label, program) → op */
	struct tp_map kernels;      /* kernel_key of the label → op */
	/* By operation from first_op: how often it runs on GPUs, and which instruction of the program in hand it is a kernel of. */
	uint32_t first_op;
	const uint64_t *runs;
	uint32_t *of_instruction;
};

/* Which instruction each kernel of the program is of; the devices of a host have the same. */
static void
price_kernels(const struct checking *c, const struct wanted *w, const struct tp_hlo_module *m)
{
	struct tp_map named; /* kernel_key of the name → instruction */

	tp_map_init(&named, c->arena);
	for (uint32_t i = 0; i < m->instruction_count; i++)
		tp_map_put(&named, kernel_key(m->instructions[i].name, c->program->id), i);
	for (uint32_t i = w->first_op; i < tp_built_op_count(c->out); i++) {
		const struct tp_op *op = tp_built_op(c->out, i);
		uint32_t at = op->kernel && op->program_id == c->program->id
			? tp_map_get(&named, kernel_key(op->label, op->program_id))
			: TP_MAP_NONE;

		w->of_instruction[i - w->first_op] = at != TP_MAP_NONE ? at : TP_NONE;
	}
	tp_kernel_products(
		c->out, m, c->program->id, w->first_op, w->of_instruction, w->runs, c->arena);
}

static void
describe_ops(const struct checking *c, const struct wanted *w, const struct tp_hlo_module *m)
{
	struct tp_map arguments = arguments_of(m, c->arena);

	for (uint32_t i = 0; w->instructions.count != 0 && i < m->instruction_count; i++) {
		struct tp_slice name = m->instructions[i].name;
		uint32_t op =
			tp_map_get(&w->instructions, tp_hash_pair(tp_hash_bytes(name), c->program->id));

		if (op != TP_MAP_NONE)
			describe(c->out, tp_built_op(c->out, op), &m->instructions[i], &arguments);
	}
	for (uint32_t i = 0; w->kernels.count != 0 && i < m->instruction_count; i++) {
		uint32_t op = tp_map_get(&w->kernels, kernel_key(m->instructions[i].name, c->program->id));

		if (op != TP_MAP_NONE)
			describe_kernel(c->out, tp_built_op(c->out, op), m, &m->instructions[i], &arguments);
	}
	if (w->kernels.count != 0)
		price_kernels(c, w, m);
}

static void
check_program(const struct checking *c, const struct wanted *wanted)
{
	const struct tp_hlo_module *m;
	struct tp_err err;

	if (tp_hlo_read(c->program->hlo, c->arena, &m, &err) != TP_OK) {
		warn(c, "HLO",
			tp_arena_printf(
				c->arena, "is damaged: its operations and memory are missing (%s)", err.text)
				.ptr);
		return;
	}
	c->program->fingerprint = tp_hlo_fingerprint(m);
	describe_ops(c, wanted, m);
	check_plan(c, m);
}

/* The other devices of the host have the same kernels. */
static void
describe_alike(struct tp_builder *b, uint32_t first_op, const struct tp_map *kernels)
{
	for (uint32_t i = first_op; kernels->count != 0 && i < tp_built_op_count(b); i++) {
		struct tp_op *op = tp_built_op(b, i);

		if (!op->kernel || op->half_known)
			continue;
		const struct tp_op *alike =
			tp_built_op(b, tp_map_get(kernels, kernel_key(op->label, op->program_id)));

		op->category = alike->category;
		op->framework = alike->framework;
		op->source = alike->source;
		op->half = alike->half;
		op->half_known = alike->half_known;
	}
}

void
tp_hlo_describe(
	const struct tp_source *in, struct tp_builder *b, uint32_t first_op, uint32_t first_program)
{
	struct tp_arena *scratch = tp_arena_new();
	struct wanted wanted = {.first_op = first_op};

	tp_map_init(&wanted.instructions, scratch);
	tp_map_init(&wanted.kernels, scratch);
	for (uint32_t i = first_op; i < tp_built_op_count(b); i++) {
		const struct tp_op *op = tp_built_op(b, i);

		if (op->xla && op->category.len == 0 && op->has_program)
			tp_map_put(
				&wanted.instructions, tp_hash_pair(tp_hash_bytes(op->label), op->program_id), i);
		else if (op->kernel)
			tp_map_put(&wanted.kernels, kernel_key(op->label, op->program_id), i);
	}
	if (wanted.kernels.count != 0) {
		wanted.runs = tp_kernel_runs(b, first_op, scratch);
		wanted.of_instruction = tp_new_array(scratch, uint32_t, tp_built_op_count(b) - first_op);
	}
	for (uint32_t i = first_program; i < tp_built_program_count(b); i++) {
		struct tp_arena *unpacked = tp_arena_new();
		const struct checking c = {in, b, tp_built_program(b, i), unpacked};

		check_program(&c, &wanted);
		tp_arena_free(unpacked);
	}
	describe_alike(b, first_op, &wanted.kernels);
	if (wanted.kernels.count != 0)
		tp_kernel_products_settle(b, first_op, wanted.runs);
	tp_arena_free(scratch);
}
