/* A set is a sorted list of parts, as they stand in the files: to put sets together is to put their parts in order and to leave out those
 * that are there twice. */
#include "stored/rank_set.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "codec/pb_message.h"
#include "codec/pb_wire.h"
#include "io/sink.h"
#include "rank.pb-c.h"
#include "stored/read.h"
#include "stored/summary.h"

static const char begin[] = "\x0a\x10tpreport.ranks/1";

/* Ranks.parts and Summary.ranks. */
enum { FIELD_PARTS = 2, FIELD_RANKS = 15 };

bool
tp_is_rank_set(struct tp_slice head)
{
	return tp_slice_starts(head, TP_S("\x0a\x10tpreport.ranks/"));
}

static enum tp_status
fail_damaged(const char *name, struct tp_slice bytes, const struct tp_pb *p, struct tp_err *err)
{
	return tp_fail_at(err, TP_ERR_FORMAT, name, (uint64_t)((const char *)p->at - bytes.ptr),
		"the summary is damaged or cut off");
}

static enum tp_status
add_parts(struct tp_rank_set *set, struct tp_slice bytes, uint32_t field, const char *name,
	struct tp_err *err)
{
	struct tp_pb p = tp_pb_open(bytes);

	while (tp_pb_next(&p)) {
		struct tp_rank_part part;

		if (p.field != field)
			continue;
		if (p.state != TP_PB_MORE || p.type != TP_PB_BYTES || !tp_rank_part_read(p.bytes, &part))
			return fail_damaged(name, bytes, &p, err);
		*tp_buf_new(&set->parts, struct tp_rank_part) = part;
	}
	return p.state == TP_PB_END ? TP_OK : fail_damaged(name, bytes, &p, err);
}

enum tp_status
tp_rank_set_add(
	struct tp_rank_set *set, struct tp_slice bytes, const char *name, struct tp_err *err)
{
	size_t before = set->parts.count;
	bool merged = tp_is_rank_set(bytes);

	if (merged && !tp_slice_starts(bytes, (struct tp_slice){begin, sizeof begin - 1}))
		return tp_fail_at(err, TP_ERR_FORMAT, name, 0, "a summary of a later version of tpreport");
	if (!merged && !tp_is_summary(bytes))
		return tp_fail_at(err, TP_ERR_FORMAT, name, 0,
			"no summary (.tps): write one with tpreport summarize PATH -o FILE.tps");
	if (add_parts(set, bytes, merged ? FIELD_PARTS : FIELD_RANKS, name, err) != TP_OK) {
		set->parts.count = before;
		return err->status;
	}
	if (!merged && set->parts.count == before)
		return tp_fail_at(err, TP_ABSENT, name, TP_NO_OFFSET,
			"the summary holds no rank: it is of a comparison, was redacted, or is of a run without PyTorch "
			"traces, events of XLA's profiler and event files");
	return TP_OK;
}

/* All of the bytes at last, so that the order is one whatever the parts are. */
TP_ORDER(by_rank, struct tp_rank_part, tp_slice_cmp(a->worker, b->worker),
	tp_slice_cmp(a->span, b->span), tp_slice_cmp(a->host, b->host), TP_UP(number),
	tp_slice_cmp(a->bytes, b->bytes));

void
tp_rank_set_settle(struct tp_rank_set *set)
{
	struct tp_rank_part *parts = set->parts.data;
	size_t kept = 0;

	if (set->parts.count == 0)
		return;
	qsort(parts, set->parts.count, sizeof *parts, by_rank);
	for (size_t i = 1; i < set->parts.count; i++) {
		if (!tp_slice_eq(parts[i].bytes, parts[kept].bytes))
			parts[++kept] = parts[i];
	}
	set->parts.count = kept + 1;
}

static void
put_varint(struct tp_sink *out, uint64_t number)
{
	char bytes[10];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		bytes[n++] = (char)(number | 0x80);
	bytes[n++] = (char)number;
	tp_sink_write(out, bytes, n);
}

void
tp_rank_set_write(const struct tp_rank_set *set, struct tp_sink *out)
{
	const struct tp_rank_part *parts = set->parts.data;

	tp_sink_write(out, begin, sizeof begin - 1);
	for (size_t i = 0; i < set->parts.count; i++) {
		put_varint(out, FIELD_PARTS << 3 | TP_PB_BYTES);
		put_varint(out, parts[i].bytes.len);
		tp_sink_put(out, parts[i].bytes);
	}
}

bool
tp_rank_part_unpack(const struct tp_rank_part *part, struct tp_arena *arena, struct tp_slice *bytes)
{
	return tp_inflated(part->packed, arena, bytes);
}

Tp__Rank *
tp_rank_read(struct tp_slice bytes, struct tp_arena *arena)
{
	ProtobufCAllocator allocator = tp_pb_in_arena(arena);

	return tp__rank__unpack(&allocator, bytes.len, (const uint8_t *)bytes.ptr);
}

Tp__Rank *
tp_rank_copy(const Tp__Rank *r, struct tp_arena *scratch, struct tp_arena *arena)
{
	uint8_t *bytes = tp_arena_alloc(scratch, tp__rank__get_packed_size(r));

	return tp_rank_read((struct tp_slice){(char *)bytes, tp__rank__pack(r, bytes)}, arena);
}

void
tp_rank_set_free(struct tp_rank_set *set)
{
	tp_buf_free(&set->parts);
}
