/* Headline figures of memory over time: of the allocator with the largest peak, and of each. */
#include "analyze/core/say.h"
#include "analyze/memory/allocators.h"
#include "base/arena.h"
#include "model/allocator.h"
#include "model/profile.h"
#include "report/doc.h"
#include "report/scope.h"

#include <math.h>

/* Figures of single allocators: of so many at most, the largest first. */
enum { MOST_SCOPED = 1000 };

enum {
	PEAK,
	STACK,
	HEAP,
	FREE,
	FRAGMENTATION,
	FRAGMENTATION_MOST,
	TIME,
	CAPACITY,
	SHARE,
	LIFETIME,
	EARLIER,
	ALLOCATIONS,
	DEALLOCATIONS,
	FIGURES
};

static const struct {
	const char *id, *label, *how;
} figures[FIGURES] = {
	[PEAK] = {"memory.measured.peak_bytes", "Memory in use at the measured peak",
		"the largest sum of stack and heap after an event of the allocator"},
	[STACK] = {"memory.measured.stack_bytes", "Stack at the measured peak",
		"bytes_reserved of the event at the peak"},
	[HEAP] = {"memory.measured.heap_bytes", "Heap at the measured peak",
		"bytes_allocated of the event at the peak"},
	[FREE] = {"memory.measured.free_bytes", "Free memory at the measured peak",
		"bytes_available of the event at the peak"},
	[FRAGMENTATION] = {"memory.measured.fragmentation_share", "Fragmentation at the measured peak",
		"of the free memory, what is not in its largest piece, as the allocator says it"},
	[FRAGMENTATION_MOST] = {"memory.measured.fragmentation_most_share", "Largest fragmentation",
		"the largest that an event of the allocator states"},
	[TIME] = {"memory.measured.peak_time_ms", "Time of the measured peak",
		"from the start of the capture; of equal peaks the last"},
	[CAPACITY] = {"memory.measured.capacity_bytes", "Memory of the allocator",
		"stack, heap and free memory at the peak"},
	[SHARE] = {"memory.measured.peak_share", "Measured peak, of the allocator's memory",
		"memory.measured.peak_bytes over memory.measured.capacity_bytes"},
	[LIFETIME] = {"memory.measured.lifetime_peak_bytes", "Most heap since the allocator was made",
		"the largest peak_bytes_in_use, or bytes_allocated, of its events"},
	[EARLIER] = {"memory.measured.unrecorded_bytes",
		"Heap at the measured peak that no recorded allocation accounts for",
		"the heap less the pieces whose allocation is in the profile and that were not given back"},
	[ALLOCATIONS] = {"memory.measured.allocations", "Allocations recorded",
		"events MemoryAllocation"},
	[DEALLOCATIONS] = {"memory.measured.deallocations", "Deallocations recorded",
		"events MemoryDeallocation"},
};

static struct tp_value
share(double value, const char *why_not)
{
	return isfinite(value) ? tp_number(value, TP_UNIT_SHARE) : tp_missing(tp_slice_of(why_not));
}

static const char no_free[] = "the allocator does not say how much is free";
static const char no_fragmentation[] = "the allocator does not say it";

static struct tp_value
figure(const struct tp_allocator *a, int which)
{
	const struct tp_allocator_event *e = a->peak;

	switch (which) {
	case PEAK:
		return tp_bytes(a->peak_bytes);
	case STACK:
		return tp_bytes(e->stack_bytes);
	case HEAP:
		return tp_bytes(e->heap_bytes);
	case FREE:
		return e->free_known ? tp_bytes(e->free_bytes) : tp_missing(tp_slice_of(no_free));
	case FRAGMENTATION:
		return share(e->fragmentation, no_fragmentation);
	case FRAGMENTATION_MOST:
		return share(a->fragmentation_most, no_fragmentation);
	case TIME:
		return tp_number((double)e->time_ps / 1e9, TP_UNIT_MS);
	case CAPACITY:
		return a->capacity_bytes != 0 ? tp_bytes(a->capacity_bytes)
									  : tp_missing(tp_slice_of(no_free));
	case SHARE:
		return share(tp_allocator_peak_share(a), no_free);
	case LIFETIME:
		return tp_bytes(a->lifetime_peak_bytes);
	case EARLIER:
		return tp_bytes(e->heap_bytes > a->recorded_bytes ? e->heap_bytes - a->recorded_bytes : 0);
	case ALLOCATIONS:
		return tp_count(a->allocations);
	default:
		return tp_count(a->deallocations);
	}
}

static struct tp_value
over_all(const struct tp_allocators *all, int which)
{
	uint64_t sum = 0;

	if (which != ALLOCATIONS && which != DEALLOCATIONS)
		return figure(&all->of[0], which);
	for (size_t i = 0; i < all->count; i++)
		sum += which == ALLOCATIONS ? all->of[i].allocations : all->of[i].deallocations;
	return tp_count(sum);
}

static void
scoped(const struct tp_pass_ctx *ctx, const struct tp_allocators *all, struct tp_doc *doc)
{
	for (size_t i = 0; i < all->count && i < MOST_SCOPED; i++) {
		const struct tp_allocator *a = &all->of[i];
		struct tp_scope scope = tp_say_host_scope(ctx, a->host);

		scope.device = a->name;
		for (int k = 0; k < FIGURES; k++)
			tp_doc_metric_for(doc, figures[k].id, scope, figure(a, k), TP_S(""));
	}
}

void
tp_allocators_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_allocators *all = result;
	struct tp_slice coverage = all != NULL && all->count > 1
		? tp_arena_printf(
			  ctx->keep, "%.*s, the largest of %zu allocators", TP_ARG(all->of[0].name), all->count)
		: all != NULL ? all->of[0].name
					  : TP_S("");

	for (int k = 0; k < FIGURES; k++) {
		bool sum = k == ALLOCATIONS || k == DEALLOCATIONS;
		struct tp_value v =
			all != NULL ? over_all(all, k) : tp_missing(tp_skipped(ctx, &tp_pass_allocators));

		tp_doc_metric(doc, tp_slice_of(figures[k].id), figures[k].label, v,
			tp_slice_of(figures[k].how), sum ? TP_S("") : coverage);
		tp_doc_metric_scopes(doc, figures[k].id, "@host,device");
	}
	if (all != NULL)
		scoped(ctx, all, doc);
}
