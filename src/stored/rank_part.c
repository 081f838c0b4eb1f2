/* A rank as it stands in a file, without unpacking it. */
#include "stored/rank_set.h"

#include "codec/pb_wire.h"
#include "io/inflate.h"

/* Fields of RankPart. */
enum {
	FIELD_WORKER = 1,
	FIELD_SPAN = 2,
	FIELD_HOST = 3,
	FIELD_NUMBER = 4,
	FIELD_PACKED = 5,
	FIELD_CHECK = 6,
};

/* What sint64 is on the wire. */
static int64_t
unzigzag(uint64_t number)
{
	return (int64_t)(number >> 1 ^ (~(number & 1) + 1));
}

bool
tp_rank_part_read(struct tp_slice bytes, struct tp_rank_part *out)
{
	struct tp_pb p = tp_pb_open(bytes);
	uint32_t check = 0;

	*out = (struct tp_rank_part){.bytes = bytes};
	while (tp_pb_next(&p) && p.state == TP_PB_MORE) {
		if (p.field == FIELD_WORKER && p.type == TP_PB_BYTES)
			out->worker = p.bytes;
		else if (p.field == FIELD_SPAN && p.type == TP_PB_BYTES)
			out->span = p.bytes;
		else if (p.field == FIELD_HOST && p.type == TP_PB_BYTES)
			out->host = p.bytes;
		else if (p.field == FIELD_NUMBER && p.type == TP_PB_VARINT)
			out->number = unzigzag(p.number);
		else if (p.field == FIELD_PACKED && p.type == TP_PB_BYTES)
			out->packed = p.bytes;
		else if (p.field == FIELD_CHECK && p.type == TP_PB_FIXED32)
			check = (uint32_t)p.number;
	}
	return p.state == TP_PB_END && out->packed.len != 0 && out->packed.len <= UINT32_MAX &&
		tp_inflate_crc32(out->packed) == check;
}
