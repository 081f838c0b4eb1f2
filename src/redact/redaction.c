/* The dictionary of names and pseudonyms, and texts by it. */
#include "redact/redaction.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "redact/public_words.h"

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

struct name {
	enum tp_noun noun;
	unsigned kinds;  /* 1 << enum tp_redact_kind of all that it is of */
	uint32_t number; /* 0: it has stood in no report yet */
	uint32_t report; /* the last that it stood in */
	uint32_t next;   /* of phrases that begin with the same word; 0: none */
	bool is_phrase;  /* several words, replaced together */
};

/* Names by their text; ids count from 1. */
struct names {
	struct tp_strings text;
	struct name *at;
	uint32_t room;
};

struct tp_redaction {
	struct tp_arena *arena;
	unsigned kinds;
	struct tp_public *public_words;
	struct names names;  /* words without numbers at their ends, and phrases */
	struct names firsts; /* words that phrases begin with, folded; next: the first phrase */
	struct names taken;  /* "op-17", as it stands in a report that was redacted before */
	struct tp_strings spared;
	uint32_t numbers[TP_NOUNS];
	uint32_t report; /* number of the one in hand, from 1 */
};

static struct name *
name_of(struct names *n, struct tp_slice text, bool *is_new)
{
	uint32_t before = n->text.count, id = tp_intern_copy(&n->text, text);

	if (id >= n->room) {
		uint32_t room = n->room != 0 ? 2 * n->room : 64;
		struct name *more = tp_new_array(n->text.arena, struct name, room);

		if (n->room != 0)
			memcpy(more, n->at, n->room * sizeof *more);
		n->at = more;
		n->room = room;
	}
	*is_new = n->text.count != before;
	return &n->at[id];
}

/* NULL: it is none. */
static struct name *
find_name(const struct names *n, struct tp_slice text)
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

static bool
is_replaced(const struct tp_redaction *r, const struct name *name)
{
	return (r->kinds & name->kinds) != 0;
}

/* Filling the dictionary. */

static struct name *
keep(struct tp_redaction *r, enum tp_noun noun, struct tp_slice text)
{
	bool is_new;
	struct name *name = name_of(&r->names, text, &is_new);

	if (is_new || (name->number == 0 && noun < name->noun))
		name->noun = noun;
	name->kinds |= 1U << nouns[noun].kind;
	return name;
}

static void
keep_phrase(struct tp_redaction *r, enum tp_noun noun, struct tp_slice text)
{
	char room[TP_WORD_MOST];
	struct tp_word word;
	size_t at = 0;
	bool is_new;
	struct name *phrase = keep(r, noun, text);

	if (phrase->is_phrase || !tp_word_next(text, TP_WRITTEN_PLAIN, &at, &word))
		return;
	struct name *first = name_of(&r->firsts, tp_word_folded(word.shown, room), &is_new);

	phrase->is_phrase = true;
	phrase->next = first->next;
	first->next = tp_strings_find(&r->names.text, text);
}

static void sort_words(
	struct tp_redaction *r, enum tp_noun noun, enum tp_writing writing, struct tp_slice text);

void
tp_redaction_know(struct tp_redaction *r, enum tp_noun noun, struct tp_slice name)
{
	struct tp_word word;
	size_t at = 0;

	if (!tp_word_next(name, TP_WRITTEN_PLAIN, &at, &word))
		return;
	/* A phrase begins and ends with a word. */
	name = tp_slice_from(name, word.start);
	size_t words = 1, end = at - word.start;

	for (at = end; tp_word_next(name, TP_WRITTEN_PLAIN, &at, &word); words++)
		end = at;
	if (words > 1)
		keep_phrase(r, noun, tp_word_stem((struct tp_slice){name.ptr, end}));
	else
		sort_words(r, noun, TP_WRITTEN_PLAIN, name);
}

/* The longest phrase that begins with a word, of equal ones that in the same case; NULL: none does. */
static struct name *
phrase_at(const struct tp_redaction *r, enum tp_writing writing, struct tp_slice text,
	const struct tp_word *word, size_t *end)
{
	char room[TP_WORD_MOST];
	struct name *first = find_name(&r->firsts, tp_word_folded(word->shown, room)), *best = NULL;
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

/* From blank to blank around a word, or from what else cannot be in a path. */
static struct tp_slice
run_around(struct tp_slice text, const struct tp_word *word)
{
	static const char ends[] = " \t\n\"'()[]{},;:";
	size_t from = word->start, to = word->end;

	while (from > 0 && strchr(ends, text.ptr[from - 1]) == NULL)
		from--;
	while (to < text.len && strchr(ends, text.ptr[to]) == NULL)
		to++;
	return (struct tp_slice){text.ptr + from, to - from};
}

/* Whether it begins as an absolute path, where a text or a quotation begins or behind a blank: "jit(f)/mul" has none. */
static bool
is_absolute(struct tp_slice text, struct tp_slice run)
{
	return run.len > 1 && strchr("/~", *run.ptr) != NULL &&
		(run.ptr == text.ptr || strchr(" \t\n\"'", run.ptr[-1]) != NULL);
}

static bool
is_file(struct tp_slice run)
{
	static const char *const suffixes[] = {".py", ".ipynb", ".json", ".gz", ".pb", ".cc", ".cpp",
		".cu", ".h", ".tps", ".html", ".pdf"};

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		if (tp_slice_ends(run, tp_slice_of(suffixes[i])))
			return true;
	}
	return false;
}

/* The folder of an absolute path is one name, whatever words it is of; of installed packages only where they are installed. */
static void
keep_folder(struct tp_redaction *r, struct tp_slice path)
{
	static const char packages[] = "-packages";
	const char *last = memmem(path.ptr, path.len, packages, sizeof packages - 1);
	const char *slash = memrchr(path.ptr, '/', path.len);

	if (last != NULL)
		slash = last + sizeof packages - 1;
	struct tp_slice folder = {path.ptr, slash != NULL ? (size_t)(slash - path.ptr) : 0};

	/* That of a report that is redacted already is none. */
	if (folder.len != 0 && find_name(&r->taken, tp_slice_from(folder, 1)) == NULL)
		tp_redaction_know(r, TP_NOUN_PATH, folder);
}

/* Whether a word, which was cut, is the start of one that is spared. */
static bool
begins_spared(const struct tp_redaction *r, struct tp_slice start)
{
	for (uint32_t id = 1; id < r->spared.count; id++) {
		if (tp_slice_starts(r->spared.text[id], tp_word_stem(start)))
			return true;
	}
	return false;
}

static void
sort_words(struct tp_redaction *r, enum tp_noun noun, enum tp_writing writing, struct tp_slice text)
{
	struct tp_word word;
	size_t end;

	for (size_t at = 0; tp_word_next(text, writing, &at, &word);) {
		struct tp_slice run = writing == TP_WRITTEN_PLAIN ? run_around(text, &word) : TP_S("");
		bool absolute = is_absolute(text, run);

		if (absolute && run.ptr + 1 == text.ptr + word.start)
			keep_folder(r, run);
		if (phrase_at(r, writing, text, &word, &end) != NULL) {
			at = end > at ? end : at;
			continue;
		}
		if (tp_public_has(r->public_words, word.shown) ||
			(tp_word_is_cut(text, writing, word.end) && begins_spared(r, word.shown)))
			continue;
		keep(r, noun, tp_word_stem(word.shown));
		if (absolute || is_file(run))
			keep(r, TP_NOUN_PATH, tp_word_stem(word.shown));
	}
}

static bool
is_public(const struct tp_redaction *r, struct tp_slice text)
{
	struct tp_word word;

	for (size_t at = 0; tp_word_next(text, TP_WRITTEN_PLAIN, &at, &word);) {
		if (!tp_public_has(r->public_words, word.shown))
			return false;
	}
	return true;
}

/* The value of a pair in an id, without %XX, in room. */
static struct tp_slice
decoded(struct tp_slice text, char *room)
{
	size_t length = 0;

	for (size_t at = 0; at < text.len; at++) {
		const char hex[] = {at + 2 < text.len ? text.ptr[at + 1] : 'x',
			at + 2 < text.len ? text.ptr[at + 2] : 'x', '\0'};

		if (text.ptr[at] == '%' && isxdigit((unsigned char)hex[0]) &&
			isxdigit((unsigned char)hex[1])) {
			room[length++] = (char)strtol(hex, NULL, 16);
			at += 2;
		} else {
			room[length++] = text.ptr[at];
		}
	}
	return (struct tp_slice){room, length};
}

/* What an id is narrowed to ("…@host=a,device=TPU:0") is a whole name. */
static void
sort_scope(struct tp_redaction *r, struct tp_slice id)
{
	static const struct {
		const char *key;
		enum tp_noun noun;
		bool whole;
	} keys[] = {
		{"host=", TP_NOUN_HOST, true},
		{"worker=", TP_NOUN_WORKER, true},
		{"run=", TP_NOUN_PATH, false},
		{"program=", TP_NOUN_MODULE, false},
		{"module=", TP_NOUN_MODULE, false},
	};
	const char *at = memchr(id.ptr, '@', id.len), *end = id.ptr + id.len;

	while (at != NULL && ++at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct tp_slice pair = {at, (size_t)((comma != NULL ? comma : end) - at)};

		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
			struct tp_slice key = tp_slice_of(keys[i].key);

			if (!tp_slice_starts(pair, key))
				continue;
			struct tp_slice value =
				decoded(tp_slice_from(pair, key.len), tp_arena_alloc(r->arena, pair.len));

			if (keys[i].whole && !is_public(r, value))
				tp_redaction_know(r, keys[i].noun, value);
			else
				sort_words(r, keys[i].noun, TP_WRITTEN_PLAIN, value);
		}
		at = comma;
	}
}

void
tp_redaction_sort(
	struct tp_redaction *r, enum tp_noun noun, enum tp_writing writing, struct tp_slice text)
{
	if (writing == TP_WRITTEN_AS_ID && text.len != 0)
		sort_scope(r, text);
	sort_words(r, noun, writing, text);
}

void
tp_redaction_spare(struct tp_redaction *r, struct tp_slice word)
{
	struct tp_slice stem = tp_word_stem(word);

	if (find_name(&r->names, stem) != NULL)
		return;
	tp_public_add(r->public_words, stem);
	tp_intern_copy(&r->spared, stem);
}

bool
tp_redaction_parts_are_public(const struct tp_redaction *r, struct tp_slice word)
{
	return tp_public_has_parts(r->public_words, word);
}

/* Looking at what stands around a word. */

static bool
follows(struct tp_slice text, size_t at, const char *what)
{
	return tp_slice_starts(tp_slice_from(text, at), tp_slice_of(what));
}

/* Whether the next word begins right at a place, and it then. */
static bool
word_at(struct tp_slice text, size_t at, struct tp_word *word)
{
	size_t start = at;

	return tp_word_next(text, TP_WRITTEN_PLAIN, &at, word) && word->start == start;
}

/* at::native::(anonymous namespace)::kernel */
static void
spare_space(struct tp_redaction *r, struct tp_slice text, size_t at)
{
	static const char unnamed[] = "(anonymous namespace)::";
	struct tp_word word;

	while (follows(text, at, "::")) {
		at += 2;
		at += follows(text, at, unnamed) ? sizeof unnamed - 1 : 0;
		if (!word_at(text, at, &word))
			return;
		tp_redaction_spare(r, word.shown);
		at = word.end;
	}
}

/* torch/nn/modules/linear.py(114): forward */
static void
spare_path(struct tp_redaction *r, struct tp_slice text, size_t at)
{
	struct tp_word word;

	while (at < text.len && strchr("/.-", text.ptr[at]) != NULL && word_at(text, at + 1, &word)) {
		tp_redaction_spare(r, word.shown);
		at = word.end;
	}
	if (!follows(text, at, "("))
		return;
	while (++at < text.len && isdigit((unsigned char)text.ptr[at]))
		;
	if (follows(text, at, "): ") && word_at(text, at + 3, &word))
		tp_redaction_spare(r, word.shown);
}

/* A package is one where its path begins, or where pip puts packages. */
static bool
is_package_at(struct tp_slice text, const struct tp_word *word)
{
	static const char before[] = "-packages/";
	struct tp_slice head = {text.ptr, word->start};

	return tp_public_package(word->shown) && follows(text, word->end, "/") &&
		(head.len == 0 || tp_slice_ends(head, TP_S(before)));
}

/* "op-17" */
static void
take(struct tp_redaction *r, struct tp_slice text, const struct tp_word *word)
{
	struct tp_word number;
	bool is_new;

	if (!follows(text, word->end, "-") || !word_at(text, word->end + 1, &number))
		return;
	/* "module-1_0" is module-1. */
	struct tp_slice digits = tp_word_stem(number.shown);

	for (size_t i = 0; i < digits.len; i++) {
		if (!isdigit((unsigned char)digits.ptr[i]))
			return;
	}
	for (enum tp_noun noun = 0; noun < TP_NOUNS; noun++) {
		if (!tp_slice_eq(word->shown, tp_slice_of(nouns[noun].word)))
			continue;
		struct tp_slice whole = {text.ptr + word->start, number.start + digits.len - word->start};
		struct name *taken = name_of(&r->taken, whole, &is_new);

		taken->noun = noun;
		taken->report = r->report;
	}
}

void
tp_redaction_look(struct tp_redaction *r, struct tp_slice text)
{
	struct tp_word word;

	for (size_t at = 0; tp_word_next(text, TP_WRITTEN_PLAIN, &at, &word);) {
		if (tp_public_space(word.shown))
			spare_space(r, text, word.end);
		else if (is_package_at(text, &word))
			spare_path(r, text, word.end);
		take(r, text, &word);
	}
}

void
tp_redaction_begin(struct tp_redaction *r)
{
	r->report++;
}

/* Replacing. */

static struct tp_slice
pseudonym(struct tp_redaction *r, struct name *name, char room[static 32])
{
	struct tp_slice text;

	name->report = r->report;
	if (name->number != 0) {
		int length = snprintf(room, 32, "%s-%u", nouns[name->noun].word, name->number);

		return (struct tp_slice){room, (size_t)length};
	}
	do {
		name->number = ++r->numbers[name->noun];
		int length = snprintf(room, 32, "%s-%u", nouns[name->noun].word, name->number);

		text = (struct tp_slice){room, (size_t)length};
	} while (find_name(&r->taken, text) != NULL);
	return text;
}

/* What the start of a word is of, where it was cut: the first name that begins so; NULL where a word that is spared does. */
static struct name *
cut_name(const struct tp_redaction *r, struct tp_slice start)
{
	if (begins_spared(r, start))
		return NULL;
	for (uint32_t id = 1; id < r->names.text.count; id++) {
		if (r->names.text.text[id].len > start.len && !r->names.at[id].is_phrase &&
			tp_slice_starts(r->names.text.text[id], start))
			return &r->names.at[id];
	}
	return find_name(&r->names, start);
}

/* The name that a word is, which ends before its number; NULL: it stays. */
static struct name *
name_at(const struct tp_redaction *r, enum tp_writing writing, struct tp_slice text,
	const struct tp_word *word, size_t *end)
{
	struct tp_slice stem = tp_word_stem(word->shown);
	struct name *name = tp_public_has(r->public_words, word->shown) ? NULL
		: tp_word_is_cut(text, writing, word->end)                  ? cut_name(r, stem)
																	: find_name(&r->names, stem);

	/* What is cut off a word is _ and digits, which an id holds as they are. */
	*end = word->end - (word->shown.len - stem.len);
	return name != NULL && is_replaced(r, name) ? name : NULL;
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
		struct name *name = phrase_at(r, writing, text, &word, &end);

		/* Words of a name that stays may be names of another kind. */
		if (name == NULL || !is_replaced(r, name))
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

/* What came of it. */

static size_t
count_of(const struct tp_redaction *r, const struct names *n, enum tp_noun noun)
{
	size_t count = 0;

	for (uint32_t id = 1; id < n->text.count; id++)
		count += n->at[id].noun == noun && n->at[id].report == r->report;
	return count;
}

size_t
tp_redaction_count(const struct tp_redaction *r, enum tp_noun noun, bool was_redacted)
{
	return count_of(r, &r->names, noun) + (was_redacted ? count_of(r, &r->taken, noun) : 0);
}

void
tp_redaction_secrets(
	const struct tp_redaction *r, struct tp_strings *words, struct tp_strings *phrases)
{
	char room[TP_WORD_MOST];

	for (uint32_t id = 1; id < r->names.text.count; id++) {
		struct tp_slice text = tp_string(&r->names.text, id);

		if (!is_replaced(r, &r->names.at[id]))
			continue;
		if (r->names.at[id].is_phrase)
			tp_intern(phrases, text);
		else
			tp_intern_copy(words, tp_word_folded(text, room));
	}
}

enum tp_redact_kind
tp_redaction_kind_of(const struct tp_redaction *r, struct tp_slice secret)
{
	char room[TP_WORD_MOST];

	for (uint32_t id = 1; id < r->names.text.count; id++) {
		struct tp_slice text = tp_string(&r->names.text, id);

		if (tp_slice_eq(text, secret) || tp_slice_eq(tp_word_folded(text, room), secret))
			return nouns[r->names.at[id].noun].kind;
	}
	return TP_REDACT_NAMES;
}
