/* Memory by step: what each step began and ended with, its own peak, and what was given out in it. Steps are taken as the host
 * marks them, for allocators run on the host, ahead of their devices. */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* Steps that torch marks do not overlap. Where those of a trace do, records and ranges are looked at as often as this, and the
 * steps that come then are passed over: work grows with the trace, not with its steps times its records. */
enum { MOST_LAYERS = 8 };

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
static int64_t
total_before(const struct tp_torch_pool *pool, uint32_t record)
{
	if (!pool->has_totals)
		return -1;
	if (record != 0)
		return pool->records[record - 1]->allocated_bytes;
	if (pool->records[0]->allocated_bytes < 0)
		return -1;
	return larger(pool->records[0]->allocated_bytes - pool->records[0]->bytes, 0);
}

static void
look_at(const struct tp_torch_pool *pool, struct tp_torch_memory_step *s)
{
	s->peak_bytes = s->start_bytes;
	if (pool->has_totals && s->first != 0)
		s->peak_reserved = pool->records[s->first - 1]->reserved_bytes;
	for (uint32_t i = s->first; i < s->first + s->count; i++) {
		const struct tp_torch_memory *m = pool->records[i];

		if (pool->has_totals) {
			s->peak_bytes = larger(s->peak_bytes, m->allocated_bytes);
			s->peak_reserved = larger(s->peak_reserved, m->reserved_bytes);
		}
		s->allocations += m->bytes > 0;
		s->allocated_bytes += m->bytes > 0 ? (uint64_t)m->bytes : 0;
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
	uint64_t left = MOST_LAYERS * pool->operators.looked_at;

	if (!of->marked)
		return;
	pool->step_count = of->count;
	pool->steps = tp_new_array(ctx->keep, struct tp_torch_memory_step, of->count);
	for (uint32_t i = 0; i < of->count; i++) {
		uint32_t first = first_from(pool, of->steps[i].host_start_ps);
		uint32_t behind = first_from(pool, of->steps[i].host_end_ps);
		struct tp_torch_memory_step *s = &pool->steps[i];

		*s = (struct tp_torch_memory_step){.step = i,
			.name = of->steps[i].name,
			.first = first,
			.count = behind - first,
			.start_bytes = total_before(pool, first),
			.end_bytes = total_before(pool, behind),
			.passed_over = behind - first > left,
			.peak_bytes = -1,
			.peak_reserved = -1};
		if (s->passed_over)
			continue;
		look_at(pool, s);
		s->operators = tp_torch_memory_stats(ctx, pool, s->first, s->count, tally);
		left -= s->operators.looked_at < left ? s->operators.looked_at : left;
	}
}
