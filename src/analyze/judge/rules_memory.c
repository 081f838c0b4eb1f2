/* Rules on memory, which save memory, not time: whether the largest program fits, and what its padding costs; and as it was
 * measured, whether an allocator nearly ran out, and whether what it had free was in one piece. */
#include "analyze/judge/rule.h"

#include "analyze/facts/environment.h"
#include "analyze/facts/peaks.h"
#include "analyze/memory/allocators.h"
#include "analyze/memory/memory.h"
#include "base/arena.h"

#include <math.h>

/* The largest program's main memory and the device's; false when the rule cannot be decided. */
static bool
measure(const struct tp_evaluation *e, struct tp_finding_result *r,
	const struct tp_memory_space **space, double *capacity)
{
	const struct tp_memory *m = tp_result(e->ctx, &tp_pass_memory);
	struct tp_value bytes = tp_peak_value(e->ctx, TP_PEAK_CAPACITY);

	*space = m != NULL ? tp_memory_main(&m->modules[0]) : NULL;
	*capacity = tp_value_in(bytes, TP_UNIT_BYTES);
	if (tp_rule_knows_devices(e) && e->environment->cores == 0 && !(m != NULL && tp_known(bytes)))
		tp_rule_not_applicable(r, "no TPU or GPU");
	else if (m == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_memory));
	else if (*space == NULL)
		tp_rule_not_applicable(r, "no program uses the device's main memory");
	else if (!tp_known(bytes))
		tp_rule_undecided(r, bytes.text);
	return *space != NULL && tp_known(bytes);
}

static void
capacity_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_memory_space *s;
	double capacity;

	if (measure(e, r, &s, &capacity))
		tp_rule_decide(r, (double)s->peak_bytes / capacity, NAN);
}

static void
padding_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_memory_space *s;
	double capacity;

	if (!measure(e, r, &s, &capacity))
		return;
	r->memory_bytes = (int64_t)(s->peak_bytes - s->peak_unpadded_bytes);
	tp_rule_decide(r, (double)r->memory_bytes / capacity, NAN);
}

/* Names a few buffers with what each has of what. */
static void
name_buffers(struct tp_doc *doc, struct tp_finding *finding, const char *lead,
	const struct tp_memory_row *const *rows, const uint64_t *sizes, size_t count)
{
	for (size_t k = 0; k < count; k++) {
		struct tp_value name = tp_text_value(rows[k]->name);
		struct tp_value bytes = tp_integer((int64_t)sizes[k], TP_UNIT_BYTES);

		finding->saw = tp_doc_join(doc, finding->saw,
			k == 0 ? TP_SAY(doc, lead, name, bytes) : TP_SAY(doc, ", `{}` {}", name, bytes));
	}
	if (count != 0)
		TP_SAY_MORE(doc, finding->saw, ".");
}

static const struct tp_memory_space *
largest(const struct tp_pass_ctx *ctx)
{
	const struct tp_memory *m = tp_result(ctx, &tp_pass_memory);

	return m != NULL ? tp_memory_main(&m->modules[0]) : NULL;
}

/* The buffers without which the peak would fall most, each by itself. */
static void
name_freeing(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_memory_space *s = largest(ctx);
	const struct tp_memory_row *best[TP_MEMORY_FEW];
	uint64_t sizes[TP_MEMORY_FEW];
	size_t few[TP_MEMORY_FEW];

	if (s == NULL)
		return;
	uint64_t *frees = tp_new_array(ctx->scratch, uint64_t, s->row_count);

	for (size_t i = 0; i < s->row_count; i++)
		frees[i] = s->rows[i].frees_bytes;
	size_t count = tp_memory_few(frees, s->row_count, few);

	for (size_t k = 0; k < count; k++) {
		best[k] = &s->rows[few[k]];
		sizes[k] = best[k]->frees_bytes;
	}
	struct tp_value capacity = tp_peak_value(ctx, TP_PEAK_CAPACITY);
	double over = (double)s->peak_bytes - tp_value_in(capacity, TP_UNIT_BYTES);

	TP_SAY_MORE(doc, finding->saw, " The peak is {memory.peak_bytes} of {}.", capacity);
	if (over > 0) {
		finding->saving = tp_number(over, TP_UNIT_BYTES);
		finding->saving_note = TP_S("to fit");
		finding->saving_needed = true;
	} else {
		finding->saving =
			tp_missing(TP_S("the plan fits; how much must stay free is not in the profile"));
	}
	name_buffers(
		doc, finding, " Largest reductions of the peak: without `{}` by {}", best, sizes, count);
}

static void
name_padded(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_memory_space *s = largest(ctx);
	const struct tp_memory_row *rows[TP_MEMORY_FEW];
	uint64_t sizes[TP_MEMORY_FEW];

	if (s == NULL)
		return;
	for (size_t k = 0; k < s->padded_count; k++) {
		rows[k] = &s->padded[k];
		sizes[k] = rows[k]->size_bytes - rows[k]->unpadded_bytes;
	}
	TP_SAY_MORE(doc, finding->saw, " Padding costs {} of the peak of {memory.peak_bytes}.",
		finding->saving);
	name_buffers(doc, finding, " Most padding: `{}` {}", rows, sizes, s->padded_count);
}

static struct tp_verdict_text
memory_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	return (struct tp_verdict_text){
		.verdict.name = TP_SAY0(doc, "Too large for the memory:"),
		.verdict.saw = TP_SAY(doc, "the largest program needs {} of the device's memory",
			tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY0(doc, "by the compiler's plan it does not fit."),
		.because = TP_SAY(doc,
			"Because the compiler's plan has a peak of {memory.peak_bytes}, and the device has {}. "
			"Therefore *keep less alive at the peak*: [Memory](#memory) shows what is largest "
			"then.",
			tp_peak_value(ctx, TP_PEAK_CAPACITY)),
	};
}

/* How near an allocator came to its limit; and how much of its memory is free but no use for a large piece. */
static double
peak_share(const struct tp_allocator *a)
{
	return a->peak_share;
}

static double
unusable_share(const struct tp_allocator *a)
{
	return a->unusable_share;
}

/* The allocator with the largest of these shares; NULL: of none it is known. */
static const struct tp_allocator *
most(const struct tp_allocators *all, double (*share)(const struct tp_allocator *))
{
	const struct tp_allocator *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		const struct tp_allocator *a = &all->of[i];

		if (isfinite(share(a)) && (best == NULL || share(a) > share(best)))
			best = a;
	}
	return best;
}

/* NULL, and the result says why, when nothing can be decided. */
static const struct tp_allocator *
measured_allocator(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_allocators *all = tp_result(e->ctx, &tp_pass_allocators);
	const struct tp_allocator *a = all != NULL ? most(all, peak_share) : NULL;

	if (all == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_allocators));
	else if (a == NULL)
		tp_rule_undecided(r, TP_S("no allocator says how much of its memory is free"));
	return a;
}

static void
allocator_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_allocator *a = measured_allocator(e, r);

	if (a != NULL)
		tp_rule_decide(r, a->peak_share, NAN);
}

static void
fragmentation_rule(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_allocator *full = measured_allocator(e, r);
	const struct tp_allocator *a =
		full != NULL ? most(tp_result(e->ctx, &tp_pass_allocators), unusable_share) : NULL;

	if (a != NULL) {
		r->memory_bytes = (int64_t)(a->unusable_share * (double)a->capacity_bytes);
		tp_rule_decide(r, a->unusable_share, NAN);
	} else if (full != NULL && full->peak_share < 0.5)
		tp_rule_not_applicable(r, "no allocator was ever half full");
	else if (full != NULL)
		tp_rule_undecided(r, TP_S("no allocator says how fragmented it is"));
}

static void
name_fullest(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_allocators *all = tp_result(ctx, &tp_pass_allocators);
	const struct tp_allocator *a = all != NULL ? most(all, peak_share) : NULL;
	size_t told = 0;

	if (a == NULL)
		return;
	finding->saving = tp_missing(TP_S("all fitted; how much must stay free is not in the profile"));
	TP_SAY_MORE(doc, finding->saw, " Allocator `{}`; largest then:", tp_text_value(a->name));
	for (size_t i = 0; i < a->row_count && told < 3; i++) {
		const struct tp_live_row *row = &a->rows[i];
		struct tp_slice name = row->role == TP_LIVE_STACK ? TP_S("stack")
			: row->role == TP_LIVE_EARLIER                ? TP_S("from before the capture")
			: row->framework.len != 0                     ? row->framework
														  : TP_S("unnamed");

		TP_SAY_MORE(doc, finding->saw, told++ == 0 ? " `{}` {}" : ", `{}` {}", tp_text_value(name),
			tp_integer((int64_t)row->total_bytes, TP_UNIT_BYTES));
	}
	TP_SAY_MORE(doc, finding->saw, ".");
}

static void
name_broken(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_allocators *all = tp_result(ctx, &tp_pass_allocators);
	const struct tp_allocator *a = all != NULL ? most(all, unusable_share) : NULL;

	if (a == NULL)
		return;
	TP_SAY_MORE(doc, finding->saw, " Allocator `{}`, of {}.", tp_text_value(a->name),
		tp_integer((int64_t)a->capacity_bytes, TP_UNIT_BYTES));
}

const struct tp_finding_rule tp_rules_memory[] = {
	{
		.info = {"TPR-OOM-001", "Memory at the peak", "the device's memory", 1.0, 0.90, false,
			TP_HUE_MEMORY},
		.evaluate = capacity_rule,
		.of_events = true,
		.verdict = memory_verdict,
		.title = "The largest program needs {} of the device's memory at its peak",
		.passed = "the largest program needs {} of the device's memory (limit {})",
		.jax.actions =
			{"Recompute activations instead of keeping them: `jax.checkpoint` around a layer.",
				"Shard the largest arrays over more devices, or lower the batch on each.",
				"Keep optimiser state and activations in bfloat16 where the model allows."},
		.any = {"Keep less alive at the peak: recompute, shard or shrink what is largest then.",
			{"Recompute activations instead of keeping them (rematerialisation).",
				"Lower the batch on each device, or shard the largest arrays over more devices.",
				"Keep activations in 16-bit precision where the model allows."}},
		.unbounded = "This saves memory, not time: what does not fit by its plan may fail to run.",
		.check = "`memory.peak_share` below {}",
		.evidence = "[Memory](#memory) · [Out of memory?](#memory/guide)",
		.particulars = name_freeing,
	},
	{
		.info = {"TPR-OOM-002", "Padding in memory", "the device's memory", 0.20, 0.05, false,
			TP_HUE_MEMORY},
		.evaluate = padding_rule,
		.of_events = true,
		.title = "Padding at the peak takes {} of the device's memory",
		.passed = "padding at the peak takes {} of the device's memory (limit {})",
		.any = {"Give the most expanded buffers shapes that fill their tiles.",
			{"Make the two minor dimensions multiples of the tile (8 or 16, and 128), or put a "
			 "large dimension last.",
				"Join small trailing dimensions into one before they are stored."}},
		.unbounded = "This saves memory; device time lost to padding is a check of its own.",
		.check = "`memory.peak_bytes` nearer to `memory.peak_unpadded_bytes`",
		.evidence = "[Memory](#memory)",
		.particulars = name_padded,
	},
	{
		.info = {"TPR-OOM-003", "Measured memory at the peak", "an allocator's memory", 0.98, 0.90,
			false, TP_HUE_MEMORY},
		.evaluate = allocator_rule,
		.of_events = true,
		.title = "At the peak {} of an allocator's memory is in use",
		.passed = "at the measured peak {} of an allocator's memory is in use (limit {})",
		.jax.actions =
			{"Recompute activations instead of keeping them: `jax.checkpoint` around a layer.",
				"Donate arguments that are replaced: `jax.jit(…, donate_argnums=…)`.",
				"Shard the largest arrays over more devices, or lower the batch on each."},
		.any = {"Keep less alive at the peak: recompute, shard or shrink what is largest then.",
			{"Recompute activations instead of keeping them (rematerialisation).",
				"Lower the batch on each device, or shard the largest arrays over more devices.",
				"Keep activations in 16-bit precision where the model allows."}},
		.unbounded = "This saves memory, not time; a job that runs out of memory stops.",
		.check = "`memory.measured.peak_share` below {}",
		.evidence = "[Memory over time](#memory-over-time)",
		.particulars = name_fullest,
	},
	{
		.info = {"TPR-FRAG-001", "Fragmented memory",
			"an allocator's memory that is free but not in its largest block", 0.20, 0.05, false,
			TP_HUE_MEMORY},
		.evaluate = fragmentation_rule,
		.of_events = true,
		.title = "{} of an allocator's memory is free but not contiguous",
		.passed = "at most {} of an allocator's memory is free but not contiguous (limit {})",
		.any = {"Allocate large blocks early and keep shapes constant, so that free memory stays "
				"contiguous.",
			{"Pad variable sizes to a few fixed ones, so that freed blocks fit again.",
				"Let the allocator preallocate its memory in one block.",
				"Free large arrays before allocating their replacements."}},
		.unbounded =
			"This saves memory, not time; a large allocation may fail although enough is free in "
			"total.",
		.check = "`memory.measured.fragmentation_most_share` smaller",
		.evidence = "[Memory over time](#memory-over-time)",
		.particulars = name_broken,
	},
	{.evaluate = NULL},
};
