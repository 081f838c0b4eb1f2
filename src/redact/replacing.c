/* Texts with pseudonyms in the places of names. */
#include "redact/dictionary.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"

static struct tp_slice
pseudonym(struct tp_redaction *r, struct tp_name *name, char room[static 32])
{
	struct tp_slice text;

	name->report = r->report;
	if (name->number != 0) {
		int length = snprintf(room, 32, "%s-%u", tp_noun_word(name->noun), name->number);

		return (struct tp_slice){room, (size_t)length};
	}
	do {
		name->number = ++r->numbers[name->noun];
		int length = snprintf(room, 32, "%s-%u", tp_noun_word(name->noun), name->number);

		text = (struct tp_slice){room, (size_t)length};
	} while (tp_name_find(&r->taken, text) != NULL);
	return text;
}

/* What the start of a word is of, where it was cut: the first name that begins so; NULL where a word that is spared does. */
static struct tp_name *
cut_name(const struct tp_redaction *r, struct tp_slice start)
{
	if (tp_begins_spared(r, start))
		return NULL;
	for (uint32_t id = 1; id < r->names.text.count; id++) {
		if (r->names.text.text[id].len > start.len && !r->names.at[id].is_phrase &&
			tp_slice_starts(r->names.text.text[id], start))
			return &r->names.at[id];
	}
	return tp_name_find(&r->names, start);
}

/* The name that a word is, which ends before its number; NULL: it stays. */
static struct tp_name *
name_at(const struct tp_redaction *r, enum tp_writing writing, struct tp_slice text,
	const struct tp_word *word, size_t *end)
{
	struct tp_slice stem = tp_word_stem(word->shown);
	struct tp_name *name = tp_public_has(r->public_words, word->shown) ? NULL
		: tp_word_is_cut(text, writing, word->end)                     ? cut_name(r, stem)
												   : tp_name_find(&r->names, stem);

	/* What is cut off a word is _ and digits, which an id holds as they are. */
	*end = word->end - (word->shown.len - stem.len);
	return name != NULL && tp_name_is_replaced(r, name) ? name : NULL;
}

static void
append(struct tp_buf *out, struct tp_slice text)
{
	size_t count = out->count;

	tp_buf_reserve(out, count + text.len, 1);
	if (text.len != 0)
		memcpy((char *)out->data + count, text.ptr, text.len);
	out->count = count + text.len;
}

struct tp_slice
tp_redaction_text(struct tp_redaction *r, enum tp_writing writing, struct tp_slice text)
{
	struct tp_buf out = {0};
	struct tp_word word;
	size_t done = 0;
	char room[32];

	for (size_t at = 0, end; tp_word_next(text, writing, &at, &word);) {
		struct tp_name *name = tp_phrase_at(r, writing, text, &word, &end);

		/* Words of a name that stays may be names of another kind. */
		if (name == NULL || !tp_name_is_replaced(r, name))
			name = name_at(r, writing, text, &word, &end);
		if (name == NULL)
			continue;
		append(&out, (struct tp_slice){text.ptr + done, word.start - done});
		append(&out, pseudonym(r, name, room));
		done = end;
		at = end > at ? end : at;
	}
	if (done == 0)
		return text;
	append(&out, tp_slice_from(text, done));
	struct tp_slice result = tp_arena_copy(r->arena, (struct tp_slice){out.data, out.count});

	tp_buf_free(&out);
	return result;
}
