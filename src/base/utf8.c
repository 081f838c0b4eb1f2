/* UTF-8 by the table of the Unicode standard (3-7: well-formed byte sequences). */
#include "base/utf8.h"

#include "base/arena.h"

struct lead {
	size_t length;           /* of the character; 0: no character begins so */
	unsigned char low, high; /* of its second byte */
};

static struct lead
lead_of(unsigned char byte)
{
	struct lead lead = {0, 0x80, 0xbf};

	if (byte < 0x80)
		lead.length = 1;
	else if (byte >= 0xc2 && byte <= 0xf4)
		lead.length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
	if (byte == 0xe0)
		lead.low = 0xa0;
	else if (byte == 0xed)
		lead.high = 0x9f;
	else if (byte == 0xf0)
		lead.low = 0x90;
	else if (byte == 0xf4)
		lead.high = 0x8f;
	return lead;
}

/* How many bytes of one character are there and right; *whole when it is all of them. */
static size_t
right_bytes(struct tp_slice s, bool *whole)
{
	const unsigned char *c = (const unsigned char *)s.ptr;
	struct lead lead = lead_of(c[0]);
	size_t n = 1;

	*whole = lead.length == 1;
	if (lead.length < 2 || s.len < 2 || c[1] < lead.low || c[1] > lead.high)
		return 1;
	for (n = 2; n < lead.length && n < s.len && (c[n] & 0xc0) == 0x80; n++)
		;
	*whole = n == lead.length;
	return n;
}

/* How many bytes at the start are well-formed. */
static size_t
prefix(struct tp_slice s)
{
	size_t at = 0;
	bool whole;

	while (at < s.len) {
		size_t n = right_bytes(tp_slice_from(s, at), &whole);

		if (!whole)
			break;
		at += n;
	}
	return at;
}

bool
tp_utf8_may_turn(struct tp_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if ((unsigned char)s.ptr[i] >= 0xd6)
			return true;
	}
	return false;
}

size_t
tp_utf8_fit(struct tp_slice s, size_t most)
{
	if (s.len <= most)
		return s.len;
	while (most > 0 && ((unsigned char)s.ptr[most] & 0xc0) == 0x80)
		most--;
	return most;
}

struct tp_slice
tp_utf8_shorten(struct tp_arena *arena, struct tp_slice s, size_t most)
{
	if (s.len <= most)
		return s;
	return tp_arena_printf(arena, "%.*s…", (int)tp_utf8_fit(s, most), s.ptr);
}

bool
tp_utf8_valid(struct tp_slice s)
{
	return prefix(s) == s.len;
}

uint32_t
tp_utf8_next(struct tp_slice s, size_t *length)
{
	const unsigned char *c = (const unsigned char *)s.ptr;
	bool whole;

	*length = 1;
	if (c[0] < 0x80)
		return c[0];
	*length = right_bytes(s, &whole);
	if (!whole)
		return TP_UTF8_ILL_FORMED;
	uint32_t character = c[0] & (0x7fu >> *length);

	for (size_t i = 1; i < *length; i++)
		character = character << 6 | (c[i] & 0x3fu);
	return character;
}

/* Unseen is what Unicode lists as Default_Ignorable_Code_Point (DerivedCoreProperties.txt), but for joiners and variation
 * selectors that scripts and emoji are written with, and the marks of annotations. */
bool
tp_utf8_shown(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{0, 0x1f},              /* controls */
		{0x7f, 0x9f},           /* delete, controls */
		{0xad, 0xad},           /* a hyphen at ends of lines only */
		{0x34f, 0x34f},         /* a joiner of no width */
		{0x61c, 0x61c},         /* a mark of direction */
		{0x115f, 0x1160},       /* fillers in place of Hangul letters */
		{0x17b4, 0x17b5},       /* vowels that Khmer does not write */
		{0x200b, 0x200b},       /* a space of no width */
		{0x200e, 0x200f},       /* marks of direction */
		{0x2028, 0x202e},       /* ends of line and paragraph, directions that begin and end */
		{0x2060, 0x206f},       /* joiners and operators of no width, directions */
		{0x3164, 0x3164},       /* a filler in place of a Hangul letter */
		{0xfdd0, 0xfdef},       /* noncharacters */
		{0xfeff, 0xfeff},       /* a mark of the byte order */
		{0xffa0, 0xffa0},       /* a filler in place of a Hangul letter */
		{0xfff0, 0xfffb},       /* marks of annotations, and such to be */
		{0x1bca0, 0x1bca3},     /* marks of shorthand */
		{0x1d173, 0x1d17a},     /* marks of music */
		{0xe0000, 0xe0fff},     /* tags, and more selectors of variants */
		{0x110000, UINT32_MAX}, /* none of Unicode's */
	};
	bool last_two_of_plane = (character & 0xfffe) == 0xfffe; /* noncharacters too */

	if (character >= 0x20 && character < 0x7f)
		return true;
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (character >= hidden[i].first && character <= hidden[i].last)
			return false;
	return !last_two_of_plane;
}

struct tp_slice
tp_utf8_clean(struct tp_arena *arena, struct tp_slice s)
{
	size_t good = prefix(s), used = 0;
	bool whole;

	if (good == s.len)
		return s;
	/* The worst case: every byte becomes three. */
	char *out = tp_arena_array(arena, s.len, 3);

	while (s.len != 0) {
		memcpy(out + used, s.ptr, good);
		used += good;
		s = tp_slice_from(s, good);
		if (s.len == 0)
			break;
		/* For one U+FFFD stands the longest beginning of a character that is there (the Unicode standard's recommended practice). */
		memcpy(out + used, "\xef\xbf\xbd", 3);
		used += 3;
		s = tp_slice_from(s, right_bytes(s, &whole));
		good = prefix(s);
	}
	return (struct tp_slice){out, used};
}

struct tp_slice
tp_utf8_line(struct tp_arena *arena, struct tp_slice s)
{
	static const char unseen[] = "\ufffd";
	/* The worst case: every byte becomes three. */
	char *line = tp_arena_array(arena, s.len, strlen(unseen));
	size_t len = 0, length;

	for (; s.len != 0; s = tp_slice_from(s, length)) {
		uint32_t character = tp_utf8_next(s, &length);
		bool blank = character == '\n' || character == '\r' || character == '\t';
		struct tp_slice shown = blank  ? TP_S(" ")
			: tp_utf8_shown(character) ? (struct tp_slice){s.ptr, length}
									   : TP_S(unseen);

		memcpy(line + len, shown.ptr, shown.len);
		len += shown.len;
	}
	return (struct tp_slice){line, len};
}
