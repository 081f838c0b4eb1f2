/* Hash maps from 64-bit keys or byte strings to 32-bit numbers, kept in an arena; nothing is ever removed. */
#ifndef TP_BASE_MAP_H
#define TP_BASE_MAP_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;

#define TP_MAP_NONE UINT32_MAX

struct tp_map_entry {
	uint64_t key;
	uint32_t value; /* TP_MAP_NONE: free */
};

struct tp_map {
	struct tp_arena *arena;
	struct tp_map_entry *entries;
	uint32_t capacity, count; /* capacity is 0 or a power of two */
};

void tp_map_init(struct tp_map *m, struct tp_arena *a);

/* The value of key, or TP_MAP_NONE. */
uint32_t tp_map_get(const struct tp_map *m, uint64_t key);

/* Sets key to value (which is not TP_MAP_NONE). */
void tp_map_put(struct tp_map *m, uint64_t key, uint32_t value);

/* Numbers keys from 0 on in the order in which they first come; of a map that is filled by this alone. Returns whether this one is
 * new. */
bool tp_map_number(struct tp_map *m, uint64_t key, uint32_t *number);

/* One number for two, for maps with a pair as key. Collisions are possible in theory only. */
uint64_t tp_hash_pair(uint64_t a, uint64_t b);
uint64_t tp_hash_bytes(struct tp_slice s);

/* Faster, for tables alone: other versions may give other numbers, which those of tp_hash_bytes in reports may not. */
uint64_t tp_hash_here(struct tp_slice s);

struct tp_strings_slot {
	uint32_t next_id; /* id + 1, 0: free */
	uint32_t tag;     /* of the text's hash, so that other texts need not be looked at */
};

/* Strings interned: the same text always has the same id, ids count from 0; id 0 is the empty string. */
struct tp_strings {
	struct tp_arena *arena;
	struct tp_slice *text; /* by id */
	uint32_t count, capacity;
	struct tp_strings_slot *slots;
	uint32_t slot_count;
};

void tp_strings_init(struct tp_strings *s, struct tp_arena *a);

/* The id of text; the bytes are borrowed, so they must outlive the table (a mapped file does). */
uint32_t tp_intern(struct tp_strings *s, struct tp_slice text);

/* The same for bytes that do not last: a new text is copied into the arena. */
uint32_t tp_intern_copy(struct tp_strings *s, struct tp_slice text);

/* The id of a text that is there; TP_MAP_NONE: it is not. */
uint32_t tp_strings_find(const struct tp_strings *s, struct tp_slice text);

static inline struct tp_slice
tp_string(const struct tp_strings *s, uint32_t id)
{
	return id < s->count ? s->text[id] : (struct tp_slice){NULL, 0};
}

#endif
