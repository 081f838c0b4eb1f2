/* One plane of an XSpace: a device, the threads of a host, or what the profiler says about the run. */
#include "ingest/xspace_line.h"

#include "base/arena.h"
#include "codec/pb_message.h"
#include "codec/pb_wire.h"
#include "xplane.pb-c.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const struct {
	const char *name;
	enum tp_xkey key;
} keys[] = {
#define TP_XKEY(key, name) {name, TP_XKEY_##key},
#include "ingest/xspace_keys.inc"
#undef TP_XKEY
};

enum tp_xkey
tp_xkey_named(struct tp_slice name)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (tp_slice_eq(name, tp_slice_of(keys[i].name)))
			return keys[i].key;
	}
	return TP_XKEY_OTHER;
}

static void
keep(struct tp_xplane *plane, struct tp_buf *list, struct tp_xpart part)
{
	struct tp_profile *profile = tp_builder_profile(plane->out);
	struct tp_arena *arena = profile->arena;

	if (part.size > TP_XFILE_MOST_KEPT) {
		tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path, part.at,
			"a name or program of %llu MiB is left out: no profiler writes one that large",
			(unsigned long long)(part.size >> 20));
		return;
	}
	TP_PUSH(list, struct tp_xkept, tp_xfile_keep(plane->file, part, arena), part.at);
}

enum tp_status
tp_xplane_open(struct tp_xplane *plane, struct tp_xpart part, struct tp_err *err)
{
	struct tp_xmessage m = tp_xmessage_open(plane->file, part);

	plane->scratch = tp_arena_new();
	plane->device = TP_NONE;
	tp_map_init(&plane->stat_index, plane->scratch);
	tp_map_init(&plane->ops, plane->scratch);
	tp_map_init(&plane->hlo_ops, plane->scratch);
	tp_map_init(&plane->unnamed, plane->scratch);
	while (tp_xmessage_next(&m)) {
		if (m.type != TP_PB_BYTES)
			continue;
		switch (m.field) {
		case 2:
			plane->name = tp_xfile_keep(plane->file, m.part, tp_builder_profile(plane->out)->arena);
			break;
		case 3:
			*tp_buf_new(&plane->lines, struct tp_xpart) = m.part;
			break;
		case 4:
			keep(plane, &plane->event_metadata, m.part);
			break;
		case 5:
			keep(plane, &plane->stat_metadata, m.part);
			break;
		case 6:
			keep(plane, &plane->stats, m.part);
			break;
		default:
			break;
		}
	}
	if (m.state == TP_PB_BROKEN || (m.state == TP_PB_TRUNCATED && !plane->partial))
		return tp_fail_at(err, TP_ERR_FORMAT, plane->in->path, tp_xoffset(plane->in, m.at),
			"plane \"%.*s\" is damaged: no valid field here", TP_ARG(plane->name));
	if (plane->name.len == 0)
		return tp_fail_at(err, TP_ERR_FORMAT, plane->in->path, tp_xoffset(plane->in, part.at),
			"a plane without a name");
	return TP_OK;
}

void
tp_xplane_close(struct tp_xplane *plane)
{
	tp_buf_free(&plane->lines);
	tp_buf_free(&plane->event_metadata);
	tp_buf_free(&plane->stat_metadata);
	tp_buf_free(&plane->stats);
	tp_arena_free(plane->scratch);
}

static void
read_stat_metadata(struct tp_xplane *plane)
{
	const struct tp_xkept *parts = plane->stat_metadata.data;
	uint32_t count = (uint32_t)plane->stat_metadata.count;

	plane->stat_names = tp_new_array(plane->scratch, struct tp_slice, count);
	plane->stat_keys = tp_new_array(plane->scratch, uint8_t, count);
	plane->stat_strings = tp_new_array(plane->scratch, uint32_t, count);
	memset(plane->stat_strings, 0xff, count * sizeof *plane->stat_strings);
	for (uint32_t i = 0; i < count; i++) {
		struct tp_pb entry = tp_pb_open(parts[i].bytes);
		uint64_t id = 0;

		while (tp_pb_next(&entry)) {
			if (entry.field == 1 && entry.type == TP_PB_VARINT)
				id = entry.number;
			if (entry.field != 2 || entry.type != TP_PB_BYTES)
				continue;
			for (struct tp_pb value = tp_pb_open(entry.bytes); tp_pb_next_bytes(&value, 2);)
				plane->stat_names[i] = value.bytes;
		}
		plane->stat_keys[i] = (uint8_t)tp_xkey_named(plane->stat_names[i]);
		tp_map_put(&plane->stat_index, id, i);
		if (id < TP_XSMALL_STAT_ID)
			plane->key_of_small_id[id] = plane->stat_keys[i];
	}
}

static void
read_core_details(struct tp_xplane *plane, struct tp_slice bytes, struct tp_device *device)
{
	struct tp_host *host = tp_built_host(plane->out, plane->host);
	Tp__CoreDetails core = TP__CORE_DETAILS__INIT;

	if (!tp_pb_message(&core.base, bytes))
		return;
	device->has_core_details = true;
	device->core_on_chip = core.core_num;
	device->local_chip = core.local_chip_id;
	device->global_chip = core.global_chip_id;
	device->global_core = core.global_core_id;
	if (core.is_sparse_core)
		device->kind = TP_DEVICE_SPARSE_CORE;
	/* Raw files of the TPU runtime have no other place for the host's name. */
	if (host->name.len == 0 && core.has_hostname)
		host->name =
			tp_arena_copy(tp_builder_profile(plane->out)->arena, tp_pb_slice(core.hostname));
}

/* Beyond 10^21 no figure of a device is meant; what cannot be meant is not stated. */
static double
stated(double number)
{
	return number > 0 && number < 1e21 ? number : 0;
}

/* Figures of a device, and whole numbers. */
static const struct {
	enum tp_xkey key;
	double scale;
	size_t at;
} figures[] =
	{
		{TP_XKEY_PEAK_TERAFLOPS, 1e12, offsetof(struct tp_device, peak_flop_per_s)},
		{TP_XKEY_PEAK_HBM, 1e9, offsetof(struct tp_device, peak_hbm_bytes_per_s)},
		{TP_XKEY_PEAK_CMEM_READ, 1e9, offsetof(struct tp_device, peak_cmem_read)},
		{TP_XKEY_PEAK_CMEM_WRITE, 1e9, offsetof(struct tp_device, peak_cmem_write)},
		{TP_XKEY_PEAK_VMEM_READ, 1e9, offsetof(struct tp_device, peak_vmem_read)},
		{TP_XKEY_PEAK_VMEM_WRITE, 1e9, offsetof(struct tp_device, peak_vmem_write)},
		{TP_XKEY_MEMORY_BANDWIDTH, 1, offsetof(struct tp_device, peak_hbm_bytes_per_s)},
		{TP_XKEY_MEMORY_SIZE, 1, offsetof(struct tp_device, memory_bytes)},
},
  numbers[] = {
	  {TP_XKEY_CLOCK_RATE, 1, offsetof(struct tp_device, clock_khz)},
	  {TP_XKEY_CORE_COUNT, 1, offsetof(struct tp_device, sm_count)},
	  {TP_XKEY_COMPUTE_MAJOR, 1, offsetof(struct tp_device, compute_major)},
	  {TP_XKEY_COMPUTE_MINOR, 1, offsetof(struct tp_device, compute_minor)},
};

static void
read_device_stat(struct tp_xplane *plane, const struct tp_xstat *stat, struct tp_device *device)
{
	enum tp_xkey key = tp_xstat_key(plane, stat);

	if (key == TP_XKEY_CORE_DETAILS)
		read_core_details(plane, stat->bytes, device);
	else if (key == TP_XKEY_DEVICE_TYPE || key == TP_XKEY_GPU_NAME)
		device->type = tp_xstat_text(plane, stat);
	else if (key == TP_XKEY_DEVICE_VENDOR)
		device->vendor = tp_xstat_text(plane, stat);
	else if (key == TP_XKEY_HAS_MEGACORE)
		device->plane_cores = stat->integer != 0 ? 2 : 1;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		if (figures[i].key == key)
			*(double *)((char *)device + figures[i].at) = stated(stat->number * figures[i].scale);
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (numbers[i].key == key)
			*(uint32_t *)((char *)device + numbers[i].at) = (uint32_t)stat->integer;
	}
}

/* "/device:TPU:3 SparseCore 1" → kind, ordinal 3. */
static bool
device_of_name(struct tp_slice name, enum tp_device_kind *kind, uint32_t *ordinal)
{
	static const struct {
		const char *prefix;
		enum tp_device_kind kind;
	} prefixes[] = {
		{"/device:TPU:", TP_DEVICE_TPU},
		{"/device:GPU:", TP_DEVICE_GPU},
		{"/device:", TP_DEVICE_OTHER},
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		struct tp_slice prefix = tp_slice_of(prefixes[i].prefix);

		if (!tp_slice_starts(name, prefix))
			continue;
		*kind = prefixes[i].kind;
		*ordinal = 0;
		for (size_t at = prefix.len;
			 at < name.len && name.ptr[at] >= '0' && name.ptr[at] <= '9' && *ordinal < 1000000;
			 at++)
			*ordinal = *ordinal * 10 + (uint32_t)(name.ptr[at] - '0');
		if (tp_slice_has(name, TP_S("SparseCore")))
			*kind = TP_DEVICE_SPARSE_CORE;
		return true;
	}
	return false;
}

static struct tp_slice
value_text(struct tp_xplane *plane, const struct tp_xstat *stat)
{
	struct tp_arena *keep_in = tp_builder_profile(plane->out)->arena;

	switch (stat->type) {
	case TP_XSTAT_INTEGER:
		return tp_arena_printf(keep_in, "%lld", (long long)stat->integer);
	case TP_XSTAT_DOUBLE:
		return tp_arena_printf(keep_in, "%.15g", stat->number);
	case TP_XSTAT_TEXT:
	case TP_XSTAT_REF:
		return tp_xstat_text(plane, stat);
	case TP_XSTAT_NONE:
	case TP_XSTAT_BYTES:
		break;
	}
	return (struct tp_slice){NULL, 0};
}

static double
share_of_percent(double percent)
{
	return isfinite(percent) && percent >= 0 ? percent / 100 : NAN;
}

/* Where a text within what was kept lies in the file. */
static uint64_t
place_of(const struct tp_xkept *kept, struct tp_slice text)
{
	return text.len == 0 ? kept->at : kept->at + (uint64_t)(text.ptr - kept->bytes.ptr);
}

/* Stats of /host:CPU, /host:metadata and Task Environment: about the run. */
static void
read_host_stat(struct tp_xplane *plane, const struct tp_xkept *kept, const struct tp_xstat *stat)
{
	struct tp_host *host = tp_built_host(plane->out, plane->host);
	struct tp_slice text;

	switch ((int)tp_xstat_key(plane, stat)) {
	case TP_XKEY_START_TIME:
		host->start_unix_ns = stat->integer;
		return;
	case TP_XKEY_STOP_TIME:
		host->stop_unix_ns = stat->integer;
		return;
	case TP_XKEY_MATRIX_UNIT:
		host->matrix_unit_share = share_of_percent(stat->number);
		return;
	case TP_XKEY_HBM_COUNTER:
		host->hbm_share = share_of_percent(stat->number);
		return;
	case TP_XKEY_PROFILE_OPTIONS:
		tp_xoptions_read(plane, stat->bytes, place_of(kept, stat->bytes));
		return;
	case TP_XKEY_DROPPED:
		tp_build_dropped(plane->out, stat->integer > 0 ? (uint64_t)stat->integer : 0);
		return;
	default:
		text = value_text(plane, stat);
		if (text.len != 0)
			tp_build_fact(plane->out, plane->host, tp_xstat_name(plane, stat), text, plane->name);
	}
}

static void
read_stats(struct tp_xplane *plane)
{
	const struct tp_xkept *parts = plane->stats.data;
	enum tp_device_kind kind;
	struct tp_device *device = NULL;
	uint32_t ordinal;

	if (device_of_name(plane->name, &kind, &ordinal)) {
		plane->device = tp_build_device(plane->out, &device);
		device->kind = kind;
		plane->gpu = kind == TP_DEVICE_GPU;
		device->ordinal = ordinal;
		device->host = plane->host;
		device->name = plane->name;
	}
	for (size_t i = 0; i < plane->stats.count; i++) {
		struct tp_xstat stat;

		if (!tp_xstat_read(parts[i].bytes, &stat))
			continue;
		if (device != NULL)
			read_device_stat(plane, &stat, device);
		else
			read_host_stat(plane, &parts[i], &stat);
	}
}

/* An event metadata of /host:metadata is a program: "jit_f(1219…)" with its HLO. */
static void
read_program(struct tp_xplane *plane, const struct tp_xkept *kept, struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_slice name = {NULL, 0}, hlo = {NULL, 0};
	uint64_t id = 0;

	while (tp_pb_next(&p)) {
		struct tp_xstat stat;

		if (p.field == 1 && p.type == TP_PB_VARINT)
			id = p.number;
		if (p.field == 2 && p.type == TP_PB_BYTES)
			name = p.bytes;
		if (p.field != 5 || p.type != TP_PB_BYTES || !tp_xstat_read(p.bytes, &stat))
			continue;
		switch ((int)tp_xstat_key(plane, &stat)) {
		case TP_XKEY_HLO_PROTO:
		case TP_XKEY_HLO_PROTO_NEW:
			hlo = stat.bytes;
			break;
		case TP_XKEY_PROGRAM:
			id = (uint64_t)stat.integer;
			break;
		default:
			break;
		}
	}
	if (hlo.len == 0)
		return;
	struct tp_program *program;

	tp_build_program(plane->out, &program);
	const char *open = name.len ? memrchr(name.ptr, '(', name.len) : NULL;

	program->host = plane->host;
	program->hlo = hlo;
	program->hlo_at = tp_xoffset(plane->in, place_of(kept, hlo));
	program->name = open != NULL ? (struct tp_slice){name.ptr, (size_t)(open - name.ptr)} : name;
	program->id = id;
	if (open != NULL && open[1] >= '0' && open[1] <= '9') {
		char digits[24] = {0};
		size_t length = name.len - (size_t)(open + 1 - name.ptr);

		memcpy(digits, open + 1, length < sizeof digits - 1 ? length : sizeof digits - 1);
		program->id = strtoull(digits, NULL, 10);
	}
}

static void
read_programs(struct tp_xplane *plane)
{
	const struct tp_xkept *parts = plane->event_metadata.data;

	for (size_t i = 0; i < plane->event_metadata.count; i++) {
		for (struct tp_pb entry = tp_pb_open(parts[i].bytes); tp_pb_next_bytes(&entry, 2);)
			read_program(plane, &parts[i], entry.bytes);
	}
}

void
tp_xplane_read(struct tp_xplane *plane)
{
	read_stat_metadata(plane);
	read_stats(plane);
	if (tp_slice_eq(plane->name, TP_S("/host:metadata"))) {
		read_programs(plane);
		return;
	}
	plane->first_op = tp_built_op_count(plane->out);
	tp_xplane_read_ops(plane);
	plane->end_op = tp_built_op_count(plane->out);
	if (tp_xplane_has_pieces(plane)) {
		tp_xplane_read_pieces(plane);
		return;
	}
	const struct tp_xpart *lines = plane->lines.data;

	for (size_t i = 0; i < plane->lines.count; i++)
		tp_xline_read(plane, lines[i]);
}
