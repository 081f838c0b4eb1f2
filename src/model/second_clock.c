/* The second clock: pairs of differences that are numbered as they come, and the events that have none. */
#include "model/second_clock.h"

#include "base/arena.h"
#include "base/order.h"

/* A difference beyond this is no rounding, and would use up a pair. */
enum { MOST_ROUNDING_PS = 4096 };

static const struct tp_clock_apart *
apart_of(const struct tp_second_clock *s, uint32_t event)
{
	return &s->apart[TP_FIRST_WHERE(i, s->apart_count, s->apart[i].event >= event)];
}

int64_t
tp_second_start_ps(const struct tp_times *t, uint32_t event)
{
	const struct tp_second_clock *s = t->second;
	uint32_t number = t->first + event;
	uint8_t pair = s->pair[number];

	if (__builtin_expect(pair == TP_CLOCK_APART, false))
		return apart_of(s, number)->start_ps;
	return (int64_t)((uint64_t)tp_ticks_start_ps(t, event) +
		(uint64_t)s->ahead_ps[number >> s->block_shift] + (uint64_t)s->pairs[pair].start_ps);
}

int64_t
tp_second_duration_ps(const struct tp_times *t, uint32_t event)
{
	const struct tp_second_clock *s = t->second;
	uint32_t number = t->first + event;
	uint8_t pair = s->pair[number];

	if (__builtin_expect(pair == TP_CLOCK_APART, false))
		return apart_of(s, number)->duration_ps;
	return tp_ticks_duration_ps(t, event) + s->pairs[pair].duration_ps;
}

/* Both modulo 2⁶⁴: starts may differ by more than an int64_t holds. */
static inline uint64_t
ahead_of(const struct tp_both_clocks *t, uint32_t event)
{
	return (uint64_t)t->start_ps[event] - (uint64_t)t->first_start_ps[event];
}

static inline bool
is_rounding(uint64_t difference_ps)
{
	return difference_ps + MOST_ROUNDING_PS <= 2 * MOST_ROUNDING_PS;
}

/* What of an event is left beyond how far its block is ahead. False: that is more than rounding. */
static inline bool
rest_of(
	const struct tp_both_clocks *t, uint32_t event, uint64_t ahead_ps, struct tp_clock_pair *rest)
{
	uint64_t start_ps = ahead_of(t, event) - ahead_ps;
	uint64_t duration_ps = (uint64_t)t->duration_ps[event] - (uint64_t)t->first_duration_ps[event];

	*rest = (struct tp_clock_pair){(int64_t)start_ps, (int64_t)duration_ps};
	return is_rounding(start_ps) && is_rounding(duration_ps);
}

/* The bytes that these events take in blocks of this size, beside 1 each. */
static uint32_t
bytes_in_blocks(const struct tp_both_clocks *t, uint32_t count, int shift)
{
	uint32_t bytes = 0;
	uint64_t ahead_ps = 0;
	struct tp_clock_pair rest;

	for (uint32_t i = 0; i < count; i++) {
		if ((i & ((1u << shift) - 1)) == 0) {
			ahead_ps = ahead_of(t, i);
			bytes += sizeof ahead_ps;
		}
		bytes += rest_of(t, i, ahead_ps, &rest) ? 0 : sizeof(struct tp_clock_apart);
	}
	return bytes;
}

bool
tp_clock_begin(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t count)
{
	enum { FIRST_EVENTS = 512, OWN_BYTES = 2 * sizeof(uint32_t) };
	uint32_t best_bytes = UINT32_MAX;

	count = count < FIRST_EVENTS ? count : FIRST_EVENTS;
	for (int shift = TP_BLOCK_SHIFT; shift >= 0; shift--) {
		uint32_t bytes = bytes_in_blocks(t, count, shift);

		if (bytes < best_bytes) {
			best_bytes = bytes;
			d->block_shift = (uint8_t)shift;
		}
	}
	d->pair_count = 1;
	memset(d->slots, 0, sizeof d->slots);
	return best_bytes <= count * (OWN_BYTES - 1) + sizeof(int64_t);
}

static uint8_t
add_pair(struct tp_clock_draft *d, struct tp_clock_pair pair, uint8_t *slot)
{
	if (d->pair_count == TP_CLOCK_PAIRS)
		return TP_CLOCK_APART;
	*slot = (uint8_t)d->pair_count++;
	d->pairs[*slot] = pair;
	return *slot;
}

static inline bool
is_same(struct tp_clock_pair a, struct tp_clock_pair b)
{
	return a.start_ps == b.start_ps && a.duration_ps == b.duration_ps;
}

/* Half of the slots are free at least, so that the search ends. */
static uint8_t
number_of(struct tp_clock_draft *d, struct tp_clock_pair pair)
{
	enum { SLOTS = sizeof d->slots };
	uint32_t key = (uint32_t)pair.start_ps * (4 * MOST_ROUNDING_PS) + (uint32_t)pair.duration_ps;

	for (uint32_t at = key * 2654435769u >> 23;; at = (at + 1) % SLOTS) {
		uint8_t *slot = &d->slots[at];

		if (*slot == 0)
			return add_pair(d, pair, slot);
		if (is_same(d->pairs[*slot], pair))
			return *slot;
	}
}

static void
add_block(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t from, uint32_t to,
	uint8_t *pair, uint32_t first)
{
	uint64_t ahead_ps = ahead_of(t, from);
	struct tp_clock_pair last = {0, 0};
	uint8_t number = TP_CLOCK_APART;

	*tp_buf_new(&d->ahead_ps, int64_t) = (int64_t)ahead_ps;
	for (uint32_t i = from; i < to; i++) {
		struct tp_clock_pair rest;
		bool has_pair = rest_of(t, i, ahead_ps, &rest);

		if (!has_pair)
			number = TP_CLOCK_APART;
		else if (number == TP_CLOCK_APART || !is_same(rest, last))
			number = number_of(d, rest);
		last = rest;
		pair[i] = number;
		if (number == TP_CLOCK_APART)
			TP_PUSH(&d->apart, struct tp_clock_apart, t->start_ps[i], t->duration_ps[i], first + i);
	}
}

void
tp_clock_add(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t count)
{
	uint32_t first = (uint32_t)d->pair.count, most = 1u << d->block_shift;
	uint8_t *pair = tp_buf_extend(&d->pair, count, sizeof *pair);

	for (uint32_t i = 0; i < count; i += most)
		add_block(d, t, i, count - i < most ? count : i + most, pair, first);
}

void
tp_clock_reserve(struct tp_clock_draft *d, size_t events)
{
	tp_buf_reserve(&d->pair, events, sizeof(uint8_t));
	tp_buf_reserve(&d->ahead_ps, (events >> d->block_shift) + 1, sizeof(int64_t));
}

static struct tp_times
by_second(const struct tp_times *first, const struct tp_second_clock *second)
{
	struct tp_times times = *first;

	times.second = second;
	times.first_rare = 0;
	return times;
}

struct tp_times
tp_clock_so_far(struct tp_clock_draft *d, const struct tp_times *first)
{
	d->so_far = (struct tp_second_clock){
		.pair = d->pair.data,
		.ahead_ps = d->ahead_ps.data,
		.pairs = d->pairs,
		.apart = d->apart.data,
		.apart_count = (uint32_t)d->apart.count,
		.block_shift = d->block_shift,
	};
	return by_second(first, &d->so_far);
}

struct tp_times
tp_clock_give(struct tp_clock_draft *d, const struct tp_times *first, struct tp_arena *arena)
{
	struct tp_second_clock *s = tp_new(arena, struct tp_second_clock);
	struct tp_clock_pair *pairs = tp_new_array(arena, struct tp_clock_pair, d->pair_count);

	memcpy(pairs, d->pairs, d->pair_count * sizeof *pairs);
	s->apart_count = (uint32_t)d->apart.count;
	s->block_shift = d->block_shift;
	s->pairs = pairs;
	s->pair = tp_buf_give(&d->pair, d->pair.count, sizeof(uint8_t), arena);
	s->ahead_ps = tp_buf_give(&d->ahead_ps, d->ahead_ps.count, sizeof(int64_t), arena);
	s->apart = tp_buf_give(&d->apart, d->apart.count, sizeof(struct tp_clock_apart), arena);
	return by_second(first, s);
}

void
tp_clock_free(struct tp_clock_draft *d)
{
	tp_buf_free(&d->pair);
	tp_buf_free(&d->ahead_ps);
	tp_buf_free(&d->apart);
}
