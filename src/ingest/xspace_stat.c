/* Stats of an XSpace: (metadata id, value) pairs on planes, event metadata and events. */
#include "ingest/xspace.h"

#include "codec/pb_wire.h"

/* As nearly all stats of events are written: a small id, then an integer, and nothing else. */
static inline bool
read_short(struct tp_slice bytes, const uint8_t *readable, struct tp_xstat *out)
{
	enum { ID = 1 << 3, UINT64 = 3 << 3, INT64 = 4 << 3, NUMBER_AT = 3 };
	const uint8_t *at = (const uint8_t *)bytes.ptr, *end = at + bytes.len;

	if (bytes.len <= NUMBER_AT || at[0] != ID || at[1] >= 0x80 ||
		(at[2] != UINT64 && at[2] != INT64))
		return false;
	struct tp_pb p = tp_pb_open(tp_slice_from(bytes, NUMBER_AT));
	uint64_t number;

	/* Numbers of more than 8 bytes are read one byte after the other. */
	if (!(readable - p.at >= 8 && tp_pb_varint_near(&p.at, &number)) && !tp_pb_varint(&p, &number))
		return false;
	if (p.at != end)
		return false;
	*out = (struct tp_xstat){
		.id = at[1],
		.type = TP_XSTAT_INTEGER,
		.integer = (int64_t)number,
		.number = at[2] == UINT64 ? (double)number : (double)(int64_t)number,
	};
	return true;
}

bool
tp_xstat_read(struct tp_slice bytes, struct tp_xstat *out)
{
	return tp_xstat_read_near(bytes, (const uint8_t *)bytes.ptr + bytes.len, out);
}

bool
tp_xstat_read_near(struct tp_slice bytes, const uint8_t *readable, struct tp_xstat *out)
{
	struct tp_pb p = tp_pb_open(bytes);

	if (read_short(bytes, readable, out))
		return true;
	*out = (struct tp_xstat){.type = TP_XSTAT_NONE};
	while (tp_pb_next(&p)) {
		switch (p.field) {
		case 1:
			out->id = (int64_t)p.number;
			break;
		case 2:
			if (p.type != TP_PB_FIXED64)
				return false;
			out->type = TP_XSTAT_DOUBLE;
			out->number = tp_pb_double(&p);
			out->integer = out->number > -9e18 && out->number < 9e18 ? (int64_t)out->number : 0;
			break;
		case 3:
		case 4:
			out->type = TP_XSTAT_INTEGER;
			out->integer = (int64_t)p.number;
			out->number = p.field == 3 ? (double)p.number : (double)(int64_t)p.number;
			break;
		case 5:
		case 6:
			if (p.type != TP_PB_BYTES)
				return false;
			out->type = p.field == 5 ? TP_XSTAT_TEXT : TP_XSTAT_BYTES;
			out->bytes = p.bytes;
			break;
		case 7:
			out->type = TP_XSTAT_REF;
			out->integer = (int64_t)p.number;
			break;
		default:
			break;
		}
	}
	return p.state == TP_PB_END;
}

enum tp_xkey
tp_xstat_key(const struct tp_xplane *plane, const struct tp_xstat *stat)
{
	if (stat->id >= 0 && stat->id < TP_XSMALL_STAT_ID)
		return (enum tp_xkey)plane->key_of_small_id[stat->id];
	uint32_t index = tp_map_get(&plane->stat_index, (uint64_t)stat->id);

	return index == TP_MAP_NONE ? TP_XKEY_OTHER : (enum tp_xkey)plane->stat_keys[index];
}

static struct tp_slice
name_of(const struct tp_xplane *plane, int64_t id)
{
	uint32_t index = tp_map_get(&plane->stat_index, (uint64_t)id);

	return index == TP_MAP_NONE ? (struct tp_slice){NULL, 0} : plane->stat_names[index];
}

struct tp_slice
tp_xstat_name(const struct tp_xplane *plane, const struct tp_xstat *stat)
{
	return name_of(plane, stat->id);
}

struct tp_slice
tp_xstat_text(const struct tp_xplane *plane, const struct tp_xstat *stat)
{
	switch (stat->type) {
	case TP_XSTAT_TEXT:
	case TP_XSTAT_BYTES:
		return stat->bytes;
	case TP_XSTAT_REF:
		return name_of(plane, stat->integer);
	case TP_XSTAT_NONE:
	case TP_XSTAT_DOUBLE:
	case TP_XSTAT_INTEGER:
		break;
	}
	return (struct tp_slice){NULL, 0};
}

uint32_t
tp_xstat_string(const struct tp_xplane *plane, const struct tp_xstat *stat)
{
	struct tp_strings *strings = &tp_builder_profile(plane->out)->strings;
	uint32_t index = stat->type == TP_XSTAT_REF
		? tp_map_get(&plane->stat_index, (uint64_t)stat->integer)
		: TP_MAP_NONE;

	if (index == TP_MAP_NONE)
		return tp_intern_copy(strings, tp_xstat_text(plane, stat));
	if (plane->stat_strings[index] == TP_NONE)
		plane->stat_strings[index] = tp_intern(strings, plane->stat_names[index]);
	return plane->stat_strings[index];
}
