/* Collecting the events, counters and flows of a trace of any program. */
#include "ingest/tracks.h"

#include "base/arena.h"
#include "ingest/tracks_parts.h"

#include <math.h>
#include <stdlib.h>

struct tp_draft_tracks *
tp_tracks_new(void)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_draft_tracks *d = tp_new(arena, struct tp_draft_tracks);

	d->arena = arena;
	d->last_ps = -TP_TRACKS_LATEST_PS;
	tp_strings_init(&d->strings, arena);
	tp_map_init(&d->process_of, arena);
	tp_map_init(&d->track_of, arena);
	tp_map_init(&d->op_of, arena);
	tp_map_init(&d->counter_of, arena);
	return d;
}

void
tp_tracks_free(struct tp_draft_tracks *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->tracks.count; i++)
		tp_buf_free(&tp_draft_track_at(d, (uint32_t)i)->events);
	for (size_t i = 0; i < d->counters.count; i++)
		tp_buf_free(&((struct tp_draft_counter *)d->counters.data)[i].points);
	tp_buf_free(&d->processes);
	tp_buf_free(&d->tracks);
	tp_buf_free(&d->ops);
	tp_buf_free(&d->counters);
	tp_buf_free(&d->halves);
	tp_buf_free(&d->flows);
	tp_buf_free(&d->lengths);
	tp_arena_free(d->arena);
}

enum { LONGEST_TEXT = 65536 };

uint32_t
tp_tracks_text(struct tp_draft_tracks *d, struct tp_slice text)
{
	text.len = text.len < LONGEST_TEXT ? text.len : LONGEST_TEXT;
	return tp_intern_copy(&d->strings, text);
}

struct tp_slice
tp_tracks_text_of(const struct tp_draft_tracks *d, uint32_t text)
{
	return tp_string(&d->strings, text);
}

static struct tp_slice
kept(struct tp_draft_tracks *d, struct tp_slice text)
{
	return tp_tracks_text_of(d, tp_tracks_text(d, text));
}

uint32_t
tp_tracks_process(struct tp_draft_tracks *d, uint64_t key)
{
	uint32_t number;

	if (tp_map_number(&d->process_of, key, &number))
		TP_PUSH(&d->processes, struct tp_draft_process, .key = key);
	return number;
}

uint32_t
tp_tracks_track(struct tp_draft_tracks *d, uint64_t key, uint32_t process)
{
	uint32_t number;

	if (tp_map_number(&d->track_of, key, &number))
		TP_PUSH(&d->tracks, struct tp_draft_track, .process = process);
	return number;
}

void
tp_tracks_name_process(struct tp_draft_tracks *d, uint32_t process, struct tp_slice name)
{
	((struct tp_draft_process *)d->processes.data)[process].name = kept(d, name);
}

void
tp_tracks_name_track(struct tp_draft_tracks *d, uint32_t track, struct tp_slice name)
{
	tp_draft_track_at(d, track)->name = kept(d, name);
}

void
tp_tracks_thread(struct tp_draft_tracks *d, uint32_t track, int64_t number)
{
	tp_draft_track_at(d, track)->thread = number;
}

bool
tp_tracks_is_named(const struct tp_draft_tracks *d, uint32_t track)
{
	return tp_draft_track_at(d, track)->name.len != 0;
}

bool
tp_tracks_is_process_named(const struct tp_draft_tracks *d, uint32_t process)
{
	return ((const struct tp_draft_process *)d->processes.data)[process].name.len != 0;
}

uint32_t
tp_tracks_op(struct tp_draft_tracks *d, uint32_t name, uint32_t category)
{
	uint32_t number;

	if (tp_map_number(&d->op_of, (uint64_t)name << 32 | category, &number))
		TP_PUSH(&d->ops, struct tp_draft_op, name, category);
	return number;
}

static bool
is_time(int64_t ps)
{
	return ps <= TP_TRACKS_LATEST_PS && ps >= -TP_TRACKS_LATEST_PS;
}

static void
note_time(struct tp_draft_tracks *d, int64_t ps)
{
	d->last_ps = ps > d->last_ps ? ps : d->last_ps;
	d->count++;
}

bool
tp_tracks_slice(
	struct tp_draft_tracks *d, uint32_t track, int64_t at_ps, int64_t duration_ps, uint32_t op)
{
	if (!is_time(at_ps) || duration_ps < 0 || !is_time(duration_ps))
		return false;
	TP_PUSH(
		&tp_draft_track_at(d, track)->events, struct tp_draft_event, at_ps, duration_ps, op, false);
	/* The sum of two that are each below 2^62 is below 2^63 … */
	note_time(d, at_ps + duration_ps <= TP_TRACKS_LATEST_PS ? at_ps + duration_ps : at_ps);
	return true;
}

bool
tp_tracks_instant(struct tp_draft_tracks *d, uint32_t track, int64_t at_ps, uint32_t op)
{
	if (!is_time(at_ps))
		return false;
	TP_PUSH(&tp_draft_track_at(d, track)->events, struct tp_draft_event, at_ps, 0, op, true);
	d->last_half = UINT32_MAX;
	d->last_op = op;
	note_time(d, at_ps);
	return true;
}

static bool
add_half(struct tp_draft_tracks *d, struct tp_draft_half half)
{
	if (!is_time(half.at_ps) || d->halves.count >= UINT32_MAX)
		return false;
	half.number = d->last_half = (uint32_t)d->halves.count;
	d->last_op = half.op;
	*tp_buf_new(&d->halves, struct tp_draft_half) = half;
	d->last_ps = half.at_ps > d->last_ps ? half.at_ps : d->last_ps;
	d->count += !half.end;
	return true;
}

bool
tp_tracks_begin(
	struct tp_draft_tracks *d, uint32_t track, uint64_t nest, int64_t at_ps, uint32_t op)
{
	return add_half(
		d, (struct tp_draft_half){.nest = nest, .at_ps = at_ps, .track = track, .op = op});
}

bool
tp_tracks_end(struct tp_draft_tracks *d, uint32_t track, uint64_t nest, int64_t at_ps, uint32_t op)
{
	return add_half(d,
		(struct tp_draft_half){
			.nest = nest, .at_ps = at_ps, .track = track, .op = op, .end = true});
}

uint32_t
tp_tracks_counter(struct tp_draft_tracks *d, uint64_t key, uint32_t process, struct tp_slice name,
	struct tp_slice part)
{
	uint32_t number;

	if (tp_map_number(&d->counter_of, key, &number))
		TP_PUSH(&d->counters, struct tp_draft_counter, .process = process,
			.name = tp_arena_printf(d->arena, "%.*s%s%.*s", TP_ARG(name),
				name.len != 0 && part.len != 0 ? " " : "", TP_ARG(part)));
	return number;
}

void
tp_tracks_counter_unit(struct tp_draft_tracks *d, uint32_t counter, struct tp_slice unit)
{
	((struct tp_draft_counter *)d->counters.data)[counter].unit = kept(d, unit);
}

bool
tp_tracks_point(struct tp_draft_tracks *d, uint32_t counter, int64_t at_ps, double value)
{
	struct tp_draft_counter *c = (struct tp_draft_counter *)d->counters.data + counter;

	if (!is_time(at_ps) || !isfinite(value) || c->points.count >= UINT32_MAX)
		return false;
	TP_PUSH(&c->points, struct tp_draft_point, at_ps, value, (uint32_t)c->points.count);
	note_time(d, at_ps);
	return true;
}

bool
tp_tracks_flow(struct tp_draft_tracks *d, uint64_t id, enum tp_tracks_flow what,
	enum tp_tracks_bind bind, uint32_t track, int64_t at_ps)
{
	if (!is_time(at_ps) || d->flows.count >= UINT32_MAX)
		return false;
	TP_PUSH(&d->flows, struct tp_draft_flow, .id = id, .at_ps = at_ps, .track = track,
		.number = (uint32_t)d->flows.count, .event = UINT32_MAX, .half = d->last_half,
		.op = d->last_op, .what = (uint8_t)what, .bind = (uint8_t)bind);
	d->exact |= bind == TP_TRACKS_LAST;
	return true;
}

uint64_t
tp_tracks_count(const struct tp_draft_tracks *d)
{
	return d->count;
}
