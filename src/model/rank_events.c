/* Checking what a summary keeps of event files. */
#include "model/events.h"
#include "model/rank.h"

#include "rank.pb-c.h"

enum { MOST_SCALARS = 1 << 16 };

static bool
scalar_is_sound(const Tp__RankScalar *s)
{
	return s->tag[0] != '\0' && s->points != 0 && s->n_values <= s->points &&
		s->n_steps == s->n_values && s->n_walls == s->n_values && s->not_finite <= s->points &&
		(s->stretch != 0 || s->n_values == s->points) && s->least_step <= s->most_step &&
		!(s->least > s->most);
}

bool
tp_rank_events_are_sound(const Tp__Rank *r)
{
	const Tp__RankEvents *e = r->events;
	uint64_t points = 0;

	for (size_t i = 0; i < e->n_scalars; i++) {
		if (!scalar_is_sound(e->scalars[i]) ||
			__builtin_add_overflow(points, e->scalars[i]->points, &points))
			return false;
	}
	for (size_t i = 0; i < e->n_marks; i++) {
		if (e->marks[i]->kind < TP_EVENT_START || e->marks[i]->kind > TP_EVENT_CHECKPOINT)
			return false;
	}
	return e->n_scalars <= MOST_SCALARS && points <= e->points &&
		e->n_others <= TP_EVENT_OTHER_COUNT;
}

size_t
tp_rank_length(const Tp__Rank *r)
{
	size_t most = 0;

	for (size_t i = 0; r->events != NULL && i < r->events->n_scalars; i++)
		most = r->events->scalars[i]->n_values > most ? r->events->scalars[i]->n_values : most;
	return r->events != NULL ? most : r->n_step_names;
}
