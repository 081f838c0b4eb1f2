/* The second clock as it is read: by the number of an event, and by the stretch that it is in. */
#include "model/second_clock.h"

#include "base/order.h"

static const struct tp_clock_apart *
apart_of(const struct tp_second_clock *s, uint32_t event)
{
	return &s->apart[TP_FIRST_WHERE(i, s->apart_count, s->apart[i].event >= event)];
}

uint32_t
tp_clock_begun(const struct tp_second_clock *s, uint32_t number)
{
	uint32_t block = number / TP_CLOCK_BLOCK_EVENTS, begun = s->begun[block];
	uint32_t then = block + 1 < s->block_count ? s->begun[block + 1] : s->stretch_count;

	for (uint32_t i = block * TP_CLOCK_BLOCK_EVENTS; i <= number && begun != then; i++)
		begun += s->pairs[s->number[i]].begins;
	return begun;
}

int64_t
tp_second_start_ps(const struct tp_times *t, uint32_t event)
{
	const struct tp_second_clock *s = t->second;
	uint32_t at = t->first + event;
	struct tp_clock_pair pair = s->pairs[s->number[at]];
	int64_t rest_ps = pair.is_apart ? apart_of(s, at)->start_ps : pair.start_ps;

	return (int64_t)((uint64_t)tp_ticks_start_ps(t, event) +
		tp_clock_ahead_ps(s, tp_clock_begun(s, at) - 1) + (uint64_t)rest_ps);
}

int64_t
tp_second_duration_ps(const struct tp_times *t, uint32_t event)
{
	const struct tp_second_clock *s = t->second;
	uint32_t at = t->first + event;
	struct tp_clock_pair pair = s->pairs[s->number[at]];
	uint64_t more_ps = (uint64_t)(int64_t)pair.duration_ps;

	if (pair.is_apart)
		return apart_of(s, at)->duration_ps;
	if (pair.ends_in_next) {
		uint32_t next = tp_clock_begun(s, at);

		more_ps += tp_clock_ahead_ps(s, next) - tp_clock_ahead_ps(s, next - 1);
	}
	return (int64_t)((uint64_t)tp_ticks_duration_ps(t, event) + more_ps);
}
