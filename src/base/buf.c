/* Growing arrays; memory that runs out ends the program, as in arena.c. */
#include "base/buf.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Memory in large pages that holds what the old one did; *bytes: how much there is. Where it is very much the kernel moves pages
 * rather than bytes. */
static void *
enlarge(void *old, size_t old_bytes, size_t *bytes)
{
	enum { LARGE = TP_PAGES_LARGE, MOST = 8 * LARGE };
	bool copied = tp_pages_whole(*bytes) >= LARGE && *bytes <= MOST && *bytes > old_bytes;
	size_t whole = (*bytes + LARGE - 1) & ~(size_t)(LARGE - 1);
	void *new = copied ? aligned_alloc(LARGE, whole) : realloc(old, *bytes);

	if (new == NULL)
		return NULL;
	*bytes = copied ? whole : *bytes;
	tp_pages_prefer(new, *bytes);
	if (copied && old_bytes != 0)
		memcpy(new, old, old_bytes);
	if (copied)
		free(old);
	return new;
}

static void
grow(struct tp_buf *b, size_t capacity, size_t size)
{
	size_t bytes;
	void *data = NULL;

	if (!__builtin_mul_overflow(capacity, size, &bytes))
		data = enlarge(b->data, b->capacity * size, &bytes);
	if (data == NULL)
		tp_out_of_memory();
	b->data = data;
	b->capacity = size != 0 ? bytes / size : capacity;
}

void
tp_buf_double(struct tp_buf *b, size_t size)
{
	grow(b, b->capacity ? b->capacity * 2 : 64, size);
}

void *
tp_buf_room(struct tp_buf *b, size_t count, size_t size)
{
	if (count > b->capacity || b->data == NULL)
		grow(b, count < 64 ? 64 : count + count / 2, size);
	return b->data;
}

void *
tp_buf_extend(struct tp_buf *b, size_t count, size_t size)
{
	if (count > b->capacity - b->count || b->data == NULL)
		grow(b, b->count + count > b->capacity * 2 ? b->count + count + 64 : b->capacity * 2, size);
	void *items = (char *)b->data + b->count * size;

	b->count += count;
	return items;
}

void
tp_buf_reserve(struct tp_buf *b, size_t capacity, size_t size)
{
	if (capacity > b->capacity)
		grow(b, capacity, size);
}

void *
tp_buf_give(struct tp_buf *b, size_t count, size_t size, struct tp_arena *arena)
{
	enum { FEW_BYTES = 256 << 10 };

	b->count = 0;
	if (count * size <= FEW_BYTES) {
		void *items = tp_arena_array(arena, count, size);

		if (count != 0)
			memcpy(items, b->data, count * size);
		return items;
	}
	grow(b, count, size);
	void *items = b->data;

	tp_arena_own(arena, items);
	*b = (struct tp_buf){0};
	return items;
}

void *
tp_buf_settle(struct tp_buf *b, size_t size, struct tp_arena *arena)
{
	void *items = tp_arena_array(arena, b->count, size);

	if (b->count != 0)
		memcpy(items, b->data, b->count * size);
	tp_buf_free(b);
	return items;
}

void
tp_buf_free(struct tp_buf *b)
{
	free(b->data);
	*b = (struct tp_buf){0};
}
