/* Most files differ in size already; of those that do not, each is hashed once. */
#include "ingest/copies.h"

#include "io/blob.h"

/* In sizes: more than one file, so that each has its print. */
static const uint32_t SEVERAL = TP_MAP_NONE - 1;

void
tp_copies_init(struct tp_copies *c, struct tp_arena *arena)
{
	tp_map_init(&c->sizes, arena);
	tp_map_init(&c->prints, arena);
}

static uint64_t
print_of(const struct tp_blob *blob)
{
	return tp_hash_pair(tp_blob_size(blob), tp_hash_here(tp_blob_bytes(blob)));
}

uint32_t
tp_copies_find(struct tp_copies *c, struct tp_blob *const *blobs, const struct tp_blob *blob)
{
	uint32_t first = tp_map_get(&c->sizes, tp_blob_size(blob));

	if (tp_blob_size(blob) == 0 || first == TP_MAP_NONE)
		return TP_MAP_NONE;
	if (first != SEVERAL) {
		tp_map_put(&c->prints, print_of(blobs[first]), first);
		tp_map_put(&c->sizes, tp_blob_size(blob), SEVERAL);
	}
	uint32_t same = tp_map_get(&c->prints, print_of(blob));

	return same != TP_MAP_NONE && tp_blob_same(blobs[same], blob) ? same : TP_MAP_NONE;
}

void
tp_copies_add(struct tp_copies *c, const struct tp_blob *blob, uint32_t index)
{
	if (tp_map_get(&c->sizes, tp_blob_size(blob)) == TP_MAP_NONE)
		tp_map_put(&c->sizes, tp_blob_size(blob), index);
	else
		tp_map_put(&c->prints, print_of(blob), index);
}
