/* The series of a run as they come: made by tag, filled, and emptied again where a restart makes points void. */
#include "ingest/events.h"

#include "base/arena.h"
#include "model/events.h"

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

void
tp_events_add_point(struct tp_event_run *run, struct tp_event_series *series,
	const struct tp_event_point *point, struct tp_arena *arena)
{
	tp_points_add(&series->points, point, arena);
	run->points++;
}

uint64_t
tp_events_purge(struct tp_event_run *run, struct tp_event_series *series, int64_t step,
	double *latest_s, struct tp_arena *arena)
{
	if (run->purge_given_up)
		return 0;
	run->purge_work.most = FREE_PURGE_WORK + PURGE_WORK_A_POINT * (run->points + run->purged);
	uint64_t purged = tp_points_purge(&series->points, step, latest_s, &run->purge_work, arena);

	run->purge_given_up = run->purge_work.done > run->purge_work.most;
	run->points -= purged;
	run->purged += purged;
	return purged;
}

uint64_t
tp_events_purge_all(
	struct tp_event_run *run, int64_t step, double *latest_s, struct tp_arena *arena)
{
	uint64_t purged = 0;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity && !run->purge_given_up;
		 i++) {
		run->purge_work.done++;
		purged += tp_events_purge(run, &run->series[i], step, latest_s, arena);
	}
	return purged;
}
