/* Instructions of an HLO module, looked up by name. */
#include "ingest/hlo.h"

#include "base/arena.h"
#include "hlo.pb-c.h"
#include "model/build.h"

static void *
arena_alloc(void *arena, size_t size)
{
	return tp_arena_alloc(arena, size);
}

static void
arena_ignore(void *arena, void *memory)
{
	(void)arena;
	(void)memory;
}

static struct tp_slice
kept(struct tp_builder *b, ProtobufCBinaryData text)
{
	struct tp_slice s = {(const char *)text.data, text.len};

	return s.len == 0 ? s : tp_arena_copy(tp_builder_profile(b)->arena, s);
}

/* "kLoop" → "loop fusion", as the compiler's categories of other devices are called. */
static struct tp_slice
category_of(struct tp_builder *b, const Tp__Hlo__Instruction *i)
{
	static const struct {
		const char *kind, *category;
	} fusions[] = {
		{"kLoop", "loop fusion"},
		{"kInput", "input fusion"},
		{"kOutput", "output fusion"},
		{"kCustom", "custom fusion"},
	};
	struct tp_slice kind = {(const char *)i->fusion_kind.data, i->fusion_kind.len};

	for (size_t k = 0; k < sizeof fusions / sizeof *fusions; k++) {
		if (tp_slice_eq(kind, tp_slice_of(fusions[k].kind)))
			return tp_slice_of(fusions[k].category);
	}
	return kept(b, i->opcode);
}

static void
describe(struct tp_builder *b, struct tp_op *op, const Tp__Hlo__Instruction *i)
{
	const Tp__Hlo__OpMetadata *m = i->metadata;

	op->category = category_of(b, i);
	if (m == NULL)
		return;
	op->framework = kept(b, m->op_name);
	if (m->source_file.len != 0)
		op->source = tp_arena_printf(tp_builder_profile(b)->arena, "%.*s:%d",
			(int)m->source_file.len, (const char *)m->source_file.data, m->source_line);
}

static void
describe_program(struct tp_builder *b, const struct tp_program *program,
	const struct tp_map *wanted, struct tp_arena *scratch)
{
	ProtobufCAllocator allocator = {arena_alloc, arena_ignore, scratch};
	const Tp__Hlo__Proto *hlo =
		tp__hlo__proto__unpack(&allocator, program->hlo.len, (const uint8_t *)program->hlo.ptr);

	if (hlo == NULL) {
		tp_diag_at(&tp_builder_profile(b)->diags, TP_DIAG_WARNING, "", TP_NO_OFFSET,
			"the HLO of program %.*s is damaged: its operations have no category",
			TP_ARG(program->name));
		return;
	}
	const Tp__Hlo__Module *m = hlo->hlo_module;

	for (size_t c = 0; m != NULL && c < m->n_computations; c++) {
		for (size_t k = 0; k < m->computations[c]->n_instructions; k++) {
			const Tp__Hlo__Instruction *i = m->computations[c]->instructions[k];
			struct tp_slice name = {(const char *)i->name.data, i->name.len};
			uint32_t op = tp_map_get(wanted, tp_hash_pair(tp_hash_bytes(name), program->id));

			if (op != TP_MAP_NONE)
				describe(b, tp_built_op(b, op), i);
		}
	}
}

void
tp_hlo_describe(struct tp_builder *b, uint32_t first_op, uint32_t first_program)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_map wanted, programs;

	tp_map_init(&wanted, scratch);
	tp_map_init(&programs, scratch);
	for (uint32_t i = first_op; i < tp_built_op_count(b); i++) {
		const struct tp_op *op = tp_built_op(b, i);

		if (!op->xla || op->category.len != 0 || !op->has_program)
			continue;
		tp_map_put(&wanted, tp_hash_pair(tp_hash_bytes(op->label), op->program_id), i);
		tp_map_put(&programs, op->program_id, 0);
	}
	for (uint32_t i = first_program; wanted.count != 0 && i < tp_built_program_count(b); i++) {
		const struct tp_program *program = tp_built_program(b, i);
		struct tp_arena *unpacked = tp_arena_new();

		if (tp_map_get(&programs, program->id) != TP_MAP_NONE)
			describe_program(b, program, &wanted, unpacked);
		tp_arena_free(unpacked);
	}
	tp_arena_free(scratch);
}
