/* What the mutators share. */
#include "mutate.h"

#include <string.h>

uint64_t
tp_mutation_any(struct tp_mutation *m, uint64_t below)
{
	m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
	return (m->seed >> 33) % below;
}

bool
tp_mutation_splice(struct tp_mutation *m, size_t at, size_t end, const uint8_t *bytes, size_t size)
{
	if (m->size - (end - at) + size > m->most)
		return false;
	memmove(m->data + at + size, m->data + end, m->size - end);
	if (size != 0)
		memcpy(m->data + at, bytes, size);
	m->size += size - (end - at);
	return true;
}
