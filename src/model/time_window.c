/* Times of many events: a loop for each block; where some are kept as they are, each by itself. */
#include "model/time_window.h"

#include "model/second_clock.h"

#include <string.h>

/* How many of the events from there on are in the same block. */
static inline uint32_t
rest_of_block(uint32_t at, uint8_t block_shift, uint32_t most)
{
	uint32_t rest = (1u << block_shift) - (at & ((1u << block_shift) - 1));

	return rest < most ? rest : most;
}

static void
expand(const struct tp_times *t, struct tp_time_window *w)
{
	const uint32_t *start = t->start + w->first, *duration = t->duration + w->first;
	uint64_t tick_ps = t->tick_ps;

	for (uint32_t i = 0, end; i < w->held; i = end) {
		uint32_t at = t->first + w->first + i;
		uint64_t base_ps = (uint64_t)t->base_ps[at >> t->block_shift];

		for (end = i + rest_of_block(at, t->block_shift, w->held - i); i < end; i++) {
			w->start_ps[i] = (int64_t)(base_ps + start[i] * tick_ps);
			w->duration_ps[i] = (int64_t)(duration[i] * tick_ps);
		}
	}
}

/* The same by a second clock, of events that nothing is said of but their pairs: what follows for it from a block is put together before. */
static void
expand_second(const struct tp_times *t, struct tp_time_window *w)
{
	const struct tp_second_clock *s = t->second;
	const uint32_t *start = t->start + w->first, *duration = t->duration + w->first;
	const uint8_t *number = s->number + t->first + w->first;
	uint64_t ahead_ps = tp_clock_ahead_ps(s, tp_clock_begun(s, t->first + w->first) - 1);
	uint64_t tick_ps = t->tick_ps;

	for (uint32_t i = 0, end; i < w->held; i = end) {
		uint32_t at = t->first + w->first + i;
		uint64_t base_ps = (uint64_t)t->base_ps[at >> t->block_shift] + ahead_ps;

		for (end = i + rest_of_block(at, t->block_shift, w->held - i); i < end; i++) {
			struct tp_clock_pair more = s->pairs[number[i]];

			w->start_ps[i] =
				(int64_t)(base_ps + start[i] * tick_ps + (uint64_t)(int64_t)more.start_ps);
			w->duration_ps[i] =
				(int64_t)(duration[i] * tick_ps + (uint64_t)(int64_t)more.duration_ps);
		}
	}
}

/* Then of those where stretches begin or end. */
static void
expand_flagged(const struct tp_times *t, struct tp_time_window *w)
{
	const struct tp_second_clock *s = t->second;
	uint32_t first = t->first + w->first;
	uint32_t begun = tp_clock_begun(s, first) - s->pairs[s->number[first]].begins;

	for (uint32_t i = 0; i < w->held; i++) {
		struct tp_clock_pair pair = s->pairs[s->number[first + i]];

		begun += pair.begins;
		uint64_t ahead_ps = tp_clock_ahead_ps(s, begun - 1);
		uint64_t more_ps = pair.ends_in_next ? tp_clock_ahead_ps(s, begun) - ahead_ps : 0;

		w->start_ps[i] = pair.is_apart ? tp_second_start_ps(t, w->first + i)
									   : (int64_t)((uint64_t)tp_ticks_start_ps(t, w->first + i) +
											 ahead_ps + (uint64_t)(int64_t)pair.start_ps);
		w->duration_ps[i] = pair.is_apart
			? tp_second_duration_ps(t, w->first + i)
			: (int64_t)((uint64_t)tp_ticks_duration_ps(t, w->first + i) + more_ps +
				  (uint64_t)(int64_t)pair.duration_ps);
	}
}

/* Each by itself. */
static void
put_rare(const struct tp_times *t, struct tp_time_window *w)
{
	for (uint32_t i = 0; i < w->held; i++) {
		w->start_ps[i] = tp_times_start_ps(t, w->first + i);
		w->duration_ps[i] = tp_times_duration_ps(t, w->first + i);
	}
}

/* Inline: of a constant number of them several are looked at at once. */
static inline __attribute__((always_inline)) bool
any_from(const uint8_t *numbers, uint32_t count, uint32_t first)
{
	uint8_t any = 0;

	for (uint32_t i = 0; i < count; i++)
		any |= (uint8_t)(numbers[i] - TP_CLOCK_FIRST) >= (uint8_t)(first - TP_CLOCK_FIRST);
	return any != 0;
}

/* Whether something is said of an event beside its pair. The numbers that are apart are the greatest, less the first of the others. */
static bool
has_flags(const struct tp_second_clock *s, uint32_t first, uint32_t count)
{
	const uint8_t *numbers = s->number + first;

	return count == TP_BLOCK_EVENTS ? any_from(numbers, TP_BLOCK_EVENTS, s->first_flagged)
									: any_from(numbers, count, s->first_flagged);
}

static bool
has_rare(const struct tp_times *t, const struct tp_time_window *w)
{
	const uint32_t *start = t->start + w->first, *duration = t->duration + w->first;
	uint32_t largest = 0;

	for (uint32_t i = 0; i < w->held && t->wide != NULL; i++) {
		largest = start[i] > largest ? start[i] : largest;
		largest = duration[i] > largest ? duration[i] : largest;
	}
	return largest >= TP_FIRST_WIDE;
}

void
tp_time_window_move(struct tp_time_window *w, uint32_t event)
{
	const struct tp_times *t = w->times;

	w->first = event & ~(uint32_t)(TP_BLOCK_EVENTS - 1);
	w->held = w->count - w->first < TP_BLOCK_EVENTS ? w->count - w->first : TP_BLOCK_EVENTS;
	if (t->second != NULL && has_flags(t->second, t->first + w->first, w->held))
		expand_flagged(t, w);
	else if (has_rare(t, w))
		put_rare(t, w);
	else if (t->second != NULL)
		expand_second(t, w);
	else
		expand(t, w);
}

static bool
is_outside(const struct tp_times *t, uint32_t event, int64_t from_ps, int64_t to_ps)
{
	int64_t start_ps = tp_times_start_ps(t, event);

	return start_ps < from_ps || start_ps + tp_times_duration_ps(t, event) > to_ps;
}

/* Where all times are rare. */
static uint32_t
rare_outside(const struct tp_times *t, uint32_t count, int64_t from_ps, int64_t to_ps)
{
	uint32_t outside = 0;
	struct tp_time_window w;

	tp_time_window_open(&w, t, count);
	for (uint32_t i = 0; i < count; i++) {
		int64_t start_ps = tp_time_window_start_ps(&w, i);

		outside += start_ps < from_ps || start_ps + tp_time_window_duration_ps(&w, i) > to_ps;
	}
	return outside;
}

uint32_t
tp_times_outside(const struct tp_times *t, uint32_t count, int64_t from_ps, int64_t to_ps)
{
	uint32_t outside = 0;

	if (t->first_rare == 0)
		return rare_outside(t, count, from_ps, to_ps);
	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t at = t->first + i;

		end = i + rest_of_block(at, TP_BLOCK_SHIFT, count - i);
		if (at % TP_BLOCK_EVENTS == 0 && t->base_ps[at >> t->block_shift] >= from_ps &&
			tp_times_reach_ps(t, i) <= to_ps)
			continue;
		for (uint32_t k = i; k < end; k++)
			outside += is_outside(t, k, from_ps, to_ps);
	}
	return outside;
}
