/* The second clock as it is put together: pairs of differences are numbered as they come, and a stretch begins where the clock is ahead by
 * another time than before. */
#include "model/second_clock.h"

#include "base/arena.h"

/* A difference beyond this is no rounding, and would use up a pair. */
enum { MOST_ROUNDING_PS = 4096 };

/* Modulo 2⁶⁴: starts may differ by more than an int64_t holds. */
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

/* The event as differences; its stretch is ahead by *ahead_ps if it is not the first of one. */
static inline struct tp_clock_pair
see(const struct tp_both_clocks *t, uint32_t event, uint32_t count, bool first, uint64_t *ahead_ps)
{
	uint64_t start_ps = ahead_of(t, event) - *ahead_ps;
	uint64_t duration_ps = (uint64_t)t->duration_ps[event] - (uint64_t)t->first_duration_ps[event];
	struct tp_clock_pair pair = {0};

	if (__builtin_expect(first || !is_rounding(start_ps), false)) {
		pair.begins = true;
		*ahead_ps += start_ps;
		start_ps = 0;
	}
	if (__builtin_expect(!is_rounding(duration_ps), false)) {
		uint64_t jump_ps = event + 1 < count ? ahead_of(t, event + 1) - *ahead_ps : 0;
		bool jumps = !is_rounding(jump_ps) && is_rounding(duration_ps - jump_ps);

		pair.ends_in_next = jumps;
		pair.is_apart = !jumps;
		duration_ps = jumps ? duration_ps - jump_ps : 0;
	}
	pair.start_ps = (int32_t)start_ps;
	pair.duration_ps = (int32_t)duration_ps;
	return pair;
}

bool
tp_clock_begin(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t count)
{
	enum { OWN_BYTES = 2 * sizeof(uint32_t) };
	uint64_t ahead_ps = 0;
	size_t bytes = 0;

	count = tp_first_events(count);
	for (uint32_t i = 0; i < count; i++) {
		struct tp_clock_pair pair = see(t, i, count, i == 0, &ahead_ps);

		bytes += pair.begins ? sizeof ahead_ps : 0;
		bytes += pair.is_apart ? sizeof(struct tp_clock_apart) : 0;
	}
	d->first_free = TP_CLOCK_FIRST;
	d->first_flagged = TP_CLOCK_NUMBERS;
	d->pairs[TP_CLOCK_APART] = (struct tp_clock_pair){.is_apart = true};
	d->pairs[TP_CLOCK_APART_BEGINS] = (struct tp_clock_pair){.is_apart = true, .begins = true};
	memset(d->slots, 0, sizeof d->slots);
	return bytes <= (size_t)count * (OWN_BYTES - 1) + sizeof ahead_ps;
}

static uint8_t
apart_number(struct tp_clock_pair pair)
{
	return pair.begins ? TP_CLOCK_APART_BEGINS : TP_CLOCK_APART;
}

static uint8_t
add_pair(struct tp_clock_draft *d, struct tp_clock_pair pair, uint8_t *slot)
{
	if (d->first_free == d->first_flagged)
		return apart_number(pair);
	*slot = (uint8_t)(pair.begins || pair.ends_in_next ? --d->first_flagged : d->first_free++);
	d->pairs[*slot] = pair;
	return *slot;
}

/* All of a pair: the bit that it does not have is 0 in each. */
static inline uint32_t
bits_of(struct tp_clock_pair pair)
{
	uint32_t bits;

	memcpy(&bits, &pair, sizeof bits);
	return bits;
}

/* Half of the slots are free at least, so that the search ends. */
static uint8_t
number_of(struct tp_clock_draft *d, struct tp_clock_pair pair)
{
	enum { SLOTS = sizeof d->slots };

	if (pair.is_apart)
		return apart_number(pair);
	for (uint32_t at = bits_of(pair) * 2654435769u >> 23;; at = (at + 1) % SLOTS) {
		uint8_t *slot = &d->slots[at];

		if (*slot == 0)
			return add_pair(d, pair, slot);
		if (bits_of(d->pairs[*slot]) == bits_of(pair))
			return *slot;
	}
}

void
tp_clock_add(struct tp_clock_draft *d, const struct tp_both_clocks *t, uint32_t count)
{
	uint32_t first = (uint32_t)d->number.count;
	uint8_t *number = tp_buf_extend(&d->number, count, sizeof *number);
	struct tp_clock_pair last = {0};

	for (uint32_t i = 0; i < count; i++) {
		if ((first + i) % TP_CLOCK_BLOCK_EVENTS == 0)
			TP_PUSH(&d->begun, uint32_t, (uint32_t)d->stretches.count);
		struct tp_clock_pair pair = see(t, i, count, first + i == 0, &d->ahead_ps);

		number[i] = i != 0 && bits_of(pair) == bits_of(last) ? number[i - 1] : number_of(d, pair);
		last = pair;
		if (__builtin_expect(pair.begins, false))
			TP_PUSH(&d->stretches, uint64_t, d->ahead_ps);
		if (__builtin_expect(number[i] < TP_CLOCK_FIRST, false))
			TP_PUSH(&d->apart, struct tp_clock_apart, t->duration_ps[i], first + i,
				(int16_t)pair.start_ps);
	}
}

void
tp_clock_reserve(struct tp_clock_draft *d, size_t events)
{
	tp_buf_reserve(&d->number, events, sizeof(uint8_t));
	tp_buf_reserve(&d->begun, events / TP_CLOCK_BLOCK_EVENTS + 1, sizeof(uint32_t));
}

static struct tp_times
by_second(const struct tp_times *first, const struct tp_second_clock *second)
{
	struct tp_times times = *first;

	times.second = second;
	times.first_rare = 0;
	return times;
}

static struct tp_second_clock
plain(const struct tp_clock_draft *d)
{
	return (struct tp_second_clock){
		.number = d->number.data,
		.pairs = d->pairs,
		.first_flagged = d->first_flagged,
		.stretches = d->stretches.data,
		.width = sizeof(uint64_t),
		.stretch_count = (uint32_t)d->stretches.count,
		.begun = d->begun.data,
		.block_count = (uint32_t)d->begun.count,
		.apart = d->apart.data,
		.apart_count = (uint32_t)d->apart.count,
	};
}

struct tp_times
tp_clock_so_far(struct tp_clock_draft *d, const struct tp_times *first)
{
	d->so_far = plain(d);
	return by_second(first, &d->so_far);
}

/* The bytes that a number takes, with its sign. */
static uint32_t
width_of(int64_t number)
{
	uint32_t width = 1;

	while (width < 8 && number >> (8 * width - 1) != number >> 63)
		width++;
	return width;
}

/* Stretches in as few bytes as the one needs that is farthest from the first; little-endian, as they are looked at. */
static void
pack_stretches(const struct tp_clock_draft *d, struct tp_second_clock *s, struct tp_arena *arena)
{
	const uint64_t *ahead_ps = d->stretches.data;
	size_t count = d->stretches.count;

	s->ahead_ps = ahead_ps[0];
	s->width = 1;
	for (size_t i = 1; i < count; i++) {
		uint32_t width = width_of((int64_t)(ahead_ps[i] - ahead_ps[0]));

		s->width = width > s->width ? width : s->width;
	}
	uint8_t *bytes = tp_arena_alloc(arena, count * s->width + sizeof *ahead_ps);

	for (size_t i = 0; i < count; i++) {
		uint64_t difference_ps = ahead_ps[i] - ahead_ps[0];

		memcpy(bytes + i * s->width, &difference_ps, s->width);
	}
	s->stretches = bytes;
}

/* Pairs that tell more follow those that do not. */
static void
close_gap(struct tp_clock_draft *d, struct tp_second_clock *s, struct tp_arena *arena)
{
	uint32_t flagged = TP_CLOCK_NUMBERS - d->first_flagged, gap = d->first_flagged - d->first_free;
	struct tp_clock_pair *pairs =
		tp_new_array(arena, struct tp_clock_pair, d->first_free + flagged);
	uint8_t *number = d->number.data;

	memcpy(pairs, d->pairs, d->first_free * sizeof *pairs);
	memcpy(pairs + d->first_free, d->pairs + d->first_flagged, flagged * sizeof *pairs);
	for (size_t i = 0; i < d->number.count; i++)
		number[i] = (uint8_t)(number[i] - (number[i] >= d->first_flagged ? gap : 0));
	s->pairs = pairs;
	s->first_flagged = d->first_free;
}

struct tp_times
tp_clock_give(struct tp_clock_draft *d, const struct tp_times *first, struct tp_arena *arena)
{
	struct tp_second_clock *s = tp_new(arena, struct tp_second_clock);

	*s = plain(d);
	pack_stretches(d, s, arena);
	close_gap(d, s, arena);
	s->number = tp_buf_give(&d->number, d->number.count, sizeof(uint8_t), arena);
	s->begun = tp_buf_give(&d->begun, d->begun.count, sizeof(uint32_t), arena);
	s->apart = tp_buf_give(&d->apart, d->apart.count, sizeof(struct tp_clock_apart), arena);
	d->stretches.count = 0;
	return by_second(first, s);
}

void
tp_clock_free(struct tp_clock_draft *d)
{
	tp_buf_free(&d->number);
	tp_buf_free(&d->begun);
	tp_buf_free(&d->stretches);
	tp_buf_free(&d->apart);
}
