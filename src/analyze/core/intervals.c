/* One pass over what is sorted. */
#include "analyze/core/intervals.h"

#include "base/order.h"

#include <stdlib.h>

TP_ORDER(by_start, struct tp_interval, TP_UP(start_ps));

size_t
tp_intervals_unite(struct tp_interval *s, size_t count)
{
	size_t sorted = 1, last = 0;

	if (count == 0)
		return 0;
	while (sorted < count && s[sorted - 1].start_ps <= s[sorted].start_ps)
		sorted++;
	if (sorted < count)
		qsort(s, count, sizeof *s, by_start);
	for (size_t i = 1; i < count; i++) {
		if (s[i].start_ps > s[last].end_ps)
			s[++last] = s[i];
		else if (s[i].end_ps > s[last].end_ps)
			s[last].end_ps = s[i].end_ps;
	}
	return last + 1;
}

int64_t
tp_intervals_ps(const struct tp_interval *s, size_t count)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (__builtin_add_overflow(sum, s[i].end_ps - s[i].start_ps, &sum))
			return INT64_MAX;
	}
	return sum;
}

/* Modulo 2^64, so that intervals of all the time that there is have differences that are right. */
static uint64_t
length_ps(int64_t from_ps, int64_t to_ps)
{
	return (uint64_t)to_ps - (uint64_t)from_ps;
}

struct tp_interval
tp_intervals_longest_gap(
	const struct tp_interval *united, size_t count, int64_t start_ps, int64_t end_ps)
{
	struct tp_interval longest = {start_ps, start_ps};
	int64_t from = start_ps;

	for (size_t i = TP_FIRST_WHERE(k, count, united[k].end_ps > start_ps);
		 i <= count && from < end_ps; i++) {
		int64_t to = i < count ? tp_earlier(united[i].start_ps, end_ps) : end_ps;

		if (to > from && to - from > longest.end_ps - longest.start_ps)
			longest = (struct tp_interval){from, to};
		from = i < count ? tp_later(from, united[i].end_ps) : from;
	}
	return longest;
}

struct tp_cover
tp_cover_of(const struct tp_interval *united, size_t count, uint64_t *before_ps)
{
	uint64_t sum_ps = 0;

	for (size_t i = 0; i < count; i++) {
		before_ps[i] = sum_ps;
		sum_ps += length_ps(united[i].start_ps, united[i].end_ps);
	}
	return (struct tp_cover){united, count, before_ps};
}

/* What they cover before a time. */
static uint64_t
covered_until(const struct tp_cover *c, int64_t ps)
{
	size_t low = TP_FIRST_WHERE(i, c->count, c->intervals[i].start_ps >= ps);

	if (low == 0)
		return 0;
	const struct tp_interval *last = &c->intervals[low - 1];

	return c->before_ps[low - 1] + length_ps(last->start_ps, ps < last->end_ps ? ps : last->end_ps);
}

int64_t
tp_cover_within(const struct tp_cover *c, int64_t start_ps, int64_t end_ps)
{
	return end_ps > start_ps ? (int64_t)(covered_until(c, end_ps) - covered_until(c, start_ps)) : 0;
}
