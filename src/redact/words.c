/* Words of a text, by what a character is: letters of all scripts belong to them, signs and punctuation do not. */
#include "redact/words.h"

#include <ctype.h>

#include "base/utf8.h"

/* Of fewer bytes that are left of a name, nobody can say which it was. */
enum { LEAST_CUT = 4 };

static int
digit_of(char c)
{
	const char *digits = "0123456789ABCDEF", *at = c != '\0' ? strchr(digits, toupper(c)) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* The byte at a place and how many it is written with. */
static unsigned char
byte_at(struct tp_slice text, enum tp_writing writing, size_t at, size_t *length)
{
	*length = 1;
	if (writing == TP_WRITTEN_AS_ID && text.ptr[at] == '%' && at + 2 < text.len) {
		int high = digit_of(text.ptr[at + 1]), low = digit_of(text.ptr[at + 2]);

		if (high >= 0 && low >= 0) {
			*length = 3;
			return (unsigned char)(high * 16 + low);
		}
	}
	return (unsigned char)text.ptr[at];
}

/* Latin-1's signs, general punctuation to arrows and boxes, CJK punctuation, and what stands for no character. */
static bool
is_letter(uint32_t c)
{
	return c >= 0xC0 && c != 0xD7 && c != 0xF7 && !(c >= 0x2000 && c < 0x2C00) &&
		!(c >= 0x3000 && c < 0x3040) && c != 0xFEFF && c != 0xFFFD && c != TP_UTF8_ILL_FORMED;
}

/* The bytes of the character at a place when it belongs to a word, and how many it is written with; 0: it does not. */
static size_t
letter_at(
	struct tp_slice text, enum tp_writing writing, size_t at, char out[static 4], size_t *written)
{
	size_t length, count = 0;

	*written = 0;
	out[count++] = (char)byte_at(text, writing, at, &length);
	if ((unsigned char)out[0] < 0x80) {
		*written = length;
		return length == 1 && (isalnum((unsigned char)out[0]) || out[0] == '_');
	}
	for (*written = length; count < 4 && at + *written < text.len; *written += length)
		out[count++] = (char)byte_at(text, writing, at + *written, &length);
	struct tp_slice bytes = {out, count};
	uint32_t character = tp_utf8_next(bytes, &count);

	*written = 0;
	for (size_t i = 0; i < count; i++) {
		byte_at(text, writing, at + *written, &length);
		*written += length;
	}
	return is_letter(character) ? count : 0;
}

/* Most words are of ASCII: these need no decoding. */
static bool
is_ascii_letter(unsigned char c)
{
	static const unsigned char is[128] = {
		['0'] = 1,
		['1'] = 1,
		['2'] = 1,
		['3'] = 1,
		['4'] = 1,
		['5'] = 1,
		['6'] = 1,
		['7'] = 1,
		['8'] = 1,
		['9'] = 1,
		['_'] = 1,
	};
	unsigned char lower = c | 0x20;

	return c < 0x80 && (is[c] != 0 || (lower >= 'a' && lower <= 'z'));
}

/* How many bytes from a place on are of these; others that are ASCII end a word, in an id all but %. */
static size_t
ascii_run(struct tp_slice text, size_t at, bool letters)
{
	size_t end = at;

	while (end < text.len && (unsigned char)text.ptr[end] < 0x80 && text.ptr[end] != '%' &&
		is_ascii_letter((unsigned char)text.ptr[end]) == letters)
		end++;
	return end - at;
}

/* The letters of other scripts and those that an id encodes, into the room, where all of the word is then. */
static void
take_others(struct tp_slice text, enum tp_writing writing, size_t *at, struct tp_word *word)
{
	char letter[4];
	size_t written, length, room = word->shown.len < TP_WORD_MOST ? word->shown.len : TP_WORD_MOST;

	memcpy(word->room, word->shown.ptr, room);
	while (*at < text.len && (length = letter_at(text, writing, *at, letter, &written)) != 0 &&
		room + length <= TP_WORD_MOST) {
		memcpy(word->room + room, letter, length);
		room += length;
		*at += written;
	}
	word->shown = (struct tp_slice){word->room, room};
}

bool
tp_word_next(struct tp_slice text, enum tp_writing writing, size_t *at, struct tp_word *word)
{
	char letter[4];
	size_t written = 0;

	for (;;) {
		*at += ascii_run(text, *at, false);
		if (*at >= text.len || is_ascii_letter((unsigned char)text.ptr[*at]) ||
			letter_at(text, writing, *at, letter, &written) != 0)
			break;
		*at += written;
	}
	word->start = *at;
	size_t run = ascii_run(text, *at, true);

	run = run < TP_WORD_MOST ? run : TP_WORD_MOST;
	word->shown = (struct tp_slice){text.ptr + *at, run};
	*at += run;
	if (run < TP_WORD_MOST && *at < text.len &&
		((unsigned char)text.ptr[*at] >= 0x80 || text.ptr[*at] == '%'))
		take_others(text, writing, at, word);
	word->end = *at;
	return word->shown.len != 0;
}

bool
tp_word_is_cut(struct tp_slice text, enum tp_writing writing, size_t at)
{
	return writing == TP_WRITTEN_PLAIN && tp_slice_starts(tp_slice_from(text, at), TP_S("…"));
}

bool
tp_words_begin(
	struct tp_slice text, enum tp_writing writing, size_t at, struct tp_slice wanted, size_t *end)
{
	char letter[4];
	size_t length;

	for (size_t i = 0; i < wanted.len; i++) {
		*end = at;
		if (i >= LEAST_CUT && tp_word_is_cut(text, writing, at))
			return true;
		if (at >= text.len ||
			tolower(byte_at(text, writing, at, &length)) != tolower((unsigned char)wanted.ptr[i]))
			return false;
		at += length;
	}
	*end = at;
	while (at < text.len && text.ptr[at] == '_')
		at++;
	while (at != *end && at < text.len && isdigit((unsigned char)text.ptr[at]))
		at++;
	return at >= text.len || letter_at(text, writing, at, letter, &length) == 0;
}

struct tp_slice
tp_word_stem(struct tp_slice word)
{
	size_t digits = word.len, end;

	while (digits > 0 && isdigit((unsigned char)word.ptr[digits - 1]))
		digits--;
	end = digits;
	while (end > 0 && word.ptr[end - 1] == '_')
		end--;
	return end != 0 && end < digits ? (struct tp_slice){word.ptr, end} : word;
}

struct tp_slice
tp_word_folded(struct tp_slice word, char room[static TP_WORD_MOST])
{
	size_t length = word.len < TP_WORD_MOST ? word.len : TP_WORD_MOST;

	for (size_t i = 0; i < length; i++)
		room[i] = (char)tolower((unsigned char)word.ptr[i]);
	return (struct tp_slice){room, length};
}
