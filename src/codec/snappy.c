/* Snappy blocks: a length, then stretches of bytes as they are and copies of what was written before. */
#include "codec/snappy.h"

#include "codec/pb_wire.h"

/* A copy of 64 bytes takes three. */
enum { MOST_FOR_A_BYTE = 22 };

enum { LITERAL, COPY_1, COPY_2, COPY_4 };

/* The length in front, which is a varint, and what is behind it. */
static bool
split(struct tp_slice packed, uint64_t *length, struct tp_slice *rest)
{
	struct tp_pb p = tp_pb_open(packed);

	if (packed.len == 0 || !tp_pb_varint(&p, length) || *length > UINT32_MAX)
		return false;
	*rest = tp_slice_from(packed, (size_t)((const char *)p.at - packed.ptr));
	return *length <= (uint64_t)MOST_FOR_A_BYTE * rest->len;
}

bool
tp_snappy_length(struct tp_slice packed, size_t *length)
{
	struct tp_slice rest;
	uint64_t number;

	if (!split(packed, &number, &rest))
		return false;
	*length = (size_t)number;
	return true;
}

/* A number of so many bytes, the low one first. */
static bool
number(struct tp_slice *in, size_t bytes, size_t *out)
{
	*out = 0;
	if (in->len < bytes)
		return false;
	for (size_t i = 0; i < bytes; i++)
		*out |= (size_t)(unsigned char)in->ptr[i] << (8 * i);
	*in = tp_slice_from(*in, bytes);
	return true;
}

/* What a tag says: how long the stretch is, and for a copy how far back it begins. */
static bool
take_tag(struct tp_slice *in, unsigned char tag, size_t *length, size_t *offset)
{
	size_t upper = tag >> 2;

	*offset = 0;
	switch (tag & 3) {
	case LITERAL:
		*length = upper;
		if (upper >= 60 && !number(in, upper - 59, length))
			return false;
		++*length;
		return true;
	case COPY_1:
		*length = 4 + (upper & 7);
		if (!number(in, 1, offset))
			return false;
		*offset |= (size_t)(tag >> 5) << 8;
		return true;
	default:
		*length = upper + 1;
		return number(in, (tag & 3) == COPY_2 ? 2 : 4, offset);
	}
}

bool
tp_snappy_unpack(struct tp_slice packed, char *out, size_t length)
{
	struct tp_slice in;
	uint64_t said;
	size_t done = 0, more, offset;

	if (!split(packed, &said, &in) || said != length)
		return false;
	while (in.len != 0) {
		unsigned char tag = (unsigned char)in.ptr[0];

		in = tp_slice_from(in, 1);
		if (!take_tag(&in, tag, &more, &offset) || more > length - done)
			return false;
		if ((tag & 3) == LITERAL) {
			if (more > in.len)
				return false;
			memcpy(out + done, in.ptr, more);
			in = tp_slice_from(in, more);
			done += more;
			continue;
		}
		if (offset == 0 || offset > done)
			return false;
		/* The copy may run into what it writes itself. */
		for (; more != 0; more--, done++)
			out[done] = out[done - offset];
	}
	return done == length;
}
