/* Operations that only events tell of: instructions that XLA:CPU names in a stat, kernels by program, and ids without metadata. */
#include "ingest/xspace.h"

#include "base/arena.h"

struct tp_slice
tp_xop_name(const struct tp_xplane *plane, uint32_t op)
{
	if (plane->own == NULL)
		return tp_built_op(plane->out, op)->name;
	if (op < plane->end_op)
		return plane->op_names[op - plane->first_op];
	return ((const struct tp_xown *)plane->own->data)[op - plane->end_op].name;
}

/* XLA:CPU names the instruction in a stat: such events are occurrences of it, whatever they call themselves. */
static uint32_t
build_hlo_op(struct tp_xplane *plane, const struct tp_xwhat *what)
{
	struct tp_op *op;
	uint32_t index = tp_build_op(plane->out, &op);

	op->name = tp_arena_copy(tp_builder_profile(plane->out)->arena, what->hlo_op);
	op->label = op->name;
	op->program_id = what->program_id;
	op->has_program = true;
	op->xla = true;
	return index;
}

/* A kernel in one of the programs that have it. */
static uint32_t
build_kernel(struct tp_xplane *plane, const struct tp_xwhat *what, uint32_t kernel)
{
	struct tp_op *op;
	uint32_t index = tp_build_op(plane->out, &op);

	*op = *tp_built_op(plane->out, kernel);
	op->program_id = what->program_id;
	op->has_program = true;
	op->kernel = true;
	return index;
}

static uint32_t
build_unnamed(struct tp_xplane *plane, const struct tp_xwhat *what)
{
	struct tp_profile *profile = tp_builder_profile(plane->out);
	struct tp_op *op;
	uint32_t index = tp_build_op(plane->out, &op);

	op->name = tp_arena_printf(profile->arena, "unnamed event %lld", (long long)what->metadata_id);
	op->label = op->name;
	tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path, TP_NO_OFFSET,
		"events of plane \"%.*s\" have no name: their metadata is missing", TP_ARG(plane->name));
	return index;
}

/* For the profile, which takes it once the pieces before this one have given theirs. */
static uint32_t
note(struct tp_xplane *plane, const struct tp_xwhat *what, uint32_t known, uint32_t event)
{
	struct tp_xown *own = tp_buf_new(plane->own, struct tp_xown);

	*own = (struct tp_xown){.what = *what, .known = known, .event = event};
	own->what.hlo_op = tp_arena_copy(plane->scratch, what->hlo_op);
	own->name = own->what.hlo_op;
	if (known != TP_NONE)
		own->name = tp_xop_name(plane, known);
	return plane->end_op + (uint32_t)plane->own->count - 1;
}

uint32_t
tp_xown_op(struct tp_xplane *plane, const struct tp_xwhat *what, uint32_t known, uint32_t event)
{
	bool is_hlo_op = what->hlo_op.len != 0, unnamed = !is_hlo_op && known == TP_NONE;
	struct tp_map *ops = unnamed ? &plane->unnamed : &plane->hlo_ops;
	uint64_t key = unnamed
		? what->metadata_id
		: tp_hash_pair(
			  is_hlo_op ? tp_hash_bytes(what->hlo_op) : what->metadata_id, what->program_id);
	uint32_t index = tp_map_get(ops, key);

	if (index != TP_MAP_NONE)
		return index;
	if (plane->own != NULL)
		index = note(plane, what, known, event);
	else if (is_hlo_op)
		index = build_hlo_op(plane, what);
	else
		index = unnamed ? build_unnamed(plane, what) : build_kernel(plane, what, known);
	tp_map_put(ops, key, index);
	return index;
}
