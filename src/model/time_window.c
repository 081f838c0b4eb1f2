/* Times of many events: a loop for each block, which compilers make vectors of, and the rare ones after. */
#include "model/time_window.h"

#include "model/second_clock.h"

#include <string.h>

_Static_assert(TP_FIRST_WIDE == UINT32_C(3) << 30, "rare times are those with both high bits");

/* Times of a whole block, in ticks since base_ps, as they are: four in a round, which takes fewer instructions. True: some are rare, and
 * wrong. */
static bool
expand_block(
	const uint32_t *restrict ticks, uint64_t base_ps, uint32_t tick_ps, int64_t *restrict ps)
{
	uint32_t both_high_bits = 0; /* which is what TP_FIRST_WIDE and more have */

	for (uint32_t i = 0; i < TP_BLOCK_EVENTS; i++)
		both_high_bits |= ticks[i] & ticks[i] << 1;
	for (uint32_t i = 0; i < TP_BLOCK_EVENTS; i += 4) {
		ps[i] = (int64_t)(base_ps + (uint64_t)ticks[i] * tick_ps);
		ps[i + 1] = (int64_t)(base_ps + (uint64_t)ticks[i + 1] * tick_ps);
		ps[i + 2] = (int64_t)(base_ps + (uint64_t)ticks[i + 2] * tick_ps);
		ps[i + 3] = (int64_t)(base_ps + (uint64_t)ticks[i + 3] * tick_ps);
	}
	return both_high_bits >> 31 != 0;
}

/* The same of so many. */
static bool
expand(const uint32_t *ticks, uint32_t count, uint64_t base_ps, uint32_t tick_ps, int64_t *ps)
{
	if (count == TP_BLOCK_EVENTS)
		return expand_block(ticks, base_ps, tick_ps, ps);
	bool rare = false;

	for (uint32_t i = 0; i < count; i++) {
		rare |= ticks[i] >= TP_FIRST_WIDE;
		ps[i] = (int64_t)(base_ps + (uint64_t)ticks[i] * tick_ps);
	}
	return rare;
}

/* How many of the events from there on are in the same block. */
static inline uint32_t
rest_of_block(uint32_t at, uint8_t block_shift, uint32_t most)
{
	uint32_t rest = (1u << block_shift) - (at & ((1u << block_shift) - 1));

	return rest < most ? rest : most;
}

static bool
expand_all(const struct tp_times *t, struct tp_time_window *w)
{
	const uint32_t *start = t->start + w->first, *duration = t->duration + w->first;
	bool rare = expand(duration, w->held, 0, t->tick_ps, w->duration_ps);

	for (uint32_t i = 0, count; i < w->held; i += count) {
		uint32_t at = t->first + w->first + i;

		count = rest_of_block(at, t->block_shift, w->held - i);
		rare |= expand(start + i, count, (uint64_t)t->base_ps[at >> t->block_shift], t->tick_ps,
			w->start_ps + i);
	}
	return rare;
}

static inline void
add_pairs(const struct tp_clock_pair *pairs, const uint8_t *restrict pair, uint32_t count,
	uint64_t ahead_ps, int64_t *restrict start_ps, int64_t *restrict duration_ps)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct tp_clock_pair *more = &pairs[pair[i]];

		start_ps[i] = (int64_t)((uint64_t)start_ps[i] + ahead_ps + (uint64_t)more->start_ps);
		duration_ps[i] = (int64_t)((uint64_t)duration_ps[i] + (uint64_t)more->duration_ps);
	}
}

/* Adds what the second clock says beyond the first. True: some events are apart, and wrong. */
static bool
add_second(const struct tp_times *t, struct tp_time_window *w)
{
	const struct tp_second_clock *s = t->second;
	const uint8_t *pair = s->pair + t->first + w->first;

	for (uint32_t i = 0, count; i < w->held; i += count) {
		uint32_t at = t->first + w->first + i;

		count = rest_of_block(at, s->block_shift, w->held - i);
		add_pairs(s->pairs, pair + i, count, (uint64_t)s->ahead_ps[at >> s->block_shift],
			w->start_ps + i, w->duration_ps + i);
	}
	return memchr(pair, TP_CLOCK_APART, w->held) != NULL;
}

void
tp_time_window_move(struct tp_time_window *w, uint32_t event)
{
	const struct tp_times *t = w->times;

	w->first = event & ~(uint32_t)(TP_BLOCK_EVENTS - 1);
	w->held = w->count - w->first < TP_BLOCK_EVENTS ? w->count - w->first : TP_BLOCK_EVENTS;
	bool rare = expand_all(t, w);

	if (t->second != NULL)
		rare |= add_second(t, w);
	for (uint32_t i = 0; i < w->held && rare; i++) {
		w->start_ps[i] = tp_times_start_ps(t, w->first + i);
		w->duration_ps[i] = tp_times_duration_ps(t, w->first + i);
	}
}

/* Whether the narrow times of a block cannot reach out of [from, to]. */
static bool
is_within(int64_t base_ps, int64_t from_ps, int64_t to_ps)
{
	int64_t reach_ps;

	return base_ps >= from_ps &&
		!__builtin_add_overflow(base_ps, 2 * (int64_t)TP_FIRST_WIDE, &reach_ps) &&
		reach_ps <= to_ps;
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
	for (uint32_t first = 0, end; first < count; first = end) {
		uint32_t block = (first + t->first) >> t->block_shift;

		end = ((block + 1) << t->block_shift) - t->first;
		end = end < count ? end : count;
		bool within = is_within(t->base_ps[block], from_ps, to_ps);

		for (uint32_t i = first; i < end; i++) {
			if (within && t->start[i] < TP_FIRST_WIDE && t->duration[i] < TP_FIRST_WIDE)
				continue;
			int64_t start_ps = tp_times_start_ps(t, i);

			outside += start_ps < from_ps || start_ps + tp_times_duration_ps(t, i) > to_ps;
		}
	}
	return outside;
}
