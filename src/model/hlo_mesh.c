/* How arrays and collectives lie on a named mesh of devices, as text. Field numbers are those of xla_data.proto: NamedShardingProto
 * and MeshAxesReplicaGroupListProto, and MeshProto and AxisRefProto within them. */
#include "io/sink.h"
#include "model/hlo_text_parts.h"

#include <inttypes.h>

/* The axis with this number: its name. False when the mesh has none. */
static bool
put_axis_name(const struct tp_hlo_writing *w, struct tp_slice mesh, int64_t number)
{
	struct tp_pb name;

	for (struct tp_pb p = tp_pb_open(mesh); tp_pb_next(&p);) {
		if (p.field != 1 || p.type != TP_PB_BYTES || number-- != 0)
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
	for (struct tp_pb p = tp_pb_open(mesh); tp_pb_next(&p);) {
		if (p.field != 1 || p.type != TP_PB_BYTES)
			continue;
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

	for (struct tp_pb p = tp_pb_open(message); tp_pb_next(&p);) {
		if (p.field != field || p.type != TP_PB_BYTES)
			continue;
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
	for (struct tp_pb p = tp_pb_open(sharding); tp_pb_next(&p);) {
		if (p.field != 3 || p.type != TP_PB_BYTES)
			continue;
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

bool
tp_hlo_put_named_sharding(const struct tp_hlo_writing *w, struct tp_slice sharding)
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
