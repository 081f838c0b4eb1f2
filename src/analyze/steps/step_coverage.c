/* Searching the running sum: steps that overlap each ask for all that ran in them. */
#include "analyze/steps/step_coverage.h"

#include "analyze/stretches.h"
#include "base/arena.h"

struct tp_coverage
tp_coverage_of(struct tp_stretch *stretches, size_t count, struct tp_arena *scratch)
{
	struct tp_coverage c = {.list = stretches, .count = tp_stretches_unite(stretches, count)};
	int64_t sum = 0;

	c.before_ps = tp_new_array(scratch, int64_t, c.count);
	for (size_t i = 0; i < c.count; i++) {
		c.before_ps[i] = sum;
		sum += c.list[i].end_ps - c.list[i].start_ps;
	}
	return c;
}

/* Time covered before an instant. */
static int64_t
covered_until(const struct tp_coverage *c, int64_t at_ps)
{
	size_t low = 0, high = c->count;

	while (low < high) { /* the first stretch that starts at it or later */
		size_t middle = low + (high - low) / 2;

		if (c->list[middle].start_ps < at_ps)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return 0;
	const struct tp_stretch *last = &c->list[low - 1];

	return c->before_ps[low - 1] + (last->end_ps < at_ps ? last->end_ps : at_ps) - last->start_ps;
}

int64_t
tp_covered_ps(const struct tp_coverage *c, int64_t start_ps, int64_t end_ps)
{
	return start_ps < end_ps ? covered_until(c, end_ps) - covered_until(c, start_ps) : 0;
}
