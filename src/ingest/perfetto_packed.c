/* Perfetto's services compress packets in bulk: a packet then holds others, as a trace does, packed by zlib or zstd. Numbers:
 * trace_packet.proto of https://perfetto.dev. */
#include "ingest/perfetto_packed.h"

#include "base/err.h"
#include "codec/pb_wire.h"
#include "codec/pb_write.h"
#include "io/unpack.h"
#include "io/zlib_stream.h"

#include <stdlib.h>

enum { TRACE_PACKET = 1, PACKET_PACKED = 50, PACKET_PACKED_ZSTD = 133 };

/* Packets shrink to a tenth; what is a hundred times denser was made to fill memory. Small traces may be anything. */
enum { MOST_TIMES = 1000, SMALL_BYTES = 256 << 20 };

static void
append(void *room, struct tp_slice piece)
{
	tp_pb_put_raw(room, piece);
}

static bool
unpack(struct tp_slice packed, bool zstd, const char *name, uint64_t most, struct tp_buf *room)
{
	struct tp_slice out = {NULL, 0};
	struct tp_err err;

	if (!zstd)
		return tp_zlib_unpack(packed, most, append, room);
	bool whole = tp_unpack(TP_PACKING_ZSTD, packed, name, most, NULL, &out, &err) == TP_OK;

	append(room, out);
	free((char *)out.ptr);
	return whole;
}

/* What was unpacked ends with a whole packet, so that those behind it are read. False: it did not. */
static bool
cut_to_packets(struct tp_buf *room, size_t from)
{
	struct tp_slice added = {(char *)room->data + from, room->count - from};
	struct tp_pb p = tp_pb_open(added);
	const char *good = added.ptr;

	while (tp_pb_next(&p) && p.state == TP_PB_MORE)
		good = (const char *)p.at;
	room->count = from + (size_t)(good - added.ptr);
	return p.state == TP_PB_END;
}

static bool
take(struct tp_slice packed, bool zstd, const char *name, uint64_t most, struct tp_buf *room)
{
	size_t from = room->count;
	bool whole = from < most && unpack(packed, zstd, name, most - from, room);

	return room->count == from ? whole : cut_to_packets(room, from) && whole;
}

/* The compressed packets that a packet holds; false: none. */
static bool
packed_in(struct tp_slice packet, struct tp_slice *packed, bool *zstd)
{
	for (struct tp_pb p = tp_pb_open(packet); tp_pb_next(&p);) {
		if (p.type != TP_PB_BYTES || (p.field != PACKET_PACKED && p.field != PACKET_PACKED_ZSTD))
			continue;
		*packed = p.bytes;
		*zstd = p.field == PACKET_PACKED_ZSTD;
		return true;
	}
	return false;
}

struct tp_slice
tp_perfetto_unpacked(
	struct tp_slice trace, const char *name, struct tp_buf *room, uint64_t *damaged)
{
	uint64_t most = trace.len < UINT64_MAX / MOST_TIMES ? trace.len * MOST_TIMES : UINT64_MAX;
	struct tp_pb p = tp_pb_open(trace);
	const char *copied = trace.ptr; /* up to here */
	bool zstd, any = false;
	struct tp_slice packed;

	most = most < SMALL_BYTES ? SMALL_BYTES : most;
	for (const char *at = trace.ptr; tp_pb_next(&p) && p.state == TP_PB_MORE;
		 at = (const char *)p.at) {
		if (p.field != TRACE_PACKET || p.type != TP_PB_BYTES || !packed_in(p.bytes, &packed, &zstd))
			continue;
		any = true;
		append(room, (struct tp_slice){copied, (size_t)(at - copied)});
		*damaged += !take(packed, zstd, name, most, room);
		copied = (const char *)p.at;
	}
	if (!any)
		return trace;
	append(room, (struct tp_slice){copied, (size_t)(trace.ptr + trace.len - copied)});
	return tp_pb_written(room);
}
