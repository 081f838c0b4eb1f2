/* Redaction: names that are somebody's own become pseudonyms, the same one wherever a name stands and in all reports of one run of tpreport.
 * What is a name is decided word by word: a word that is not public (public_words.h) is one. Names of hosts and workers are known as a
 * whole. Numbers are given in the order in which names first stand in a report, so nothing can be told from them. */
#ifndef TP_REDACT_REDACTION_H
#define TP_REDACT_REDACTION_H

#include "base/slice.h"
#include "redact/words.h"

#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_doc;
struct tp_node;

/* What --redact may name. */
enum tp_redact_kind {
	TP_REDACT_PATHS,
	TP_REDACT_HOSTS,
	TP_REDACT_NAMES,
	TP_REDACT_ARGS,
	TP_REDACT_KINDS
};
extern const char *const tp_redact_kind_names[TP_REDACT_KINDS];

/* What a name is of, as its pseudonym says: "kernel-3". Of a name that is of several, the first; it is replaced when the kind of any of them is. */
enum tp_noun {
	TP_NOUN_HOST,
	TP_NOUN_WORKER,
	TP_NOUN_KERNEL,
	TP_NOUN_MODULE,
	TP_NOUN_OP,
	TP_NOUN_PATH,
	TP_NOUN_ARG,
	TP_NOUN_NAME,
	TP_NOUNS
};

struct tp_redaction;

/* kinds: a set of 1 << enum tp_redact_kind. */
struct tp_redaction *tp_redaction_new(struct tp_arena *arena, unsigned kinds);

/* Whether a kind is replaced, and whether all are. */
bool tp_redaction_replaces(const struct tp_redaction *r, enum tp_redact_kind kind);
bool tp_redaction_is_whole(const struct tp_redaction *r);

/* A name that is known to be one, before the first report is redacted: as a whole where it is of several words, unless it is a public word. */
void tp_redaction_know(struct tp_redaction *r, enum tp_noun noun, struct tp_slice name);

/* Words of a text that are not public are names of this noun; in what looks like a path they are of paths. */
void tp_redaction_sort(
	struct tp_redaction *r, enum tp_noun noun, enum tp_writing writing, struct tp_slice text);

/* Takes a word for public; not when it has a pseudonym already. */
void tp_redaction_spare(struct tp_redaction *r, struct tp_slice word);

/* Spares what in a text is public by where it stands: at::native::…, torch/nn/modules/linear.py(114): forward; and leaves out numbers that
 * pseudonyms in it have. */
void tp_redaction_look(struct tp_redaction *r, struct tp_slice text);

/* Whether all words that _ joins in this word are public. */
bool tp_redaction_parts_are_public(const struct tp_redaction *r, struct tp_slice word);

/* The text with pseudonyms, in the arena. */
struct tp_slice tp_redaction_text(
	struct tp_redaction *r, enum tp_writing writing, struct tp_slice text);

/* Another report begins. */
void tp_redaction_begin(struct tp_redaction *r);

/* Redacts a report as JSON; returns whether it was redacted before. */
bool tp_redact_tree(struct tp_redaction *r, struct tp_node *root);

/* Adds the section that says what was replaced in the report that was redacted last, at its end. */
void tp_redact_present(const struct tp_redaction *r, struct tp_doc *doc, bool was_redacted);

/* How many pseudonyms of a noun the report in hand has, with those that it had before. */
size_t tp_redaction_count(const struct tp_redaction *r, enum tp_noun noun, bool was_redacted);

/* The kind of a name as tp_redaction_secrets gives it. */
enum tp_redact_kind tp_redaction_kind_of(const struct tp_redaction *r, struct tp_slice secret);
const char *tp_noun_word(enum tp_noun noun);
enum tp_redact_kind tp_noun_kind(enum tp_noun noun);

/* What may stand nowhere any more: words, folded and without numbers at their ends; phrases. */
struct tp_strings;
void tp_redaction_secrets(
	const struct tp_redaction *r, struct tp_strings *words, struct tp_strings *phrases);

#endif
