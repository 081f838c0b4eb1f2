/* What events are called, and cells of lines that are too long to be drawn event by event. */
#include "analyze/timeline/levels.h"

#include "analyze/core/ctx.h"
#include "analyze/core/time_class.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/timeline/lanes.h"
#include "analyze/timeline/timeline.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/pool.h"
#include "model/profile.h"

enum {
	LEVELS_FROM = 1 << 12, /* a line with fewer events has no levels */
	EVENTS_A_CELL = 4,     /* where all events are kept, cells need not be finer */
	MOST_CELLS = 1 << 15,  /* of a lane */
	PART_OF_ROOM = 4,      /* that cells may take, a byte each */
	MOST_NAMES = 50000,
	PARTED_FROM = 1 << 18, /* events of a line that several threads sum up */
	MOST_PARTS = 8,
};
#define SETS_UP UINT32_MAX /* an event of it may be so long that it sets up a device */

struct naming {
	const struct tp_pass_ctx *ctx;
	const struct tp_timeline_found *t;
	struct tp_buf names; /* struct tp_timeline_name */
	struct tp_map known; /* from what a name is to its place, so that equal ones are one */
};

static struct tp_slice
more_of(const struct tp_pass_ctx *ctx, const struct tp_op *op)
{
	const struct tp_slice parts[] = {op->framework, op->source, op->shape};
	struct tp_slice more = TP_S("");

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (parts[i].len != 0)
			more = more.len == 0
				? parts[i]
				: tp_arena_printf(ctx->keep, "%.*s · %.*s", TP_ARG(more), TP_ARG(parts[i]));
	}
	return more;
}

static uint64_t
key_of_name(const struct tp_timeline_name *n)
{
	return tp_hash_pair(tp_hash_pair(tp_hash_bytes(n->name), tp_hash_bytes(n->more)),
		(uint64_t)n->hue << 8 | (uint64_t)n->tint);
}

static uint32_t
make_name(struct naming *n, uint32_t op, struct tp_timeline_look look)
{
	uint32_t number;

	if (n->names.count == MOST_NAMES)
		TP_PUSH(&n->names, struct tp_timeline_name, .name = TP_S("another name"), .tint = 2);
	if (n->names.count > MOST_NAMES)
		return MOST_NAMES;
	struct tp_timeline_name made = {.name = tp_timeline_name(n->t->profile, op),
		.more = more_of(n->ctx, &n->t->profile->ops[op]),
		.hue = look.hue,
		.tint = look.tint};

	if (tp_map_number(&n->known, key_of_name(&made), &number)) {
		struct tp_slice shown = tp_kernel_shown(made.name, n->ctx->keep);

		if (shown.len != made.name.len)
			made.shown = shown;
		*tp_buf_new(&n->names, struct tp_timeline_name) = made;
	}
	return number;
}

/* Names of calls of which some are so long that they set up a device. */
static void
name_setup(const struct tp_timeline_found *t, struct naming *n, uint32_t *setup_name_of)
{
	const struct tp_class_info *setup = tp_class_info(TP_CLASS_SETUP);

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_timeline_line *line = &t->lines[i];
		struct tp_time_window w;

		if (line->line->kind != TP_LINE_TORCH || line->line->device != TP_NONE)
			continue;
		tp_line_window(&w, line->line);
		for (uint32_t k = 0; k < line->line->count; k++) {
			uint32_t op = tp_line_op(line->line, k);

			if (setup_name_of[op] != SETS_UP)
				continue;
			struct tp_timeline_place at = tp_timeline_place_in(line, &w, k);

			if (tp_torch_name_sets_up(t->profile->ops[op].name, (int64_t)(at.to_ps - at.from_ps)))
				setup_name_of[op] =
					make_name(n, op, (struct tp_timeline_look){setup->hue, setup->tint}) + 1;
		}
	}
}

/* In the order in which events are of them: the first are likely to be those of many. */
static void
name_events(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	uint32_t *name_of = tp_new_array(ctx->keep, uint32_t, t->profile->op_count);
	uint32_t *setup_name_of = tp_new_array(ctx->keep, uint32_t, t->profile->op_count);
	struct naming n = {.ctx = ctx, .t = t};

	tp_map_init(&n.known, ctx->scratch);
	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_line *line = t->lines[i].line;

		for (uint32_t k = 0; k < tp_line_met_count(line); k++) {
			uint32_t op = tp_line_met(line, k);

			if (name_of[op] != 0)
				continue;
			struct tp_timeline_look look = tp_timeline_look(t, line, op),
									longest = tp_timeline_look_of_event(t, line, op, UINT64_MAX);

			name_of[op] = make_name(&n, op, look) + 1;
			if (longest.hue != look.hue)
				setup_name_of[op] = SETS_UP;
		}
	}
	name_setup(t, &n, setup_name_of);
	t->name_of = name_of;
	t->setup_name_of = setup_name_of;
	t->name_count = n.names.count;
	t->names = tp_buf_settle(&n.names, sizeof(struct tp_timeline_name), ctx->keep);
}

static bool
has_levels(const struct tp_timeline_line *line)
{
	return line->line->count >= LEVELS_FROM || !line->whole;
}

/* How many cells a lane may have, so that those of all lines take no more than a part of the room. */
static uint64_t
most_cells(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t)
{
	uint64_t lanes = 0, cells = MOST_CELLS, room = ctx->options->timeline_bytes / PART_OF_ROOM;

	for (size_t i = 0; i < t->line_count; i++)
		lanes += t->lines[i].line->count >= LEVELS_FROM ? t->lines[i].lanes : 0;
	while (cells > TP_COARSEST_CELLS && lanes * cells > room)
		cells >>= TP_LEVEL_SHIFT;
	return cells;
}

static uint64_t
cells_for(const struct tp_timeline_line *line, uint64_t most)
{
	uint64_t events = line->line->count, cells = TP_COARSEST_CELLS;
	uint64_t wanted = line->whole ? events / EVENTS_A_CELL : events;

	while (cells < wanted && cells < most)
		cells <<= TP_LEVEL_SHIFT;
	return cells;
}

/* Events of a line that begin in a stretch of time, in the hands of one thread. */
struct part {
	const struct tp_timeline_found *t;
	const struct tp_timeline_line *line;
	uint32_t first, end;
	uint64_t from_ps, to_ps; /* where cells begin; what lies beyond is another part's */
	struct tp_levels *levels;
};

uint32_t
tp_timeline_name_number(const struct tp_timeline_found *t, uint32_t op, uint64_t duration_ps)
{
	bool sets_up = t->setup_name_of[op] != 0 &&
		tp_torch_name_sets_up(t->profile->ops[op].name, (int64_t)duration_ps);

	return (sets_up ? t->setup_name_of[op] : t->name_of[op]) - 1;
}

static uint32_t
name_of(const struct part *p, uint32_t event, struct tp_timeline_place at)
{
	return tp_timeline_name_number(p->t, tp_line_op(p->line->line, event), at.to_ps - at.from_ps);
}

/* Of the parts before only the last event of a lane can reach into this one, which has no time where the next begins in the same cell. */
static void
resume(struct part *p)
{
	if (p->from_ps == p->to_ps)
		return;
	for (unsigned lane = 0; lane < p->line->lanes; lane++) {
		const uint8_t *last = memrchr(p->line->lane_of, (int)lane, p->first);

		if (last == NULL)
			continue;
		uint32_t event = (uint32_t)(last - p->line->lane_of);
		struct tp_timeline_place at = tp_timeline_place(p->line, event);

		if (at.to_ps > p->from_ps)
			tp_levels_resume(p->levels, lane, p->from_ps, at.to_ps < p->to_ps ? at.to_ps : p->to_ps,
				name_of(p, event, at));
	}
}

static void
sum_up(void *with, size_t index)
{
	struct part *p = (struct part *)with + index;
	const struct tp_timeline_line *line = p->line;
	struct tp_time_window w;

	resume(p);
	tp_line_window(&w, line->line);
	for (uint32_t i = p->first; i < p->end; i++) {
		struct tp_timeline_place at = tp_timeline_place_in(line, &w, i);

		tp_levels_add(p->levels, line->lane_of[i], at.from_ps,
			at.to_ps < p->to_ps ? at.to_ps : p->to_ps, name_of(p, i, at));
	}
}

/* A line with levels, and its parts. */
struct levelled {
	const struct tp_timeline_found *t;
	struct tp_timeline_line *line;
	struct part *parts;
	size_t part_count;
	struct tp_arena *keep; /* its own */
};

/* Puts the parts together, and makes coarser levels of them. */
static void
finish_line(void *with, size_t index)
{
	struct levelled *l = (struct levelled *)with + index;
	struct tp_levels *all = l->parts[0].levels;
	struct tp_buf tiles = {0};

	for (size_t k = 1; k < l->part_count; k++)
		tp_levels_join(all, l->parts[k].levels);
	l->keep = tp_arena_new();
	tp_levels_finish(all, l->t->high_ps, &tiles, l->keep);
	l->line->level_count = tiles.count;
	l->line->levels = tp_buf_settle(&tiles, sizeof(struct tp_timeline_tile), l->keep);
}

/* A line that has most of the events alone would keep one thread busy and the others idle. In the last lane of all events may overlap,
 * so that more than the last of them can reach into the next part. */
static size_t
parts_of(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	const struct tp_timeline_line *line)
{
	uint64_t events = line->line->count, threads = tp_pool_threads(ctx->options->pool);
	uint64_t parts = threads < MOST_PARTS ? threads : MOST_PARTS;

	return events < PARTED_FROM || events * threads < t->events || line->lanes == TP_MOST_LANES
		? 1
		: (size_t)parts;
}

static struct levelled
open_line(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	struct tp_timeline_line *line, uint64_t most, struct part *parts)
{
	size_t count = parts_of(ctx, t, line);
	unsigned shift = tp_level_shift(t->high_ps, cells_for(line, most));

	for (size_t k = 0; k < count; k++) {
		uint32_t middle = (uint32_t)((uint64_t)line->line->count * k / count);
		uint64_t from_ps = k != 0 ? tp_timeline_place(line, middle).from_ps >> shift << shift : 0;

		parts[k] = (struct part){.t = t, .line = line, .from_ps = from_ps, .to_ps = UINT64_MAX};
		parts[k].first = k != 0 ? tp_timeline_first_from(line, from_ps) : 0;
		parts[k].end = line->line->count;
		parts[k].levels = tp_new(ctx->scratch, struct tp_levels);
		parts[k].levels->shift = shift;
		if (k != 0) {
			parts[k - 1].end = parts[k].first;
			parts[k - 1].to_ps = from_ps;
		}
	}
	return (struct levelled){t, line, parts, count, NULL};
}

void
tp_timeline_sum_up(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	uint64_t most = most_cells(ctx, t);
	struct levelled *lines = tp_new_array(ctx->scratch, struct levelled, t->line_count);
	struct part *parts = tp_new_array(ctx->scratch, struct part, t->line_count * MOST_PARTS);
	size_t count = 0, part_count = 0;

	name_events(ctx, t);
	for (size_t i = 0; i < t->line_count; i++) {
		if (!has_levels(&t->lines[i]))
			continue;
		lines[count] = open_line(ctx, t, &t->lines[i], most, parts + part_count);
		part_count += lines[count++].part_count;
	}
	tp_pool_each(ctx->options->pool, part_count, sum_up, parts);
	tp_pool_each(ctx->options->pool, count, finish_line, lines);
	for (size_t i = 0; i < count; i++)
		tp_arena_join(ctx->keep, lines[i].keep);
}
