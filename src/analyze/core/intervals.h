/* Intervals of time, and how much of it they cover together. */
#ifndef TP_ANALYZE_INTERVALS_H
#define TP_ANALYZE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

/* The lesser and the greater of two times. */
static inline int64_t
tp_earlier(int64_t a_ps, int64_t b_ps)
{
	return a_ps < b_ps ? a_ps : b_ps;
}

static inline int64_t
tp_later(int64_t a_ps, int64_t b_ps)
{
	return a_ps > b_ps ? a_ps : b_ps;
}

struct tp_interval {
	int64_t start_ps, end_ps; /* [start, end) */
};

/* Sorts them by start (linear when they are so already) and joins those that overlap or touch; returns how many are left at
 * the beginning of s. */
size_t tp_intervals_unite(struct tp_interval *s, size_t count);

/* The sum of their lengths: of united ones, the time covered. */
int64_t tp_intervals_ps(const struct tp_interval *s, size_t count);

/* The longest part of [start, end) that united intervals do not cover, the first of equals; as long as 0: they cover all of it. */
struct tp_interval tp_intervals_longest_gap(
	const struct tp_interval *united, size_t count, int64_t start_ps, int64_t end_ps);

/* How much of time united intervals cover, made ready for windows in any order that may overlap. */
struct tp_cover {
	const struct tp_interval *intervals;
	size_t count;
	const uint64_t *before_ps; /* by interval: how long those before it are together */
};

/* before_ps: room for as many as there are intervals; both are used as long as the cover is. */
struct tp_cover tp_cover_of(const struct tp_interval *united, size_t count, uint64_t *before_ps);

/* The time of [start, end) that they cover; a search, not a walk. */
int64_t tp_cover_within(const struct tp_cover *c, int64_t start_ps, int64_t end_ps);

#endif
