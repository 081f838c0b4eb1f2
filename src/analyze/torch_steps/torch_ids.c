/* Tables of ids. */
#include "analyze/torch_steps/torch_ids.h"

#include "base/arena.h"

/* Up to so many entries of a table for an id, which a map would take as well. */
enum { SPARSEST = 8 };

void
tp_torch_ids_init(
	struct tp_torch_ids *ids, uint64_t largest, uint64_t count, struct tp_arena *scratch)
{
	*ids = (struct tp_torch_ids){.size = largest < count * SPARSEST ? largest + 1 : 0};
	if (ids->size == 0) {
		tp_map_init(&ids->map, scratch);
		return;
	}
	ids->table = tp_new_array(scratch, uint32_t, ids->size);
	memset(ids->table, 0xff, ids->size * sizeof *ids->table);
}

uint32_t
tp_torch_ids_get(const struct tp_torch_ids *ids, int64_t id)
{
	if (id < 0)
		return TP_MAP_NONE;
	if (ids->table == NULL)
		return tp_map_get(&ids->map, (uint64_t)id);
	return (uint64_t)id < ids->size ? ids->table[id] : TP_MAP_NONE;
}

void
tp_torch_ids_put(struct tp_torch_ids *ids, int64_t id, uint32_t value)
{
	if (id < 0)
		return;
	if (ids->table == NULL)
		tp_map_put(&ids->map, (uint64_t)id, value);
	else if ((uint64_t)id < ids->size)
		ids->table[id] = value;
}
