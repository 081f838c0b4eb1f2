/* Reading pairs and device assignments. */
#include "model/hlo_pairs.h"

#include "base/arena.h"
#include "codec/pb_wire.h"
#include "model/hlo.h"

enum { MOST_PAIRS = 1 << 20, MOST_DEVICES = 1 << 20 };

static struct tp_slice
skip_blanks(struct tp_slice text)
{
	while (text.len != 0 && (text.ptr[0] == ' ' || text.ptr[0] == '\n' || text.ptr[0] == '\t'))
		text = tp_slice_from(text, 1);
	return text;
}

static bool
take(struct tp_slice *text, char c)
{
	*text = skip_blanks(*text);
	if (text->len == 0 || text->ptr[0] != c)
		return false;
	*text = tp_slice_from(*text, 1);
	return true;
}

static bool
take_number(struct tp_slice *text, uint32_t *out)
{
	uint64_t number = 0;
	size_t digits = 0;

	*text = skip_blanks(*text);
	while (text->len != 0 && text->ptr[0] >= '0' && text->ptr[0] <= '9' && digits < 10) {
		number = number * 10 + (uint64_t)(text->ptr[0] - '0');
		*text = tp_slice_from(*text, 1);
		digits++;
	}
	*out = (uint32_t)number;
	return digits != 0 && number < UINT32_MAX;
}

bool
tp_hlo_parse_pairs(struct tp_slice text, struct tp_arena *arena, struct tp_hlo_pairs *out)
{
	size_t most = 0;
	bool more = true;

	for (size_t i = 0; i < text.len; i++)
		most += text.ptr[i] == '{';
	if (most > MOST_PAIRS || !take(&text, '{'))
		return false;
	struct tp_hlo_pair *pairs = tp_new_array(arena, struct tp_hlo_pair, most);

	*out = (struct tp_hlo_pairs){pairs, 0};
	if (take(&text, '}'))
		return skip_blanks(text).len == 0;
	while (more) {
		struct tp_hlo_pair *p = &pairs[out->count];

		if (out->count + 1 >= most || !take(&text, '{') || !take_number(&text, &p->source) ||
			!take(&text, ',') || !take_number(&text, &p->target) || !take(&text, '}'))
			return false;
		out->count++;
		more = take(&text, ',');
	}
	return take(&text, '}') && skip_blanks(text).len == 0;
}

/* xla.FrontendAttributes is a map: entries of key and value. */
static struct tp_slice
attribute(struct tp_slice message, struct tp_slice key)
{
	for (struct tp_pb map = tp_pb_open(message); tp_pb_next_bytes(&map, 1);) {
		if (tp_slice_eq(tp_pb_first(map.bytes, 1), key))
			return tp_pb_first(map.bytes, 2);
	}
	return TP_S("");
}

bool
tp_hlo_pairs_of(
	const struct tp_hlo_details *details, struct tp_arena *arena, struct tp_hlo_pairs *out)
{
	struct tp_slice text =
		attribute(details->frontend_attributes, TP_S("_xla_send_recv_source_target_pairs"));

	return text.len != 0 && tp_hlo_parse_pairs(text, arena, out) && out->count != 0;
}

/* The devices of the replicas of one partition, as a repeated field that may come in pieces. */
static bool
read_partition(struct tp_slice message, uint32_t *of, uint32_t replicas)
{
	struct tp_pb p = tp_pb_open(message);
	uint32_t count = 0;

	while (tp_pb_next(&p)) {
		struct tp_pb_list list = tp_pb_list_of(&p);
		uint64_t number;

		while (p.field == 1 && tp_pb_list_next(&list, &number)) {
			if (count == replicas || number >= UINT32_MAX)
				return false;
			of[count++] = (uint32_t)number;
		}
		if (p.field == 1 && list.packed.state != TP_PB_MORE)
			return false;
	}
	return p.state == TP_PB_END && count == replicas;
}

struct tp_hlo_devices
tp_hlo_devices_of(const struct tp_hlo_module *m, struct tp_arena *arena)
{
	static const struct tp_hlo_devices none = {0};
	struct tp_pb p = tp_pb_open(m->device_assignment);
	uint64_t replicas = 0, partitions = 0;
	uint32_t read = 0;

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_VARINT && p.field == 1)
			replicas = p.number;
		else if (p.type == TP_PB_VARINT && p.field == 2)
			partitions = p.number;
	}
	if (p.state != TP_PB_END || replicas == 0 || partitions == 0 || replicas > MOST_DEVICES ||
		partitions > MOST_DEVICES || replicas * partitions > MOST_DEVICES)
		return none;
	uint32_t *of = tp_new_array(arena, uint32_t, replicas * partitions);

	for (p = tp_pb_open(m->device_assignment); tp_pb_next_bytes(&p, 3);) {
		if (read == partitions ||
			!read_partition(p.bytes, of + (size_t)read * replicas, (uint32_t)replicas))
			return none;
		read++;
	}
	if (read != partitions)
		return none;
	return (struct tp_hlo_devices){(uint32_t)replicas, (uint32_t)partitions, of};
}

bool
tp_hlo_device(const struct tp_hlo_devices *d, uint32_t number, uint32_t *out)
{
	uint32_t replica = number, partition = 0;

	*out = number;
	if (d->of == NULL)
		return true;
	if (d->partitions > 1) {
		replica = d->replicas == 1 ? 0 : number / d->partitions;
		partition = d->replicas == 1 ? number : number % d->partitions;
	}
	if (replica >= d->replicas || partition >= d->partitions)
		return false;
	*out = d->of[(size_t)partition * d->replicas + replica];
	return true;
}
