/* What stands between the values of events, as a tree: from each place in an event to what followed it before. */
#ifndef TP_INGEST_TORCH_GAP_H
#define TP_INGEST_TORCH_GAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tp_arena;
struct tp_torch_events;
struct tp_torch_member;

/* Real traces have some hundred gaps of up to 60 bytes, and one to three at a place. */
enum {
	TP_TORCH_GAPS = 512,
	TP_TORCH_GAP_WORDS = 16,
	TP_TORCH_GAP_BYTES = 8 * TP_TORCH_GAP_WORDS,
	TP_TORCH_GAPS_AT_A_PLACE = 32
};

enum tp_torch_level { TP_TORCH_OUTSIDE, TP_TORCH_IN_EVENT, TP_TORCH_IN_ARGUMENTS };

/* From behind a value, or an event, to the next value, or to the event's end. */
struct tp_torch_gap {
	uint64_t words[TP_TORCH_GAP_WORDS]; /* as written, then zeros */
	uint64_t last;                      /* the bits of the last word that count */
	uint32_t word_count;
	uint32_t follower, sibling; /* the first behind it; the next at the same place; 0: none */
	enum tp_torch_level level;  /* behind it; TP_TORCH_OUTSIDE: the event ended */
	size_t length;
	const struct tp_torch_member *member; /* of the value; NULL: nobody asks for it */
	/* Phases and categories are few words that come again and again: they count as part of the gap before them. */
	bool with_value;
	char phase; /* 0: not said here; likewise TP_TORCH_CATEGORY_NONE */
	uint8_t category;
	bool old_category;
};

struct tp_torch_gaps {
	struct tp_torch_gap gaps[TP_TORCH_GAPS]; /* the first is where events begin */
	struct tp_torch_gap spare;               /* for what is not worth keeping */
	uint32_t count;
};

/* Lives in the arena. */
struct tp_torch_gaps *tp_torch_gaps_new(struct tp_arena *arena);

/* A gap not met at this place before: what stands at `at`. NULL when that is not usual. tried: how many others were. */
struct tp_torch_gap *tp_torch_gap_new(struct tp_torch_gaps *u, struct tp_torch_events *x,
	struct tp_torch_gap *from, const char *at, const char *end, unsigned tried);

static inline uint64_t
tp_torch_gap_word(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* At least TP_TORCH_GAP_BYTES are there. */
static inline bool
tp_torch_gap_stands_at(const struct tp_torch_gap *g, const char *at)
{
	uint32_t last = g->word_count - 1;

	for (uint32_t i = 0; i < last; i++) {
		if (tp_torch_gap_word(at + (size_t)8 * i) != g->words[i])
			return false;
	}
	return ((tp_torch_gap_word(at + (size_t)8 * last) ^ g->words[last]) & g->last) == 0;
}

/* The gap at `at`; the one met last at a place is tried first. */
static inline struct tp_torch_gap *
tp_torch_gap_follow(struct tp_torch_gaps *u, struct tp_torch_events *x, struct tp_torch_gap *from,
	const char *at, const char *end)
{
	unsigned tried = 0;

	for (uint32_t *link = &from->follower; *link != 0; link = &u->gaps[*link].sibling, tried++) {
		uint32_t index = *link;
		struct tp_torch_gap *g = &u->gaps[index];

		if (!tp_torch_gap_stands_at(g, at))
			continue;
		*link = g->sibling;
		g->sibling = from->follower;
		from->follower = index;
		return g;
	}
	return tp_torch_gap_new(u, x, from, at, end, tried);
}

#endif
