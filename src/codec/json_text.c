/* Escapes: \n and its like, \u with four hexadecimal digits, two of these for characters beyond U+FFFF. */
#include "codec/json_text.h"

/* Four hexadecimal digits; -1: they are not. */
static int32_t
hex4(const char *at, const char *end)
{
	int32_t number = 0;

	if (end - at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = at[i];
		int digit = c >= '0' && c <= '9' ? c - '0'
			: c >= 'a' && c <= 'f'       ? c - 'a' + 10
			: c >= 'A' && c <= 'F'       ? c - 'A' + 10
										 : -1;

		if (digit < 0)
			return -1;
		number = number << 4 | digit;
	}
	return number;
}

static char *
put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* At the u; the character, with *at behind its digits. */
static uint32_t
unicode(const char **at, const char *end, uint64_t *repairs)
{
	uint32_t c = (uint32_t)hex4(*at + 1, end);

	*at += 5;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	int32_t low = c < 0xdc00 && end - *at >= 2 && (*at)[0] == '\\' && (*at)[1] == 'u'
		? hex4(*at + 2, end)
		: -1;

	if (low < 0xdc00 || low > 0xdfff) {
		++*repairs;
		return 0xfffd;
	}
	*at += 6;
	return 0x10000 + ((c - 0xd800) << 10 | ((uint32_t)low - 0xdc00));
}

struct tp_slice
tp_json_unescape(struct tp_slice raw, struct tp_buf *room, uint64_t *repairs)
{
	static const char plain[256] = {['"'] = '"',
		['\\'] = '\\',
		['/'] = '/',
		['b'] = '\b',
		['f'] = '\f',
		['n'] = '\n',
		['r'] = '\r',
		['t'] = '\t'};
	/* No escape is shorter than what it stands for. */
	char *start = tp_buf_room(room, raw.len, 1), *to = start;
	const char *at = raw.ptr, *end = raw.ptr + raw.len;

	while (at != end) {
		const char *slash = memchr(at, '\\', (size_t)(end - at));
		size_t before = (size_t)((slash != NULL ? slash : end) - at);

		memcpy(to, at, before);
		to += before;
		at += before;
		if (at == end)
			break;
		at++;
		char c = at != end ? *at : '\0';

		if (plain[(unsigned char)c] != '\0') {
			*to++ = plain[(unsigned char)c];
			at++;
		} else if (c == 'u' && hex4(at + 1, end) >= 0) {
			to = put_utf8(to, unicode(&at, end, repairs));
		} else {
			*to++ = '\\';
			++*repairs;
		}
	}
	return (struct tp_slice){start, (size_t)(to - start)};
}
