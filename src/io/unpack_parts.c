/* Finds the parts by what they say of their lengths, gives each its place in one block, and believes nothing of it: a part that holds
 * more or less than it says makes all of them count for nothing. */
#include "io/unpack_parts.h"

#include "base/buf.h"
#include "base/pool.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

/* Fewer packed bytes are not worth threads, in all and in a group of parts that one task unpacks. */
enum { LEAST_BYTES = 1 << 20, LEAST_GROUP_BYTES = 256 << 10, GROUPS_A_THREAD = 4 };

struct group {
	struct tp_slice packed;
	uint64_t at, size; /* in the block */
};

struct work {
	enum tp_packing packing;
	struct group *groups;
	char *block;
	atomic_bool failed;
};

/* Of the part that begins there: its packed bytes and what it says it holds. False: it does not say both. */
static bool
look_at_frame(struct tp_slice bytes, size_t *packed, uint64_t *size)
{
	*packed = ZSTD_findFrameCompressedSize(bytes.ptr, bytes.len);
	*size = ZSTD_getFrameContentSize(bytes.ptr, bytes.len);
	return !ZSTD_isError(*packed) && *size != ZSTD_CONTENTSIZE_UNKNOWN &&
		*size != ZSTD_CONTENTSIZE_ERROR;
}

static uint32_t
number_at(const char *bytes, size_t count)
{
	uint32_t number = 0;

	for (size_t i = count; i-- > 0;)
		number = number << 8 | (uint8_t)bytes[i];
	return number;
}

/* The header of a block of BGZF (SAM specification, 4.1): a member of gzip with one extra field, which says the member's size. Its last
 * four bytes are the size of what it holds. */
static bool
look_at_member(struct tp_slice bytes, size_t *packed, uint64_t *size)
{
	enum { HEADER_BYTES = 18, SIZE_AT = 16, TRAILER_BYTES = 8 };

	if (bytes.len < HEADER_BYTES || !tp_slice_starts(bytes, TP_S("\x1f\x8b\x08\x04")) ||
		memcmp(bytes.ptr + 10, "\6\0BC\2\0", 6) != 0)
		return false;
	*packed = number_at(bytes.ptr + SIZE_AT, 2) + (size_t)1;
	if (*packed > bytes.len || *packed < HEADER_BYTES + TRAILER_BYTES)
		return false;
	*size = number_at(bytes.ptr + *packed - 4, 4);
	return true;
}

/* Groups of parts, at least so many packed bytes in each; false where not all bytes are parts. */
static bool
find_groups(struct tp_buf *groups, enum tp_packing packing, struct tp_slice packed,
	size_t group_bytes, uint64_t most)
{
	uint64_t total = 0;
	struct group *group = NULL;

	for (size_t at = 0, length; at < packed.len; at += length) {
		struct tp_slice rest = tp_slice_from(packed, at);
		uint64_t size;

		if (!(packing == TP_PACKING_ZSTD ? look_at_frame(rest, &length, &size)
										 : look_at_member(rest, &length, &size)) ||
			size > most - total)
			return false;
		if (group == NULL || group->packed.len >= group_bytes) {
			group = tp_buf_new(groups, struct group);
			*group = (struct group){.packed = {rest.ptr, 0}, .at = total};
		}
		group->packed.len += length;
		group->size += size;
		total += size;
	}
	return groups->count > 1;
}

/* Whether the group holds as many bytes as it says, and then ends. */
static bool
unpack_group(const struct work *w, const struct group *g)
{
	struct tp_err err;
	struct tp_unpacker *u = tp_unpacker_open(w->packing, g->packed, "", &err);
	size_t written = 0, more = 0;
	char beyond;

	if (u == NULL)
		return false;
	bool right = tp_unpacker_read(u, w->block + g->at, (size_t)g->size, &written, &err) == TP_OK &&
		written == g->size && tp_unpacker_read(u, &beyond, 1, &more, &err) == TP_OK && more == 0;

	tp_unpacker_close(u);
	return right;
}

static void
unpack_one(void *with, size_t index)
{
	struct work *w = with;

	if (!w->failed && !unpack_group(w, &w->groups[index]))
		w->failed = true;
}

bool
tp_unpack_parts(enum tp_packing packing, struct tp_slice packed, uint64_t most,
	struct tp_pool *pool, struct tp_slice *out)
{
	unsigned threads = tp_pool_threads(pool);
	size_t group_bytes = packed.len / (threads * GROUPS_A_THREAD);
	struct tp_buf groups = {0};
	struct work w = {.packing = packing};

	if (threads == 1 || packed.len < LEAST_BYTES)
		return false;
	group_bytes = group_bytes > LEAST_GROUP_BYTES ? group_bytes : LEAST_GROUP_BYTES;
	if (find_groups(&groups, packing, packed, group_bytes, most)) {
		w.groups = groups.data;
		const struct group *last = &w.groups[groups.count - 1];
		size_t size = (size_t)(last->at + last->size);

		w.block = malloc(size + 1);
		if (w.block != NULL)
			tp_pool_each(pool, groups.count, unpack_one, &w);
		*out = (struct tp_slice){w.block, size};
	}
	tp_buf_free(&groups);
	if (w.block == NULL || !w.failed)
		return w.block != NULL;
	free(w.block);
	*out = (struct tp_slice){NULL, 0};
	return false;
}
