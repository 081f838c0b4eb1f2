/* Events in columns, as narrow as what they hold. A time takes 4 bytes: a start as the ticks since the base of its block of
 * events, a duration in ticks. What does not fit (beyond 3.2 ms where a tick is a picosecond) is the index of a number of 8 bytes.
 * Blocks have as many events as the first ones suggest: few where events are far apart. The first events say too how long a tick is:
 * the chip's clock of a TPU counts by some hundred picoseconds and more. The times of a second clock follow from those of the first
 * (model/second_clock.h). An operation takes 2 bytes where its index allows that. */
#ifndef TP_MODEL_TIMES_H
#define TP_MODEL_TIMES_H

#include "base/buf.h"
#include "model/tick.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_second_clock;

/* The most events of a block. */
enum { TP_BLOCK_SHIFT = 6, TP_BLOCK_EVENTS = 1 << TP_BLOCK_SHIFT };

/* How the columns of a line take the least room is judged by so many of its events, those that come first. */
static inline uint32_t
tp_first_events(uint32_t count)
{
	enum { FIRST_EVENTS = 512 };

	return count < FIRST_EVENTS ? count : FIRST_EVENTS;
}

/* From here on a time is TP_FIRST_WIDE + its index in wide. */
#define TP_FIRST_WIDE (UINT32_C(3) << 30)

/* Where a reach is longer, or not known. */
#define TP_NO_REACH UINT32_MAX

/* Starts and durations by one clock. */
struct tp_times {
	const uint32_t *start, *duration;
	const int64_t *base_ps; /* of each block */
	const int64_t *wide;    /* NULL: there is none */
	/* of every TP_BLOCK_EVENTS events: how long after the base of their block all have ended, or TP_NO_REACH; NULL: nobody noted */
	const uint32_t *reach;
	/* The clock that times are by, where it is not that of the columns above, which it follows from; NULL: it is that one. */
	const struct tp_second_clock *second;
	uint32_t first;   /* of a part: events before it; start and duration begin behind them */
	uint32_t tick_ps; /* ≥ 1 */
	/* Below, a time is in picoseconds, by this clock: TP_FIRST_WIDE or, where that holds for none, 0. */
	uint32_t first_rare;
	uint8_t block_shift; /* a block has 1 << block_shift events */
};

/* Any times: those that the inline functions below leave over. */
int64_t tp_times_rare_start_ps(const struct tp_times *t, uint32_t event);
int64_t tp_times_rare_duration_ps(const struct tp_times *t, uint32_t event);

static inline int64_t
tp_times_start_ps(const struct tp_times *t, uint32_t event)
{
	uint32_t start = t->start[event];

	if (__builtin_expect(start >= t->first_rare, false))
		return tp_times_rare_start_ps(t, event);
	return t->base_ps[(event + t->first) >> t->block_shift] + start;
}

static inline int64_t
tp_times_duration_ps(const struct tp_times *t, uint32_t event)
{
	uint32_t duration = t->duration[event];

	return __builtin_expect(duration >= t->first_rare, false) ? tp_times_rare_duration_ps(t, event)
															  : duration;
}

/* The same, in fewer instructions where a tick is not a picosecond; not of a second clock. */
static inline int64_t
tp_ticks_start_ps(const struct tp_times *t, uint32_t event)
{
	uint32_t start = t->start[event];

	if (__builtin_expect(start >= TP_FIRST_WIDE, false))
		return t->wide[start - TP_FIRST_WIDE];
	return (int64_t)((uint64_t)t->base_ps[(event + t->first) >> t->block_shift] +
		(uint64_t)start * t->tick_ps);
}

static inline int64_t
tp_ticks_duration_ps(const struct tp_times *t, uint32_t event)
{
	uint32_t duration = t->duration[event];

	return __builtin_expect(duration >= TP_FIRST_WIDE, false) ? t->wide[duration - TP_FIRST_WIDE]
															  : (int64_t)duration * t->tick_ps;
}

/* The events from number `first` on, as columns of their own; the memory is shared. */
struct tp_times tp_times_from(const struct tp_times *t, uint32_t first);

/* Narrow columns of plain ones; durations ≥ 0. */
struct tp_times tp_times_of(
	const int64_t *start_ps, const int64_t *duration_ps, uint32_t count, struct tp_arena *arena);

/* Columns that grow. */
struct tp_times_draft {
	struct tp_buf start, duration, base_ps, wide, reach;
	struct tp_tick tick; /* chosen with the first events */
	uint8_t block_shift;
};

/* Adds events; durations ≥ 0. All calls but the last have a multiple of TP_BLOCK_EVENTS. In picoseconds, or in ticks as long as the
 * first events allow. */
void tp_times_add(
	struct tp_times_draft *d, const int64_t *start_ps, const int64_t *duration_ps, uint32_t count);
void tp_ticks_add(
	struct tp_times_draft *d, const int64_t *start_ps, const int64_t *duration_ps, uint32_t count);

/* Makes room for so many events in all: memory that has to move later is touched twice. */
void tp_times_reserve(struct tp_times_draft *d, size_t events);

/* False: there may be more times than can be kept wide. */
bool tp_times_may_grow(const struct tp_times_draft *d, uint32_t events);

/* Another duration for an event that was added, in picoseconds. */
void tp_times_set_duration(struct tp_times_draft *d, uint32_t event, int64_t duration_ps);

/* What was added so far; holds until more is. */
struct tp_times tp_times_so_far(const struct tp_times_draft *d);

/* The columns for an arena; the draft is empty then. */
struct tp_times tp_times_give(struct tp_times_draft *d, struct tp_arena *arena);

void tp_times_free(struct tp_times_draft *d);

#endif
