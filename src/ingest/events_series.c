/* Points of scalars as they come: kept in pieces that double in size, and taken away again where a restart makes them void. */
#include "ingest/events.h"

#include "base/arena.h"
#include "model/events.h"

#include <math.h>

enum { FIRST_POINTS = 8, MOST_POINTS = 1 << 14 };

/* Restarts may cost so much looking at points: more than any real run, and less than the square of a made one. */
enum { FREE_PURGE_WORK = 1 << 22, PURGE_WORK_A_POINT = 64 };

struct tp_event_series *
tp_events_series(struct tp_event_run *run, struct tp_slice tag, struct tp_arena *arena)
{
	uint32_t id = tp_intern_copy(&run->tags, tag);

	if (id >= run->series_capacity) {
		uint32_t capacity = 2 * id + 16;
		struct tp_event_series *more = tp_new_array(arena, struct tp_event_series, capacity);

		if (run->series_capacity != 0)
			memcpy(more, run->series, run->series_capacity * sizeof *more);
		run->series = more;
		run->series_capacity = capacity;
	}
	run->series[id].tag = tp_string(&run->tags, id);
	return &run->series[id];
}

static struct tp_event_points *
new_piece(uint32_t capacity, struct tp_arena *arena)
{
	struct tp_event_points *p = tp_new(arena, struct tp_event_points);

	p->capacity = capacity;
	p->most_step = INT64_MIN;
	p->step = tp_new_array(arena, int64_t, capacity);
	p->wall_s = tp_new_array(arena, double, capacity);
	p->value = tp_new_array(arena, float, capacity);
	return p;
}

/* The piece that the next point goes into. */
static struct tp_event_points *
open_piece(struct tp_event_series *s, struct tp_arena *arena)
{
	struct tp_event_points *last = s->last;

	if (last != NULL && last->count < last->capacity)
		return last;
	if (last != NULL && last->next != NULL) /* emptied by a restart */
		return s->last = last->next;
	uint32_t capacity = last == NULL   ? FIRST_POINTS
		: last->capacity < MOST_POINTS ? 2 * last->capacity
									   : MOST_POINTS;
	struct tp_event_points *piece = new_piece(capacity, arena);

	if (last == NULL)
		s->points = piece;
	else
		last->next = piece;
	return s->last = piece;
}

void
tp_events_add_point(struct tp_event_run *run, struct tp_event_series *series, int64_t step,
	double wall_s, float value, struct tp_arena *arena)
{
	struct tp_event_points *p = open_piece(series, arena);

	p->step[p->count] = step;
	p->wall_s[p->count] = wall_s;
	p->value[p->count] = value;
	p->count++;
	p->most_step = step > p->most_step ? step : p->most_step;
	series->count++;
	run->points++;
}

static uint64_t
purge_piece(struct tp_event_points *p, int64_t step, double *latest_s)
{
	uint32_t kept = 0, before = p->count;

	p->most_step = INT64_MIN;
	for (uint32_t i = 0; i < before; i++) {
		if (p->step[i] >= step) {
			if (fabs(p->wall_s[i]) < TP_LATEST_S)
				*latest_s = fmax(*latest_s, p->wall_s[i]);
			continue;
		}
		p->step[kept] = p->step[i];
		p->wall_s[kept] = p->wall_s[i];
		p->value[kept] = p->value[i];
		p->most_step = p->step[i] > p->most_step ? p->step[i] : p->most_step;
		kept++;
	}
	p->count = kept;
	return before - kept;
}

uint64_t
tp_events_purge(
	struct tp_event_run *run, struct tp_event_series *series, int64_t step, double *latest_s)
{
	uint64_t purged = 0;

	for (struct tp_event_points *p = series->points; p != NULL; p = p->next) {
		run->purge_given_up |=
			run->purge_work > FREE_PURGE_WORK + PURGE_WORK_A_POINT * (run->points + run->purged);
		if (run->purge_given_up)
			break;
		run->purge_work++;
		if (p->count == 0 || p->most_step < step)
			continue;
		run->purge_work += p->count;
		purged += purge_piece(p, step, latest_s);
	}
	/* Points go on behind the last that is left. */
	for (struct tp_event_points *p = series->points; purged != 0 && p != NULL; p = p->next) {
		if (p == series->points || p->count != 0)
			series->last = p;
	}
	series->count -= purged;
	run->points -= purged;
	run->purged += purged;
	return purged;
}

uint64_t
tp_events_purge_all(struct tp_event_run *run, int64_t step, double *latest_s)
{
	uint64_t purged = 0;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity; i++) {
		run->purge_work++;
		purged += tp_events_purge(run, &run->series[i], step, latest_s);
	}
	return purged;
}
