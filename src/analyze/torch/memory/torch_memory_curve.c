/* The curve of a device's allocator: allocated, and what is reserved beyond. The peer thins its curve out to 10,240 points and
 * may lose the peak; here each interval of time has its least and its most. */
#include "analyze/torch/memory/torch_memory.h"

#include "analyze/memory/memory_curve.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

enum { LOW, RISE, RESERVED, SERIES };

/* Records that say how much is allocated; the others are of no use here. */
static uint32_t *
with_totals(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, size_t *count)
{
	uint32_t *records = tp_new_array(ctx->scratch, uint32_t, pool->count);

	*count = 0;
	for (uint32_t i = 0; i < pool->count; i++) {
		if (pool->records[i]->allocated_bytes >= 0)
			records[(*count)++] = i;
	}
	return records;
}

/* The least and the most allocated in an interval, and the most reserved. */
static void
measure(const struct tp_torch_pool *pool, const uint32_t *records,
	const struct tp_memory_interval *s, double values[static SERIES])
{
	int64_t low = INT64_MAX, most = 0, reserved = 0;

	for (size_t k = s->first != 0 ? s->first - 1 : 0; k < s->end; k++) {
		const struct tp_torch_memory *m = pool->records[records[k]];

		low = m->allocated_bytes < low ? m->allocated_bytes : low;
		most = m->allocated_bytes > most ? m->allocated_bytes : most;
		reserved = m->reserved_bytes > reserved ? m->reserved_bytes : reserved;
	}
	values[LOW] = (double)low;
	values[RISE] = (double)most - (double)low;
	values[RESERVED] = reserved > most ? (double)reserved - (double)most : 0;
}

void
tp_torch_pool_curve(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	static const struct tp_series named[SERIES] = {
		[LOW] = {.key = {"allocated_low", 13}, .label = {"Allocated, at least", 19}, .tint = 0},
		[RISE] = {.key = {"allocated_rise", 14}, .label = {"Allocated, at times", 19}, .tint = 1},
		[RESERVED] = {.key = {"reserved", 8}, .label = {"Reserved beyond", 15}, .tint = 3},
	};
	size_t count, interval_count;
	const uint32_t *records = with_totals(ctx, pool, &count);
	int64_t *times_ps = tp_new_array(ctx->scratch, int64_t, count);

	for (size_t i = 0; i < count; i++)
		times_ps[i] = tp_torch_pool_time_ps(pool, records[i]);
	const struct tp_memory_interval *intervals =
		tp_memory_intervals(ctx, times_ps, count, &interval_count);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, SERIES);
	int64_t *start_ps = tp_new_array(ctx->scratch, int64_t, interval_count);
	double *values[SERIES];
	struct tp_memory_curve curve = {.unit = TP_UNIT_BYTES,
		.series = series,
		.point_count = interval_count,
		.start_ps = start_ps,
		.marked = SIZE_MAX,
		.top_bytes = (uint64_t)(pool->peak_reserved > pool->peak_bytes ? pool->peak_reserved
																	   : pool->peak_bytes),
		.capacity_bytes = pool->capacity_bytes};
	char peak[TP_VALUE_BUF], when[TP_VALUE_BUF];

	for (int k = 0; k < SERIES; k++)
		values[k] = tp_new_array(ctx->keep, double, interval_count);
	for (size_t i = 0; i < interval_count; i++) {
		double of[SERIES];

		measure(pool, records, &intervals[i], of);
		for (int k = 0; k < SERIES; k++)
			values[k][i] = of[k];
		start_ps[i] = intervals[i].start_ps;
		for (size_t k = intervals[i].first; k < intervals[i].end; k++)
			curve.marked = records[k] == pool->peak ? i : curve.marked;
	}
	for (int k = 0; k < SERIES; k++) {
		if (k == RESERVED && !pool->accelerator)
			continue;
		series[curve.series_count] = named[k];
		series[curve.series_count].hue = TP_HUE_MEMORY;
		series[curve.series_count++].values = values[k];
	}
	curve.alt = tp_arena_printf(ctx->keep,
		"Memory of %.*s over time, from the first to the last record; the peak is %.*s, at %.*s.%s",
		TP_ARG(pool->device),
		TP_ARG(tp_value_text(tp_integer(pool->peak_bytes, TP_UNIT_BYTES), peak)),
		TP_ARG(
			tp_value_text(tp_integer(tp_torch_pool_time_ps(pool, pool->peak), TP_UNIT_PS), when)),
		interval_count < count ? " Each column shows the least and the most of a stretch of time."
							   : "");
	tp_memory_curve_chart(ctx, &curve, doc, parent, id);
}
