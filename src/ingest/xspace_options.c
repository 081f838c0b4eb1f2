/* What the profiler was asked for: the ProfileOptions message in a stat of the plane Task Environment. What it does not say
 * is off, as proto3 has it. */
#include "ingest/xspace.h"

#include "base/arena.h"
#include "codec/pb_message.h"
#include "xplane.pb-c.h"

static struct tp_slice
config_value(struct tp_slice bytes, struct tp_arena *keep)
{
	Tp__ProfileOptionValue m = TP__PROFILE_OPTION_VALUE__INIT;

	tp_pb_message(&m.base, bytes);
	if (m.has_bool_value)
		return m.bool_value ? TP_S("true") : TP_S("false");
	if (m.has_int32_value || m.has_int64_value)
		return tp_arena_printf(
			keep, "%lld", (long long)(m.has_int32_value ? m.int32_value : m.int64_value));
	return tp_pb_slice(m.string_value);
}

static void
read_config(struct tp_xplane *plane, struct tp_slice entry)
{
	struct tp_arena *keep = tp_builder_profile(plane->out)->arena;
	Tp__ProfileOption m = TP__PROFILE_OPTION__INIT;

	tp_pb_message(&m.base, entry);
	struct tp_slice value = config_value(tp_pb_slice(m.value), keep);

	if (m.key.len != 0 && value.len != 0)
		tp_build_fact(plane->out, plane->host, tp_pb_slice(m.key), value, TP_S("profile_options"));
}

static uint32_t
level(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void
tp_xoptions_read(struct tp_xplane *plane, struct tp_slice bytes, uint64_t at)
{
	enum { OPTION = 12 };
	struct tp_pb p = tp_pb_open(bytes);
	Tp__ProfileOptions m = TP__PROFILE_OPTIONS__INIT;

	while (tp_pb_fill(&p, &m.base)) {
		if (p.field == OPTION && p.type == TP_PB_BYTES)
			read_config(plane, p.bytes);
	}
	tp_built_host(plane->out, plane->host)->options = (struct tp_capture_options){
		.recorded = bytes.len != 0,
		.dataset_ops = m.include_dataset_ops,
		.host_level = level(m.host_tracer_level),
		.device_level = level(m.device_tracer_level),
		.python_level = level(m.python_tracer_level),
		.hlo = m.enable_hlo_proto,
		.duration_ms = m.duration_ms,
		.path = tp_pb_slice(m.repository_path),
	};
	if (p.state != TP_PB_END)
		tp_diag_at(&tp_builder_profile(plane->out)->diags, TP_DIAG_WARNING, plane->in->path,
			tp_xoffset(plane->in, at + (uint64_t)((const char *)p.at - bytes.ptr)),
			"the options of the profiler are damaged from here on");
}
