/* Open addressing with linear probing; tables grow at three quarters full. */
#include "base/map.h"

#include "base/arena.h"

static uint64_t
mix(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdULL;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ULL;
	return x ^ (x >> 33);
}

uint64_t
tp_hash_pair(uint64_t a, uint64_t b)
{
	return mix(a + 0x9e3779b97f4a7c15ULL) ^ mix(mix(b) + 0x2545f4914f6cdd1dULL);
}

uint64_t
tp_hash_bytes(struct tp_slice s)
{
	uint64_t h = 0xcbf29ce484222325ULL ^ s.len;
	size_t i = 0;

	for (; i + 8 <= s.len; i += 8) {
		uint64_t word;

		memcpy(&word, s.ptr + i, 8);
		h = mix(h ^ word) + 0x9e3779b97f4a7c15ULL;
	}
	uint64_t rest = 0;

	if (i < s.len)
		memcpy(&rest, s.ptr + i, s.len - i);
	return mix(h ^ rest);
}

static inline uint64_t
word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* Two words into the state by one wide product, as wyhash does (github.com/wangyi-fudan/wyhash); the second word goes in once
 * more, so that a first one that makes the product 0 loses nothing. */
static inline uint64_t
fold(uint64_t state, uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide product = (wide)(a ^ 0xa0761d6478bd642fULL) * (b ^ state);

	return (uint64_t)product ^ (uint64_t)(product >> 64) ^ b << 1;
}

/* Less than 8 bytes; some count twice, which does no harm to those of one length. */
static uint64_t
few_at(const char *at, size_t count)
{
	const unsigned char *bytes = (const unsigned char *)at;
	uint32_t first, last;

	if (count < 4)
		return count == 0 ? 0 : bytes[0] | bytes[count / 2] << 8 | bytes[count - 1] << 16;
	memcpy(&first, at, sizeof first);
	memcpy(&last, at + count - sizeof last, sizeof last);
	return first | (uint64_t)last << 32;
}

uint64_t
tp_hash_here(struct tp_slice s)
{
	uint64_t h = 0xe7037ed1a0b428dbULL ^ s.len, a = 0, b = 0;
	const char *at = s.ptr;
	size_t left = s.len;

	for (; left > 16; at += 16, left -= 16)
		h = fold(h, word_at(at), word_at(at + 8));
	if (left >= 8) {
		a = word_at(at);
		b = word_at(at + left - 8);
	} else if (s.len >= 8) {
		a = word_at(at + left - 8); /* with some that counted before */
	} else {
		a = few_at(at, left);
	}
	return mix(fold(h, a, b));
}

void
tp_map_init(struct tp_map *m, struct tp_arena *a)
{
	*m = (struct tp_map){.arena = a};
}

static struct tp_map_entry *
find(const struct tp_map *m, uint64_t key)
{
	uint32_t at = (uint32_t)mix(key) & (m->capacity - 1);

	while (m->entries[at].value != TP_MAP_NONE && m->entries[at].key != key)
		at = (at + 1) & (m->capacity - 1);
	return &m->entries[at];
}

uint32_t
tp_map_get(const struct tp_map *m, uint64_t key)
{
	return m->capacity == 0 ? TP_MAP_NONE : find(m, key)->value;
}

static void
grow(struct tp_map *m)
{
	struct tp_map old = *m;

	m->capacity = old.capacity ? old.capacity * 2 : 32;
	m->entries = tp_new_array(m->arena, struct tp_map_entry, m->capacity);
	for (uint32_t i = 0; i < m->capacity; i++)
		m->entries[i].value = TP_MAP_NONE;
	for (uint32_t i = 0; i < old.capacity; i++) {
		if (old.entries[i].value != TP_MAP_NONE)
			*find(m, old.entries[i].key) = old.entries[i];
	}
}

void
tp_map_put(struct tp_map *m, uint64_t key, uint32_t value)
{
	if (m->count + 1 > m->capacity / 4 * 3)
		grow(m);
	struct tp_map_entry *e = find(m, key);

	m->count += e->value == TP_MAP_NONE;
	*e = (struct tp_map_entry){.key = key, .value = value};
}

bool
tp_map_number(struct tp_map *m, uint64_t key, uint32_t *number)
{
	*number = tp_map_get(m, key);
	if (*number != TP_MAP_NONE)
		return false;
	*number = m->count;
	tp_map_put(m, key, *number);
	return true;
}

void
tp_strings_init(struct tp_strings *s, struct tp_arena *a)
{
	*s = (struct tp_strings){.arena = a};
	tp_intern(s, TP_S(""));
}

/* The slot of a text, or the free one for it. */
static struct tp_strings_slot *
slot_of(const struct tp_strings *s, struct tp_slice text, uint64_t hash)
{
	uint32_t at = (uint32_t)hash & (s->slot_count - 1), tag = (uint32_t)(hash >> 32);

	for (;; at = (at + 1) & (s->slot_count - 1)) {
		struct tp_strings_slot *slot = &s->slots[at];

		if (slot->next_id == 0 ||
			(slot->tag == tag && tp_slice_eq(s->text[slot->next_id - 1], text)))
			return slot;
	}
}

static void
grow_strings(struct tp_strings *s)
{
	uint32_t capacity = s->capacity ? s->capacity * 2 : 64;
	struct tp_slice *text = tp_new_array(s->arena, struct tp_slice, capacity);

	if (s->count != 0)
		memcpy(text, s->text, s->count * sizeof *text);
	s->text = text;
	s->capacity = capacity;
	s->slot_count = capacity * 2;
	s->slots = tp_new_array(s->arena, struct tp_strings_slot, s->slot_count);
	for (uint32_t id = 0; id < s->count; id++) {
		uint64_t hash = tp_hash_here(text[id]);

		*slot_of(s, text[id], hash) = (struct tp_strings_slot){id + 1, (uint32_t)(hash >> 32)};
	}
}

static uint32_t
intern(struct tp_strings *s, struct tp_slice text, bool copy)
{
	if (s->count == s->capacity)
		grow_strings(s);
	uint64_t hash = tp_hash_here(text);
	struct tp_strings_slot *slot = slot_of(s, text, hash);

	if (slot->next_id == 0) {
		s->text[s->count] = copy ? tp_arena_copy(s->arena, text) : text;
		*slot = (struct tp_strings_slot){++s->count, (uint32_t)(hash >> 32)};
	}
	return slot->next_id - 1;
}

uint32_t
tp_intern(struct tp_strings *s, struct tp_slice text)
{
	return intern(s, text, false);
}

uint32_t
tp_intern_copy(struct tp_strings *s, struct tp_slice text)
{
	return intern(s, text, true);
}

uint32_t
tp_strings_find(const struct tp_strings *s, struct tp_slice text)
{
	return slot_of(s, text, tp_hash_here(text))->next_id - 1;
}
