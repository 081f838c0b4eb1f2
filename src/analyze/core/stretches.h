/* Stretches of time, and how much of it they cover together. */
#ifndef TP_ANALYZE_STRETCHES_H
#define TP_ANALYZE_STRETCHES_H

#include <stddef.h>
#include <stdint.h>

struct tp_stretch {
	int64_t start_ps, end_ps; /* [start, end) */
};

/* Sorts them by start (linear when they are so already) and joins those that overlap or touch; returns how many are left at
 * the beginning of s. */
size_t tp_stretches_unite(struct tp_stretch *s, size_t count);

/* The sum of their lengths: of united ones, the time covered. */
int64_t tp_stretches_ps(const struct tp_stretch *s, size_t count);

/* The time of [start, end) that united stretches cover. *at: where to begin looking, 0 at first; it moves on, for callers whose
 * starts come in order. */
int64_t tp_stretches_within(
	const struct tp_stretch *s, size_t count, size_t *at, int64_t start_ps, int64_t end_ps);

/* How much of time united stretches cover, made ready for windows in any order that may overlap. */
struct tp_cover {
	const struct tp_stretch *stretches;
	size_t count;
	const uint64_t *before_ps; /* by stretch: how long those before it are together */
};

/* before_ps: room for as many as there are stretches; both are used as long as the cover is. */
struct tp_cover tp_cover_of(const struct tp_stretch *united, size_t count, uint64_t *before_ps);

/* The time of [start, end) that they cover; a search, not a walk. */
int64_t tp_cover_within(const struct tp_cover *c, int64_t start_ps, int64_t end_ps);

#endif
