/* Rules on the memory of PyTorch runs: whether a device's memory is nearly full of tensors (torch-tb-profiler's rule, with its
 * threshold), and whether much of what is reserved is of no use to them. */
#include "analyze/judge/rule.h"

#include "analyze/facts/torch_unrecorded.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch_steps/torch_say.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

/* Of a device with less of its memory reserved nothing can run out. */
#define HALF_RESERVED 0.5

/* Peak over the card's memory; NaN: not known. */
static double
peak_share(const struct tp_torch_pool *pool)
{
	return pool->capacity_bytes != 0 && pool->peak_bytes >= 0
		? (double)pool->peak_bytes / (double)pool->capacity_bytes
		: NAN;
}

/* What was reserved but not allocated at the peak over the same; NaN: not known. */
static double
unused_share(const struct tp_torch_pool *pool)
{
	return pool->capacity_bytes != 0 && pool->reserved_at_peak >= 0 &&
			(double)pool->peak_reserved >= HALF_RESERVED * (double)pool->capacity_bytes
		? (double)(pool->reserved_at_peak - pool->peak_bytes) / (double)pool->capacity_bytes
		: NAN;
}

/* The device with the largest of these shares; NULL: of none it is known. */
static const struct tp_torch_pool *
largest(const struct tp_torch_memories *all, double (*share)(const struct tp_torch_pool *))
{
	const struct tp_torch_pool *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct tp_torch_pool *pool = &all->pools[i];

		if (isfinite(share(pool)) && (best == NULL || share(pool) > share(best)))
			best = pool;
	}
	return best;
}

/* NULL, and the result says why, when no peak of a device is known. */
static const struct tp_torch_pool *
fullest(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_torch_memories *all = tp_result(e->ctx, &tp_pass_torch_memory);
	const struct tp_torch_pool *pool = all != NULL ? largest(all, peak_share) : NULL;

	if (pool != NULL)
		return pool;
	/* Summaries of ranks say nothing of their GPUs. */
	bool no_gpu = e->torch_gpus == NULL && e->ctx->options->merge == NULL &&
		tp_torch_unrecorded_reason(e->ctx).len == 0;

	if ((all == NULL || all->count == 0) && no_gpu)
		tp_rule_not_applicable(r, "no trace holds device work");
	else if (all == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_torch_memory));
	else if (all->count == 0)
		tp_rule_undecided(r, tp_torch_memory_unrecorded(e->ctx));
	else if (!all->pools[0].accelerator)
		tp_rule_not_applicable(r, "only the host's memory was recorded");
	else if (!all->pools[0].has_totals)
		tp_rule_undecided(r, TP_S("torch up to 1.9 does not record allocated totals"));
	else
		tp_rule_undecided(r, TP_S("no trace says how much memory its devices have"));
	return NULL;
}

static void
peak_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_torch_pool *pool = fullest(e, r);

	if (pool != NULL)
		tp_rule_decide(r, peak_share(pool), NAN);
}

static void
reserve_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (fullest(e, r) == NULL)
		return;
	const struct tp_torch_pool *pool =
		largest(tp_result(e->ctx, &tp_pass_torch_memory), unused_share);

	if (pool != NULL) {
		r->memory_bytes = pool->reserved_at_peak - pool->peak_bytes;
		tp_rule_decide(r, unused_share(pool), NAN);
	} else
		tp_rule_not_applicable(r, "no device ever had half of its memory reserved");
}

static void
name_device(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding,
	const struct tp_torch_pool *pool)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];

	TP_SAY_MORE(doc, finding->saw, " `{}` in {}: {} allocated and {} reserved, of {}.",
		tp_text_value(pool->device), tp_text_value(tp_torch_who(ctx, t)),
		tp_integer(pool->peak_bytes, TP_UNIT_BYTES),
		pool->reserved_at_peak >= 0 ? tp_integer(pool->reserved_at_peak, TP_UNIT_BYTES)
									: tp_missing(TP_S("not recorded")),
		tp_number((double)pool->capacity_bytes, TP_UNIT_BYTES));
}

static void
name_fullest(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_memories *all = tp_result(ctx, &tp_pass_torch_memory);
	const struct tp_torch_pool *pool = all != NULL ? largest(all, peak_share) : NULL;

	if (pool == NULL)
		return;
	finding->saving = tp_missing(TP_S("all fitted; how much must stay free is not in the profile"));
	name_device(ctx, doc, finding, pool);
	for (size_t i = 0; i < pool->live_count && i < 3; i++) {
		const struct tp_torch_live_row *row = &pool->live[i];
		struct tp_slice name = row->earlier ? TP_S("allocated before the trace")
			: row->name.len != 0            ? row->name
											: TP_S("outside of operators");

		TP_SAY_MORE(doc, finding->saw, i == 0 ? " Largest: `{}` {}" : ", `{}` {}",
			tp_text_value(name), tp_integer((int64_t)row->bytes, TP_UNIT_BYTES));
	}
	if (pool->live_count != 0)
		TP_SAY_MORE(doc, finding->saw, ".");
}

static void
name_loosest(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_memories *all = tp_result(ctx, &tp_pass_torch_memory);
	const struct tp_torch_pool *pool = all != NULL ? largest(all, unused_share) : NULL;

	if (pool != NULL)
		name_device(ctx, doc, finding, pool);
}

const struct tp_finding_rule tp_rules_torch_memory[] = {
	{
		.info = {"TPR-OOM-004", "Memory allocated at the peak", "a device's memory", 0.98, 0.90,
			false, TP_HUE_MEMORY},
		.scope = TP_RULE_OF_TORCH,
		.evaluate = peak_rule,
		.title = "At the peak tensors take {} of a device's memory",
		.passed = "at the peak tensors take {} of a device's memory (limit {})",
		.any = {"Keep less alive at the peak: recompute activations, or keep them in 16-bit "
				"precision.",
			{"Recompute activations instead of keeping them: `torch.utils.checkpoint` around a "
			 "block.",
				"Use mixed precision: `with torch.autocast(\"cuda\", dtype=torch.bfloat16):`.",
				"Lower the batch size and accumulate gradients, or shard what is largest (FSDP)."}},
		.unbounded = "This saves memory, not time; a job that runs out of memory stops.",
		.check = "`torch.memory.peak_share` below {}",
		.evidence = "[Memory](#torch-memory)",
		.particulars = name_fullest,
	},
	{
		.info = {"TPR-FRAG-002", "Reserved memory that tensors cannot use",
			"a device's memory that is reserved but not allocated at the peak", 0.20, 0.10, false,
			TP_HUE_MEMORY},
		.scope = TP_RULE_OF_TORCH,
		.evaluate = reserve_rule,
		.title = "At the peak {} of a device's memory is reserved and not allocated",
		.passed = "at the peak {} of a device's memory is reserved and not allocated (limit {})",
		.any = {"Let the allocator grow its segments, so that changing sizes fit.",
			{"Set `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True` (`PYTORCH_ALLOC_CONF` from "
			 "torch 2.9 on).",
				"Keep sizes constant: pad batches to a few lengths, drop the last partial batch.",
				"See which blocks lie between: `torch.cuda.memory._dump_snapshot()`."}},
		.unbounded = "This saves memory, not time; a large allocation may fail although enough is "
					 "free in total.",
		.check = "`torch.memory.unused_at_peak_bytes` smaller",
		.evidence = "[Memory](#torch-memory)",
		.particulars = name_loosest,
	},
	{.evaluate = NULL},
};
