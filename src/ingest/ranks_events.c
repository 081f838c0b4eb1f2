/* Event files out of a summary. */
#include "ingest/ranks.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/build.h"
#include "model/events.h"
#include "rank.pb-c.h"

#include <math.h>
#include <string.h>

static struct tp_slice
cleaned(struct tp_arena *a, const char *text)
{
	return tp_utf8_clean(a, tp_arena_copy(a, tp_slice_of(text)));
}

static void
take_points(const Tp__RankScalar *s, struct tp_points *points, struct tp_arena *arena)
{
	uint64_t step = 0, wall = 0;

	for (size_t i = 0; i < s->n_values; i++) {
		struct tp_event_point p = {.value = s->values[i]};

		step += (uint64_t)s->steps[i];
		wall += (uint64_t)s->walls[i];
		p.step = (int64_t)step;
		memcpy(&p.wall_s, &wall, sizeof wall);
		tp_points_add(points, &p, arena);
	}
}

static void
take_scalars(const Tp__RankEvents *e, struct tp_event_run *run, struct tp_arena *a)
{
	run->series_capacity = (uint32_t)e->n_scalars + 1;
	run->series = tp_new_array(a, struct tp_event_series, run->series_capacity);
	tp_strings_init(&run->tags, a);
	for (size_t i = 0; i < e->n_scalars; i++) {
		struct tp_slice tag = cleaned(a, e->scalars[i]->tag);
		struct tp_event_series *series = &run->series[tp_intern(&run->tags, tag)];

		if (series->given != NULL)
			continue; /* the same tag again, as no summary has it */
		series->tag = tag;
		series->plugin = cleaned(a, e->scalars[i]->plugin);
		series->given = e->scalars[i];
		take_points(e->scalars[i], &series->points, a);
	}
}

static void
take_marks(const Tp__RankEvents *e, struct tp_event_run *run, struct tp_arena *a)
{
	run->marks = tp_new_array(a, struct tp_event_mark, e->n_marks);
	run->mark_count = run->mark_capacity = (uint32_t)e->n_marks;
	for (size_t i = 0; i < e->n_marks; i++) {
		const Tp__RankMark *m = e->marks[i];

		run->marks[i] = (struct tp_event_mark){
			.kind = (enum tp_event_mark_kind)m->kind,
			.step = m->step,
			.wall_s = m->wall_s,
			.again = m->again,
			.purged = m->purged,
			.purged_until_s = m->purged_until_s,
			.path = cleaned(a, m->path),
		};
	}
	run->marks_dropped = e->marks_dropped;
}

void
tp_rank_build_events(struct tp_builder *b, const Tp__Rank *r)
{
	struct tp_arena *a = tp_builder_profile(b)->arena;
	struct tp_event_run *run = tp_build_next(b, event_runs);
	const Tp__RankEvents *e = r->events;

	run->folder = tp_slice_of(r->worker);
	take_scalars(e, run, a);
	take_marks(e, run, a);
	run->points = e->points;
	run->starts = e->starts;
	run->purged = e->purged;
	run->version = e->version;
	run->first_s = e->first_s;
	run->last_s = e->last_s;
	run->records = e->records;
	run->damaged = e->damaged;
	run->files = e->files;
	run->step_s = e->step_s > 0 ? e->step_s : (double)NAN;
	run->left_out = e->scalars_left_out;
	if (e->n_others > 0)
		memcpy(run->others, e->others, e->n_others * sizeof *run->others);
}
