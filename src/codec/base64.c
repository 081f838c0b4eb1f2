/* Base64 (RFC 4648), with padding. */
#include "codec/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t
tp_base64_encode(const void *data, size_t size, char *out)
{
	const unsigned char *p = data;
	char *to = out;

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		unsigned bits = (unsigned)p[i] << 16 | (left > 1 ? (unsigned)p[i + 1] << 8 : 0) |
			(left > 2 ? (unsigned)p[i + 2] : 0);

		*to++ = digits[bits >> 18];
		*to++ = digits[bits >> 12 & 63];
		*to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[bits & 63] : '=';
	}
	return (size_t)(to - out);
}

enum { NO_DIGIT = 64 };

/* What each byte stands for; a table, for pages hold megabytes of them. */
static void
list_digits(unsigned char values[static 256])
{
	memset(values, NO_DIGIT, 256);
	for (unsigned i = 0; i < NO_DIGIT; i++)
		values[(unsigned char)digits[i]] = (unsigned char)i;
}

bool
tp_base64_decode(struct tp_slice text, unsigned char *out, size_t *length)
{
	unsigned bits = 0, count = 0;
	unsigned char values[256];
	size_t ends = 0;

	list_digits(values);
	*length = 0;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		unsigned six = values[(unsigned char)c];

		if (six == NO_DIGIT && strchr(" \t\r\n", c) != NULL && c != '\0')
			continue;
		if (c == '=') {
			ends++;
			continue;
		}
		if (six == NO_DIGIT || ends != 0)
			return false;
		bits = bits << 6 | six;
		if (++count % 4 != 0)
			continue;
		out[(*length)++] = (unsigned char)(bits >> 16);
		out[(*length)++] = (unsigned char)(bits >> 8);
		out[(*length)++] = (unsigned char)bits;
	}
	if (count % 4 == 1 || (ends != 0 && (count + ends) % 4 != 0))
		return false;
	if (count % 4 == 2) {
		out[(*length)++] = (unsigned char)(bits >> 4);
	} else if (count % 4 == 3) {
		out[(*length)++] = (unsigned char)(bits >> 10);
		out[(*length)++] = (unsigned char)(bits >> 2);
	}
	return true;
}
