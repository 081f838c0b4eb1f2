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

size_t
tp_utf8_prefix(struct tp_slice s)
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

size_t
tp_utf8_ill_formed(struct tp_slice s)
{
	bool whole;

	return s.len == 0 ? 0 : right_bytes(s, &whole);
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

bool
tp_utf8_valid(struct tp_slice s)
{
	return tp_utf8_prefix(s) == s.len;
}

struct tp_slice
tp_utf8_clean(struct tp_arena *arena, struct tp_slice s)
{
	size_t good = tp_utf8_prefix(s), used = 0;

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
		memcpy(out + used, "\xef\xbf\xbd", 3);
		used += 3;
		s = tp_slice_from(s, tp_utf8_ill_formed(s));
		good = tp_utf8_prefix(s);
	}
	return (struct tp_slice){out, used};
}
