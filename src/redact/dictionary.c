/* Names by their text, and the phrases that begin with a word. */
#include "redact/dictionary.h"

#include "base/arena.h"

const char *const tp_redact_kind_names[TP_REDACT_KINDS] = {
	[TP_REDACT_PATHS] = "paths",
	[TP_REDACT_HOSTS] = "hosts",
	[TP_REDACT_NAMES] = "names",
	[TP_REDACT_ARGS] = "args",
};

static const struct {
	const char *word;
	enum tp_redact_kind kind;
} nouns[TP_NOUNS] = {
	[TP_NOUN_HOST] = {"host", TP_REDACT_HOSTS},
	[TP_NOUN_WORKER] = {"worker", TP_REDACT_HOSTS},
	[TP_NOUN_KERNEL] = {"kernel", TP_REDACT_NAMES},
	[TP_NOUN_MODULE] = {"module", TP_REDACT_NAMES},
	[TP_NOUN_OP] = {"op", TP_REDACT_NAMES},
	[TP_NOUN_PATH] = {"path", TP_REDACT_PATHS},
	[TP_NOUN_ARG] = {"arg", TP_REDACT_ARGS},
	[TP_NOUN_NAME] = {"name", TP_REDACT_NAMES},
};

struct tp_name *
tp_name_of(struct tp_names *n, struct tp_slice text, bool *is_new)
{
	uint32_t before = n->text.count, id = tp_intern_copy(&n->text, text);

	if (id >= n->room) {
		uint32_t room = n->room != 0 ? 2 * n->room : 64;
		struct tp_name *more = tp_new_array(n->text.arena, struct tp_name, room);

		if (n->room != 0)
			memcpy(more, n->at, n->room * sizeof *more);
		n->at = more;
		n->room = room;
	}
	*is_new = n->text.count != before;
	return &n->at[id];
}

struct tp_name *
tp_name_find(const struct tp_names *n, struct tp_slice text)
{
	uint32_t id = tp_strings_find(&n->text, text);

	return id != TP_MAP_NONE && id != 0 ? &n->at[id] : NULL;
}

struct tp_redaction *
tp_redaction_new(struct tp_arena *arena, unsigned kinds)
{
	struct tp_redaction *r = tp_new(arena, struct tp_redaction);

	r->arena = arena;
	r->kinds = kinds;
	r->public_words = tp_public_new(arena);
	tp_strings_init(&r->names.text, arena);
	tp_strings_init(&r->firsts.text, arena);
	tp_strings_init(&r->taken.text, arena);
	tp_strings_init(&r->spared, arena);
	return r;
}

bool
tp_redaction_replaces(const struct tp_redaction *r, enum tp_redact_kind kind)
{
	return (r->kinds & 1U << kind) != 0;
}

bool
tp_redaction_is_whole(const struct tp_redaction *r)
{
	return r->kinds == (1U << TP_REDACT_KINDS) - 1;
}

const char *
tp_noun_word(enum tp_noun noun)
{
	return nouns[noun].word;
}

enum tp_redact_kind
tp_noun_kind(enum tp_noun noun)
{
	return nouns[noun].kind;
}

bool
tp_name_is_replaced(const struct tp_redaction *r, const struct tp_name *name)
{
	return (r->kinds & name->kinds) != 0;
}

struct tp_name *
tp_name_keep(struct tp_redaction *r, enum tp_noun noun, struct tp_slice text)
{
	bool is_new;
	struct tp_name *name = tp_name_of(&r->names, text, &is_new);

	if (is_new || (name->number == 0 && noun < name->noun))
		name->noun = noun;
	name->kinds |= 1U << nouns[noun].kind;
	return name;
}

struct tp_name *
tp_phrase_at(const struct tp_redaction *r, enum tp_writing writing, struct tp_slice text,
	const struct tp_word *word, size_t *end)
{
	char room[TP_WORD_MOST];
	struct tp_name *first = tp_name_find(&r->firsts, tp_word_folded(word->shown, room)),
				   *best = NULL;
	size_t most = 0, stop;

	for (uint32_t id = first != NULL ? first->next : 0; id != 0; id = r->names.at[id].next) {
		struct tp_slice phrase = tp_string(&r->names.text, id);

		bool exact = tp_slice_starts(tp_slice_from(text, word->start), phrase);

		if ((phrase.len > most || (exact && phrase.len == most)) &&
			tp_words_begin(text, writing, word->start, phrase, &stop)) {
			best = &r->names.at[id];
			most = phrase.len;
			*end = stop;
		}
	}
	return best;
}

bool
tp_begins_spared(const struct tp_redaction *r, struct tp_slice start)
{
	for (uint32_t id = 1; id < r->spared.count; id++) {
		if (tp_slice_starts(r->spared.text[id], tp_word_stem(start)))
			return true;
	}
	return false;
}
