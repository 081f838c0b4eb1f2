/* What the profiler was asked for: the ProfileOptions message in a stat of the plane Task Environment. What it does not say
 * is off, as proto3 has it. Field numbers: profiler_options.proto of TSL. */
#include "ingest/xspace.h"

#include "base/arena.h"
#include "codec/pb_wire.h"

/* AdvancedConfigValue: a text, a truth or a number. */
static struct tp_slice
config_value(struct tp_slice bytes, struct tp_arena *keep)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_slice value = {NULL, 0};

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			value = p.bytes;
		else if (p.field == 2 && p.type == TP_PB_VARINT)
			value = p.number != 0 ? TP_S("true") : TP_S("false");
		else if ((p.field == 3 || p.field == 4) && p.type == TP_PB_VARINT)
			value = tp_arena_printf(keep, "%lld", (long long)p.number);
	}
	return value;
}

/* An entry of advanced_configuration: "tpu_trace_mode" = "2". */
static void
read_config(struct tp_xplane *plane, struct tp_slice entry)
{
	struct tp_arena *keep = tp_builder_profile(plane->out)->arena;
	struct tp_pb p = tp_pb_open(entry);
	struct tp_slice key = {NULL, 0}, value = {NULL, 0};

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			key = p.bytes;
		else if (p.field == 2 && p.type == TP_PB_BYTES)
			value = config_value(p.bytes, keep);
	}
	if (key.len != 0 && value.len != 0)
		tp_build_fact(plane->out, plane->host, key, value, TP_S("profile_options"));
}

static uint32_t
level(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void
tp_xoptions_read(struct tp_xplane *plane, struct tp_slice bytes, uint64_t at)
{
	struct tp_capture_options o = {.recorded = bytes.len != 0};
	struct tp_pb p = tp_pb_open(bytes);

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && p.field == 10)
			o.path = p.bytes;
		if (p.type == TP_PB_BYTES && p.field == 12)
			read_config(plane, p.bytes);
		if (p.type != TP_PB_VARINT)
			continue;
		switch (p.field) {
		case 1:
			o.dataset_ops = p.number != 0;
			break;
		case 2:
			o.host_level = level(p.number);
			break;
		case 3:
			o.device_level = level(p.number);
			break;
		case 4:
			o.python_level = level(p.number);
			break;
		case 7:
			o.hlo = p.number != 0;
			break;
		case 9:
			o.duration_ms = p.number;
			break;
		default:
			break;
		}
	}
	tp_built_host(plane->out, plane->host)->options = o;
	if (p.state != TP_PB_END)
		tp_diag_at(&tp_builder_profile(plane->out)->diags, TP_DIAG_WARNING, plane->in->path,
			tp_xoffset(plane->in, at + (uint64_t)((const char *)p.at - bytes.ptr)),
			"the options of the profiler are damaged from here on");
}
