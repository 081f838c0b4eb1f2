/* Events of a line → columns: the inner loop of reading, so it walks the mapped bytes and decodes only the stats that mean
 * something to us. */
#include "ingest/xspace_events.h"

#include "codec/pb_wire.h"

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
	struct tp_xwhat what;
	int64_t offset_ps, duration_ps;
	bool has_chip;
	int64_t chip_offset_ps, chip_duration_ps;
	bool has_flow; /* else the two below say nothing */
	struct flow produced, consumed;
};

uint64_t
tp_xevents_string_keys(void)
{
	uint64_t keys = (uint64_t)1 << TP_TAG_HLO_OP;

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
		if (kept[i].type == TEXT || kept[i].type == TEXT_ON_GPU)
			keys |= (uint64_t)1 << kept[i].tag;
	}
	return keys;
}

/* One of the stats about flows; of several the first counts. */
static void
read_flow_stat(struct event *e, enum tp_xkey key, int64_t number)
{
	if (!e->has_flow)
		e->produced = e->consumed = (struct flow){0};
	e->has_flow = true;
	bool produces = key == TP_XKEY_PRODUCER_TYPE || key == TP_XKEY_PRODUCER_ID;
	bool is_type = key == TP_XKEY_PRODUCER_TYPE || key == TP_XKEY_CONSUMER_TYPE;
	struct flow *flow = produces ? &e->produced : &e->consumed;
	bool *said = is_type ? &flow->has_type : &flow->has_id;

	if (!*said)
		*(is_type ? &flow->type : &flow->id) = number;
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
	struct tp_slice name = tp_xop_name(plane, op);

	return tp_slice_starts(name, TP_S("Iterator::")) || tp_slice_ends(name, TP_S("Produce")) ||
		tp_slice_ends(name, TP_S("Consume"));
}

static void
read_event_stat(struct tp_xplane *plane, uint32_t index, struct tp_slice bytes,
	const uint8_t *readable, struct event *e)
{
	struct tp_xstat stat;

	if (!tp_xstat_read_near(bytes, readable, &stat))
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
			e->what.hlo_op = tp_xstat_text(plane, &stat);
		else if (plane->gpu)
			tp_build_tag(plane->out, index, TP_TAG_HLO_OP, (int64_t)tp_xstat_string(plane, &stat));
		e->what.is_kernel = plane->gpu;
		return;
	case TP_XKEY_PROGRAM:
		e->what.program_id = (uint64_t)stat.integer;
		e->what.has_program = true;
		return;
	case TP_XKEY_PRODUCER_TYPE:
	case TP_XKEY_PRODUCER_ID:
	case TP_XKEY_CONSUMER_TYPE:
	case TP_XKEY_CONSUMER_ID:
		read_flow_stat(e, key, stat.integer);
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
		if (is_tf_data(plane, e->what.metadata_id))
			tp_build_tag(plane->out, index, kept[key].tag, stat.integer);
		return;
	case TEXT:
	case TEXT_ON_GPU:
		if (plane->gpu || kept[key].type == TEXT)
			tp_build_tag(plane->out, index, kept[key].tag, (int64_t)tp_xstat_string(plane, &stat));
		return;
	}
}

/* How every producer writes an event: metadata id, offset, duration, in this order, then stats. */
struct start {
	uint64_t metadata_id, offset, duration;
	const uint8_t
		*behind; /* NULL: the order is another, or the bytes that may be looked at end soon */
};

/* Three keys, and three numbers of eight bytes. */
enum { START_BYTES = 3 * 9 };

static inline struct start
read_start(struct tp_slice bytes, const uint8_t *readable)
{
	enum { METADATA = 1 << 3, OFFSET = 2 << 3, DURATION = 3 << 3 };
	const uint8_t *at = (const uint8_t *)bytes.ptr, *end = at + bytes.len;
	struct start s = {0};

	if (readable - at >= START_BYTES && *at++ == METADATA &&
		(tp_pb_varint_brief(&at, &s.metadata_id) || tp_pb_varint_near(&at, &s.metadata_id)) &&
		*at++ == OFFSET && tp_pb_varint_near(&at, &s.offset) && *at++ == DURATION &&
		tp_pb_varint_near(&at, &s.duration) && at <= end)
		s.behind = at;
	return s;
}

/* Without the rest, which only stats fill: this is done for each event. */
static void
begin(struct event *e, const struct start *start)
{
	bool known = start->behind != NULL;

	e->what = (struct tp_xwhat){.metadata_id = known ? start->metadata_id : 0};
	e->offset_ps = known ? (int64_t)start->offset : 0;
	e->duration_ps = known ? (int64_t)start->duration : 0;
	e->chip_duration_ps = 0;
	e->has_chip = e->has_flow = false;
}

static bool
read_event(struct tp_xplane *plane, uint32_t index, struct tp_slice bytes, const uint8_t *readable,
	const struct start *start, struct event *e)
{
	struct tp_pb p = tp_pb_open(bytes);

	begin(e, start);
	if (start->behind != NULL)
		p.at = start->behind;
	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_VARINT) {
			if (p.field == 1)
				e->what.metadata_id = p.number;
			else if (p.field == 2)
				e->offset_ps = (int64_t)p.number;
			else if (p.field == 3)
				e->duration_ps = (int64_t)p.number;
		} else if (p.field == 4 && p.type == TP_PB_BYTES && p.state == TP_PB_MORE) {
			read_event_stat(plane, index, p.bytes, readable, e);
		}
	}
	if (e->has_flow) {
		tag_flow(plane, index, TP_TAG_PRODUCER, &e->produced);
		tag_flow(plane, index, TP_TAG_CONSUMER, &e->consumed);
	}
	return p.state == TP_PB_END;
}

static uint32_t
op_of(struct tp_xplane *plane, const struct event *e, uint32_t event)
{
	uint32_t index = e->what.hlo_op.len == 0 ? op_of_id(plane, e->what.metadata_id) : TP_NONE;

	if (index != TP_NONE && !(e->what.is_kernel && e->what.has_program))
		return index;
	return tp_xown_op(plane, &e->what, index, event);
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
	return e->offset_ps < TP_XLONGEST_PS && e->offset_ps > -TP_XLONGEST_PS &&
		e->duration_ps < TP_XLONGEST_PS && e->chip_offset_ps < TP_XLONGEST_PS &&
		e->chip_offset_ps > -TP_XLONGEST_PS && e->chip_duration_ps < TP_XLONGEST_PS;
}

/* Work in a thread pool is written as two events without duration, ThreadpoolListener::StartRegion (which consumes what
 * scheduled it) and ::StopRegion. The first gets the time up to the second, so that what ran in the region nests in it. */
static void
join_region(struct tp_xplane *plane, struct tp_line_columns *c, uint32_t i, struct tp_xregions *r)
{
	struct tp_slice name = tp_xop_name(plane, c->op[i]);

	if (tp_slice_eq(name, TP_S("ThreadpoolListener::StartRegion"))) {
		r->open = c->first + i;
		r->start_ps = c->start_ps[i];
		r->met = true;
	} else if (tp_slice_eq(name, TP_S("ThreadpoolListener::StopRegion"))) {
		tp_xregions_stop(plane, c, r, c->start_ps[i]);
		if (!r->met) {
			r->stops = true;
			r->stop_ps = c->start_ps[i];
		}
		r->met = true;
	}
}

static inline void
join_regions(struct tp_xplane *plane, struct tp_line_columns *c, uint32_t i, struct tp_xregions *r)
{
	if (c->op[i] - plane->first_region_op < plane->region_ops)
		join_region(plane, c, i, r);
}

void
tp_xregions_stop(
	struct tp_xplane *plane, struct tp_line_columns *c, struct tp_xregions *r, int64_t stop_ps)
{
	if (r->open != TP_NONE && stop_ps > r->start_ps)
		tp_build_duration(plane->out, c, r->open, stop_ps - r->start_ps);
	r->open = TP_NONE;
}

/* The next field when it is an event without stats, as are most on threads of a host, in few instructions: moves behind it. False: it is
 * none, or not usual. The columns have room for one. */
static inline bool
add_plain(
	const struct tp_xplane *plane, struct tp_pb *p, int64_t zero_ps, struct tp_line_columns *c)
{
	enum { EVENT = TP_XEVENT << 3 | TP_PB_BYTES, HEAD = 2 };
	const uint8_t *at = p->at;
	uint32_t i = c->count;

	if (p->end - at < HEAD + START_BYTES || at[0] != EVENT || at[1] > START_BYTES)
		return false;
	const uint8_t *behind =
		at + HEAD + at[1]; /* so that the next event is begun before this one is decoded */
	struct start start = read_start((struct tp_slice){(const char *)at + HEAD, at[1]}, p->end);
	uint64_t id = start.metadata_id;

	if (start.behind != behind || id >= plane->small_ids || plane->op_of_small_id[id] == TP_NONE ||
		start.offset >= TP_XLONGEST_PS || start.duration >= TP_XLONGEST_PS)
		return false;
	p->at = behind;
	c->count++;
	c->start_ps[i] = zero_ps + (int64_t)start.offset;
	c->duration_ps[i] = (int64_t)start.duration;
	c->op[i] = plane->op_of_small_id[id];
	return true;
}

/* Such events, one behind the other. */
static void
read_plain(struct tp_xplane *plane, struct tp_pb *p, int64_t zero_ps, struct tp_line_columns *c,
	struct tp_xevents *events)
{
	while (c->count < c->capacity && add_plain(plane, p, zero_ps, c)) {
		events->count++;
		if (c->kind == TP_LINE_THREAD)
			join_regions(plane, c, c->count - 1, &events->regions);
	}
}

/* An event into the columns, which have room for it; false when it cannot be used. readable: the end of the bytes in memory. */
static bool
add_event(struct tp_xplane *plane, struct tp_slice bytes, const uint8_t *readable, int64_t zero_ps,
	struct tp_line_columns *c, struct tp_xregions *regions)
{
	struct start start = read_start(bytes, readable);
	uint32_t i = c->count;
	struct event e;

	if (!read_event(plane, c->first + i, bytes, readable, &start, &e) || !clamp(&e)) {
		tp_unbuild_tags(plane->out, c->first + i);
		plane->allocator.said = 0;
		return false;
	}
	c->count++;
	c->start_ps[i] = zero_ps + e.offset_ps;
	c->duration_ps[i] = e.duration_ps;
	if (c->chip) {
		c->chip_start_ps[i] = e.has_chip ? e.chip_offset_ps : zero_ps + e.offset_ps;
		c->chip_duration_ps[i] = e.chip_duration_ps;
	}
	c->op[i] = op_of(plane, &e, c->first + i);
	if (c->kind == TP_LINE_THREAD)
		join_regions(plane, c, i, regions);
	if (plane->allocator.said != 0)
		tp_xallocator_event(plane, tp_xop_name(plane, c->op[i]), c->first + i, c->start_ps[i]);
	return true;
}

void
tp_xevents_read(struct tp_xplane *plane, struct tp_xwalk *w, struct tp_xpart part, int64_t zero_ps,
	struct tp_line_columns *c, struct tp_xevents *events)
{
	for (;;) {
		if (c != NULL && !c->chip)
			read_plain(plane, &w->p, zero_ps, c, events);
		if (!tp_xwalk_next(w))
			break;
		if (w->p.field != TP_XEVENT || w->p.type != TP_PB_BYTES)
			continue;
		events->count++;
		if (c == NULL ||
			(c->count == c->capacity &&
				!tp_build_line_room(plane->out, c, tp_xwalk_share(w, part))))
			continue;
		if (!add_event(plane, w->p.bytes, w->p.end, zero_ps, c, &events->regions))
			events->unusable++;
	}
	events->complete = w->p.state == TP_PB_END && w->at + w->bytes.len == w->end;
}
