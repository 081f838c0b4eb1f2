/* Groups and tiles of a timeline: all events of short lines, of long ones those of the stretches that are kept, and levels of cells. */
#include "analyze/timeline/timeline.h"

#include "analyze/timeline/arguments.h"
#include "analyze/timeline/flows.h"
#include "analyze/timeline/tiles.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/spread.h"
#include "model/profile.h"

enum { TILE_EVENTS = 1 << 14 };

struct filling {
	const struct tp_pass_ctx *ctx;
	const struct tp_timeline_found *t;
	struct tp_arguments arguments;
};

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

/* Events of a line that follow each other and are in the page, from first up to end. */
struct kept {
	uint32_t first, end;
	uint64_t to_ps;
};

/* Those of a stretch that is kept, or all; *number counts the stretches. False: there are no more. */
static bool
next_kept(const struct tp_timeline_found *t, const struct tp_timeline_line *line, size_t *number,
	struct kept *kept)
{
	if (line->whole) {
		*kept = (struct kept){0, line->line->count, line->high_ps + 1};
		return (*number)++ == 0;
	}
	if (!line->in_part || *number == t->part_count)
		return false;
	const struct tp_stretch *part = &t->parts[(*number)++];

	*kept = (struct kept){tp_timeline_first_from(line, part->from_ps),
		tp_timeline_first_from(line, part->to_ps), part->to_ps};
	return true;
}

/* Whether any event that is kept in full has arguments. */
static bool
has_arguments(struct filling *f, const struct tp_timeline_line *line)
{
	struct kept kept;
	size_t tag = 0, number = 0;

	while (next_kept(f->t, line, &number, &kept)) {
		for (uint32_t i = kept.first; i < kept.end; i++) {
			if (tp_argument_of(&f->arguments, line, i, &tag) != 0)
				return true;
		}
	}
	return false;
}

/* In which all starts, from that of the first, and all lengths of events that are kept in full are whole numbers. */
static uint64_t
tick_of(const struct filling *f, const struct tp_timeline_line *line)
{
	struct kept kept;
	size_t number = 0;
	uint64_t tick_ps = 0;

	while (next_kept(f->t, line, &number, &kept)) {
		for (uint32_t i = kept.first; i < kept.end; i++) {
			struct tp_timeline_place at = tp_timeline_place(line, i);

			tick_ps = tp_tick_with(tick_ps, at.to_ps - at.from_ps);
			tick_ps =
				tp_tick_with(tick_ps, at.from_ps - tp_timeline_place(line, kept.first).from_ps);
		}
	}
	return tick_ps != 0 ? tick_ps : 1;
}

static void
add_kept(struct filling *f, const struct tp_timeline_line *line, uint32_t event,
	struct event_tiles *e, size_t *tag)
{
	struct tp_timeline_place at = tp_timeline_place(line, event);

	add_event(e, at,
		tp_timeline_name_number(f->t, tp_line_op(line->line, event), at.to_ps - at.from_ps),
		line->lane_of[event], e->arguments ? tp_argument_of(&f->arguments, line, event, tag) : 0);
}

static void
fill_tiles(struct filling *f, const struct tp_timeline_line *line, struct event_tiles *e)
{
	struct kept kept;
	size_t tag = 0, number = 0;

	while (next_kept(f->t, line, &number, &kept)) {
		for (uint32_t i = kept.first; i < kept.end; i++)
			add_kept(f, line, i, e, &tag);
		finish_tile(e, kept.to_ps);
	}
}

static struct tp_timeline_track
fill_track(struct filling *f, const struct tp_timeline_line *line)
{
	struct tp_buf tiles = {0};
	struct event_tiles e = {.tiles = &tiles,
		.tick_ps = tick_of(f, line),
		.arguments = has_arguments(f, line),
		.keep = f->ctx->keep};

	fill_tiles(f, line, &e);
	tp_buf_free(&e.events);
	for (size_t i = 0; i < line->level_count; i++)
		*tp_buf_new(&tiles, struct tp_timeline_tile) = line->levels[i];
	size_t tile_count = tiles.count;

	return (struct tp_timeline_track){
		.name = tp_timeline_line_name(line->line),
		.kind = tp_timeline_kind(line->line),
		.lanes = line->lanes,
		.upper_lanes = line->upper_lanes < line->lanes ? line->upper_lanes : 0,
		.events = line->line->count,
		.arguments = e.arguments,
		.tick_ps = (double)e.tick_ps,
		.tile_count = tile_count,
		.tiles = tp_buf_settle(&tiles, sizeof(struct tp_timeline_tile), f->ctx->keep),
	};
}

/* By host: from its first event to the end of its last. */
static struct tp_stretch *
stretches_of_hosts(const struct filling *f)
{
	struct tp_stretch *of_host =
		tp_new_array(f->ctx->scratch, struct tp_stretch, f->ctx->profile->host_count);

	for (size_t i = 0; i < f->t->line_count; i++) {
		const struct tp_timeline_line *line = &f->t->lines[i];
		struct tp_stretch *of = &of_host[line->line->host];
		uint64_t from_ps = tp_timeline_place(line, 0).from_ps;

		of->from_ps = of->to_ps == 0 || from_ps < of->from_ps ? from_ps : of->from_ps;
		of->to_ps = line->high_ps > of->to_ps ? line->high_ps : of->to_ps;
	}
	return of_host;
}

struct counting {
	const struct filling *f;
	const struct tp_stretch *of_host;
	const struct tp_timeline_track *tracks; /* of all groups, as the lines are */
	struct tp_timeline_group *groups;
};

static void
count_groups(void *with, size_t from, size_t to, struct tp_arena *keep)
{
	const struct counting *c = with;

	for (size_t i = from; i < to; i++) {
		struct tp_timeline_group *group = &c->groups[i];
		size_t first = (size_t)(group->tracks - c->tracks);

		tp_timeline_counters(
			c->f->ctx, c->f->t, first, c->of_host[c->f->t->lines[first].line->host], keep, group);
	}
}

/* What sections on the pod call it, and whether all wait for it. */
static void
tell_unit(const struct filling *f, const struct tp_line *line, struct tp_timeline_group *group)
{
	for (size_t i = 0; i < f->t->unit_count; i++) {
		const struct tp_timeline_unit *unit = &f->t->units[i];

		if (unit->device != line->device || (line->device == TP_NONE && unit->host != line->host))
			continue;
		group->note = unit->lags ? unit->called : TP_S("");
		group->lags = unit->lags;
		group->first = i == 0 && (unit->lags || line->device != TP_NONE);
	}
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
		tell_unit(f, first, group);
	}
	struct counting counting = {.f = f, .of_host = stretches_of_hosts(f), .tracks = tracks};

	out->group_count = groups.count;
	out->groups = counting.groups =
		tp_buf_settle(&groups, sizeof(struct tp_timeline_group), f->ctx->keep);
	tp_spread(f->ctx->options->pool, f->ctx->keep, out->group_count, count_groups, &counting);
}

void
tp_timeline_fill(
	const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, struct tp_timeline *out)
{
	struct filling f = {.ctx = ctx, .t = t};

	tp_arguments_init(&f.arguments, ctx);
	fill_groups(&f, out);
	tp_arguments_give(&f.arguments, out);
	out->name_count = t->name_count;
	out->names = t->names;
}
