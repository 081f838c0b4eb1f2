/* Workers as hosts; their GPUs as devices; streams as lines whose kernels and copies carry the tags that sections on GPUs
 * ask for (texts as the XLA profiler writes them). */
#include "ingest/torch_place.h"

#include "base/arena.h"
#include "ingest/torch_columns.h"
#include "ingest/torch_meta.h"
#include "model/build.h"

#include <stdio.h>

static const struct tp_torch_trace *
trace_of_host(const struct tp_builder *b, uint32_t host)
{
	uint32_t count;
	struct tp_torch_trace *const *traces = tp_built_torch_traces(b, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (traces[i]->host == host)
			return traces[i];
	}
	return NULL;
}

static bool
near(int64_t a, int64_t b)
{
	int64_t apart;

	return !__builtin_sub_overflow(a, b, &apart) && apart < TP_TORCH_FARTHEST_NS / 2 &&
		apart > -TP_TORCH_FARTHEST_NS / 2;
}

uint32_t
tp_torch_host(struct tp_builder *b, const struct tp_torch_trace *t, int64_t middle_unix_ns,
	int64_t begin_unix_ns)
{
	struct tp_host *host;

	for (uint32_t i = 0; i < tp_built_host_count(b); i++) {
		const struct tp_torch_trace *other = trace_of_host(b, i);

		if (other != NULL && tp_slice_eq(other->worker, t->worker) &&
			tp_slice_eq(other->run, t->run) && near(tp_built_host(b, i)->base_ns, middle_unix_ns))
			return i;
	}
	uint32_t index = tp_build_host(b, &host);

	host->name = t->worker;
	host->input = t->input;
	host->base_ns = begin_unix_ns;
	return index;
}

static bool
same_events(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	if (a->count != b->count || a->lane_count != b->lane_count ||
		a->memory_count != b->memory_count || a->distributed.rank != b->distributed.rank ||
		memcmp(a->detail, b->detail, a->count * sizeof *a->detail) != 0)
		return false;
	for (uint32_t e = 0; e < a->count; e++) {
		if (tp_torch_duration_ps(a, e) != tp_torch_duration_ps(b, e) ||
			tp_torch_op(a, e) != tp_torch_op(b, e))
			return false;
	}
	return true;
}

static bool
same_starts(struct tp_builder *b, const struct tp_torch_trace *s, const struct tp_torch_trace *t)
{
	int64_t shift_ns = tp_built_host(b, t->host)->base_ns - tp_built_host(b, s->host)->base_ns;

	if (!near(shift_ns, 0))
		return false;
	for (uint32_t i = 0; i < s->count; i++) {
		if (tp_torch_start_ps(s, i) != tp_torch_start_ps(t, i) + shift_ns * 1000)
			return false;
	}
	return true;
}

const struct tp_torch_trace *
tp_torch_copy_of(struct tp_builder *b, const struct tp_torch_trace *t)
{
	uint32_t count;
	struct tp_torch_trace *const *traces = tp_built_torch_traces(b, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (traces[i] != t && t->count != 0 && same_events(traces[i], t) &&
			same_starts(b, traces[i], t))
			return traces[i];
	}
	return NULL;
}

static struct tp_slice
vendor(const struct tp_torch_meta *m, struct tp_slice name)
{
	static const struct {
		const char *in, *vendor;
	} names[] = {{"NVIDIA", "Nvidia"}, {"Tesla", "Nvidia"}, {"Quadro", "Nvidia"},
		{"GeForce", "Nvidia"}, {"AMD", "AMD"}, {"Radeon", "AMD"}, {"Instinct", "AMD"},
		{"MTIA", "Meta"}, {"ARTEMIS", "Meta"}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (tp_slice_has(name, tp_slice_of(names[i].in)))
			return tp_slice_of(names[i].vendor);
	}
	return m->amd ? TP_S("AMD") : m->nvidia ? TP_S("Nvidia") : TP_S("");
}

static struct tp_torch_gpu *
gpu_with_id(struct tp_torch_gpu *gpus, uint32_t count, uint32_t id)
{
	for (uint32_t i = 0; i < count; i++) {
		if (gpus[i].id == id)
			return &gpus[i];
	}
	return NULL;
}

/* What describes a device that is not listed by its number (a process may see one card of several, and ROCm numbers its streams by
 * another count): the first of the list where all in it are alike; else NULL. */
static const struct tp_torch_gpu *
alike(const struct tp_torch_gpu *gpus, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		if (!tp_slice_eq(gpus[i].name, gpus[0].name) || gpus[i].sm_count != gpus[0].sm_count ||
			gpus[i].memory_bytes != gpus[0].memory_bytes ||
			gpus[i].compute_major != gpus[0].compute_major ||
			gpus[i].compute_minor != gpus[0].compute_minor)
			return NULL;
	}
	return count != 0 ? &gpus[0] : NULL;
}

/* The device with this number on the trace's host: of an earlier span of the worker, or new. */
static uint32_t
device(struct tp_builder *b, const struct tp_torch_trace *t, const struct tp_torch_meta *m,
	uint32_t id, const struct tp_torch_gpu *gpu)
{
	struct tp_device *d;

	for (uint32_t i = 0; i < tp_built_device_count(b); i++) {
		d = tp_built_device(b, i);
		if (d->host == t->host && d->ordinal == id)
			return i;
	}
	uint32_t index = tp_build_device(b, &d);

	*d = (struct tp_device){
		.kind = TP_DEVICE_GPU,
		.host = t->host,
		.ordinal = id,
		.name = tp_arena_printf(tp_builder_profile(b)->arena, "/device:GPU:%u", id),
	};
	if (gpu != NULL) {
		d->type = gpu->name;
		d->memory_bytes = (double)gpu->memory_bytes;
		d->sm_count = gpu->sm_count;
		d->compute_major = gpu->compute_major;
		d->compute_minor = gpu->compute_minor;
	}
	d->vendor = vendor(m, d->type);
	return index;
}

static void
place_devices(struct tp_builder *b, struct tp_torch_trace *t, const struct tp_torch_meta *m)
{
	struct tp_torch_gpu *gpus =
		tp_new_array(tp_builder_profile(b)->arena, struct tp_torch_gpu, m->gpus.count);

	if (m->gpus.count != 0)
		memcpy(gpus, m->gpus.data, m->gpus.count * sizeof *gpus);
	t->gpus = gpus;
	t->gpu_count = (uint32_t)m->gpus.count;
	for (uint32_t l = 0; l < t->lane_count; l++) {
		struct tp_torch_gpu *gpu = gpu_with_id(gpus, t->gpu_count, t->lanes[l].gpu);

		if (t->lanes[l].kind != TP_TORCH_LANE_STREAM)
			continue;
		uint32_t index =
			device(b, t, m, t->lanes[l].gpu, gpu != NULL ? gpu : alike(gpus, t->gpu_count));

		if (gpu != NULL)
			gpu->device = index;
	}
}

static uint32_t
launch_text(struct tp_profile *p, const struct tp_torch_launch *l)
{
	char text[200];
	size_t length = 0;

	if (l->has_registers)
		length += (size_t)snprintf(text, sizeof text, "regs:%u ", l->registers);
	if (l->has_shared)
		length += (size_t)snprintf(text + length, sizeof text - length, "shm:%u ", l->shared_bytes);
	if (l->grid[0] != 0 && l->block[0] != 0)
		length +=
			(size_t)snprintf(text + length, sizeof text - length, "grid:%u,%u,%u block:%u,%u,%u",
				l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]);
	return tp_intern_copy(&p->strings, (struct tp_slice){text, length});
}

/* The tags of a stream's events; launches: ids of the texts of the trace's launches. */
static void
tag_stream(struct tp_profile *p, const struct tp_torch_trace *t, const struct tp_torch_lane *lane,
	const uint32_t *launches, struct tp_line *line)
{
	struct tp_tag *tags = tp_new_array(p->arena, struct tp_tag, (size_t)2 * lane->count);
	size_t count = 0;

	for (uint32_t i = 0; i < lane->count; i++) {
		uint32_t event = lane->first + i;
		const struct tp_torch_work *w = &t->works[t->detail[event]];

		if (w->correlation >= 0)
			tags[count++] = (struct tp_tag){i, TP_TAG_CORRELATION, w->correlation};
		if (t->kind[event] == TP_TORCH_KERNEL) {
			if (w->launch != TP_NONE && launches[w->launch] != 0)
				tags[count++] = (struct tp_tag){i, TP_TAG_KERNEL, launches[w->launch]};
		} else if (w->bytes >= 0) {
			char text[40];
			int length = snprintf(text, sizeof text, "size:%lld", (long long)w->bytes);

			tags[count++] = (struct tp_tag){i, TP_TAG_COPY,
				tp_intern_copy(&p->strings, (struct tp_slice){text, (size_t)length})};
		}
	}
	for (size_t i = 0; i < count; i++)
		line->tag_keys |= (uint64_t)1 << tags[i].key;
	line->tags = tags;
	line->tag_count = count;
}

static enum tp_line_kind
line_kind(enum tp_torch_lane_kind kind)
{
	switch (kind) {
	case TP_TORCH_LANE_THREAD:
		return TP_LINE_TORCH;
	case TP_TORCH_LANE_STREAM:
		return TP_LINE_STREAM;
	case TP_TORCH_LANE_MARKS:
		break;
	}
	return TP_LINE_DERIVED;
}

static uint32_t
device_of(struct tp_builder *b, const struct tp_torch_trace *t, const struct tp_torch_lane *lane)
{
	for (uint32_t i = 0; i < tp_built_device_count(b) && lane->kind != TP_TORCH_LANE_THREAD; i++) {
		const struct tp_device *d = tp_built_device(b, i);

		if (d->host == t->host && d->ordinal == lane->gpu)
			return i;
	}
	return TP_NONE;
}

/* Traces of Kineto put a blank behind the names of streams. */
static struct tp_slice
without_end(struct tp_slice name)
{
	while (name.len != 0 && name.ptr[name.len - 1] == ' ')
		name.len--;
	return name;
}

static struct tp_slice
lane_name(struct tp_profile *p, const struct tp_torch_lane *lane)
{
	struct tp_slice tid = tp_string(&p->strings, lane->tid), name = without_end(lane->name);

	if (name.len != 0)
		return name;
	if (lane->kind == TP_TORCH_LANE_THREAD)
		return tp_arena_printf(p->arena, "thread %.*s", TP_ARG(tid));
	return tp_slice_starts(tid, TP_S("stream"))
		? tid
		: tp_arena_printf(p->arena, "stream %.*s", TP_ARG(tid));
}

/* What the program named on a stream has the stream's name, but is no work of it. */
static struct tp_slice
line_name(struct tp_profile *p, const struct tp_torch_lane *lane)
{
	struct tp_slice name = lane_name(p, lane);

	return lane->kind == TP_TORCH_LANE_MARKS
		? tp_arena_printf(p->arena, "%.*s, annotations", TP_ARG(name))
		: name;
}

/* Of a thread; 0: it is none, or is not told by a number. */
static int64_t
thread_of(const struct tp_profile *p, const struct tp_torch_lane *lane)
{
	struct tp_slice tid = tp_string(&p->strings, lane->tid);
	int64_t number = 0;

	for (size_t i = 0; i < tid.len && lane->kind == TP_TORCH_LANE_THREAD; i++) {
		if (tid.ptr[i] < '0' || tid.ptr[i] > '9' || tid.len > 18)
			return 0;
		number = number * 10 + (tid.ptr[i] - '0');
	}
	return number;
}

static void
place_lane(struct tp_builder *b, struct tp_torch_trace *t, struct tp_torch_lane *lane,
	const uint32_t *launches)
{
	struct tp_profile *p = tp_builder_profile(b);
	struct tp_line line = {
		.kind = line_kind(lane->kind),
		.host = t->host,
		.device = device_of(b, t, lane),
		.name = line_name(p, lane),
		.thread = thread_of(p, lane),
		.count = lane->count,
		.host_times = tp_times_from(&t->times, lane->first),
		.chip_times = tp_times_from(&t->times, lane->first),
		.ops = tp_op_column_from(&t->ops, lane->first),
	};

	if (lane->kind == TP_TORCH_LANE_STREAM)
		tag_stream(p, t, lane, launches, &line);
	lane->line = tp_build_line(b, &line);
}

void
tp_torch_place(struct tp_builder *b, struct tp_torch_trace *t, const struct tp_torch_meta *m)
{
	struct tp_profile *p = tp_builder_profile(b);
	struct tp_torch_lane *lanes = tp_new_array(p->arena, struct tp_torch_lane, t->lane_count);
	uint32_t *launches = tp_new_array(p->arena, uint32_t, t->launch_count);

	if (t->lane_count != 0)
		memcpy(lanes, t->lanes, t->lane_count * sizeof *lanes);
	t->lanes = lanes;
	place_devices(b, t, m);
	for (uint32_t i = 0; i < t->launch_count; i++)
		launches[i] = launch_text(p, &t->launches[i]);
	for (uint32_t i = 0; i < t->lane_count; i++)
		place_lane(b, t, &lanes[i], launches);
}
