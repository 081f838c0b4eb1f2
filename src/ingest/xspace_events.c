/* Events of a line → columns: the inner loop of reading, so it walks the mapped bytes and decodes only the stats that mean
 * something to us. */
#include "ingest/xspace.h"

#include "base/arena.h"
#include "base/number.h"
#include "codec/pb_wire.h"

/* 10^9 s: beyond any capture. Products with 1000 of what is below still fit in int64. */
#define LONGEST_PS ((int64_t)1 << 60)

struct line_head {
	struct tp_slice name;
	int64_t timestamp_ns;
	bool has_events;
};

/* What a line says of itself stands before its events, as every producer writes it; else all of it is looked through. */
static struct line_head
read_head(struct tp_xplane *plane, struct tp_xpart part)
{
	struct tp_arena *keep = tp_builder_profile(plane->out)->arena;
	struct tp_xwalk w = tp_xwalk_open(plane->file, part);
	struct line_head head = {0};
	struct tp_slice display = {NULL, 0};
	bool has_time = false;

	while (tp_xwalk_next(&w)) {
		if (w.p.field == 4 && w.p.type == TP_PB_BYTES) {
			head.has_events = true;
			if (head.name.len != 0 && has_time)
				break;
		} else if (w.p.field == 2 && w.p.type == TP_PB_BYTES) {
			head.name = tp_arena_copy(keep, w.p.bytes);
		} else if (w.p.field == 11 && w.p.type == TP_PB_BYTES) {
			display = tp_arena_copy(keep, w.p.bytes);
		} else if (w.p.field == 3 && w.p.type == TP_PB_VARINT) {
			head.timestamp_ns = (int64_t)w.p.number;
			has_time = true;
		}
	}
	if (head.name.len == 0)
		head.name = display;
	return head;
}

static enum tp_line_kind
kind_of_line(struct tp_slice name, uint32_t device, const struct tp_xplane *plane)
{
	static const struct {
		const char *prefix;
		enum tp_line_kind kind;
	} names[] = {
		{"Steps", TP_LINE_STEPS},
		{"XLA Modules", TP_LINE_MODULES},
		{"XLA Ops", TP_LINE_OPS},
		{"Async XLA Ops", TP_LINE_ASYNC},
		{"XLA Async Ops", TP_LINE_ASYNC},
		{"TensorFlow Name Scope", TP_LINE_DERIVED},
		{"TensorFlow Ops", TP_LINE_DERIVED},
		{"Framework Name Scope", TP_LINE_DERIVED},
		{"Framework Ops", TP_LINE_DERIVED},
		{"Source code", TP_LINE_DERIVED},
		{"Launch Stats", TP_LINE_DERIVED},
		{"Stream #", TP_LINE_STREAM},
		{"_counters_", TP_LINE_OTHER},
		{"CUPTI overhead", TP_LINE_OTHER},
	};

	if (device == TP_NONE)
		return tp_slice_starts(plane->name, TP_S("/host:")) ? TP_LINE_THREAD : TP_LINE_OTHER;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!tp_slice_starts(name, tp_slice_of(names[i].prefix)))
			continue;
		/* What a GPU does is on its streams; operations and modules were made from these. */
		if (plane->gpu && (names[i].kind == TP_LINE_OPS || names[i].kind == TP_LINE_MODULES))
			return TP_LINE_DERIVED;
		return names[i].kind;
	}
	return plane->gpu ? TP_LINE_STREAM : TP_LINE_OTHER;
}

/* The stats of an event that are kept as they are. Host events that launch a kernel carry kernel_details too, but old
 * profilers wrote there what they found in memory; and a shape on the host is of a tensor in memory. "id" means much;
 * on events of tf.data it is the iterator's. */
static const struct {
	enum { NOT_KEPT, NUMBER, NUMBER_ON_HOST, NUMBER_OF_TF_DATA, TEXT, TEXT_ON_GPU } type;
	enum tp_tag_key tag;
	bool allocator; /* on the host it may be of an allocator */
} kept[TP_XKEY_COUNT] = {
	[TP_XKEY_STEP_NUMBER] = {.type = NUMBER, .tag = TP_TAG_STEP_NUMBER},
	[TP_XKEY_STEP_NAME] = {.type = TEXT, .tag = TP_TAG_STEP_NAME},
	[TP_XKEY_ROOT] = {.type = NUMBER, .tag = TP_TAG_ROOT},
	[TP_XKEY_GROUP] = {.type = NUMBER, .tag = TP_TAG_GROUP},
	[TP_XKEY_RUN] = {.type = NUMBER_ON_HOST, .tag = TP_TAG_RUN},
	[TP_XKEY_CORRELATION] = {.type = NUMBER, .tag = TP_TAG_CORRELATION},
	[TP_XKEY_ITERATION] = {.type = NUMBER, .tag = TP_TAG_ITERATION},
	[TP_XKEY_ALL_REDUCE] = {.type = NUMBER, .tag = TP_TAG_ALL_REDUCE},
	[TP_XKEY_FLOPS] = {.type = NUMBER, .tag = TP_TAG_FLOPS},
	[TP_XKEY_BYTES] = {.type = NUMBER, .tag = TP_TAG_BYTES},
	[TP_XKEY_DMA_STALL] = {.type = NUMBER, .tag = TP_TAG_DMA_STALL},
	[TP_XKEY_KERNEL_SHAPE] = {.type = TEXT_ON_GPU, .tag = TP_TAG_SHAPE, .allocator = true},
	[TP_XKEY_KERNEL_DETAILS] = {.type = TEXT_ON_GPU, .tag = TP_TAG_KERNEL},
	[TP_XKEY_COPY_DETAILS] = {.type = TEXT_ON_GPU, .tag = TP_TAG_COPY},
	[TP_XKEY_FILL_DETAILS] = {.type = TEXT_ON_GPU, .tag = TP_TAG_COPY},
	[TP_XKEY_FRAMEWORK] = {.type = TEXT, .tag = TP_TAG_FRAMEWORK, .allocator = true},
	[TP_XKEY_ANNOTATION] = {.type = TEXT_ON_GPU, .tag = TP_TAG_ANNOTATION},
	[TP_XKEY_EQUATION] = {.type = TEXT_ON_GPU, .tag = TP_TAG_EQUATION},
	[TP_XKEY_EAGER] = {.type = NUMBER, .tag = TP_TAG_EAGER},
	[TP_XKEY_FUNCTION] = {.type = NUMBER, .tag = TP_TAG_FUNCTION},
	[TP_XKEY_ITERATOR] = {.type = NUMBER_OF_TF_DATA, .tag = TP_TAG_ITERATOR},
	[TP_XKEY_ITERATOR_PARENT] = {.type = NUMBER_OF_TF_DATA, .tag = TP_TAG_ITERATOR_PARENT},
	[TP_XKEY_ELEMENT] = {.type = NUMBER_OF_TF_DATA, .tag = TP_TAG_ELEMENT},
	[TP_XKEY_PARALLELISM] = {.type = NUMBER_OF_TF_DATA, .tag = TP_TAG_PARALLELISM},
	[TP_XKEY_STAGE] = {.type = NUMBER, .tag = TP_TAG_STAGE},
	[TP_XKEY_STAGE_CATEGORY] = {.type = TEXT, .tag = TP_TAG_STAGE_CATEGORY},
	[TP_XKEY_ALLOCATOR] = {.allocator = true},
	[TP_XKEY_ALLOCATOR_INDEX] = {.allocator = true},
	[TP_XKEY_ALLOCATOR_DEVICE] = {.allocator = true},
	[TP_XKEY_STACK_BYTES] = {.allocator = true},
	[TP_XKEY_HEAP_BYTES] = {.allocator = true},
	[TP_XKEY_FREE_BYTES] = {.allocator = true},
	[TP_XKEY_LIFETIME_PEAK_BYTES] = {.allocator = true},
	[TP_XKEY_FRAGMENTATION] = {.allocator = true},
	[TP_XKEY_REQUESTED_BYTES] = {.allocator = true},
	[TP_XKEY_BLOCK_BYTES] = {.allocator = true},
	[TP_XKEY_ADDRESS] = {.allocator = true},
	[TP_XKEY_REGION] = {.allocator = true},
	[TP_XKEY_DATA_TYPE] = {.allocator = true},
};

/* One end of a flow between threads: what of it an event's stats have said. */
struct flow {
	bool has_type, has_id;
	int64_t type, id;
};

struct event {
	uint64_t metadata_id;
	int64_t offset_ps, duration_ps;
	bool has_chip;
	int64_t chip_offset_ps, chip_duration_ps;
	struct tp_slice hlo_op;
	bool is_kernel; /* of a program that XLA compiled for a GPU */
	bool has_program;
	uint64_t program_id;
	struct flow produced, consumed;
};

/* The first one counts. */
static void
say_once(bool *said, int64_t *value, int64_t number)
{
	if (!*said)
		*value = number;
	*said = true;
}

static void
tag_flow(struct tp_xplane *plane, uint32_t index, enum tp_tag_key key, const struct flow *flow)
{
	if (flow->has_type && flow->has_id)
		tp_build_tag(plane->out, index, key,
			(int64_t)tp_hash_pair((uint64_t)flow->type, (uint64_t)flow->id));
}

/* The operation of a metadata id; TP_NONE: there is none of this id. */
static uint32_t
op_of_id(const struct tp_xplane *plane, uint64_t id)
{
	if (id < plane->small_ids && plane->op_of_small_id[id] != TP_NONE)
		return plane->op_of_small_id[id];
	uint32_t index = tp_map_get(&plane->ops, id);

	return index == TP_MAP_NONE ? TP_NONE : index;
}

static bool
is_tf_data(const struct tp_xplane *plane, uint64_t metadata_id)
{
	uint32_t op = op_of_id(plane, metadata_id);

	if (plane->device != TP_NONE || op == TP_NONE)
		return false;
	struct tp_slice name = tp_built_op(plane->out, op)->name;

	return tp_slice_starts(name, TP_S("Iterator::")) || tp_slice_ends(name, TP_S("Produce")) ||
		tp_slice_ends(name, TP_S("Consume"));
}

static void
read_event_stat(struct tp_xplane *plane, uint32_t index, struct tp_slice bytes, struct event *e)
{
	struct tp_xstat stat;

	if (!tp_xstat_read(bytes, &stat))
		return;
	enum tp_xkey key = tp_xstat_key(plane, &stat);

	switch ((int)key) {
	case TP_XKEY_OTHER:
		return;
	case TP_XKEY_CHIP_OFFSET:
		e->chip_offset_ps = stat.integer;
		e->has_chip = true;
		return;
	case TP_XKEY_CHIP_DURATION:
		e->chip_duration_ps = stat.integer;
		return;
	case TP_XKEY_HLO_OP:
		if (plane->device == TP_NONE)
			e->hlo_op = tp_xstat_text(plane, &stat);
		else if (plane->gpu)
			tp_build_tag(plane->out, index, TP_TAG_HLO_OP, (int64_t)tp_xstat_string(plane, &stat));
		e->is_kernel = plane->gpu;
		return;
	case TP_XKEY_PROGRAM:
		e->program_id = (uint64_t)stat.integer;
		e->has_program = true;
		return;
	case TP_XKEY_PRODUCER_TYPE:
		say_once(&e->produced.has_type, &e->produced.type, stat.integer);
		return;
	case TP_XKEY_PRODUCER_ID:
		say_once(&e->produced.has_id, &e->produced.id, stat.integer);
		return;
	case TP_XKEY_CONSUMER_TYPE:
		say_once(&e->consumed.has_type, &e->consumed.type, stat.integer);
		return;
	case TP_XKEY_CONSUMER_ID:
		say_once(&e->consumed.has_id, &e->consumed.id, stat.integer);
		return;
	default:
		break;
	}
	if (kept[key].allocator && plane->device == TP_NONE)
		tp_xallocator_stat(plane, key, &stat);
	switch (kept[key].type) {
	case NOT_KEPT:
		return;
	case NUMBER:
		tp_build_tag(plane->out, index, kept[key].tag, stat.integer);
		return;
	case NUMBER_ON_HOST:
		if (plane->device == TP_NONE)
			tp_build_tag(plane->out, index, kept[key].tag, stat.integer);
		return;
	case NUMBER_OF_TF_DATA:
		if (is_tf_data(plane, e->metadata_id))
			tp_build_tag(plane->out, index, kept[key].tag, stat.integer);
		return;
	case TEXT:
	case TEXT_ON_GPU:
		if (plane->gpu || kept[key].type == TEXT)
			tp_build_tag(plane->out, index, kept[key].tag, (int64_t)tp_xstat_string(plane, &stat));
		return;
	}
}

/* As every producer writes an event: metadata id, offset, duration, in this order, then stats. Leaves p behind what it
 * read; tp_pb_next takes the rest, and everything when the order is another. */
static void
read_start(struct tp_pb *p, struct event *e)
{
	enum { METADATA = 1 << 3, OFFSET = 2 << 3, DURATION = 3 << 3 };
	uint64_t number;

	if (p->at == p->end || *p->at != METADATA)
		return;
	p->at++;
	if (!tp_pb_varint(p, &e->metadata_id) || p->at == p->end || *p->at != OFFSET)
		return;
	p->at++;
	if (!tp_pb_varint(p, &number))
		return;
	e->offset_ps = (int64_t)number;
	if (p->at == p->end || *p->at != DURATION)
		return;
	p->at++;
	if (tp_pb_varint(p, &number))
		e->duration_ps = (int64_t)number;
}

static bool
read_event(struct tp_xplane *plane, uint32_t index, struct tp_slice bytes, struct event *e)
{
	struct tp_pb p = tp_pb_open(bytes);

	*e = (struct event){0};
	read_start(&p, e);
	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_VARINT) {
			if (p.field == 1)
				e->metadata_id = p.number;
			else if (p.field == 2)
				e->offset_ps = (int64_t)p.number;
			else if (p.field == 3)
				e->duration_ps = (int64_t)p.number;
		} else if (p.field == 4 && p.type == TP_PB_BYTES && p.state == TP_PB_MORE) {
			read_event_stat(plane, index, p.bytes, e);
		}
	}
	tag_flow(plane, index, TP_TAG_PRODUCER, &e->produced);
	tag_flow(plane, index, TP_TAG_CONSUMER, &e->consumed);
	return p.state == TP_PB_END;
}

/* XLA:CPU names the instruction in a stat: such events are occurrences of it, whatever they call themselves. */
static uint32_t
hlo_op(struct tp_xplane *plane, const struct event *e)
{
	uint64_t key = tp_hash_pair(tp_hash_bytes(e->hlo_op), e->program_id);
	uint32_t index = tp_map_get(&plane->hlo_ops, key);
	struct tp_op *op;

	if (index != TP_MAP_NONE)
		return index;
	index = tp_build_op(plane->out, &op);
	op->name = tp_arena_copy(tp_builder_profile(plane->out)->arena, e->hlo_op);
	op->label = op->name;
	op->program_id = e->program_id;
	op->has_program = true;
	op->xla = true;
	tp_map_put(&plane->hlo_ops, key, index);
	return index;
}

/* A kernel in one of the programs that have it. */
static uint32_t
kernel_op(struct tp_xplane *plane, const struct event *e, uint32_t kernel)
{
	uint64_t key = tp_hash_pair(e->metadata_id, e->program_id);
	uint32_t index = tp_map_get(&plane->hlo_ops, key);
	struct tp_op *op;

	if (index != TP_MAP_NONE)
		return index;
	index = tp_build_op(plane->out, &op);
	*op = *tp_built_op(plane->out, kernel);
	op->program_id = e->program_id;
	op->has_program = true;
	op->kernel = true;
	tp_map_put(&plane->hlo_ops, key, index);
	return index;
}

static uint32_t
op_of(struct tp_xplane *plane, const struct event *e)
{
	if (e->hlo_op.len != 0)
		return hlo_op(plane, e);
	uint32_t index = op_of_id(plane, e->metadata_id);

	if (index != TP_NONE)
		return e->is_kernel && e->has_program ? kernel_op(plane, e, index) : index;
	struct tp_profile *profile = tp_builder_profile(plane->out);
	struct tp_op *op;

	index = tp_build_op(plane->out, &op);
	op->name = tp_arena_printf(profile->arena, "unnamed event %lld", (long long)e->metadata_id);
	op->label = op->name;
	tp_map_put(&plane->ops, e->metadata_id, index);
	tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path, TP_NO_OFFSET,
		"events of plane \"%.*s\" have no name: their metadata is missing", TP_ARG(plane->name));
	return index;
}

/* Whether start and duration can be counted with; negative durations are taken as 0. */
static bool
clamp(struct event *e)
{
	if (e->duration_ps < 0)
		e->duration_ps = 0;
	if (e->chip_duration_ps < 0)
		e->chip_duration_ps = 0;
	if (!e->has_chip) {
		e->chip_offset_ps = e->offset_ps;
		e->chip_duration_ps = e->duration_ps;
	}
	return e->offset_ps < LONGEST_PS && e->offset_ps > -LONGEST_PS && e->duration_ps < LONGEST_PS &&
		e->chip_offset_ps < LONGEST_PS && e->chip_offset_ps > -LONGEST_PS &&
		e->chip_duration_ps < LONGEST_PS;
}

/* ns from the host's base to the line's own zero; the first line with events sets the base. */
static bool
line_offset_ps(struct tp_xplane *plane, const struct line_head *head, int64_t *offset_ps)
{
	struct tp_host *host = tp_built_host(plane->out, plane->host);
	int64_t ns;

	if (host->base_ns == INT64_MIN)
		host->base_ns = head->timestamp_ns;
	if (__builtin_sub_overflow(head->timestamp_ns, host->base_ns, &ns) || ns > LONGEST_PS / 1000 ||
		ns < -LONGEST_PS / 1000)
		return false;
	*offset_ps = ns * 1000;
	return true;
}

/* The region of a thread pool that is open; event TP_NONE: none is. */
struct region {
	uint32_t event;
	int64_t start_ps;
};

/* Work in a thread pool is written as two events without duration, ThreadpoolListener::StartRegion (which consumes what
 * scheduled it) and ::StopRegion. The first gets the time up to the second, so that what ran in the region nests in it. */
static void
join_regions(struct tp_xplane *plane, struct tp_line_columns *c, uint32_t i, struct region *open)
{
	struct tp_slice name = tp_built_op(plane->out, c->op[i])->name;

	if (!tp_slice_starts(name, TP_S("ThreadpoolListener::S")))
		return;
	if (tp_slice_eq(name, TP_S("ThreadpoolListener::StartRegion"))) {
		*open = (struct region){c->first + i, c->start_ps[i]};
	} else if (open->event != TP_NONE &&
		tp_slice_eq(name, TP_S("ThreadpoolListener::StopRegion"))) {
		if (c->start_ps[i] > open->start_ps)
			tp_build_duration(plane->out, c, open->event, c->start_ps[i] - open->start_ps);
		open->event = TP_NONE;
	}
}

/* What went wrong with the events of a line. */
struct losses {
	uint64_t events; /* how many there are, a last one that is cut off included */
	uint64_t unusable;
	bool complete; /* the line ends where it should */
};

/* The events of a line into its columns; only counted where these are NULL. */
static struct losses
read_events(
	struct tp_xplane *plane, struct tp_xpart part, int64_t zero_ps, struct tp_line_columns *c)
{
	struct tp_xwalk w = tp_xwalk_open(plane->file, part);
	struct losses losses = {0};
	struct region open = {.event = TP_NONE};

	while (tp_xwalk_next(&w)) {
		struct event e;

		if (w.p.field != 4 || w.p.type != TP_PB_BYTES)
			continue;
		losses.events++;
		if (c == NULL ||
			(c->count == c->capacity &&
				!tp_build_line_room(plane->out, c, tp_xwalk_share(&w, part))))
			continue;
		if (!read_event(plane, c->first + c->count, w.p.bytes, &e) || !clamp(&e)) {
			tp_unbuild_tags(plane->out, c->first + c->count);
			plane->allocator.said = 0;
			losses.unusable++;
			continue;
		}
		uint32_t i = c->count++;

		c->start_ps[i] = zero_ps + e.offset_ps;
		c->duration_ps[i] = e.duration_ps;
		if (c->chip) {
			c->chip_start_ps[i] = e.has_chip ? e.chip_offset_ps : zero_ps + e.offset_ps;
			c->chip_duration_ps[i] = e.chip_duration_ps;
		}
		c->op[i] = op_of(plane, &e);
		if (c->kind == TP_LINE_THREAD)
			join_regions(plane, c, i, &open);
		if (plane->allocator.said != 0)
			tp_xallocator_event(plane, tp_built_op(plane->out, c->op[i])->name, c->start_ps[i]);
	}
	losses.complete = w.p.state == TP_PB_END && w.at + w.bytes.len == w.end;
	return losses;
}

static void
tell_losses(const struct tp_xplane *plane, struct tp_xpart part, struct tp_slice name,
	const struct losses *losses)
{
	struct tp_profile *profile = tp_builder_profile(plane->out);

	if (!losses->complete)
		tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path,
			tp_xoffset(plane->in, part.at + part.size), "line \"%.*s\" is cut off: %llu %s used",
			TP_ARG(name), (unsigned long long)losses->events,
			tp_plural(losses->events, "event before that is", "events before that are"));
	if (losses->unusable == 0)
		return;
	tp_build_dropped(plane->out, losses->unusable);
	tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path, tp_xoffset(plane->in, part.at),
		"line \"%.*s\": %llu %s damaged and left out", TP_ARG(name),
		(unsigned long long)losses->unusable,
		tp_plural(losses->unusable, "event is", "events are"));
}

void
tp_xplane_read_line(struct tp_xplane *plane, struct tp_xpart part)
{
	struct tp_profile *profile = tp_builder_profile(plane->out);
	struct line_head head = read_head(plane, part);
	struct tp_line_columns c = {
		.host = plane->host,
		.device = plane->device,
		.name = head.name,
		.kind = kind_of_line(head.name, plane->device, plane),
	};
	int64_t zero_ps = 0;
	bool placed = !head.has_events || line_offset_ps(plane, &head, &zero_ps);

	c.chip = c.kind == TP_LINE_STEPS || c.kind == TP_LINE_OPS || c.kind == TP_LINE_MODULES;
	tp_build_line_open(plane->out, &c);
	struct losses losses = read_events(plane, part, zero_ps, placed ? &c : NULL);

	tell_losses(plane, part, head.name, &losses);
	if (!placed) {
		tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path,
			tp_xoffset(plane->in, part.at),
			"line \"%.*s\" starts more than 13 days from the others and is left out",
			TP_ARG(head.name));
		tp_build_dropped(plane->out, losses.events);
	}
	tp_build_line_close(plane->out, &c);
}
