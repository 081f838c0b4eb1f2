/* A growing array on the heap, for results whose size shows only on the way; doubled when full. */
#ifndef TP_BASE_BUF_H
#define TP_BASE_BUF_H

#include <stddef.h>
#include <string.h>

struct tp_arena;

struct tp_buf {
	void *data;
	size_t count, capacity; /* in items */
};

/* Makes a full buffer twice as large. */
void tp_buf_double(struct tp_buf *b, size_t size);

/* Room for one more item of `size` bytes at the end, zeroed; pointers to earlier items become invalid. Always the same
 * size for one buffer. Inline, for stacks that every event goes through. */
static inline void *
tp_buf_add(struct tp_buf *b, size_t size)
{
	if (b->count == b->capacity)
		tp_buf_double(b, size);
	return memset((char *)b->data + b->count++ * size, 0, size);
}

/* The same by its type. */
#define tp_buf_new(buf, type) ((type *)tp_buf_add((buf), sizeof(type)))

/* Adds an item of a type; behind the type its initialisers: TP_PUSH(&ends, struct end, role, channel). */
#define TP_PUSH(buf, type, ...) (*(type *)tp_buf_add((buf), sizeof(type)) = (type){__VA_ARGS__})

/* The buffer as plain room for `count` items, whatever is in it; their values are undefined. */
void *tp_buf_room(struct tp_buf *b, size_t count, size_t size);

/* Room for `count` more items at the end, which count as added; their values are undefined. Doubled when full. */
void *tp_buf_extend(struct tp_buf *b, size_t count, size_t size);

/* Room for this many items in all; those there are stay, with whatever is in memory behind them. */
void tp_buf_reserve(struct tp_buf *b, size_t capacity, size_t size);

/* The first `count` items for an arena, the buffer empty for others. A few are copied and the room stays; many go with the
 * room, what is too much of it given back. */
void *tp_buf_give(struct tp_buf *b, size_t count, size_t size, struct tp_arena *arena);

/* The items, moved into an arena; the buffer is free and empty then. */
void *tp_buf_settle(struct tp_buf *b, size_t size, struct tp_arena *arena);

void tp_buf_free(struct tp_buf *b);

#endif
