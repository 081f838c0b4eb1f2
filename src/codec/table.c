/* A table is blocks of entries, and one block that says where they are. */
#include "codec/table.h"

#include "codec/pb_wire.h"
#include "codec/snappy.h"

enum { FOOTER = 48, TRAILER = 5, RESTART = 4 };
enum { AS_IT_IS = 0, SNAPPY = 1 };

static bool
varint(struct tp_slice *at, uint64_t *number)
{
	struct tp_pb p = tp_pb_open(*at);

	if (!tp_pb_varint(&p, number))
		return false;
	*at = tp_slice_from(*at, (size_t)((const char *)p.at - at->ptr));
	return true;
}

/* The block in place of its packed bytes; false, with the state: it cannot be read. */
static bool
unpack(struct tp_table *t, unsigned char way, struct tp_slice *block, struct tp_buf *room)
{
	size_t length;

	if (way == AS_IT_IS)
		return true;
	if (way != SNAPPY) {
		t->state = TP_TABLE_UNKNOWN;
		return false;
	}
	if (!tp_snappy_length(*block, &length))
		return false;
	char *bytes = tp_buf_room(room, length, 1);

	if (!tp_snappy_unpack(*block, bytes, length))
		return false;
	*block = (struct tp_slice){bytes, length};
	return true;
}

/* The entries of a block, without the list of restarts behind them. */
static bool
block_at(struct tp_table *t, struct tp_slice handle, struct tp_slice *block, struct tp_buf *room)
{
	uint64_t offset, size;
	uint32_t restarts;

	if (!varint(&handle, &offset) || !varint(&handle, &size) || offset > t->file.len ||
		size > t->file.len - offset || t->file.len - offset - size < TRAILER)
		return false;
	*block = (struct tp_slice){t->file.ptr + offset, (size_t)size};
	if (!unpack(t, (unsigned char)block->ptr[size], block, room) || block->len < RESTART)
		return false;
	memcpy(&restarts, block->ptr + block->len - RESTART, RESTART);
	if (restarts > (block->len - RESTART) / RESTART)
		return false;
	block->len -= ((size_t)restarts + 1) * RESTART;
	return true;
}

/* The entry at the front of a block; its key begins as the one before. */
static bool
take(struct tp_slice *block, char *room, size_t *length, struct tp_slice *value)
{
	uint64_t shared, more, size;

	if (!varint(block, &shared) || !varint(block, &more) || !varint(block, &size) ||
		shared > *length || more > TP_TABLE_LONGEST_KEY - shared || more > block->len ||
		size > block->len - more)
		return false;
	memcpy(room + shared, block->ptr, (size_t)more);
	*length = (size_t)(shared + more);
	*value = (struct tp_slice){block->ptr + more, (size_t)size};
	*block = tp_slice_from(*block, (size_t)(more + size));
	return true;
}

static bool
broken(struct tp_table *t)
{
	if (t->state == TP_TABLE_MORE)
		t->state = TP_TABLE_BROKEN;
	return false;
}

void
tp_table_open(struct tp_table *t, struct tp_slice file)
{
	static const unsigned char magic[] = {0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb};
	uint64_t number;

	*t = (struct tp_table){.file = file};
	if (file.len < FOOTER || memcmp(file.ptr + file.len - sizeof magic, magic, sizeof magic) != 0) {
		broken(t);
		return;
	}
	/* Behind where the block of other things is, which there are none of. */
	struct tp_slice handles = {file.ptr + file.len - FOOTER, FOOTER - sizeof magic};

	if (!varint(&handles, &number) || !varint(&handles, &number) ||
		!block_at(t, handles, &t->index, &t->index_bytes))
		broken(t);
}

void
tp_table_close(struct tp_table *t)
{
	tp_buf_free(&t->index_bytes);
	tp_buf_free(&t->block_bytes);
}

bool
tp_table_next(struct tp_table *t)
{
	struct tp_slice handle;

	while (t->state == TP_TABLE_MORE && t->block.len == 0) {
		if (t->index.len == 0) {
			t->state = TP_TABLE_END;
			return false;
		}
		t->key_length = 0;
		if (!take(&t->index, t->index_key, &t->index_key_length, &handle) ||
			!block_at(t, handle, &t->block, &t->block_bytes))
			return broken(t);
	}
	if (t->state != TP_TABLE_MORE || !take(&t->block, t->key_room, &t->key_length, &t->value))
		return broken(t);
	t->key = (struct tp_slice){t->key_room, t->key_length};
	return true;
}
