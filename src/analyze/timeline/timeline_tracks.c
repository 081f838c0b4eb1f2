/* Names, groups and tiles of a timeline: all events of short lines, of long ones those of the drawn steps, and levels of cells. */
#include "analyze/timeline/timeline.h"

#include "analyze/core/say.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/arguments.h"
#include "analyze/timeline/flows.h"
#include "analyze/timeline/levels.h"
#include "analyze/timeline/tiles.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

enum {
	TILE_EVENTS = 1 << 14,
	LEVELS_FROM = 1 << 12, /* a line with fewer events has no levels */
	EVENTS_A_CELL = 4,     /* where all events are kept, cells need not be finer */
	MOST_CELLS = 1 << 15,  /* of a lane */
	PART_OF_ROOM = 4,      /* that cells may take, a byte each */
	MOST_NAMES = 50000,
};

struct filling {
	const struct tp_pass_ctx *ctx;
	const struct tp_timeline_found *t;
	uint32_t *name_of;   /* of an operation, counted from 1; 0: not asked for yet */
	struct tp_buf names; /* struct tp_timeline_name */
	struct tp_map known; /* from what a name is to its place, so that equal ones are one */
	uint32_t others;     /* the name that stands for all beyond MOST_NAMES */
	struct tp_arguments arguments;
	uint64_t most_cells; /* of a lane */
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
name_of(struct filling *f, const struct tp_line *line, uint32_t op)
{
	struct tp_timeline_look look;

	if (f->name_of[op] != 0)
		return f->name_of[op] - 1;
	if (f->names.count == MOST_NAMES) {
		TP_PUSH(&f->names, struct tp_timeline_name, .name = TP_S("another name"), .tint = 2);
		f->others = (uint32_t)f->names.count;
	}
	if (f->names.count > MOST_NAMES)
		return (f->name_of[op] = f->others) - 1;
	look = tp_timeline_look(f->t, line, op);
	struct tp_timeline_name made = {tp_timeline_name(f->t->profile, op),
		more_of(f->ctx, &f->t->profile->ops[op]), look.hue, look.tint};
	uint32_t number;

	if (tp_map_number(&f->known, key_of_name(&made), &number))
		*tp_buf_new(&f->names, struct tp_timeline_name) = made;
	return (f->name_of[op] = number + 1) - 1;
}

/* Tiles of all events, or of those that start in one of the spans. */
struct event_tiles {
	struct tp_buf events; /* struct tp_tile_event, of the tile in hand */
	struct tp_buf *tiles; /* struct tp_timeline_tile */
	uint64_t tick_ps;
	bool arguments; /* whether tiles have a column of these */
	struct tp_arena *keep;
};

static void
finish_tile(struct event_tiles *e, uint64_t to_ps)
{
	if (e->events.count == 0)
		return;
	*tp_buf_new(e->tiles, struct tp_timeline_tile) = tp_tile_of_events(
		e->events.data, e->events.count, to_ps, e->tick_ps, e->arguments, e->keep);
	e->events.count = 0;
}

/* Events that start at once are in one tile: its end is where the next begins. */
static void
add_event(struct event_tiles *e, struct tp_timeline_place at, uint32_t name, unsigned lane,
	uint32_t argument)
{
	const struct tp_tile_event *events = e->events.data;

	if (e->events.count >= TILE_EVENTS && events[e->events.count - 1].from_ps != at.from_ps)
		finish_tile(e, at.from_ps);
	TP_PUSH(&e->events, struct tp_tile_event, at.from_ps, at.to_ps - at.from_ps, name,
		(uint8_t)lane, argument);
}

/* How many cells a lane may have, so that those of all lines take no more than a part of the room. */
static uint64_t
most_cells(const struct filling *f)
{
	uint64_t lanes = 0, cells = MOST_CELLS, room = f->ctx->options->timeline_bytes / PART_OF_ROOM;

	for (size_t i = 0; i < f->t->line_count; i++)
		lanes += f->t->lines[i].line->count >= LEVELS_FROM ? f->t->lines[i].lanes : 0;
	while (cells > TP_COARSEST_CELLS && lanes * cells > room)
		cells >>= TP_LEVEL_SHIFT;
	return cells;
}

static uint64_t
cells_for(const struct filling *f, uint64_t events, bool whole)
{
	uint64_t cells = TP_COARSEST_CELLS, wanted = whole ? events / EVENTS_A_CELL : events;

	while (cells < wanted && cells < f->most_cells)
		cells <<= TP_LEVEL_SHIFT;
	return cells;
}

/* Whether any event that is kept in full has arguments. */
static bool
has_arguments(struct filling *f, const struct tp_timeline_line *line)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->line->count && (line->whole || line->in_part); i++) {
		if (tp_timeline_keeps(f->t, line, i) && tp_argument_of(&f->arguments, line, i, &tag) != 0)
			return true;
	}
	return false;
}

/* As tp_timeline_part, for times that hardly ever go back: `part` is the first that has not ended. */
static const struct tp_stretch *
part_at(const struct tp_timeline_found *t, size_t *part, uint64_t at_ps)
{
	if (*part != 0 && t->parts[*part - 1].to_ps > at_ps)
		*part = 0;
	while (*part < t->part_count && t->parts[*part].to_ps <= at_ps)
		++*part;
	return *part < t->part_count && t->parts[*part].from_ps <= at_ps ? &t->parts[*part] : NULL;
}

static struct tp_timeline_track
fill_track(struct filling *f, const struct tp_timeline_line *line)
{
	bool whole = line->whole, parts = line->in_part, arguments = has_arguments(f, line);
	const struct tp_line *of = line->line;
	struct tp_buf tiles = {0};
	struct event_tiles e = {
		.tiles = &tiles, .tick_ps = line->tick_ps, .arguments = arguments, .keep = f->ctx->keep};
	struct tp_levels *levels =
		of->count >= LEVELS_FROM || !whole ? tp_new(f->ctx->scratch, struct tp_levels) : NULL;
	const struct tp_stretch *in = NULL;
	size_t tag = 0, part = 0;

	if (levels != NULL)
		levels->shift = tp_level_shift(f->t->high_ps, cells_for(f, of->count, whole));
	for (uint32_t i = 0; i < of->count; i++) {
		struct tp_timeline_place at = tp_timeline_place(line, i);
		unsigned lane = line->lane_of[i];
		uint32_t name = name_of(f, of, tp_line_op(of, i));

		if (levels != NULL)
			tp_levels_add(levels, lane, at.from_ps, at.to_ps, name);
		if (parts && in != NULL && at.from_ps >= in->to_ps)
			finish_tile(&e, in->to_ps);
		in = parts ? part_at(f->t, &part, at.from_ps) : NULL;
		if (whole || in != NULL)
			add_event(
				&e, at, name, lane, arguments ? tp_argument_of(&f->arguments, line, i, &tag) : 0);
	}
	finish_tile(&e, in != NULL ? in->to_ps : f->t->high_ps + 1);
	if (levels != NULL)
		tp_levels_finish(levels, f->t->high_ps, &tiles, f->ctx->keep);
	tp_buf_free(&e.events);
	size_t tile_count = tiles.count;

	return (struct tp_timeline_track){
		.name = tp_timeline_line_name(of),
		.kind = tp_timeline_kind(of),
		.lanes = line->lanes,
		.events = of->count,
		.arguments = arguments,
		.tick_ps = (double)line->tick_ps,
		.tile_count = tile_count,
		.tiles = tp_buf_settle(&tiles, sizeof(struct tp_timeline_tile), f->ctx->keep),
	};
}

static void
fill_groups(struct filling *f, struct tp_timeline *out)
{
	const struct tp_timeline_found *t = f->t;
	struct tp_timeline_track *tracks =
		tp_new_array(f->ctx->keep, struct tp_timeline_track, t->line_count);
	struct tp_buf groups = {0};

	for (size_t i = 0, next; i < t->line_count; i = next) {
		const struct tp_line *first = t->lines[i].line;

		for (next = i; next < t->line_count && tp_timeline_same_group(first, t->lines[next].line);
			 next++)
			tracks[next] = fill_track(f, &t->lines[next]);
		struct tp_timeline_group *group = tp_buf_new(&groups, struct tp_timeline_group);

		*group = (struct tp_timeline_group){
			.name = tp_timeline_group_name(f->ctx, first),
			.tracks = tracks + i,
			.track_count = next - i,
		};
		tp_timeline_counters(f->ctx, t, i, next - i, group);
	}
	out->group_count = groups.count;
	out->groups = tp_buf_settle(&groups, sizeof(struct tp_timeline_group), f->ctx->keep);
}

void
tp_timeline_fill(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out)
{
	struct filling f = {.ctx = ctx,
		.t = t,
		.name_of = tp_new_array(ctx->scratch, uint32_t, ctx->profile->op_count)};

	tp_map_init(&f.known, ctx->scratch);
	tp_arguments_init(&f.arguments, ctx);
	f.most_cells = most_cells(&f);
	fill_groups(&f, out);
	tp_arguments_give(&f.arguments, out);
	out->name_count = f.names.count;
	out->names = tp_buf_settle(&f.names, sizeof(struct tp_timeline_name), ctx->keep);
}
