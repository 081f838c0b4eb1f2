/* A module's instructions as one number. */
#include "model/hlo_fingerprint.h"

#include "base/map.h"
#include "model/hlo.h"

/* Tuples hold tuples TP_SHAPE_DEEPEST deep at most. */
static uint64_t
with_shape(uint64_t hash, const struct tp_shape *s)
{
	hash = tp_hash_pair(hash, s->kind);
	hash = tp_hash_pair(hash, s->type);
	for (uint32_t i = 0; s->kind == TP_SHAPE_ARRAY && i < s->rank; i++)
		hash = tp_hash_pair(hash, s->sizes[i]);
	for (uint32_t i = 0; i < s->member_count; i++)
		hash = with_shape(hash, &s->members[i]);
	return hash;
}

/* Operands by how far before it they stand. */
static uint64_t
with_instruction(uint64_t hash, const struct tp_hlo_module *m, const struct tp_hlo_instruction *i)
{
	uint32_t number = (uint32_t)(i - m->instructions);

	hash = tp_hash_pair(hash, tp_hash_bytes(i->opcode));
	hash = with_shape(hash, &i->shape);
	for (uint32_t k = 0; k < i->operands.count; k++)
		hash = tp_hash_pair(hash, number - i->operands.at[k]);
	for (uint32_t k = 0; k < i->called.count; k++)
		hash = tp_hash_pair(hash, i->computation - i->called.at[k]);
	return hash;
}

uint64_t
tp_hlo_fingerprint(const struct tp_hlo_module *m)
{
	uint64_t hash = tp_hash_pair(m->computation_count, m->instruction_count);

	for (uint32_t i = 0; i < m->instruction_count; i++)
		hash = with_instruction(hash, m, &m->instructions[i]);
	return hash != 0 ? hash : 1;
}
