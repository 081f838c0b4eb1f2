/* How full an allocator was over time, for charts: intervals of equal time, each with the records in it, so that the least and
 * the most of each can be told and no peak is lost. */
#ifndef TP_ANALYZE_MEMORY_CURVE_H
#define TP_ANALYZE_MEMORY_CURVE_H

#include "analyze/core/ctx.h"
#include "base/number.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_block;
struct tp_series;

/* Records [first, end); what the one before left is there as well until something happens. */
struct tp_memory_interval {
	int64_t start_ps;
	size_t first, end;
};

/* Divides the time from the first to the last of these, in order and at least one; at most 240 intervals, in keep. */
struct tp_memory_interval *tp_memory_intervals(
	const struct tp_pass_ctx *ctx, const int64_t *times_ps, size_t count, size_t *interval_count);

/* A curve of stacked series. */
struct tp_memory_curve {
	enum tp_unit unit;
	const struct tp_series *series; /* a value an interval */
	size_t series_count, point_count;
	const int64_t *start_ps; /* of each interval, as its label says it */
	size_t marked;           /* the interval of the peak; SIZE_MAX: none */
	int64_t marked_ps;       /* when in it the peak is */
	uint64_t marked_bytes;   /* the peak, where the highest that is drawn is more; else 0 */
	uint64_t top_bytes, capacity_bytes; /* the highest that is drawn; capacity 0: not known */
	struct tp_slice alt;
};

void tp_memory_curve_chart(const struct tp_pass_ctx *ctx, const struct tp_memory_curve *curve,
	struct tp_doc *doc, struct tp_block *parent, const char *id);

#endif
