/* An arena: memory that is given out piece by piece and freed all at once. */
#ifndef TP_BASE_ARENA_H
#define TP_BASE_ARENA_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;

struct tp_arena *tp_arena_new(void);
/* One that goes with its parent at the latest. The parent must not be reset while it lives. */
struct tp_arena *tp_arena_child(struct tp_arena *parent);
void tp_arena_free(struct tp_arena *a); /* NULL is allowed */

/* Forgets everything that was allocated, keeps one chunk for reuse. */
void tp_arena_reset(struct tp_arena *a);

/* size zeroed bytes, aligned for any type; size 0 gives a valid pointer. The program ends with a message when memory is
 * exhausted: no caller can do anything sensible then. */
void *tp_arena_alloc(struct tp_arena *a, size_t size);

/* count × size zeroed bytes; the product is checked. */
void *tp_arena_array(struct tp_arena *a, size_t count, size_t size);

/* Takes over memory that malloc gave (NULL is allowed): it lives as long as what the arena gave itself. */
void tp_arena_own(struct tp_arena *a, void *memory);

/* All that the other arena gave lives as long as a from now on; the other is no more. Nothing is copied. */
void tp_arena_join(struct tp_arena *a, struct tp_arena *other);

/* Bytes asked for so far. */
size_t tp_arena_used(const struct tp_arena *a);

/* A copy of s that the arena owns; NUL-terminated one byte past its length. */
struct tp_slice tp_arena_copy(struct tp_arena *a, struct tp_slice s);

/* printf into the arena; NUL-terminated one byte past the length. */
struct tp_slice tp_arena_printf(struct tp_arena *a, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define tp_new(arena, type) ((type *)tp_arena_alloc((arena), sizeof(type)))
#define tp_new_array(arena, type, count) ((type *)tp_arena_array((arena), (count), sizeof(type)))

#endif
