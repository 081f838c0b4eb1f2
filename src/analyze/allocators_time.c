/* The curve of an allocator as columns of equal time: in each the least and the most, so that no peak is lost. */
#include "analyze/allocators.h"

#include "base/arena.h"
#include "model/allocator.h"

#include <math.h>

enum { MOST_COLUMNS = 240 };

static void
take(struct tp_allocator_column *c, const struct tp_allocator_event *e, bool first)
{
	if (first || e->stack_bytes < c->stack_low)
		c->stack_low = e->stack_bytes;
	if (first || e->heap_bytes < c->heap_low)
		c->heap_low = e->heap_bytes;
	if (first || e->stack_bytes + e->heap_bytes > c->stack + c->heap) {
		c->stack = e->stack_bytes;
		c->heap = e->heap_bytes;
		c->free = e->free_bytes;
		c->free_known = e->free_known;
	}
	c->fragmentation = first ? e->fragmentation : fmax(c->fragmentation, e->fragmentation);
}

void
tp_allocator_over_time(const struct tp_pass_ctx *ctx, struct tp_allocator *a)
{
	int64_t first_ps = a->events[0]->time_ps;
	uint64_t span_ps = (uint64_t)a->events[a->event_count - 1]->time_ps - (uint64_t)first_ps;
	size_t count = a->event_count < MOST_COLUMNS ? a->event_count : MOST_COLUMNS, next = 0;
	const struct tp_allocator_event *last = NULL;

	if (span_ps < count)
		count = 1;
	a->columns = tp_new_array(ctx->keep, struct tp_allocator_column, count);
	a->column_count = count;
	/* Times are below 2^61, so a column more does not overflow. */
	uint64_t width_ps = span_ps / count + 1;

	for (size_t i = 0; i < count; i++) {
		struct tp_allocator_column *c = &a->columns[i];
		uint64_t end_ps = (uint64_t)(i + 1) * width_ps;

		c->start_ps = first_ps + (int64_t)(i * width_ps);
		/* What the one before left is there until something happens. */
		if (last != NULL)
			take(c, last, true);
		for (; next < a->event_count &&
			 (uint64_t)a->events[next]->time_ps - (uint64_t)first_ps < end_ps;
			 next++) {
			last = a->events[next];
			take(c, last, i == 0 && c->events == 0);
			c->events++;
		}
	}
}
