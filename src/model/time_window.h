/* The times of a line for those who go through it in order: worked out for many events at once, in fewer instructions than for each by
 * itself. */
#ifndef TP_MODEL_TIME_WINDOW_H
#define TP_MODEL_TIME_WINDOW_H

#include "model/times.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_time_window {
	const struct tp_times *times;
	bool plain;           /* times are picoseconds of the clock: each is as fast by itself */
	uint32_t count;       /* events of the line */
	uint32_t first, held; /* those in the window */
	int64_t start_ps[TP_BLOCK_EVENTS], duration_ps[TP_BLOCK_EVENTS];
};

/* A window over so many events; the times must stay. */
static inline void
tp_time_window_open(struct tp_time_window *w, const struct tp_times *times, uint32_t count)
{
	w->times = times;
	w->plain = times->first_rare != 0;
	w->count = count;
	w->first = w->held = 0;
}

/* Moves it to where the event, which is one of the line, is in it. */
void tp_time_window_move(struct tp_time_window *w, uint32_t event);

static inline int64_t
tp_time_window_start_ps(struct tp_time_window *w, uint32_t event)
{
	if (w->plain)
		return tp_times_start_ps(w->times, event);
	if (__builtin_expect(event - w->first >= w->held, false))
		tp_time_window_move(w, event);
	return w->start_ps[event - w->first];
}

static inline int64_t
tp_time_window_duration_ps(struct tp_time_window *w, uint32_t event)
{
	if (w->plain)
		return tp_times_duration_ps(w->times, event);
	if (__builtin_expect(event - w->first >= w->held, false))
		tp_time_window_move(w, event);
	return w->duration_ps[event - w->first];
}

/* When the last of the TP_BLOCK_EVENTS events from this one on, with which such a block begins, has ended at the latest, as far as that can
 * be told without a look at each; INT64_MAX: it cannot. */
static inline int64_t
tp_times_reach_ps(const struct tp_times *t, uint32_t event)
{
	uint32_t at = t->first + event;
	uint32_t reach =
		t->reach != NULL && t->first_rare != 0 ? t->reach[at / TP_BLOCK_EVENTS] : TP_NO_REACH;
	int64_t reach_ps;

	if (reach == TP_NO_REACH ||
		__builtin_add_overflow(t->base_ps[at >> t->block_shift], reach, &reach_ps))
		return INT64_MAX;
	return reach_ps;
}

/* How many of the events do not lie within [from, to]. */
uint32_t tp_times_outside(const struct tp_times *t, uint32_t count, int64_t from_ps, int64_t to_ps);

#endif
