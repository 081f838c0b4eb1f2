/* Memory by step: what each step began and ended with, its own peak, and what was given out in it. Steps are taken as the host
 * marks them, for allocators run on the host, ahead of their devices. */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/torch/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* The first record from `from` on that is not before a time. */
static uint32_t
first_from(const struct tp_torch_pool *pool, int64_t time_ps)
{
	uint32_t low = 0, high = pool->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (pool->records[middle]->time_ps < time_ps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int64_t
larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Before the first record the allocator holds what that record found. */
static void
find_totals(const struct tp_torch_pool *pool, struct tp_torch_memory_step *s)
{
	const struct tp_torch_memory *before = s->first != 0 ? pool->records[s->first - 1] : NULL;
	const struct tp_torch_memory *next = s->first < pool->count ? pool->records[s->first] : NULL;

	s->start_bytes = s->end_bytes = s->peak_bytes = s->peak_reserved = -1;
	if (!pool->has_totals)
		return;
	if (before != NULL)
		s->start_bytes = before->allocated_bytes;
	else if (next != NULL && next->allocated_bytes >= 0)
		s->start_bytes = larger(next->allocated_bytes - next->bytes, 0);
	s->end_bytes = s->peak_bytes = s->start_bytes;
	s->peak_reserved = before != NULL ? before->reserved_bytes : -1;
	for (uint32_t i = s->first; i < s->first + s->count; i++) {
		const struct tp_torch_memory *m = pool->records[i];

		s->end_bytes = m->allocated_bytes;
		s->peak_bytes = larger(s->peak_bytes, m->allocated_bytes);
		s->peak_reserved = larger(s->peak_reserved, m->reserved_bytes);
	}
	if (!pool->accelerator)
		s->peak_reserved = -1;
}

void
tp_torch_pool_steps(const struct tp_pass_ctx *ctx, struct tp_torch_pool *pool,
	const struct tp_torch_memory_tally *tally)
{
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	const struct tp_torch_trace_steps *of = &stepped->traces[pool->trace];

	if (!of->marked)
		return;
	pool->step_count = of->count;
	pool->steps = tp_new_array(ctx->keep, struct tp_torch_memory_step, of->count);
	for (uint32_t i = 0; i < of->count; i++) {
		struct tp_torch_memory_step *s = &pool->steps[i];

		s->step = i;
		s->name = of->steps[i].name;
		s->first = first_from(pool, of->steps[i].host_start_ps);
		s->count = first_from(pool, of->steps[i].host_end_ps) - s->first;
		find_totals(pool, s);
		for (uint32_t k = s->first; k < s->first + s->count; k++) {
			const struct tp_torch_memory *m = pool->records[k];

			s->allocations += m->bytes > 0;
			s->allocated_bytes += m->bytes > 0 ? (uint64_t)m->bytes : 0;
		}
		s->rows = tp_torch_memory_stats(ctx, pool, s->first, s->count, tally, &s->row_count);
	}
}
