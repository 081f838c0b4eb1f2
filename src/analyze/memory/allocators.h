/* Memory over time: how full each allocator was while the profile was taken, and what was live when it was fullest. */
#ifndef TP_ANALYZE_ALLOCATORS_H
#define TP_ANALYZE_ALLOCATORS_H

#include "analyze/core/ctx.h"
#include "base/slice.h"
#include "model/allocator.h"

#include <stdint.h>

struct tp_block;
struct tp_doc;

/* Pieces of memory that were live at the peak and are alike in all that is told here. */
enum tp_live_role {
	TP_LIVE_RECORDED, /* their allocation is in the profile */
	TP_LIVE_EARLIER,  /* the heap's rest: allocated before the capture, or given back unseen */
	TP_LIVE_STACK,    /* reserved, not by pieces */
};
struct tp_live_row {
	enum tp_live_role role;
	struct tp_slice framework, shape, data_type, region; /* empty: not said */
	uint64_t block_bytes, requested_bytes;               /* of one of them */
	uint64_t count, total_bytes;                         /* of all of them */
};

struct tp_allocator {
	uint32_t host;
	int64_t
		zero_ps; /* what times of the report count from, by that host's clock (analyze/facts/clock.h) */
	struct tp_slice name; /* "GPU_0_bfc"; "device 0" of the one that is known by its device */
	/* its name and, of several hosts, the host's: unlike any other's, without / */
	struct tp_slice key;
	const struct tp_allocator_event *const *events; /* in order of time */
	size_t event_count;
	uint64_t allocations, deallocations;
	const struct tp_allocator_event *peak; /* the last at which most was in use, stack and heap */
	uint64_t peak_bytes;                   /* stack and heap then */
	size_t peak_times;                     /* so often was as much in use */
	uint64_t lifetime_peak_bytes;          /* of the heap: what the allocator says, or the peak */
	uint64_t capacity_bytes;               /* stack, heap and free at the peak; 0: not known */
	double peak_share;                     /* of the capacity; NaN: not known */
	double fragmentation_most;             /* NaN: not said */
	/* of the capacity, the most that was free but not in the largest piece while half of it was in use; NaN: not known, or
	 * it never was */
	double unusable_share;
	struct tp_slice step;     /* that the peak is in; empty: in none that is counted */
	struct tp_live_row *rows; /* by all their bytes, descending */
	size_t row_count;
	uint64_t recorded_bytes; /* of the rows whose allocation is recorded */
};

struct tp_allocators {
	struct tp_allocator *of; /* by peak, descending, then host and name */
	size_t count;
};

/* struct tp_allocators; skipped where the profile holds no event of an allocator */
extern const struct tp_pass tp_pass_allocators;

/* When it happened, from the first event of the report. */
static inline int64_t
tp_allocator_time_ps(const struct tp_allocator *a, const struct tp_allocator_event *e)
{
	return e->time_ps - a->zero_ps;
}

/* Why a figure of an allocator is missing. */
#define TP_NO_FREE "the allocator does not report free memory"
#define TP_NO_FRAGMENTATION "the allocator does not report it"

/* Fills in rows and recorded_bytes (allocators_live.c). */
void tp_allocator_live(const struct tp_pass_ctx *ctx, struct tp_allocator *a);

/* What it says (allocators_present.c). */
void tp_allocators_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
