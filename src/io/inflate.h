/* One member of a gzip stream after the other, piece by piece; what was wrong is said in the same words whichever library
 * does the work: ISA-L where the build found it (three times as fast on x86-64), else zlib. */
#ifndef TP_IO_INFLATE_H
#define TP_IO_INFLATE_H

#include "base/slice.h"

#include <stdint.h>

struct tp_inflate;

enum tp_inflated {
	TP_INFLATED_MORE,    /* the room is full */
	TP_INFLATED_MEMBER,  /* a member ended, and its checksum is right */
	TP_INFLATED_CUT_OFF, /* the bytes end inside a member */
	TP_INFLATED_DAMAGED,
};

/* At the first byte of packed, which lives longer. NULL when there is no memory. */
struct tp_inflate *tp_inflate_open(struct tp_slice packed);

/* The same of deflated bytes alone (RFC 1951), which have neither the head of a member nor its checksum. */
struct tp_inflate *tp_inflate_open_bare(struct tp_slice packed);

/* Adds up to room bytes at `to` and their number, which are good whatever is returned, to *written. DAMAGED: *wrong says
 * what is. */
enum tp_inflated tp_inflate_read(
	struct tp_inflate *x, char *to, size_t room, size_t *written, const char **wrong);

/* How many packed bytes are behind it. */
size_t tp_inflate_at(const struct tp_inflate *x);

/* After MEMBER: to read another. */
void tp_inflate_next(struct tp_inflate *x);

void tp_inflate_close(struct tp_inflate *x); /* NULL is allowed */

/* The checksum that a member would end with. */
uint32_t tp_inflate_crc32(struct tp_slice bytes);

#endif
