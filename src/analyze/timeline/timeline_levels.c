/* What events are called, and cells of lines that are too long to be drawn event by event. */
#include "analyze/timeline/levels.h"

#include "analyze/core/ctx.h"
#include "analyze/timeline/timeline.h"
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
};

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
make_name(struct naming *n, const struct tp_line *line, uint32_t op)
{
	struct tp_timeline_look look;
	uint32_t number;

	if (n->names.count == MOST_NAMES)
		TP_PUSH(&n->names, struct tp_timeline_name, .name = TP_S("another name"), .tint = 2);
	if (n->names.count > MOST_NAMES)
		return MOST_NAMES;
	look = tp_timeline_look(n->t, line, op);
	struct tp_timeline_name made = {tp_timeline_name(n->t->profile, op),
		more_of(n->ctx, &n->t->profile->ops[op]), look.hue, look.tint};

	if (tp_map_number(&n->known, key_of_name(&made), &number))
		*tp_buf_new(&n->names, struct tp_timeline_name) = made;
	return number;
}

/* In the order in which events are of them: the first are likely to be those of many. */
static void
name_events(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	uint32_t *name_of = tp_new_array(ctx->keep, uint32_t, t->profile->op_count);
	struct naming n = {.ctx = ctx, .t = t};

	tp_map_init(&n.known, ctx->scratch);
	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_line *line = t->lines[i].line;

		for (uint32_t k = 0; k < line->count; k++) {
			uint32_t op = tp_line_op(line, k);

			if (name_of[op] == 0)
				name_of[op] = make_name(&n, line, op) + 1;
		}
	}
	t->name_of = name_of;
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

struct summing {
	const struct tp_timeline_found *t;
	struct tp_timeline_line **lines; /* those with levels */
	struct tp_arena **keep;          /* of each */
	uint64_t most_cells;             /* of a lane */
};

static void
sum_up(void *with, size_t index)
{
	const struct summing *s = with;
	struct tp_timeline_line *line = s->lines[index];
	struct tp_arena *scratch = tp_arena_new();
	struct tp_levels *levels = tp_new(scratch, struct tp_levels);
	struct tp_buf tiles = {0};
	struct tp_time_window w;

	tp_line_window(&w, line->line);
	s->keep[index] = tp_arena_new();
	levels->shift = tp_level_shift(s->t->high_ps, cells_for(line, s->most_cells));
	for (uint32_t i = 0; i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place_in(line, &w, i);

		tp_levels_add(levels, line->lane_of[i], at.from_ps, at.to_ps,
			s->t->name_of[tp_line_op(line->line, i)] - 1);
	}
	tp_levels_finish(levels, s->t->high_ps, &tiles, s->keep[index]);
	line->level_count = tiles.count;
	line->levels = tp_buf_settle(&tiles, sizeof(struct tp_timeline_tile), s->keep[index]);
	tp_arena_free(scratch);
}

void
tp_timeline_sum_up(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	struct summing s = {t, tp_new_array(ctx->scratch, struct tp_timeline_line *, t->line_count),
		tp_new_array(ctx->scratch, struct tp_arena *, t->line_count), most_cells(ctx, t)};
	size_t count = 0;

	name_events(ctx, t);
	for (size_t i = 0; i < t->line_count; i++) {
		if (has_levels(&t->lines[i]))
			s.lines[count++] = &t->lines[i];
	}
	tp_pool_each(ctx->options->pool, count, sum_up, &s);
	for (size_t i = 0; i < count; i++)
		tp_arena_join(ctx->keep, s.keep[i]);
}
