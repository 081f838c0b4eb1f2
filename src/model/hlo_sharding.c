/* How an array is spread over devices, as text. Field numbers are those of xla.OpSharding in xla_data.proto. */
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>

enum {
	TYPE = 1,
	SIZES = 3,
	DEVICES = 4,
	MEMBERS = 5,
	REPLICATE_LAST = 6,
	LAST_KINDS = 8,
	COUNTED = 9,
	TURNED = 10
};
enum { IS_ALIKE = 11, ALIKE_NUMBER = 12, ALIKE_KIND = 13, NAMED = 14 };

static const char *const plain[] = {[0] = "replicated",
	[1] = NULL,
	[2] = NULL,
	[3] = NULL,
	[4] = "manual",
	[5] = "unknown",
	[6] = "unreduced"};
enum { REPLICATED = 0, MAXIMAL = 1, TUPLE = 2, OTHER = 3, TYPES = 7 };

static const char *
kind_name(int64_t kind)
{
	return kind == REPLICATED ? "replicated" : kind == 4 ? "manual" : "unreduced";
}

static void
put_tiles(const struct tp_hlo_writing *w, struct tp_slice message)
{
	struct tp_pb_numbers kinds = tp_pb_numbers(message, LAST_KINDS);
	struct tp_pb_numbers counted = tp_pb_numbers(message, COUNTED);
	const char *between = " last_tile_dims={";
	int64_t number;

	tp_sink_puts(w->out, "devices=[");
	tp_hlo_put_numbers(w, message, SIZES, ",");
	tp_sink_puts(w->out, "]");
	if (tp_pb_next_number(&counted, &number)) {
		tp_sink_puts(w->out, "<=[");
		size_t dims = tp_hlo_put_numbers(w, message, COUNTED, ",");

		tp_sink_puts(w->out, dims > 1 ? "]T(" : "]");
		if (dims > 1) {
			tp_hlo_put_numbers(w, message, TURNED, ",");
			tp_sink_puts(w->out, ")");
		}
	} else {
		tp_hlo_put_numbers(w, message, DEVICES, ",");
	}
	if (tp_pb_number(message, REPLICATE_LAST) != 0)
		tp_sink_puts(w->out, " last_tile_dim_replicate");
	for (; tp_pb_next_number(&kinds, &number); between = ", ")
		tp_sink_printf(w->out, "%s%s", between, kind_name(number));
	tp_sink_puts(w->out, between[0] == ',' ? "}" : "");
}

/* " shard_as 7": which shardings are to be the same, or alike. */
static bool
put_alike(const struct tp_hlo_writing *w, struct tp_slice message)
{
	static const char *const kinds[] = {"shard_as", "shard_like"};
	int64_t kind = tp_pb_number(message, ALIKE_KIND);

	if (tp_pb_number(message, IS_ALIKE) == 0)
		return true;
	if (kind != 0 && kind != 1)
		return false;
	tp_sink_printf(w->out, " %s %" PRId64, kinds[kind], tp_pb_number(message, ALIKE_NUMBER));
	return true;
}

/* Of anything but a tuple; members of tuples are no tuples. */
static bool
put_one(const struct tp_hlo_writing *w, struct tp_slice message)
{
	int64_t type = tp_pb_number(message, TYPE), device = 0;
	struct tp_pb_numbers devices = tp_pb_numbers(message, DEVICES);
	bool whole = true;
	struct tp_pb named;

	if (tp_pb_field(message, NAMED, TP_PB_BYTES, &named))
		return tp_hlo_put_named_sharding(w, named.bytes);
	tp_sink_puts(w->out, "{");
	if (type == OTHER) {
		put_tiles(w, message);
	} else if (type == MAXIMAL) {
		tp_pb_next_number(&devices, &device);
		tp_sink_printf(w->out, "maximal device=%" PRId64, device);
	} else if (type >= 0 && type < TYPES && plain[type] != NULL) {
		tp_sink_puts(w->out, plain[type]);
	} else {
		tp_sink_puts(w->out, "unknown");
		whole = false;
	}
	whole = put_alike(w, message) && whole;
	tp_sink_puts(w->out, "}");
	return whole;
}

bool
tp_hlo_put_sharding(const struct tp_hlo_writing *w, struct tp_slice message)
{
	unsigned count = 0;
	bool whole = true;

	if (tp_pb_number(message, TYPE) != TUPLE)
		return put_one(w, message);
	tp_sink_puts(w->out, "{");
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field != MEMBERS || p.type != TP_PB_BYTES)
			continue;
		if (count != 0)
			tp_sink_puts(w->out, ", ");
		if (count != 0 && count % 5 == 0)
			tp_sink_printf(w->out, "/*index=%u*/", count);
		count++;
		whole = put_one(w, p.bytes) && whole;
	}
	tp_sink_puts(w->out, "}");
	return whole;
}
