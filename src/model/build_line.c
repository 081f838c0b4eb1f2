/* One line: events in columns as they come, sorted by their start when they do not come so, and the tags of each. */
#include "model/builder.h"

#include "base/arena.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(TP_TAG_COUNT <= 64, "a line says in 64 bits which keys occur");

static const uint8_t column_bytes[TP_COLUMN_COUNT] = {
	[TP_COLUMN_START] = 8,
	[TP_COLUMN_DURATION] = 8,
	[TP_COLUMN_CHIP_START] = 8,
	[TP_COLUMN_CHIP_DURATION] = 8,
	[TP_COLUMN_OP] = 4,
};

static bool
is_of_chip(enum tp_column column)
{
	return column == TP_COLUMN_CHIP_START || column == TP_COLUMN_CHIP_DURATION;
}

static void
point_to_columns(struct tp_builder *b, struct tp_line_columns *c)
{
	c->start_ps = b->columns[TP_COLUMN_START].data;
	c->duration_ps = b->columns[TP_COLUMN_DURATION].data;
	c->chip_start_ps = c->chip ? b->columns[TP_COLUMN_CHIP_START].data : c->start_ps;
	c->chip_duration_ps = c->chip ? b->columns[TP_COLUMN_CHIP_DURATION].data : c->duration_ps;
	c->op = b->columns[TP_COLUMN_OP].data;
}

void
tp_build_line_open(struct tp_builder *b, struct tp_line_columns *c)
{
	c->capacity = 0;
	c->count = 0;
	b->tags.count = 0;
	b->tags_unsorted = false;
	b->tag_keys = 0;
}

/* How many of a thing there will be, when there are `count` after this share of the line: a little more than that gives, for
 * memory that has to move is touched page by page. */
static size_t
expected(size_t count, double share)
{
	double all = (double)count / share * 1.05;

	return all < TP_NONE - 1 ? (size_t)all : TP_NONE - 1;
}

bool
tp_build_line_room(struct tp_builder *b, struct tp_line_columns *c, double share)
{
	enum { FIRST = 1024, MOST_TIMES = 8 };
	size_t capacity = c->capacity == 0 ? FIRST : expected(c->count, share);

	if (c->capacity == TP_NONE - 1)
		return false;
	/* The first events of a line may be much shorter than those that follow. */
	if (c->capacity != 0 && capacity > (size_t)c->capacity * MOST_TIMES)
		capacity = (size_t)c->capacity * MOST_TIMES;
	if (capacity < (size_t)c->capacity + c->capacity / 4)
		capacity = (size_t)c->capacity + c->capacity / 4;
	if (capacity > TP_NONE - 1)
		capacity = TP_NONE - 1;
	if (c->capacity != 0 && b->tags.count != 0) {
		size_t most = (size_t)b->tags.count * MOST_TIMES, tags = expected(b->tags.count, share);

		tp_buf_reserve(&b->tags, tags < most ? tags : most, sizeof(struct tp_tag));
	}
	for (int i = 0; i < TP_COLUMN_COUNT; i++) {
		if (!is_of_chip((enum tp_column)i) || c->chip)
			tp_buf_reserve(&b->columns[i], capacity, column_bytes[i]);
	}
	c->capacity = (uint32_t)capacity;
	point_to_columns(b, c);
	return true;
}

void
tp_build_tag(struct tp_builder *b, uint32_t event, enum tp_tag_key key, int64_t value)
{
	const struct tp_tag *tags = b->tags.data;

	if (b->tags.count != 0 && tags[b->tags.count - 1].event > event)
		b->tags_unsorted = true;
	/* No more than one of each key, so that looking through an event's tags takes no time worth mentioning. */
	for (size_t i = b->tags.count; i-- > 0 && tags[i].event == event;) {
		if (tags[i].key == (uint32_t)key)
			return;
	}
	struct tp_tag *tag = tp_buf_add(&b->tags, sizeof *tag);

	*tag = (struct tp_tag){.event = event, .key = (uint8_t)key, .value = value};
	b->tag_keys |= (uint64_t)1 << key;
}

void
tp_unbuild_tags(struct tp_builder *b, uint32_t event)
{
	const struct tp_tag *tags = b->tags.data;

	while (b->tags.count != 0 && tags[b->tags.count - 1].event == event)
		b->tags.count--;
}

/* Whether event i may stand before i + 1. */
static bool
in_order(const struct tp_line_columns *c, uint32_t i)
{
	if (c->chip_start_ps[i] != c->chip_start_ps[i + 1])
		return c->chip_start_ps[i] < c->chip_start_ps[i + 1];
	return c->chip_duration_ps[i] >= c->chip_duration_ps[i + 1];
}

struct place {
	int64_t start_ps, duration_ps;
	uint32_t event;
};

TP_ORDER(by_start, struct place, TP_UP(start_ps), TP_DOWN(duration_ps), TP_UP(event));

TP_ORDER(by_event, struct tp_tag, TP_UP(event), TP_UP(key));

static void
reorder(int64_t *column, const struct place *places, uint32_t count, int64_t *spare)
{
	for (uint32_t i = 0; i < count; i++)
		spare[i] = column[places[i].event];
	memcpy(column, spare, count * sizeof *column);
}

static void
sort_events(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_arena *scratch = tp_arena_new();
	struct place *places = tp_new_array(scratch, struct place, c->count);
	int64_t *spare = tp_new_array(scratch, int64_t, c->count);
	uint32_t *rank = tp_new_array(scratch, uint32_t, c->count);
	uint32_t *ops = tp_new_array(scratch, uint32_t, c->count);

	for (uint32_t i = 0; i < c->count; i++)
		places[i] = (struct place){c->chip_start_ps[i], c->chip_duration_ps[i], i};
	qsort(places, c->count, sizeof *places, by_start);
	reorder(c->start_ps, places, c->count, spare);
	reorder(c->duration_ps, places, c->count, spare);
	if (c->chip_start_ps != c->start_ps) {
		reorder(c->chip_start_ps, places, c->count, spare);
		reorder(c->chip_duration_ps, places, c->count, spare);
	}
	for (uint32_t i = 0; i < c->count; i++) {
		ops[i] = c->op[places[i].event];
		rank[places[i].event] = i;
	}
	memcpy(c->op, ops, c->count * sizeof *ops);
	struct tp_tag *tags = b->tags.data;

	for (size_t i = 0; i < b->tags.count; i++)
		tags[i].event = rank[tags[i].event];
	b->tags_unsorted = true;
	tp_arena_free(scratch);
}

void
tp_build_line_close(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_profile *p = b->profile;

	if (c->count == 0)
		return;
	for (uint32_t i = 0; i + 1 < c->count; i++) {
		if (!in_order(c, i)) {
			sort_events(b, c);
			break;
		}
	}
	if (b->tags_unsorted && b->tags.count != 0)
		qsort(b->tags.data, b->tags.count, sizeof(struct tp_tag), by_event);
	size_t tag_count = b->tags.count;
	const struct tp_tag *tags = tp_buf_give(&b->tags, tag_count, sizeof *tags, p->arena);
	void *columns[TP_COLUMN_COUNT];

	for (int i = 0; i < TP_COLUMN_COUNT; i++)
		columns[i] = is_of_chip((enum tp_column)i) && !c->chip
			? NULL
			: tp_buf_give(&b->columns[i], c->count, column_bytes[i], p->arena);
	struct tp_line *line = tp_buf_add(&b->lines, sizeof *line);

	*line = (struct tp_line){
		.kind = c->kind,
		.host = c->host,
		.device = c->device,
		.name = c->name,
		.process = c->process,
		.count = c->count,
		.start_ps = columns[TP_COLUMN_START],
		.duration_ps = columns[TP_COLUMN_DURATION],
		.chip_start_ps = columns[c->chip ? TP_COLUMN_CHIP_START : TP_COLUMN_START],
		.chip_duration_ps = columns[c->chip ? TP_COLUMN_CHIP_DURATION : TP_COLUMN_DURATION],
		.op = columns[TP_COLUMN_OP],
		.tags = tags,
		.tag_count = tag_count,
		.tag_keys = b->tag_keys,
	};
	p->event_count += c->count;
}
