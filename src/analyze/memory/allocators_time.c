/* The curve of an allocator as columns of equal time: in each the least and the most, so that no peak is lost. */
#include "analyze/memory/allocators.h"

#include "analyze/memory/memory_curve.h"
#include "base/arena.h"
#include "model/allocator.h"

#include <math.h>

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
	int64_t *times_ps = tp_new_array(ctx->scratch, int64_t, a->event_count);

	for (size_t i = 0; i < a->event_count; i++)
		times_ps[i] = a->events[i]->time_ps;
	const struct tp_memory_interval *intervals =
		tp_memory_intervals(ctx, times_ps, a->event_count, &a->column_count);

	a->columns = tp_new_array(ctx->keep, struct tp_allocator_column, a->column_count);
	for (size_t i = 0; i < a->column_count; i++) {
		const struct tp_memory_interval *s = &intervals[i];
		struct tp_allocator_column *c = &a->columns[i];

		c->start_ps = s->start_ps;
		c->events = s->end - s->first;
		for (size_t k = s->first != 0 ? s->first - 1 : 0; k < s->end; k++)
			take(c, a->events[k], k == 0 || k + 1 == s->first);
	}
}
