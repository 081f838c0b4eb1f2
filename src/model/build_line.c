/* One line: events in columns as they come, sorted by their start when they do not come so, and the tags of each. */
#include "model/builder.h"

#include "base/arena.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(TP_TAG_COUNT <= 64, "a line says in 64 bits which keys occur");

void
tp_build_line_open(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_line_stage *s = &b->stage;

	c->first = c->capacity = c->count = 0;
	c->start_ps = s->start_ps;
	c->duration_ps = s->duration_ps;
	c->chip_start_ps = c->chip ? s->chip_start_ps : s->start_ps;
	c->chip_duration_ps = c->chip ? s->chip_duration_ps : s->duration_ps;
	c->op = s->op;
	b->line.follows = b->line.host_unsorted = false;
	b->events_unsorted = false;
	b->expected_events = 0;
	b->tags.count = 0;
	b->tags_unsorted = false;
	b->tag_keys = 0;
}

void
tp_line_draft_free(struct tp_line_draft *line)
{
	tp_times_free(&line->host);
	tp_times_free(&line->chip);
	tp_clock_free(&line->second);
	tp_ops_free(&line->ops);
}

/* Whether an event may stand before the next. */
static bool
may_precede(int64_t start_ps, int64_t duration_ps, int64_t next_start_ps, int64_t next_duration_ps)
{
	return start_ps != next_start_ps ? start_ps < next_start_ps : duration_ps >= next_duration_ps;
}

static bool
in_order(const struct tp_builder *b, const struct tp_line_columns *c)
{
	const int64_t *start = c->chip_start_ps, *duration = c->chip_duration_ps;

	if (c->first != 0 && !may_precede(b->last_start_ps, b->last_duration_ps, start[0], duration[0]))
		return false;
	for (uint32_t i = 0; i + 1 < c->count; i++) {
		if (!may_precede(start[i], duration[i], start[i + 1], duration[i + 1]))
			return false;
	}
	return true;
}

/* Whether starts by the host's clock are in the order of the chip's. */
static bool
host_in_order(const struct tp_line_draft *line, const struct tp_line_columns *c)
{
	bool late = c->first != 0 && c->start_ps[0] < line->last_host_ps;

	for (uint32_t i = 1; i < c->count; i++)
		late |= c->start_ps[i] < c->start_ps[i - 1];
	return !late;
}

static void
add_both_clocks(struct tp_line_draft *line, const struct tp_line_columns *c)
{
	const struct tp_both_clocks both = {
		c->chip_start_ps, c->chip_duration_ps, c->start_ps, c->duration_ps};

	tp_ticks_add(&line->chip, c->chip_start_ps, c->chip_duration_ps, c->count);
	if (c->first == 0)
		line->follows = tp_clock_begin(&line->second, &both, c->count);
	if (line->follows)
		tp_clock_add(&line->second, &both, c->count);
	else
		tp_times_add(&line->host, c->start_ps, c->duration_ps, c->count);
	line->host_unsorted = line->host_unsorted || !host_in_order(line, c);
	line->last_host_ps = c->start_ps[c->count - 1];
}

/* What has come goes into the columns. */
static void
take(struct tp_builder *b, struct tp_line_columns *c)
{
	if (c->count == 0)
		return;
	b->events_unsorted = b->events_unsorted || !in_order(b, c);
	b->last_start_ps = c->chip_start_ps[c->count - 1];
	b->last_duration_ps = c->chip_duration_ps[c->count - 1];
	if (c->chip)
		add_both_clocks(&b->line, c);
	else
		tp_times_add(&b->line.host, c->start_ps, c->duration_ps, c->count);
	tp_ops_add(&b->line.ops, c->op, c->count);
	c->first += c->count;
	c->count = 0;
}

/* How many of a thing there will be, when there are `count` after this share of the line: a little more than that gives, for
 * memory that has to move is touched page by page. */
static size_t
expected(size_t count, double share)
{
	double all = (double)count / share * 1.05;

	return all < TP_NONE - 1 ? (size_t)all : TP_NONE - 1;
}

static void
reserve(struct tp_builder *b, const struct tp_line_columns *c, uint32_t coming, double share)
{
	enum { FEW_EVENTS = 65536, MOST_TIMES = 8 };
	size_t events = expected(c->first, share);

	if (c->first == 0 || (size_t)c->first + coming <= b->expected_events)
		return;
	/* The first events of a line may be much shorter than those that follow. */
	if (c->first < FEW_EVENTS && events > (size_t)c->first * MOST_TIMES)
		events = (size_t)c->first * MOST_TIMES;
	if (events < (size_t)c->first + c->first / 4 + coming)
		events = (size_t)c->first + c->first / 4 + coming;
	b->expected_events = events;
	if (c->chip)
		tp_times_reserve(&b->line.chip, events);
	if (b->line.follows)
		tp_clock_reserve(&b->line.second, events);
	else
		tp_times_reserve(&b->line.host, events);
	tp_ops_reserve(&b->line.ops, events);
	if (b->tags.count != 0) {
		size_t most = b->tags.count * MOST_TIMES, tags = expected(b->tags.count, share);

		if (c->first < FEW_EVENTS && tags > most)
			tags = most;
		tp_buf_reserve(&b->tags, tags, sizeof(struct tp_tag));
	}
}

static bool
may_grow(const struct tp_builder *b, const struct tp_line_columns *c, uint32_t events)
{
	return c->first < TP_NONE - 1 - events && tp_times_may_grow(&b->line.host, events) &&
		tp_times_may_grow(&b->line.chip, events);
}

bool
tp_build_line_room(struct tp_builder *b, struct tp_line_columns *c, double share)
{
	take(b, c);
	if (!may_grow(b, c, TP_STAGE_EVENTS)) {
		c->capacity = 0;
		return false;
	}
	reserve(b, c, TP_STAGE_EVENTS, share);
	c->capacity = TP_STAGE_EVENTS;
	return true;
}

/* Events of a part from number `at` on, as columns of the line: they go into it without being copied to the stage before. */
static struct tp_line_columns
as_stage(const struct tp_line_columns *c, const struct tp_line_columns *part, uint32_t at)
{
	struct tp_line_columns stage = *c;

	stage.start_ps = part->start_ps + at;
	stage.duration_ps = part->duration_ps + at;
	stage.chip_start_ps = (c->chip ? part->chip_start_ps : part->start_ps) + at;
	stage.chip_duration_ps = (c->chip ? part->chip_duration_ps : part->duration_ps) + at;
	stage.op = part->op + at;
	return stage;
}

/* As many of the part's events as the stage has room for. */
static uint32_t
fill_stage(struct tp_line_columns *c, const struct tp_line_columns *part, uint32_t at)
{
	struct tp_line_columns from = as_stage(c, part, at);
	uint32_t room = c->capacity - c->count, left = part->count - at;
	uint32_t count = left < room ? left : room;

	memcpy(c->start_ps + c->count, from.start_ps, count * sizeof *c->start_ps);
	memcpy(c->duration_ps + c->count, from.duration_ps, count * sizeof *c->duration_ps);
	if (c->chip) {
		memcpy(c->chip_start_ps + c->count, from.chip_start_ps, count * sizeof *c->chip_start_ps);
		memcpy(c->chip_duration_ps + c->count, from.chip_duration_ps,
			count * sizeof *c->chip_duration_ps);
	}
	memcpy(c->op + c->count, from.op, count * sizeof *c->op);
	c->count += count;
	return count;
}

bool
tp_build_line_part(struct tp_builder *b, struct tp_line_columns *c,
	const struct tp_line_columns *part, double share)
{
	for (uint32_t at = 0; at < part->count;) {
		if (c->count == c->capacity && !tp_build_line_room(b, c, share))
			return false;
		uint32_t whole = (part->count - at) & ~(uint32_t)(TP_STAGE_EVENTS - 1);

		if (c->count != 0 || whole == 0 || !may_grow(b, c, whole)) {
			at += fill_stage(c, part, at);
			continue;
		}
		struct tp_line_columns stage = as_stage(c, part, at);

		reserve(b, c, whole, share);
		stage.count = whole;
		take(b, &stage);
		c->first = stage.first;
		c->capacity = 0;
		at += whole;
	}
	return true;
}

void
tp_build_tags_of(struct tp_builder *b, uint32_t first, struct tp_builder *of, uint64_t string_keys,
	const uint32_t *strings)
{
	size_t count = of->tags.count;
	const struct tp_tag *from = of->tags.data;
	struct tp_tag *to = tp_buf_extend(&b->tags, count, sizeof *to);

	for (size_t i = 0; i < count; i++) {
		to[i] = from[i];
		to[i].event += first;
		if (string_keys >> from[i].key & 1)
			to[i].value = strings[from[i].value];
	}
	b->tag_keys |= of->tag_keys;
	of->tags.count = 0;
	of->tag_keys = 0;
}

void
tp_build_duration(
	struct tp_builder *b, struct tp_line_columns *c, uint32_t event, int64_t duration_ps)
{
	if (event >= c->first) {
		c->duration_ps[event - c->first] = duration_ps;
		return;
	}
	tp_times_set_duration(&b->line.host, event, duration_ps);
	struct tp_times times = tp_times_so_far(&b->line.host);
	int64_t start_ps = tp_times_start_ps(&times, event);

	if (event != 0 &&
		!may_precede(tp_times_start_ps(&times, event - 1), tp_times_duration_ps(&times, event - 1),
			start_ps, duration_ps))
		b->events_unsorted = true;
	if (event + 1 == c->first)
		b->last_duration_ps = duration_ps;
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

struct place {
	int64_t start_ps, duration_ps;
	uint32_t event;
};

TP_ORDER(by_start, struct place, TP_UP(start_ps), TP_DOWN(duration_ps), TP_UP(event));

TP_ORDER(by_event, struct tp_tag, TP_UP(event), TP_UP(key));

/* The columns of the line again, with its events in this order. */
static void
put_in_order(
	struct tp_builder *b, struct tp_line_columns *c, const struct place *places, uint32_t count)
{
	struct tp_line_draft line = b->line;
	struct tp_times chip_times = tp_times_so_far(&line.chip);
	struct tp_times host_times =
		line.follows ? tp_clock_so_far(&line.second, &chip_times) : tp_times_so_far(&line.host);
	struct tp_op_column op = tp_ops_so_far(&line.ops);

	b->line = (struct tp_line_draft){.follows = false};
	c->first = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t event = places[i].event;

		c->start_ps[c->count] = tp_times_start_ps(&host_times, event);
		c->duration_ps[c->count] = tp_times_duration_ps(&host_times, event);
		if (c->chip) {
			c->chip_start_ps[c->count] = tp_times_start_ps(&chip_times, event);
			c->chip_duration_ps[c->count] = tp_times_duration_ps(&chip_times, event);
		}
		c->op[c->count++] = tp_op_column_at(&op, event);
		if (c->count == TP_STAGE_EVENTS)
			take(b, c);
	}
	take(b, c);
	tp_line_draft_free(&line);
}

static void
sort_events(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_arena *scratch = tp_arena_new();
	uint32_t count = c->first;
	struct place *places = tp_new_array(scratch, struct place, count);
	uint32_t *rank = tp_new_array(scratch, uint32_t, count);
	struct tp_times times = tp_times_so_far(c->chip ? &b->line.chip : &b->line.host);
	struct tp_tag *tags = b->tags.data;

	for (uint32_t i = 0; i < count; i++)
		places[i] =
			(struct place){tp_times_start_ps(&times, i), tp_times_duration_ps(&times, i), i};
	qsort(places, count, sizeof *places, by_start);
	put_in_order(b, c, places, count);
	for (uint32_t i = 0; i < count; i++)
		rank[places[i].event] = i;
	for (size_t i = 0; i < b->tags.count; i++)
		tags[i].event = rank[tags[i].event];
	b->tags_unsorted = true;
	tp_arena_free(scratch);
}

static void
give_times(
	struct tp_builder *b, bool chip, struct tp_times *host_times, struct tp_times *chip_times)
{
	struct tp_arena *events = b->profile->events;

	if (chip)
		*chip_times = tp_times_give(&b->line.chip, events);
	*host_times = b->line.follows ? tp_clock_give(&b->line.second, chip_times, events)
								  : tp_times_give(&b->line.host, events);
	if (!chip)
		*chip_times = *host_times;
}

void
tp_build_line_close(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_profile *p = b->profile;

	take(b, c);
	if (c->first == 0)
		return;
	if (b->events_unsorted)
		sort_events(b, c);
	if (b->tags_unsorted && b->tags.count != 0)
		qsort(b->tags.data, b->tags.count, sizeof(struct tp_tag), by_event);
	size_t tag_count = b->tags.count;
	const struct tp_tag *tags = tp_buf_give(&b->tags, tag_count, sizeof *tags, p->events);
	struct tp_times host_times, chip_times;

	give_times(b, c->chip, &host_times, &chip_times);
	struct tp_line *line = tp_buf_add(&b->lines, sizeof *line);

	*line = (struct tp_line){
		.kind = c->kind,
		.host = c->host,
		.device = c->device,
		.name = c->name,
		.process = c->process,
		.thread = c->thread,
		.count = c->first,
		.host_times = host_times,
		.chip_times = chip_times,
		.host_unsorted = b->line.host_unsorted,
		.ops = tp_ops_give(&b->line.ops, p->events),
		.tags = tags,
		.tag_count = tag_count,
		.tag_keys = b->tag_keys,
	};
	p->event_count += c->first;
}
