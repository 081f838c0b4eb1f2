/* Copies are found by size and first bytes, then by a hash of all, then byte by byte. */
#include "ingest/copies.h"

#include "io/blob.h"

/* In heads: more than one file, so that each has its print. */
static const uint32_t SEVERAL = TP_MAP_NONE - 1;

static uint64_t
head_of(const struct tp_blob *blob)
{
	struct tp_slice head = tp_blob_bytes(blob);

	head.len = head.len < TP_BLOB_HEAD_BYTES ? head.len : TP_BLOB_HEAD_BYTES;
	return tp_hash_pair(tp_blob_size(blob), tp_hash_here(head));
}

uint32_t
tp_copies_find(struct tp_copies *c, struct tp_blob *const *blobs, struct tp_blob *blob)
{
	uint32_t first = tp_map_get(&c->heads, head_of(blob));

	if (tp_blob_size(blob) == 0 || first == TP_MAP_NONE || tp_blob_is_head(blob))
		return TP_MAP_NONE;
	if (first != SEVERAL) {
		tp_map_put(&c->prints, tp_blob_print(blobs[first]), first);
		tp_map_put(&c->heads, head_of(blob), SEVERAL);
	}
	uint32_t same = tp_map_get(&c->prints, tp_blob_print(blob));

	return same != TP_MAP_NONE && tp_blob_same(blobs[same], blob) ? same : TP_MAP_NONE;
}

void
tp_copies_add(struct tp_copies *c, struct tp_blob *blob, uint32_t index)
{
	if (tp_blob_is_head(blob))
		return;
	if (tp_map_get(&c->heads, head_of(blob)) == TP_MAP_NONE)
		tp_map_put(&c->heads, head_of(blob), index);
	else
		tp_map_put(&c->prints, tp_blob_print(blob), index);
}
