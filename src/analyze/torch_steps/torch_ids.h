/* From ids that a trace gives to what has them: a table where the ids are dense, as they mostly are, else a map. */
#ifndef TP_ANALYZE_TORCH_IDS_H
#define TP_ANALYZE_TORCH_IDS_H

#include "base/map.h"

#include <stdint.h>

struct tp_torch_ids {
	uint32_t *table; /* by id; NULL: the map has them */
	uint64_t size;
	struct tp_map map;
};

/* For `count` ids, none above `largest`; in scratch. */
void tp_torch_ids_init(
	struct tp_torch_ids *ids, uint64_t largest, uint64_t count, struct tp_arena *scratch);

/* TP_MAP_NONE: nothing has the id; ids below 0 are none. */
uint32_t tp_torch_ids_get(const struct tp_torch_ids *ids, int64_t id);
void tp_torch_ids_put(struct tp_torch_ids *ids, int64_t id, uint32_t value);

#endif
