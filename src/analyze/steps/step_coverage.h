/* When anything ran: united stretches with their running sum, so that a step is answered for without going through them. */
#ifndef TP_ANALYZE_STEP_COVERAGE_H
#define TP_ANALYZE_STEP_COVERAGE_H

#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_stretch;

struct tp_coverage {
	const struct tp_stretch *list; /* united */
	int64_t *before_ps;            /* time that those before it cover */
	size_t count;
};

/* Unites the stretches in place; the coverage points to them. The rest is from scratch. */
struct tp_coverage tp_coverage_of(
	struct tp_stretch *stretches, size_t count, struct tp_arena *scratch);

/* How much of [start, end) is covered. */
int64_t tp_covered_ps(const struct tp_coverage *c, int64_t start_ps, int64_t end_ps);

#endif
