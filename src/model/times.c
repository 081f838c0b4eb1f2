/* Narrow columns: how times are put into them. */
#include "model/times.h"

#include "model/second_clock.h"

struct tp_times
tp_times_from(const struct tp_times *t, uint32_t first)
{
	struct tp_times part = *t;

	part.start += first;
	part.duration += first;
	part.first += first;
	return part;
}

int64_t
tp_times_rare_start_ps(const struct tp_times *t, uint32_t event)
{
	return t->second != NULL ? tp_second_start_ps(t, event) : tp_ticks_start_ps(t, event);
}

int64_t
tp_times_rare_duration_ps(const struct tp_times *t, uint32_t event)
{
	return t->second != NULL ? tp_second_duration_ps(t, event) : tp_ticks_duration_ps(t, event);
}

static uint32_t
keep_wide(struct tp_times_draft *d, int64_t ps)
{
	*tp_buf_new(&d->wide, int64_t) = ps;
	return TP_FIRST_WIDE + (uint32_t)(d->wide.count - 1);
}

static int64_t
least(const int64_t *start_ps, uint32_t count)
{
	int64_t least_ps = start_ps[0];

	for (uint32_t i = 1; i < count; i++)
		least_ps = start_ps[i] < least_ps ? start_ps[i] : least_ps;
	return least_ps;
}

/* Times far apart may differ by more than an int64_t holds. */
static uint64_t
since(int64_t base_ps, int64_t start_ps)
{
	return (uint64_t)start_ps - (uint64_t)base_ps;
}

/* The bytes that these starts take in blocks of this size, beside 4 each. */
static uint32_t
bytes_in_blocks(const int64_t *start_ps, uint32_t count, uint32_t tick_ps, int shift)
{
	uint64_t first_wide_ps = (uint64_t)TP_FIRST_WIDE * tick_ps;
	uint32_t bytes = 0, most = 1u << shift;

	for (uint32_t from = 0; from < count; from += most) {
		uint32_t events = count - from < most ? count - from : most;
		int64_t base_ps = least(start_ps + from, events);

		bytes += sizeof base_ps;
		for (uint32_t i = from; i < from + events; i++)
			bytes += since(base_ps, start_ps[i]) < first_wide_ps ? 0 : sizeof *start_ps;
	}
	return bytes;
}

/* The size of blocks in which these starts take the fewest bytes. */
static uint8_t
best_shift(const int64_t *start_ps, uint32_t count, uint32_t tick_ps)
{
	int best = TP_BLOCK_SHIFT;
	uint32_t best_bytes = UINT32_MAX;

	for (int shift = TP_BLOCK_SHIFT; shift >= 0; shift--) {
		uint32_t bytes = bytes_in_blocks(start_ps, count, tick_ps, shift);

		if (bytes < best_bytes) {
			best_bytes = bytes;
			best = shift;
		}
	}
	return (uint8_t)best;
}

static inline __attribute__((always_inline)) void
put_block(struct tp_times_draft *d, struct tp_tick tick, const int64_t *start_ps, uint32_t count,
	uint32_t *start)
{
	int64_t base_ps = least(start_ps, count);

	*tp_buf_new(&d->base_ps, int64_t) = base_ps;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t ticks = tp_in_ticks(tick, since(base_ps, start_ps[i]));

		start[i] = ticks < TP_FIRST_WIDE ? (uint32_t)ticks : keep_wide(d, start_ps[i]);
	}
}

/* Inline: of a constant number of them several are taken at once. */
static inline __attribute__((always_inline)) uint32_t
bits_of(const uint32_t *numbers, uint32_t count)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < count; i++)
		bits |= numbers[i];
	return bits;
}

static uint32_t
reach_of(uint64_t start, uint64_t duration)
{
	return start + duration < TP_FIRST_WIDE ? (uint32_t)(start + duration) : TP_NO_REACH;
}

static bool
reach_is_known(const struct tp_times_draft *d)
{
	return d->tick.ps == 1 && d->block_shift == TP_BLOCK_SHIFT;
}

/* Of whole blocks, in picoseconds. The bits of all starts together are no less than the latest, so those of durations; what is wide
 * makes them too much. */
static void
put_reach(struct tp_times_draft *d, const uint32_t *start, const uint32_t *duration, uint32_t count)
{
	bool known = reach_is_known(d);

	for (uint32_t i = 0; i < count; i += TP_BLOCK_EVENTS) {
		uint32_t reach = count - i < TP_BLOCK_EVENTS
			? reach_of(bits_of(start + i, count - i), bits_of(duration + i, count - i))
			: reach_of(bits_of(start + i, TP_BLOCK_EVENTS), bits_of(duration + i, TP_BLOCK_EVENTS));

		TP_PUSH(&d->reach, uint32_t, known ? reach : TP_NO_REACH);
	}
}

/* Inline, as most ticks are a picosecond, and then nothing is to be done about them. */
static inline __attribute__((always_inline)) void
put(struct tp_times_draft *d, struct tp_tick tick, const int64_t *start_ps,
	const int64_t *duration_ps, uint32_t count)
{
	uint32_t *start = tp_buf_extend(&d->start, count, sizeof *start);
	uint32_t *duration = tp_buf_extend(&d->duration, count, sizeof *duration);
	uint32_t most = 1u << d->block_shift;

	for (uint32_t i = 0; i < count; i += most)
		put_block(d, tick, start_ps + i, count - i < most ? count - i : most, start + i);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t ticks = tp_in_ticks(tick, (uint64_t)duration_ps[i]);

		duration[i] = ticks < TP_FIRST_WIDE ? (uint32_t)ticks : keep_wide(d, duration_ps[i]);
	}
	put_reach(d, start, duration, count);
}

static void
begin(struct tp_times_draft *d, struct tp_tick tick, const int64_t *start_ps, uint32_t count)
{
	d->tick = tick;
	d->block_shift = best_shift(start_ps, tp_first_events(count), tick.ps);
}

void
tp_times_add(
	struct tp_times_draft *d, const int64_t *start_ps, const int64_t *duration_ps, uint32_t count)
{
	if (d->tick.ps == 0)
		begin(d, TP_TICK_PS, start_ps, count);
	put(d, TP_TICK_PS, start_ps, duration_ps, count);
}

void
tp_ticks_add(
	struct tp_times_draft *d, const int64_t *start_ps, const int64_t *duration_ps, uint32_t count)
{
	if (d->tick.ps == 0)
		begin(d, tp_tick_of(start_ps, duration_ps, tp_first_events(count)), start_ps, count);
	put(d, d->tick, start_ps, duration_ps, count);
}

void
tp_times_reserve(struct tp_times_draft *d, size_t events)
{
	tp_buf_reserve(&d->start, events, sizeof(uint32_t));
	tp_buf_reserve(&d->duration, events, sizeof(uint32_t));
	tp_buf_reserve(&d->base_ps, (events >> d->block_shift) + 1, sizeof(int64_t));
	tp_buf_reserve(&d->reach, events / TP_BLOCK_EVENTS + 1, sizeof(uint32_t));
}

bool
tp_times_may_grow(const struct tp_times_draft *d, uint32_t events)
{
	/* One more for a duration that changes. */
	return d->wide.count + (size_t)events * 3 < UINT32_MAX - TP_FIRST_WIDE;
}

void
tp_times_set_duration(struct tp_times_draft *d, uint32_t event, int64_t duration_ps)
{
	uint32_t *duration = (uint32_t *)d->duration.data + event;

	((uint32_t *)d->reach.data)[event / TP_BLOCK_EVENTS] = TP_NO_REACH;
	if (duration_ps < TP_FIRST_WIDE)
		*duration = (uint32_t)duration_ps;
	else if (*duration >= TP_FIRST_WIDE)
		((int64_t *)d->wide.data)[*duration - TP_FIRST_WIDE] = duration_ps;
	else
		*duration = keep_wide(d, duration_ps);
}

struct tp_times
tp_times_so_far(const struct tp_times_draft *d)
{
	return (struct tp_times){
		.start = d->start.data,
		.duration = d->duration.data,
		.base_ps = d->base_ps.data,
		.wide = d->wide.count != 0 ? d->wide.data : NULL,
		.tick_ps = d->tick.ps,
		.first_rare = d->tick.ps == 1 ? TP_FIRST_WIDE : 0,
		.block_shift = d->block_shift,
	};
}

struct tp_times
tp_times_give(struct tp_times_draft *d, struct tp_arena *arena)
{
	struct tp_times times = tp_times_so_far(d);

	if (reach_is_known(d))
		times.reach = tp_buf_give(&d->reach, d->reach.count, sizeof(uint32_t), arena);
	d->reach.count = 0;
	times.start = tp_buf_give(&d->start, d->start.count, sizeof(uint32_t), arena);
	times.duration = tp_buf_give(&d->duration, d->duration.count, sizeof(uint32_t), arena);
	times.base_ps = tp_buf_give(&d->base_ps, d->base_ps.count, sizeof(int64_t), arena);
	if (d->wide.count != 0)
		times.wide = tp_buf_give(&d->wide, d->wide.count, sizeof(int64_t), arena);
	d->tick = (struct tp_tick){0};
	return times;
}

struct tp_times
tp_times_of(
	const int64_t *start_ps, const int64_t *duration_ps, uint32_t count, struct tp_arena *arena)
{
	struct tp_times_draft d = {0};

	begin(&d, TP_TICK_PS, start_ps, count);
	tp_times_reserve(&d, count);
	tp_times_add(&d, start_ps, duration_ps, count);
	struct tp_times times = tp_times_give(&d, arena);

	tp_times_free(&d);
	return times;
}

void
tp_times_free(struct tp_times_draft *d)
{
	tp_buf_free(&d->start);
	tp_buf_free(&d->duration);
	tp_buf_free(&d->base_ps);
	tp_buf_free(&d->wide);
	tp_buf_free(&d->reach);
	d->tick = (struct tp_tick){0};
}
