/* Unpacking gzip with ISA-L. */
#include "io/inflate.h"

#include <stdlib.h>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

struct tp_inflate {
	struct tp_slice packed;
	uint32_t form;     /* ISAL_GZIP, or ISAL_DEFLATE */
	size_t fed;        /* bytes that ISA-L has been shown */
	const char *wrong; /* NULL: nothing yet */
	struct inflate_state state;
};

static struct tp_inflate *
open_form(struct tp_slice packed, uint32_t form)
{
	struct tp_inflate *x = malloc(sizeof *x);

	if (x == NULL)
		return NULL;
	x->packed = packed;
	x->form = form;
	x->fed = 0;
	x->wrong = NULL;
	isal_inflate_init(&x->state);
	x->state.crc_flag = form;
	return x;
}

struct tp_inflate *
tp_inflate_open(struct tp_slice packed)
{
	return open_form(packed, ISAL_GZIP);
}

struct tp_inflate *
tp_inflate_open_bare(struct tp_slice packed)
{
	return open_form(packed, ISAL_DEFLATE);
}

/* ISA-L counts in 32 bits. */
static uint32_t
piece_of(size_t size)
{
	return (uint32_t)(size < (1u << 30) ? size : (1u << 30));
}

/* In the words of zlib, which people know. */
static const char *
said(int result)
{
	switch (result) {
	case ISAL_INVALID_BLOCK:
		return "invalid block";
	case ISAL_INVALID_SYMBOL:
		return "invalid code";
	case ISAL_INVALID_LOOKBACK:
		return "invalid distance too far back";
	case ISAL_INVALID_WRAPPER:
		return "incorrect header check";
	case ISAL_UNSUPPORTED_METHOD:
		return "unknown compression method";
	case ISAL_INCORRECT_CHECKSUM:
		return "incorrect data check";
	default:
		return "no deflate data";
	}
}

/* ISA-L unpacks some way ahead and forgets that when it meets what is damaged; all before it is good, though. */
static bool
give_rest(struct inflate_state *s, char *to, size_t room, size_t *written)
{
	size_t left = (size_t)(s->tmp_out_valid - s->tmp_out_processed);
	size_t count = left < room - *written ? left : room - *written;

	memcpy(to + *written, s->tmp_out_buffer + s->tmp_out_processed, count);
	s->tmp_out_processed += (int32_t)count;
	*written += count;
	return count == left;
}

enum tp_inflated
tp_inflate_read(struct tp_inflate *x, char *to, size_t room, size_t *written, const char **wrong)
{
	struct inflate_state *s = &x->state;

	while (*written < room) {
		if (x->wrong != NULL) {
			*wrong = x->wrong;
			return give_rest(s, to, room, written) ? TP_INFLATED_DAMAGED : TP_INFLATED_MORE;
		}
		if (s->avail_in == 0 && x->fed < x->packed.len) {
			s->next_in = (uint8_t *)(x->packed.ptr + x->fed);
			s->avail_in = piece_of(x->packed.len - x->fed);
			x->fed += s->avail_in;
		}
		uint32_t offered = piece_of(room - *written);

		s->next_out = (uint8_t *)to + *written;
		s->avail_out = offered;
		int result = isal_inflate(s);

		*written += offered - s->avail_out;
		if (result < ISAL_DECOMP_OK || result == ISAL_NEED_DICT) {
			x->wrong = said(result);
			continue;
		}
		if (s->block_state == ISAL_BLOCK_FINISH)
			return TP_INFLATED_MEMBER;
		if (s->avail_in == 0 && x->fed == x->packed.len && s->avail_out != 0)
			return TP_INFLATED_CUT_OFF;
	}
	return TP_INFLATED_MORE;
}

size_t
tp_inflate_at(const struct tp_inflate *x)
{
	/* What it took in advance for its next codes is not behind it. */
	return x->fed - x->state.avail_in - (size_t)x->state.read_in_length / 8;
}

void
tp_inflate_next(struct tp_inflate *x)
{
	isal_inflate_reset(&x->state);
	x->state.crc_flag = x->form;
}

void
tp_inflate_close(struct tp_inflate *x)
{
	free(x);
}

uint32_t
tp_inflate_crc32(struct tp_slice bytes)
{
	return crc32_gzip_refl(0, (const unsigned char *)bytes.ptr, bytes.len);
}
