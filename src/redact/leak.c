/* Searching: each word of a text is looked up, and phrases by the word that they begin with, so the time is that of going through the text. */
#include "redact/leak.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"

struct tp_search {
	struct tp_strings words;
	struct tp_strings phrases;
	struct tp_strings firsts; /* words that phrases begin with, folded */
};

struct tp_search *
tp_search_new(const struct tp_redaction *r, struct tp_arena *arena)
{
	struct tp_search *s = tp_new(arena, struct tp_search);
	char room[TP_WORD_MOST];
	struct tp_word word;

	tp_strings_init(&s->words, arena);
	tp_strings_init(&s->phrases, arena);
	tp_strings_init(&s->firsts, arena);
	tp_redaction_secrets(r, &s->words, &s->phrases);
	for (uint32_t id = 1; id < s->phrases.count; id++) {
		size_t at = 0;

		if (tp_word_next(s->phrases.text[id], TP_WRITTEN_PLAIN, &at, &word))
			tp_intern_copy(&s->firsts, tp_word_folded(word.shown, room));
	}
	return s;
}

static bool
has(const struct tp_strings *set, struct tp_slice text, struct tp_slice *found)
{
	uint32_t id = tp_strings_find(set, text);

	if (id == TP_MAP_NONE || id == 0)
		return false;
	*found = tp_string(set, id);
	return true;
}

/* Of a phrase that is cut more than its first word has to stand there: "Check…" may be of any name that begins so. */
static bool
phrase_at(const struct tp_search *s, struct tp_slice text, const struct tp_word *first,
	struct tp_slice *found)
{
	size_t end;

	for (uint32_t id = 1; id < s->phrases.count; id++) {
		if (tp_words_begin(text, TP_WRITTEN_PLAIN, first->start, s->phrases.text[id], &end) &&
			end > first->end) {
			*found = s->phrases.text[id];
			return true;
		}
	}
	return false;
}

/* Behind the key of a timeline's packed numbers, the end of these: base64 is no words. */
static size_t
skip_packed(struct tp_slice text, const struct tp_word *word)
{
	static const char between[] = "\":";
	size_t at = word->end + sizeof between - 1;

	if (!tp_slice_eq(word->shown, TP_S("data")) ||
		!tp_slice_starts(tp_slice_from(text, word->end), tp_slice_of(between)))
		return word->end;
	at += at < text.len && text.ptr[at] == ' ';
	if (at == text.len || text.ptr[at++] != '"')
		return word->end;
	while (at < text.len &&
		(isalnum((unsigned char)text.ptr[at]) || strchr("+/=", text.ptr[at]) != NULL))
		at++;
	return at < text.len && text.ptr[at] == '"' ? at : word->end;
}

static bool
finds(const struct tp_search *s, struct tp_slice text, struct tp_leak *leak)
{
	char room[TP_WORD_MOST];
	struct tp_word word;
	struct tp_slice first;

	for (size_t at = 0; tp_word_next(text, TP_WRITTEN_PLAIN, &at, &word);) {
		struct tp_slice folded = tp_word_folded(word.shown, room), stem = tp_word_stem(folded);

		leak->at = word.start;
		if (has(&s->words, folded, &leak->name) ||
			(stem.len != folded.len && has(&s->words, stem, &leak->name)) ||
			(s->firsts.count > 1 && has(&s->firsts, folded, &first) &&
				phrase_at(s, text, &word, &leak->name)))
			return true;
		at = skip_packed(text, &word);
	}
	return false;
}

/* Undoing what writers do to bytes. */

static size_t
put_character(uint32_t c, char *out)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	out[0] = (char)(0xE0 | (c >> 12 & 15));
	out[1] = (char)(0x80 | (c >> 6 & 63));
	out[2] = (char)(0x80 | (c & 63));
	return 3;
}

/* The number in the next digits of a base, exactly `count` of them. */
static bool
number_at(struct tp_slice text, size_t at, size_t count, uint32_t *out)
{
	char digits[8];

	if (at + count > text.len)
		return false;
	for (size_t i = 0; i < count; i++) {
		digits[i] = text.ptr[at + i];
		if (!isxdigit((unsigned char)digits[i]))
			return false;
	}
	digits[count] = '\0';
	*out = (uint32_t)strtoul(digits, NULL, 16);
	return true;
}

/* An entity stands for a sign, which is no part of a word; where one is written by its number it may be a letter. */
static size_t
undo_entity(struct tp_slice text, size_t at, char *out, size_t *length)
{
	const char *end = memchr(text.ptr + at, ';', text.len - at < 10 ? text.len - at : 10);
	const char *digits = text.ptr + at + 2;

	*length = 1;
	out[0] = text.ptr[at];
	if (end == NULL)
		return 1;
	*length = (size_t)(end + 1 - text.ptr) - at;
	out[0] = ' ';
	if (text.ptr[at + 1] != '#')
		return 1;
	bool hex = tolower(*digits) == 'x';

	return put_character((uint32_t)strtoul(digits + hex, NULL, hex ? 16 : 10) & 0xFFFF, out);
}

/* What is undone: of a page %XX, entities and places where a line may break; and escapes of JSON. */
enum { PAGE = 1, JSON = 2 };

/* The bytes that stand at a place, at most three, and how many they are written with. */
static size_t
undo(unsigned what, struct tp_slice text, size_t at, char *out, size_t *length)
{
	static const char line_break[] = "<wbr>";
	uint32_t character;

	*length = 1;
	out[0] = text.ptr[at];
	if ((what & PAGE) && text.ptr[at] == '%' && number_at(text, at + 1, 2, &character)) {
		*length = 3;
		out[0] = (char)character;
	} else if ((what & JSON) && text.ptr[at] == '\\' && at + 1 < text.len) {
		*length = 2;
		out[0] = ' ';
		if (text.ptr[at + 1] == 'u' && number_at(text, at + 2, 4, &character)) {
			*length = 6;
			return put_character(character, out);
		}
	} else if ((what & PAGE) && text.ptr[at] == '&' && at + 1 < text.len) {
		return undo_entity(text, at, out, length);
	} else if ((what & PAGE) && tp_slice_starts(tp_slice_from(text, at), tp_slice_of(line_break))) {
		/* where a page may break a name */
		*length = sizeof line_break - 1;
		return 0;
	}
	return 1;
}

static bool
finds_undone(const struct tp_search *s, unsigned what, struct tp_slice text, struct tp_leak *leak)
{
	char *plain = malloc(text.len + 4);
	size_t count = 0, length;

	if (plain == NULL)
		return finds(s, text, leak);
	for (size_t at = 0; at < text.len; at += length)
		count += undo(what, text, at, plain + count, &length);
	bool found = finds(s, (struct tp_slice){plain, count}, leak);

	free(plain);
	return found;
}

bool
tp_search_finds(const struct tp_search *s, struct tp_slice text, struct tp_leak *leak)
{
	return finds(s, text, leak) || finds_undone(s, PAGE | JSON, text, leak);
}

/* Pages. */

static size_t
find_from(struct tp_slice text, size_t at, const char *what)
{
	const char *found =
		at < text.len ? memmem(text.ptr + at, text.len - at, what, strlen(what)) : NULL;

	return found != NULL ? (size_t)(found - text.ptr) : text.len;
}

/* The end of an element that begins at a place and is the same on every page, or packed; the place itself for all others. */
static size_t
skip_own(struct tp_slice page, size_t at)
{
	static const char *const own[][2] = {{"<script>", "</script>"},
		{"<script type=\"application/gzip\"", "</script>"}, {"<style>", "</style>"}};
	struct tp_slice rest = tp_slice_from(page, at);

	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		if (tp_slice_starts(rest, tp_slice_of(own[i][0])))
			return find_from(page, at, own[i][1]);
	}
	return at;
}

static bool
finds_in_page(const struct tp_search *s, struct tp_slice page, struct tp_leak *leak)
{
	size_t from = 0;

	for (size_t at = find_from(page, 0, "<s"); from < page.len;
		 at = find_from(page, at + 1, "<s")) {
		size_t end = at < page.len ? skip_own(page, at) : page.len;

		if (end == at && at < page.len)
			continue;
		struct tp_slice part = {page.ptr + from, at - from};

		/* A name may be broken into lines: bytes as they are would be pieces of names. */
		if (finds_undone(s, PAGE, part, leak) || finds_undone(s, PAGE | JSON, part, leak)) {
			leak->at += from;
			return true;
		}
		from = at = end;
	}
	return false;
}

/* PDFs. */

/* A string "(…)" at a place, its escapes undone, into out; the place behind it. */
static size_t
literal_string(struct tp_slice pdf, size_t at, struct tp_buf *out)
{
	unsigned depth = 0;

	do {
		char c = pdf.ptr[at];

		depth += c == '(';
		depth -= c == ')';
		if (c == '\\' && at + 1 < pdf.len) {
			char *end;
			char octal[4] = {0};

			memcpy(octal, pdf.ptr + at + 1, pdf.len - at - 1 < 3 ? pdf.len - at - 1 : 3);
			unsigned long code = strtoul(octal, &end, 8);

			c = end != octal ? (char)code : octal[0];
			at += end != octal ? (size_t)(end - octal) : 1;
		}
		*(char *)tp_buf_add(out, 1) = c;
		at++;
	} while (at < pdf.len && depth != 0);
	return at;
}

/* A string "<…>" in hex: UTF-16, or bytes. */
static size_t
hex_string(struct tp_slice pdf, size_t at, struct tp_buf *out)
{
	uint32_t unit;
	char utf8[4];

	if (tp_slice_starts(tp_slice_from(pdf, at), TP_S("<FEFF"))) {
		for (at += 5; number_at(pdf, at, 4, &unit); at += 4) {
			size_t length = put_character(unit, utf8);

			for (size_t i = 0; i < length; i++)
				*(char *)tp_buf_add(out, 1) = utf8[i];
		}
	} else {
		for (at++; number_at(pdf, at, 2, &unit); at += 2)
			*(char *)tp_buf_add(out, 1) = (char)unit;
	}
	return at;
}

static bool
finds_in_pdf(const struct tp_search *s, struct tp_slice pdf, struct tp_leak *leak)
{
	struct tp_buf strings = {0};

	for (size_t at = 0; at < pdf.len;) {
		struct tp_slice rest = tp_slice_from(pdf, at);

		if (tp_slice_starts(rest, TP_S("stream\n")) || tp_slice_starts(rest, TP_S("stream\r\n"))) {
			at = find_from(pdf, at, "endstream") + strlen("endstream");
		} else if (*rest.ptr == '(') {
			at = literal_string(pdf, at, &strings);
		} else if (*rest.ptr == '<' && rest.len > 1 && rest.ptr[1] != '<') {
			at = hex_string(pdf, at, &strings);
			*(char *)tp_buf_add(&strings, 1) = ' ';
		} else {
			at++;
		}
	}
	bool found = tp_search_finds(s, (struct tp_slice){strings.data, strings.count}, leak);

	tp_buf_free(&strings);
	return found;
}

bool
tp_search_finds_in_file(const struct tp_search *s, struct tp_slice bytes, struct tp_leak *leak)
{
	static const char page[] = "<!doctype html";

	if (bytes.len >= sizeof page - 1 && strncasecmp(bytes.ptr, page, sizeof page - 1) == 0)
		return finds_in_page(s, bytes, leak);
	if (tp_slice_starts(bytes, TP_S("%PDF-")))
		return finds_in_pdf(s, bytes, leak);
	return tp_search_finds(s, bytes, leak);
}
