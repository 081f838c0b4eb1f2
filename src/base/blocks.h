/* Rows that come one by one, in blocks that stay where they are: nothing is copied as they grow in number, and where there are many
 * each block is one large page. */
#ifndef TP_BASE_BLOCKS_H
#define TP_BASE_BLOCKS_H

#include <stddef.h>
#include <string.h>

struct tp_block {
	struct tp_block *next;
	size_t count, capacity; /* rows */
	size_t bytes;           /* of the whole block */
	_Alignas(16) unsigned char rows[];
};

/* Always of rows of the same size. Nothing but zeros: none. */
struct tp_blocks {
	struct tp_block *first, *last;
	size_t count; /* rows in all */
};

/* Adds an empty block for rows of `size` bytes. */
void tp_blocks_extend(struct tp_blocks *b, size_t size);

/* One more row at the end, zeroed; it stays where it is. */
static inline void *
tp_blocks_add(struct tp_blocks *b, size_t size)
{
	if (b->last == NULL || b->last->count == b->last->capacity)
		tp_blocks_extend(b, size);
	b->count++;
	/* A block is made of zeros. */
	return b->last->rows + b->last->count++ * size;
}

#define tp_blocks_new(blocks, type) ((type *)tp_blocks_add((blocks), sizeof(type)))

/* Each row in order, as `type *row`. A break leaves one block only. */
#define TP_BLOCKS_EACH(blocks, type, row)                                                          \
	for (struct tp_block *block_ = (blocks)->first; block_ != NULL; block_ = block_->next)         \
		for (type *row = (type *)block_->rows, *end_ = row + block_->count; row != end_; row++)

/* Gives back the first block. */
void tp_blocks_drop_first(struct tp_blocks *b);

/* Gives back all; there is no row then. */
void tp_blocks_free(struct tp_blocks *b);

#endif
