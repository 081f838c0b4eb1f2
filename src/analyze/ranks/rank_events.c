/* Event files of a folder for a summary: what all points of each scalar are, exactly, and as many points as fit. Of too many, the least and the
 * most of each stretch are kept, so that nothing lies outside of what is drawn of them. */
#include "analyze/ranks/rank_events.h"

#include "analyze/job/scalars.h"
#include "base/arena.h"
#include "model/events.h"
#include "model/profile.h"

#include <math.h>
#include <string.h>

enum { MOST_SCALARS = 500, MOST_MARKS = 256, MOST_POINTS = 1 << 16, LEAST_POINTS = 4 };

/* A text of the message. */
static char *
text(struct tp_slice s, struct tp_arena *arena)
{
	return s.len != 0 ? (char *)tp_arena_copy(arena, s).ptr : (char *)protobuf_c_empty_string;
}

/* Points as they are kept. */
struct keeping {
	Tp__RankScalar *out;
	uint64_t step, wall; /* of the last: its step, and the bits of its wall time */
};

static void
keep(struct keeping *k, const struct tp_event_point *p)
{
	uint64_t wall;
	size_t n = k->out->n_values++;

	memcpy(&wall, &p->wall_s, sizeof wall);
	k->out->n_steps = k->out->n_walls = k->out->n_values;
	k->out->steps[n] = (int64_t)((uint64_t)p->step - k->step);
	k->out->walls[n] = (int64_t)(wall - k->wall);
	k->out->values[n] = p->value;
	k->step = (uint64_t)p->step;
	k->wall = wall;
}

/* Of the points of a stretch the least and the most, in their order; of such without a finite value the first. */
static void
keep_stretch(struct keeping *k, struct tp_points_walk *w, uint64_t count)
{
	struct tp_event_point p, least = {0}, most = {0};
	uint64_t least_at = 0, most_at = 0;

	for (uint64_t i = 0; i < count && tp_points_next(w, &p); i++) {
		if (i == 0)
			least = most = p;
		if (p.value < least.value || !isfinite(least.value)) {
			least = p;
			least_at = i;
		}
		if (p.value > most.value || !isfinite(most.value)) {
			most = p;
			most_at = i;
		}
	}
	keep(k, least_at <= most_at ? &least : &most);
	if (least_at != most_at)
		keep(k, least_at <= most_at ? &most : &least);
}

static void
keep_points(
	Tp__RankScalar *out, const struct tp_points *points, uint64_t most, struct tp_arena *arena)
{
	struct tp_points_walk w = tp_points_walk(points);
	struct keeping k = {.out = out};
	struct tp_event_point p;
	bool all = points->count <= most;
	uint64_t room = all ? points->count : most, inner = points->count - 2;

	out->stretch = all ? 0 : 1;
	if (!all && most < LEAST_POINTS) {
		out->stretch = points->count;
		return;
	}
	out->steps = tp_new_array(arena, int64_t, room);
	out->walls = tp_new_array(arena, int64_t, room);
	out->values = tp_new_array(arena, double, room);
	while (all && tp_points_next(&w, &p))
		keep(&k, &p);
	if (all)
		return;
	uint64_t stretches = (most - 2) / 2;

	out->stretch = (inner + stretches - 1) / stretches;
	if (tp_points_next(&w, &p))
		keep(&k, &p);
	for (uint64_t done = 0; done < inner; done += out->stretch)
		keep_stretch(&k, &w, inner - done < out->stretch ? inner - done : out->stretch);
	if (tp_points_next(&w, &p))
		keep(&k, &p);
}

static Tp__RankScalar *
scalar(const struct tp_event_series *series, uint64_t most, struct tp_arena *arena)
{
	struct tp_scalar s = tp_scalar_of(series, 0);
	Tp__RankScalar *out = tp_new(arena, Tp__RankScalar);

	tp__rank_scalar__init(out);
	out->tag = text(series->tag, arena);
	out->plugin = text(series->plugin, arena);
	out->points = s.points;
	out->not_finite = s.not_finite;
	out->first_step = s.first_step;
	out->last_step = s.last_step;
	out->least_step = s.least_step;
	out->most_step = s.most_step;
	out->first_wall_s = s.first_wall_s;
	out->last_wall_s = s.last_wall_s;
	out->first = s.first;
	out->last = s.last;
	out->least = s.least;
	out->most = s.most;
	out->least_at = s.least_at;
	out->most_at = s.most_at;
	out->not_finite_at = s.not_finite_at;
	keep_points(out, &series->points, most, arena);
	return out;
}

static void
put_scalars(Tp__RankEvents *e, const struct tp_event_run *run, size_t most, struct tp_arena *arena)
{
	uint32_t count =
		run->tags.count < run->series_capacity ? run->tags.count : run->series_capacity;
	uint64_t room = MOST_POINTS / (count < MOST_SCALARS ? count + 1 : MOST_SCALARS);

	room = run->points <= MOST_POINTS ? MOST_POINTS : room;
	room = most < room ? most : room;
	e->scalars = tp_new_array(arena, Tp__RankScalar *, MOST_SCALARS);
	for (uint32_t i = 0; i < count; i++) {
		if (run->series[i].points.count == 0 || run->series[i].tag.len == 0)
			continue;
		if (e->n_scalars == MOST_SCALARS)
			e->scalars_left_out++;
		else
			e->scalars[e->n_scalars++] = scalar(&run->series[i], room, arena);
	}
}

static void
put_marks(Tp__RankEvents *e, const struct tp_event_run *run, struct tp_arena *arena)
{
	e->marks = tp_new_array(arena, Tp__RankMark *, MOST_MARKS);
	for (uint32_t i = 0; i < run->mark_count && i < MOST_MARKS; i++) {
		const struct tp_event_mark *m = &run->marks[i];
		Tp__RankMark *out = tp_new(arena, Tp__RankMark);

		tp__rank_mark__init(out);
		out->kind = m->kind;
		out->step = m->step;
		out->wall_s = m->wall_s;
		out->again = m->again;
		out->purged = m->purged;
		out->purged_until_s = m->purged_until_s;
		out->path = text(m->path, arena);
		e->marks[e->n_marks++] = out;
	}
	e->marks_dropped = run->marks_dropped + (run->mark_count - e->n_marks);
}

Tp__Rank *
tp_rank_of_events(
	const struct tp_event_run *run, double step_s, size_t most, struct tp_arena *arena)
{
	Tp__Rank *r = tp_new(arena, Tp__Rank);
	Tp__RankEvents *e = tp_new(arena, Tp__RankEvents);

	tp__rank__init(r);
	tp__rank_events__init(e);
	r->events = e;
	r->worker = text(run->folder.len != 0 ? run->folder : TP_S("."), arena);
	r->number = r->world_size = -1;
	put_scalars(e, run, most, arena);
	put_marks(e, run, arena);
	e->starts = run->starts;
	e->points = run->points;
	e->purged = run->purged;
	e->version = run->version;
	e->first_s = run->first_s;
	e->last_s = run->last_s;
	e->records = run->records;
	e->damaged = run->damaged;
	e->files = run->files;
	e->step_s = step_s;
	e->n_others = TP_EVENT_OTHER_COUNT;
	e->others = tp_new_array(arena, uint64_t, TP_EVENT_OTHER_COUNT);
	memcpy(e->others, run->others, sizeof run->others);
	return r;
}
