/* What of a text is a name: words that are not public, by what stands around them. */
#include "redact/dictionary.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/arena.h"

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
	if (folder.len != 0 && tp_name_find(&r->taken, tp_slice_from(folder, 1)) == NULL)
		tp_redaction_know(r, TP_NOUN_PATH, folder);
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
		if (tp_phrase_at(r, writing, text, &word, &end) != NULL) {
			at = end > at ? end : at;
			continue;
		}
		if (tp_public_has(r->public_words, word.shown) ||
			(tp_word_is_cut(text, writing, word.end) && tp_begins_spared(r, word.shown)))
			continue;
		tp_name_keep(r, noun, tp_word_stem(word.shown));
		if (absolute || is_file(run))
			tp_name_keep(r, TP_NOUN_PATH, tp_word_stem(word.shown));
	}
}

static void
keep_phrase(struct tp_redaction *r, enum tp_noun noun, struct tp_slice text)
{
	char room[TP_WORD_MOST];
	struct tp_word word;
	size_t at = 0;
	bool is_new;
	struct tp_name *phrase = tp_name_keep(r, noun, text);

	if (phrase->is_phrase || !tp_word_next(text, TP_WRITTEN_PLAIN, &at, &word))
		return;
	struct tp_name *first = tp_name_of(&r->firsts, tp_word_folded(word.shown, room), &is_new);

	phrase->is_phrase = true;
	phrase->next = first->next;
	first->next = tp_strings_find(&r->names.text, text);
}

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

	if (tp_name_find(&r->names, stem) != NULL)
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
		if (!tp_slice_eq(word->shown, tp_slice_of(tp_noun_word(noun))))
			continue;
		struct tp_slice whole = {text.ptr + word->start, number.start + digits.len - word->start};
		struct tp_name *taken = tp_name_of(&r->taken, whole, &is_new);

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
