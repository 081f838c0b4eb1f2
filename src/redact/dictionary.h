/* The dictionary of names that the parts of redaction share: names by their text, phrases of several words, what stays. */
#ifndef TP_REDACT_DICTIONARY_H
#define TP_REDACT_DICTIONARY_H

#include "base/map.h"
#include "redact/public_words.h"
#include "redact/redaction.h"

struct tp_name {
	enum tp_noun noun;
	unsigned kinds;  /* 1 << enum tp_redact_kind of all that it is of */
	uint32_t number; /* 0: it has stood in no report yet */
	uint32_t report; /* the last that it stood in */
	uint32_t next;   /* of phrases that begin with the same word; 0: none */
	bool is_phrase;  /* several words, replaced together */
};

/* Names by their text; ids count from 1. */
struct tp_names {
	struct tp_strings text;
	struct tp_name *at;
	uint32_t room;
};

/* What redaction.h promises. */
struct tp_redaction {
	struct tp_arena *arena;
	unsigned kinds;
	struct tp_public *public_words;
	struct tp_names names;  /* words without numbers at their ends, and phrases */
	struct tp_names firsts; /* words that phrases begin with, folded; next: the first phrase */
	struct tp_names taken;  /* "op-17", as it stands in a report that was redacted before */
	struct tp_strings spared;
	uint32_t numbers[TP_NOUNS];
	uint32_t report; /* number of the one in hand, from 1 */
};

struct tp_name *tp_name_of(struct tp_names *n, struct tp_slice text, bool *is_new);

/* NULL: it is none. */
struct tp_name *tp_name_find(const struct tp_names *n, struct tp_slice text);

bool tp_name_is_replaced(const struct tp_redaction *r, const struct tp_name *name);

/* The word is a name of this noun, too. */
struct tp_name *tp_name_keep(struct tp_redaction *r, enum tp_noun noun, struct tp_slice text);

/* The longest phrase that begins with a word, of equal ones that in the same case, and where it ends; NULL: none does. */
struct tp_name *tp_phrase_at(const struct tp_redaction *r, enum tp_writing writing,
	struct tp_slice text, const struct tp_word *word, size_t *end);

/* Whether a word, which was cut, is the start of one that is spared. */
bool tp_begins_spared(const struct tp_redaction *r, struct tp_slice start);

#endif
