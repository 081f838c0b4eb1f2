/* Taking events in: what each is, on which lane, and with which details. */
#include "ingest/torch_columns.h"

#include "base/arena.h"
#include "ingest/torch_event.h"
#include "model/profile.h"

void
tp_torch_columns_open(struct tp_torch_columns *c, struct tp_strings *strings, struct tp_arena *keep,
	struct tp_arena *scratch)
{
	*c = (struct tp_torch_columns){.strings = strings, .keep = keep, .scratch = scratch};
	tp_map_init(&c->lane_map, scratch);
	tp_map_init(&c->names, scratch);
	tp_map_init(&c->attribute_map, scratch);
	tp_map_init(&c->launch_map, scratch);
	tp_map_init(&c->collective_map, scratch);
	tp_map_init(&c->grid_of, scratch);
}

void
tp_torch_columns_close(struct tp_torch_columns *c)
{
	struct tp_buf *lists[] = {
		&c->lanes, &c->attributes, &c->launches, &c->collectives, &c->collective_keys};
	struct tp_blocks *rows[] = {
		&c->events, &c->operators, &c->pythons, &c->calls, &c->works, &c->memory};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		tp_buf_free(lists[i]);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		tp_blocks_free(rows[i]);
}

static struct tp_slice
text(const struct tp_torch_columns *c, uint32_t id)
{
	return tp_string(c->strings, id);
}

static enum tp_torch_lane_kind
lane_kind(uint8_t kind)
{
	if (tp_torch_is_work(kind))
		return TP_TORCH_LANE_STREAM;
	return kind == TP_TORCH_GPU_ANNOTATION || kind == TP_TORCH_SYNC ? TP_TORCH_LANE_MARKS
																	: TP_TORCH_LANE_THREAD;
}

/* The number of a device: as the arguments say, else the process, which is the device where streams are threads. */
static uint32_t
gpu_of(const struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_slice pid = text(c, e->pid);
	uint32_t number = 0;

	if (e->device >= 0 && e->device < TP_NONE)
		return (uint32_t)e->device;
	if (pid.len > 9)
		return 0;
	for (size_t i = 0; i < pid.len; i++) {
		if (pid.ptr[i] < '0' || pid.ptr[i] > '9')
			return 0;
		number = number * 10 + (uint32_t)(pid.ptr[i] - '0');
	}
	return number;
}

uint32_t
tp_torch_columns_lane(
	struct tp_torch_columns *c, enum tp_torch_lane_kind kind, uint32_t pid, uint32_t tid)
{
	const struct tp_torch_lane *last = c->lanes.data;

	/* Nearly always that of the event before. */
	if (last != NULL && last[c->last_lane].pid == pid && last[c->last_lane].tid == tid &&
		last[c->last_lane].kind == kind)
		return c->last_lane;
	uint64_t place = (uint64_t)pid << 32 | tid, key = tp_hash_pair(place, kind);
	uint32_t index = tp_map_get(&c->lane_map, key);

	if (index != TP_MAP_NONE) {
		c->last_lane = index;
		return index;
	}
	index = c->last_lane = (uint32_t)c->lanes.count;
	TP_PUSH(&c->lanes, struct tp_torch_lane, .kind = kind, .pid = pid, .tid = tid, .gpu = TP_NONE);
	tp_map_put(&c->lane_map, key, index);
	return index;
}

/* The first event on a stream says whose it is. */
static uint32_t
lane(struct tp_torch_columns *c, enum tp_torch_lane_kind kind, const struct tp_torch_event *e)
{
	size_t count = c->lanes.count;
	uint32_t index = tp_torch_columns_lane(c, kind, e->pid, e->tid);

	if (index == count && kind != TP_TORCH_LANE_THREAD)
		((struct tp_torch_lane *)c->lanes.data)[index].gpu = gpu_of(c, e);
	return index;
}

/* All that devices of MTIA do has one category; names tell copies and waits from work. A dma_request has a direction and a size
 * (HTA takes ^dma for memory as well), an event_wait the stream that it waits for, as cuda_sync has. */
static uint8_t
mtia_kind(struct tp_slice name)
{
	if (tp_slice_starts(name, TP_S("dma")))
		return TP_TORCH_MEMCPY;
	return tp_slice_starts(name, TP_S("event_")) ? TP_TORCH_SYNC : TP_TORCH_KERNEL;
}

static uint8_t
kind_of(const struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	struct tp_slice name = text(c, e->name);

	switch (e->category) {
	case TP_TORCH_OPERATOR:
	case TP_TORCH_ANNOTATION:
		return tp_slice_starts(name, TP_S("ProfilerStep#")) ? TP_TORCH_STEP : e->category;
	case TP_TORCH_CATEGORY_MTIA:
		return mtia_kind(name);
	case TP_TORCH_CATEGORY_NONE:
		return TP_TORCH_OTHER;
	default:
		return e->category;
	}
}

static void
add_window(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	int64_t end;

	if (!tp_slice_starts(text(c, e->name), TP_S("PyTorch Profiler")) || !e->has_start ||
		!e->has_duration || e->duration_ns < 0 ||
		__builtin_add_overflow(e->start_ns, e->duration_ns, &end))
		return;
	c->window_start_ns =
		c->has_window && c->window_start_ns < e->start_ns ? c->window_start_ns : e->start_ns;
	c->window_end_ns = c->has_window && c->window_end_ns > end ? c->window_end_ns : end;
	c->has_window = true;
}

static void
add_event(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	uint8_t kind = kind_of(c, e);

	c->old_categories |= e->old_category;
	c->fractions |= e->fraction;
	if (!e->has_start || c->events.count == UINT32_MAX - 1) {
		c->no_time++;
		return;
	}
	if (e->has_duration && e->duration_ns < 0) {
		c->negative++;
		return;
	}
	c->no_duration += !e->has_duration;
	*tp_blocks_new(&c->events, struct tp_torch_slot) = (struct tp_torch_slot){
		.start_ns = e->start_ns,
		.duration_ns = e->has_duration ? e->duration_ns : 0,
		.name = e->name,
		.lane = lane(c, lane_kind(kind), e),
		.detail = tp_torch_detail(c, kind, e),
		.kind = kind,
	};
}

static int16_t
short_of(int64_t n)
{
	return n < -1 || n > INT16_MAX ? -1 : (int16_t)n;
}

static void
add_memory(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	if (!e->has_start || e->bytes == INT64_MIN) {
		c->no_time += !e->has_start;
		return;
	}
	uint32_t on = lane(c, TP_TORCH_LANE_THREAD, e);
	struct tp_torch_memory *m = tp_blocks_new(&c->memory, struct tp_torch_memory);

	*m = (struct tp_torch_memory){
		.time_ps = e->start_ns, /* until the trace's zero is known */
		.address = e->address > 0 ? (uint64_t)e->address : 0,
		.bytes = e->bytes,
		.allocated_bytes = e->allocated_bytes,
		.reserved_bytes = e->reserved_bytes,
		.lane = on,
		.device_type = short_of(e->device_type),
		.device_id = short_of(e->device_id),
	};
}

/* Names of threads and streams. */
static void
add_metadata(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	if (e->label != 0 && tp_slice_eq(text(c, e->name), TP_S("thread_name")))
		tp_map_put(&c->names, (uint64_t)e->pid << 32 | e->tid, e->label);
}

void
tp_torch_columns_add(struct tp_torch_columns *c, const struct tp_torch_event *e)
{
	switch (e->phase) {
	case 'X':
		if (e->category == TP_TORCH_CATEGORY_TRACE)
			add_window(c, e);
		else
			add_event(c, e);
		break;
	case 'i':
	case 'I':
		if (tp_slice_eq(text(c, e->name), TP_S("[memory]")))
			add_memory(c, e);
		break;
	case 'M':
		add_metadata(c, e);
		break;
	default: /* flows: correlation says the same; counters */
		break;
	}
}
