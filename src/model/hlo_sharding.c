/* How arrays and collectives are spread over devices and lie on a named mesh of them, as text. Field numbers are those of
 * xla_data.proto: OpSharding, NamedShardingProto and MeshAxesReplicaGroupListProto, and MeshProto and AxisRefProto within. */
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

/* The axis with this number: its name. False when the mesh has none. */
static bool
put_axis_name(const struct tp_hlo_writing *w, struct tp_slice mesh, int64_t number)
{
	struct tp_pb name;

	for (struct tp_pb p = tp_pb_open(mesh); tp_pb_next_bytes(&p, 1);) {
		if (number-- != 0)
			continue;
		if (!tp_pb_field(p.bytes, 1, TP_PB_BYTES, &name))
			return false;
		tp_sink_puts(w->out, "'");
		tp_hlo_put(w, name.bytes);
		tp_sink_puts(w->out, "'");
		return true;
	}
	return false;
}

/* "mesh['a'=2,'b'=4]"; false when the order of its devices is left out. */
static bool
put_mesh(const struct tp_hlo_writing *w, struct tp_slice mesh)
{
	struct tp_pb_numbers devices = tp_pb_numbers(mesh, 2);
	int64_t axes = 0, device;

	tp_sink_puts(w->out, "mesh[");
	for (struct tp_pb p = tp_pb_open(mesh); tp_pb_next_bytes(&p, 1);) {
		tp_sink_puts(w->out, axes == 0 ? "" : ",");
		put_axis_name(w, mesh, axes++);
		tp_sink_printf(w->out, "=%" PRId64, tp_pb_number(p.bytes, 2));
	}
	tp_sink_puts(w->out, "]");
	return !tp_pb_next_number(&devices, &device);
}

/* "'a', 'b':(1)2": messages of a field, each an axis, or a part of one after so many in front of it. */
static bool
put_axes(const struct tp_hlo_writing *w, struct tp_slice mesh, struct tp_slice message,
	uint32_t field, const char *between)
{
	bool whole = true, any = false;
	struct tp_pb part;

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, field);) {
		tp_sink_puts(w->out, any ? between : "");
		any = true;
		whole = put_axis_name(w, mesh, tp_pb_number(p.bytes, 1)) && whole;
		if (tp_pb_field(p.bytes, 2, TP_PB_BYTES, &part))
			tp_sink_printf(w->out, ":(%" PRId64 ")%" PRId64, tp_pb_number(part.bytes, 1),
				tp_pb_number(part.bytes, 2));
	}
	return whole;
}

/* "[{'a'}, {'b', ?}]": the axes that each dimension is spread over; "?": more may come. */
static bool
put_dimensions(const struct tp_hlo_writing *w, struct tp_slice mesh, struct tp_slice sharding)
{
	bool whole = true, any = false;
	struct tp_pb axis;

	tp_sink_puts(w->out, ", [");
	for (struct tp_pb p = tp_pb_open(sharding); tp_pb_next_bytes(&p, 3);) {
		tp_sink_puts(w->out, any ? ", {" : "{");
		any = true;
		whole = put_axes(w, mesh, p.bytes, 1, ", ") && whole;
		if (tp_pb_number(p.bytes, 2) == 0)
			tp_sink_puts(w->out, tp_pb_field(p.bytes, 1, TP_PB_BYTES, &axis) ? ", ?" : "?");
		tp_sink_puts(w->out, "}");
	}
	tp_sink_puts(w->out, "]");
	return whole;
}

/* "{mesh['a'=2,'b'=2], [{'a'}, {'b'}]}", a NamedShardingProto; false when something is left out. */
static bool
put_named(const struct tp_hlo_writing *w, struct tp_slice sharding)
{
	static const struct {
		uint32_t field;
		const char *name;
	} kinds[] = {{4, "replicated"}, {5, "unreduced"}, {7, "manual"}};
	struct tp_pb mesh, axis;
	bool whole;

	if (!tp_pb_field(sharding, 2, TP_PB_BYTES, &mesh))
		return false;
	tp_sink_puts(w->out, "{");
	whole = put_mesh(w, mesh.bytes);
	whole = put_dimensions(w, mesh.bytes, sharding) && whole;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		if (!tp_pb_field(sharding, kinds[k].field, TP_PB_BYTES, &axis))
			continue;
		tp_sink_printf(w->out, ", %s={", kinds[k].name);
		whole = put_axes(w, mesh.bytes, sharding, kinds[k].field, ", ") && whole;
		tp_sink_puts(w->out, "}");
	}
	tp_sink_puts(w->out, "}");
	return whole;
}

bool
tp_hlo_put_mesh_groups(const struct tp_hlo_writing *w, struct tp_slice groups)
{
	struct tp_pb mesh;
	bool whole;

	if (!tp_pb_field(groups, 1, TP_PB_BYTES, &mesh))
		return false;
	whole = put_mesh(w, mesh.bytes);
	tp_sink_puts(w->out, " {");
	whole = put_axes(w, mesh.bytes, groups, 2, ",") && whole;
	tp_sink_puts(w->out, "}");
	return whole;
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
		return put_named(w, named.bytes);
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
	for (struct tp_pb p = tp_pb_open(message); tp_pb_next_bytes(&p, MEMBERS);) {
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
