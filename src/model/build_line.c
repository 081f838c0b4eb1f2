/* One line: events go into columns as they come, a stage at a time. */
#include "model/builder.h"

#include "base/arena.h"

#include <assert.h>
#include <string.h>

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
	b->events_unsorted = false;
	b->expected_events = 0;
	b->tags.count = 0;
	b->tags_unsorted = false;
	b->tag_keys = 0;
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

/* What has come goes into the columns. */
static void
take(struct tp_builder *b, struct tp_line_columns *c)
{
	if (c->count == 0)
		return;
	b->events_unsorted = b->events_unsorted || !in_order(b, c);
	b->last_start_ps = c->chip_start_ps[c->count - 1];
	b->last_duration_ps = c->chip_duration_ps[c->count - 1];
	tp_line_draft_add(&b->line, c);
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
	tp_line_draft_reserve(&b->line, c->chip, events);
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
	return c->first < TP_NONE - 1 - events && tp_line_draft_may_grow(&b->line, events);
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
tp_build_duration(
	struct tp_builder *b, struct tp_line_columns *c, uint32_t event, int64_t duration_ps)
{
	assert(!c->chip);
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
tp_build_line_close(struct tp_builder *b, struct tp_line_columns *c)
{
	struct tp_profile *p = b->profile;

	take(b, c);
	if (c->first == 0)
		return;
	if (b->events_unsorted)
		tp_build_line_sort(b, c);
	tp_build_tags_sort(b);
	size_t tag_count = b->tags.count;
	const struct tp_tag *tags = tp_buf_give(&b->tags, tag_count, sizeof *tags, p->events);
	struct tp_line *line = tp_buf_add(&b->lines, sizeof *line);

	*line = tp_line_draft_give(&b->line, c->chip, p->events);
	line->kind = c->kind;
	line->host = c->host;
	line->device = c->device;
	line->name = c->name;
	line->process = c->process;
	line->thread = c->thread;
	line->count = c->first;
	line->tags = tags;
	line->tag_count = tag_count;
	line->tag_keys = b->tag_keys;
	p->event_count += c->first;
}
