/* Rules on memory: whether the largest program fits, and what its padding costs. They save memory, not time. */
#include "analyze/judge/rule.h"

#include "analyze/facts/peaks.h"
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
	if (m == NULL)
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

	if (measure(e, r, &s, &capacity))
		tp_rule_decide(r, ((double)s->peak_bytes - (double)s->peak_unpadded_bytes) / capacity, NAN);
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
		finding->saw = tp_doc_join(doc, finding->saw, TP_SAY0(doc, "."));
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
	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(
			doc, " The peak is {memory.peak_bytes} of {}.", tp_peak_value(ctx, TP_PEAK_CAPACITY)));
	name_buffers(doc, finding, " Without one of these it would fall most: without `{}` by {}", best,
		sizes, count);
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
	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " Padding costs {} of the peak of {memory.peak_bytes}.",
			tp_integer((int64_t)(s->peak_bytes - s->peak_unpadded_bytes), TP_UNIT_BYTES)));
	name_buffers(doc, finding, " Most padding: `{}` {}", rows, sizes, s->padded_count);
}

const struct tp_finding_rule tp_rules_memory[] = {
	{
		.info = {"TPR-OOM-001", "Memory at the peak", "the device's memory", 1.0, 0.90, false,
			TP_HUE_MEMORY},
		.evaluate = capacity_rule,
		.verdict = tp_verdict_memory,
		.title = "The largest program needs {} of the device's memory at its peak",
		.passed = "the largest program needs {} of the device's memory (limit {})",
		.jax = {"Keep less alive at the peak: recompute, shard or shrink what is largest there.",
			{"Recompute activations instead of keeping them: `jax.checkpoint` around a layer.",
				"Shard the largest arrays over more devices, or lower the batch on each.",
				"Keep optimiser state and activations in bfloat16 where the model allows."}},
		.any = {"Keep less alive at the peak: recompute, shard or shrink what is largest there.",
			{"Recompute activations instead of keeping them (rematerialisation).",
				"Lower the batch on each device, or shard the largest arrays over more devices.",
				"Keep activations in 16 bit where the model allows."}},
		.unbounded = "It saves memory, not time: a program that does not fit does not run.",
		.check = "`memory.peak_share` below {}",
		.evidence = "[Memory](#memory) · [Out of memory?](#memory/guide)",
		.particulars = name_freeing,
	},
	{
		.info = {"TPR-OOM-002", "Padding in memory", "the device's memory", 0.20, 0.05, false,
			TP_HUE_MEMORY},
		.evaluate = padding_rule,
		.title = "Padding at the peak takes {} of the device's memory",
		.passed = "padding at the peak takes {} of the device's memory (limit {})",
		.any = {"Give the most expanded buffers shapes that fill their tiles.",
			{"Make the two minor dimensions multiples of the tile (8 or 16, and 128), or put a "
			 "large dimension last.",
				"Join small trailing dimensions into one before they are stored."}},
		.unbounded = "It saves memory; what it saves of time is told with the padding fit.",
		.check = "`memory.peak_bytes` nearer to `memory.peak_unpadded_bytes`",
		.evidence = "[Memory](#memory) · [Padding fit](#padding)",
		.particulars = name_padded,
	},
	{.evaluate = NULL},
};
