/* Few rows get small blocks, many get blocks of one large page each. */
#include "base/blocks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/pages.h"

enum { FIRST_BYTES = 16 << 10, SECOND_BYTES = 128 << 10 };

static struct tp_block *
small_block(size_t bytes)
{
	struct tp_block *block = tp_memory_take(bytes);

	memset(block, 0, bytes);
	return block;
}

void
tp_blocks_extend(struct tp_blocks *b, size_t size)
{
	size_t bytes = b->first == NULL ? FIRST_BYTES
		: b->last == b->first       ? SECOND_BYTES
									: (size_t)TP_PAGES_LARGE;
	struct tp_block *block = bytes == TP_PAGES_LARGE ? tp_pages_new(bytes) : small_block(bytes);

	block->bytes = bytes;
	block->capacity = (bytes - offsetof(struct tp_block, rows)) / size;
	if (b->last == NULL)
		b->first = block;
	else
		b->last->next = block;
	b->last = block;
}

void
tp_blocks_drop_first(struct tp_blocks *b)
{
	struct tp_block *block = b->first;

	b->first = block->next;
	b->last = b->first != NULL ? b->last : NULL;
	b->count -= block->count;
	if (block->bytes == TP_PAGES_LARGE)
		tp_pages_free(block, block->bytes);
	else
		free(block);
}

void
tp_blocks_free(struct tp_blocks *b)
{
	while (b->first != NULL)
		tp_blocks_drop_first(b);
}
