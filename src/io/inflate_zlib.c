/* Unpacking gzip with zlib, where ISA-L is absent. */
#include "io/inflate.h"

#include <stdlib.h>

#include <zlib.h>

struct tp_inflate {
	struct tp_slice packed;
	z_stream z;
	size_t fed; /* bytes that zlib has been shown */
};

/* zlib.h: more than 15 for the head of gzip, less than 0 for none. */
enum { GZIP = 15 + 16, BARE = -15 };

static struct tp_inflate *
open_form(struct tp_slice packed, int form)
{
	struct tp_inflate *x = calloc(1, sizeof *x);

	if (x == NULL)
		return NULL;
	x->packed = packed;
	if (inflateInit2(&x->z, form) == Z_OK)
		return x;
	free(x);
	return NULL;
}

struct tp_inflate *
tp_inflate_open(struct tp_slice packed)
{
	return open_form(packed, GZIP);
}

struct tp_inflate *
tp_inflate_open_bare(struct tp_slice packed)
{
	return open_form(packed, BARE);
}

/* zlib counts in 32 bits. */
static uInt
piece_of(size_t size)
{
	return (uInt)(size < (1u << 30) ? size : (1u << 30));
}

static const char *
said(int result)
{
	return result == Z_MEM_ERROR ? "not enough memory" : "no deflate data";
}

enum tp_inflated
tp_inflate_read(struct tp_inflate *x, char *to, size_t room, size_t *written, const char **wrong)
{
	z_stream *z = &x->z;

	while (*written < room) {
		if (z->avail_in == 0 && x->fed < x->packed.len) {
			z->next_in = (Bytef *)(x->packed.ptr + x->fed);
			z->avail_in = piece_of(x->packed.len - x->fed);
			x->fed += z->avail_in;
		}
		uInt offered = piece_of(room - *written);

		z->next_out = (Bytef *)to + *written;
		z->avail_out = offered;
		int result = inflate(z, Z_NO_FLUSH);

		*written += offered - z->avail_out;
		if (result == Z_STREAM_END)
			return TP_INFLATED_MEMBER;
		if (result == Z_BUF_ERROR && z->avail_in == 0 && x->fed == x->packed.len)
			return TP_INFLATED_CUT_OFF;
		if (result != Z_OK && result != Z_BUF_ERROR) {
			*wrong = z->msg != NULL ? z->msg : said(result);
			return TP_INFLATED_DAMAGED;
		}
	}
	return TP_INFLATED_MORE;
}

size_t
tp_inflate_at(const struct tp_inflate *x)
{
	return x->fed - x->z.avail_in;
}

void
tp_inflate_next(struct tp_inflate *x)
{
	inflateReset(&x->z);
}

void
tp_inflate_close(struct tp_inflate *x)
{
	if (x != NULL)
		inflateEnd(&x->z);
	free(x);
}

uint32_t
tp_inflate_crc32(struct tp_slice bytes)
{
	return (uint32_t)crc32_z(0, (const Bytef *)bytes.ptr, bytes.len);
}
