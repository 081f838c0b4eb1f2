/* Rules on memory as it was measured: whether an allocator nearly ran out, and whether what it had free was in one piece. */
#include "analyze/judge/rule.h"

#include "analyze/memory/allocators.h"
#include "base/arena.h"
#include "model/allocator.h"

#include <math.h>

/* The allocator that came nearest to its limit; NULL: no capacity is known. */
static const struct tp_allocator *
fullest(const struct tp_allocators *all)
{
	const struct tp_allocator *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct tp_allocator *a = &all->of[i];

		if (isfinite(a->peak_share) && (best == NULL || a->peak_share > best->peak_share))
			best = a;
	}
	return best;
}

/* That with the most memory that is free but no use for a large piece; NULL: none is known. */
static const struct tp_allocator *
most_broken(const struct tp_allocators *all)
{
	const struct tp_allocator *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct tp_allocator *a = &all->of[i];

		if (isfinite(a->unusable_share) &&
			(best == NULL || a->unusable_share > best->unusable_share))
			best = a;
	}
	return best;
}

/* NULL, and the result says why, when nothing can be decided. */
static const struct tp_allocator *
measured(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_allocators *all = tp_result(e->ctx, &tp_pass_allocators);
	const struct tp_allocator *a = all != NULL ? fullest(all) : NULL;

	if (all == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_allocators));
	else if (a == NULL)
		tp_rule_undecided(r, TP_S("no allocator says how much of its memory is free"));
	return a;
}

static void
capacity_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_allocator *a = measured(e, r);

	if (a != NULL)
		tp_rule_decide(r, a->peak_share, NAN);
}

static void
fragmentation_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_allocator *full = measured(e, r);
	const struct tp_allocator *a =
		full != NULL ? most_broken(tp_result(e->ctx, &tp_pass_allocators)) : NULL;

	if (a != NULL)
		tp_rule_decide(r, a->unusable_share, NAN);
	else if (full != NULL && full->peak_share < 0.5)
		tp_rule_not_applicable(r, "no allocator was ever half full");
	else if (full != NULL)
		tp_rule_undecided(r, TP_S("no allocator says how fragmented it is"));
}

static void
name_fullest(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_allocators *all = tp_result(ctx, &tp_pass_allocators);
	const struct tp_allocator *a = all != NULL ? fullest(all) : NULL;
	size_t told = 0;

	if (a == NULL)
		return;
	finding->saw = tp_doc_join(
		doc, finding->saw, TP_SAY(doc, " Allocator `{}`; largest then:", tp_text_value(a->name)));
	for (size_t i = 0; i < a->row_count && told < 3; i++) {
		const struct tp_live_row *row = &a->rows[i];
		struct tp_slice name = row->role == TP_LIVE_STACK ? TP_S("stack")
			: row->role == TP_LIVE_EARLIER                ? TP_S("from before the capture")
			: row->framework.len != 0                     ? row->framework
														  : TP_S("a piece without a name");

		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY(doc, told++ == 0 ? " `{}` {}" : ", `{}` {}", tp_text_value(name),
				tp_integer((int64_t)row->total_bytes, TP_UNIT_BYTES)));
	}
	finding->saw = tp_doc_join(doc, finding->saw, TP_SAY0(doc, "."));
}

static void
name_broken(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_allocators *all = tp_result(ctx, &tp_pass_allocators);
	const struct tp_allocator *a = all != NULL ? most_broken(all) : NULL;

	if (a != NULL)
		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY(doc, " Allocator `{}`, of {}.", tp_text_value(a->name),
				tp_integer((int64_t)a->capacity_bytes, TP_UNIT_BYTES)));
}

const struct tp_finding_rule tp_rules_allocators[] = {
	{
		.info = {"TPR-OOM-003", "Measured memory at the peak", "an allocator's memory", 0.98, 0.90,
			false, TP_HUE_MEMORY},
		.evaluate = capacity_rule,
		.title = "At the peak {} of an allocator's memory is in use",
		.passed = "at the measured peak {} of an allocator's memory is in use (limit {})",
		.jax = {"Keep less alive at the peak: recompute, shard or shrink what is largest there.",
			{"Recompute activations instead of keeping them: `jax.checkpoint` around a layer.",
				"Donate arguments that are replaced: `jax.jit(…, donate_argnums=…)`.",
				"Shard the largest arrays over more devices, or lower the batch on each."}},
		.any = {"Keep less alive at the peak: recompute, shard or shrink what is largest there.",
			{"Recompute activations instead of keeping them (rematerialisation).",
				"Lower the batch on each device, or shard the largest arrays over more devices.",
				"Keep activations in 16 bit where the model allows."}},
		.unbounded = "It saves memory, not time: a job that runs out of it stops.",
		.check = "`memory.measured.peak_share` below {}",
		.evidence = "[Memory over time](#memory-over-time)",
		.particulars = name_fullest,
	},
	{
		.info = {"TPR-FRAG-001", "Fragmented memory",
			"an allocator's memory that is free but not in its largest piece", 0.20, 0.05, false,
			TP_HUE_MEMORY},
		.evaluate = fragmentation_rule,
		.title = "{} of an allocator's memory is free, but not in one piece",
		.passed = "at most {} of an allocator's memory is free but not in one piece (limit {})",
		.any = {"Allocate large pieces early and keep shapes steady, so that what is free stays in "
				"one piece.",
			{"Pad variable sizes to few different ones, so that freed pieces fit again.",
				"Let the allocator take its memory in one piece at the start (preallocation).",
				"Free large arrays before allocating their successors, not after."}},
		.unbounded =
			"It saves memory, not time: a large piece may find no place although enough is free.",
		.check = "`memory.measured.fragmentation_most_share` smaller",
		.evidence = "[Memory over time](#memory-over-time)",
		.particulars = name_broken,
	},
	{.evaluate = NULL},
};
