/* Headline figures of PyTorch's memory: of the device with the largest peak, and of each. */
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/memory/torch_memory_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

/* Figures of single devices: of so many at most, the largest first. */
enum { MOST_SCOPED = 1000 };

enum {
	PEAK,
	RESERVED_AT_PEAK,
	PEAK_RESERVED,
	CAPACITY,
	SHARE,
	RESERVED_SHARE,
	UNUSED,
	TIME,
	GROWTH,
	ALLOCATIONS,
	RELEASES,
	FIGURES
};

static const struct {
	const char *id, *label, *how;
} figures[FIGURES] = {
	[PEAK] = {"torch.memory.peak_bytes", "PyTorch: max memory allocated",
		"the largest Total Allocated in a device's records; of accelerators if there are any"},
	[RESERVED_AT_PEAK] = {"torch.memory.reserved_at_peak_bytes", "PyTorch: reserved at the peak",
		"Total Reserved of the record at the peak"},
	[PEAK_RESERVED] = {"torch.memory.peak_reserved_bytes", "PyTorch: max memory reserved",
		"the largest Total Reserved in a device's records"},
	[CAPACITY] = {"torch.memory.capacity_bytes", "PyTorch: device memory",
		"totalGlobalMem of deviceProperties"},
	[SHARE] = {"torch.memory.peak_share", "PyTorch: peak, share of device memory",
		"torch.memory.peak_bytes over torch.memory.capacity_bytes"},
	[RESERVED_SHARE] = {"torch.memory.peak_reserved_share",
		"PyTorch: max reserved, share of device memory",
		"torch.memory.peak_reserved_bytes over torch.memory.capacity_bytes"},
	[UNUSED] = {"torch.memory.unused_at_peak_bytes",
		"PyTorch: reserved and not allocated at the peak",
		"torch.memory.reserved_at_peak_bytes − torch.memory.peak_bytes: lost to fragmentation and "
		"rounding"},
	[TIME] = {"torch.memory.peak_time_ms", "PyTorch: time of the memory peak",
		"from the first event of the capture, as on the timeline; of equal peaks the last"},
	[GROWTH] = {"torch.memory.growth_bytes", "PyTorch: max memory growth",
		"the largest value of allocated minus freed since the trace began"},
	[ALLOCATIONS] = {"torch.memory.allocations", "PyTorch: allocations recorded",
		"[memory] records with positive Bytes"},
	[RELEASES] = {"torch.memory.releases", "PyTorch: releases recorded",
		"[memory] records with negative Bytes"},
};

static struct tp_value
bytes(int64_t count, const struct tp_torch_pool *pool)
{
	if (count >= 0)
		return tp_integer(count, TP_UNIT_BYTES);
	return tp_missing(
		tp_slice_of(pool->accelerator || !pool->has_totals ? why_no_totals : why_reserves_nothing));
}

static struct tp_value
share(int64_t part, const struct tp_torch_pool *pool)
{
	if (part < 0)
		return bytes(part, pool);
	return tp_share((double)part, (double)pool->capacity_bytes, tp_slice_of(why_no_capacity));
}

static void
set_values(const struct tp_torch_pool *pool, struct tp_value v[static FIGURES])
{
	v[PEAK] = bytes(pool->peak_bytes, pool);
	v[RESERVED_AT_PEAK] = bytes(pool->reserved_at_peak, pool);
	v[PEAK_RESERVED] = bytes(pool->peak_reserved, pool);
	v[CAPACITY] = pool->capacity_bytes != 0 ? tp_number((double)pool->capacity_bytes, TP_UNIT_BYTES)
											: tp_missing(tp_slice_of(why_no_capacity));
	v[SHARE] = share(pool->peak_bytes, pool);
	v[RESERVED_SHARE] = share(pool->peak_reserved, pool);
	v[UNUSED] =
		bytes(pool->reserved_at_peak >= 0 ? pool->reserved_at_peak - pool->peak_bytes : -1, pool);
	v[TIME] = pool->has_totals ? tp_ps_in_ms((double)tp_torch_pool_time_ps(pool, pool->peak))
							   : tp_missing(tp_slice_of(why_no_totals));
	v[GROWTH] = tp_integer(pool->growth_most, TP_UNIT_BYTES);
	v[ALLOCATIONS] = tp_count(pool->allocations);
	v[RELEASES] = tp_count(pool->releases);
}

/* Those of the fullest device; records of all together. */
static void
set_over_all(const struct tp_torch_memories *all, struct tp_value v[static FIGURES])
{
	uint64_t allocations = 0, releases = 0;

	set_values(&all->pools[0], v);
	for (size_t i = 0; i < all->count; i++) {
		allocations += all->pools[i].allocations;
		releases += all->pools[i].releases;
	}
	v[ALLOCATIONS] = tp_count(allocations);
	v[RELEASES] = tp_count(releases);
}

static void
scoped(const struct tp_pass_ctx *ctx, const struct tp_torch_memories *all, struct tp_doc *doc)
{
	for (size_t i = 0; i < all->count && i < MOST_SCOPED; i++) {
		const struct tp_torch_pool *pool = &all->pools[i];
		struct tp_scope scope = tp_torch_scope(ctx, ctx->profile->torch->traces[pool->trace]);

		struct tp_value values[FIGURES];

		scope.device = pool->key;
		set_values(pool, values);
		for (int k = 0; k < FIGURES; k++)
			tp_doc_metric_for(doc, figures[k].id, scope, values[k], TP_S(""));
	}
}

struct tp_slice
tp_torch_memory_unrecorded(const struct tp_pass_ctx *ctx)
{
	return tp_torch_asked_for(ctx->profile->torch) & TP_TORCH_MEMORY ? TP_S(why_no_record)
																	 : TP_S(why_not_captured);
}

void
tp_torch_memory_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_memories *all = result;
	bool any = all != NULL && all->count != 0;
	struct tp_slice why = all == NULL ? tp_skipped_itself(ctx) : tp_torch_memory_unrecorded(ctx);
	struct tp_slice coverage = TP_S("");
	struct tp_value values[FIGURES];

	if (any)
		set_over_all(all, values);
	if (any && all->count > 1)
		coverage = tp_arena_printf(ctx->keep, "%.*s of %.*s, the fullest of %zu",
			TP_ARG(all->pools[0].device),
			TP_ARG(tp_torch_who(ctx, ctx->profile->torch->traces[all->pools[0].trace])),
			all->count);
	for (int k = 0; k < FIGURES; k++) {
		tp_doc_metric(doc, tp_slice_of(figures[k].id), figures[k].label,
			any ? values[k] : tp_missing(why), tp_slice_of(figures[k].how),
			k == ALLOCATIONS || k == RELEASES ? TP_S("") : coverage);
		tp_doc_metric_scopes(doc, figures[k].id, "@worker,span,device");
	}
	if (any)
		scoped(ctx, all, doc);
}
