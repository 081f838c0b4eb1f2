/* Rules on what devices do while they are busy. Thresholds of precision are xprof's, those of shuffling and of memory
 * bandwidth are taken from its suggestions; the others are ours. */
#include "analyze/judge/rule.h"

#include "analyze/facts/op_times.h"
#include "analyze/judge/what_if.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/padding.h"
#include "analyze/roofline/roofline.h"
#include "analyze/steps/steps.h"
#include "base/texts.h"
#include "model/profile.h"

#include <math.h>

/* Below this share of its peak neither arithmetic nor memory is the limit (xprof's suggestions). */
#define TP_BUSY_SHARE 0.50

#define NO_USE_GIVEN "the op profile does not give operations' share of the peak"

static double
compute_of_a_step(const struct tp_evaluation *e)
{
	return e->steps != NULL ? e->steps->class_mean_ps[TP_CLASS_COMPUTE] : NAN;
}

/* Streams of a GPU copy beside kernels: without that no step is shorter. The rest has classes of its own, by the way that data goes;
 * of what waits for input, no more than copies take of all work. share: of them in busy time. */
static double
without_exposed_copies_ps(const struct tp_steps *s, double share)
{
	const double *class_ps = s->class_mean_ps;
	double alone_ps = class_ps[TP_CLASS_DEVICE_TO_DEVICE] + class_ps[TP_CLASS_OUTPUT] +
		class_ps[TP_CLASS_INPUT_WAIT];

	return fmin(
		alone_ps, share * (alone_ps + class_ps[TP_CLASS_COMPUTE] + class_ps[TP_CLASS_COLLECTIVE]));
}

static double
without_copies_ps(const struct tp_evaluation *e, double share)
{
	const struct tp_steps *s = e->steps;

	if (s != NULL && s->source->of_cores)
		return tp_without_copies_ps(s);
	return s != NULL && s->source->launches ? without_exposed_copies_ps(s, share)
											: share * compute_of_a_step(e);
}

static void
copies(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_has_operations(e, r))
		return;

	double share = (double)e->ops->copy_ps / (double)e->ops->busy_ps;
	double saving_ps = without_copies_ps(e, share);

	if (share >= r->limits.medium && saving_ps == 0)
		tp_rule_not_applicable(r, "in steps, all copies run beside kernels");
	else
		tp_rule_decide(r, share, saving_ps);
}

/* At the peak the step's arithmetic would take what its FLOPs need there, of all the time in which the cores are busy: all
 * other time of compute could go at most, but for what only moves data. */
static double
without_slow_arithmetic_ps(const struct tp_evaluation *e)
{
	const struct tp_steps *s = e->steps;

	if (s == NULL)
		return NAN;
	double busy_ps =
		s->time.mean - s->class_mean_ps[TP_CLASS_IDLE] - s->class_mean_ps[TP_CLASS_OTHER];

	return fmax(0, compute_of_a_step(e) - s->copy_mean_ps - e->ops->flops_busy_share * busy_ps);
}

static void
flops(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_has_operations(e, r))
		return;
	if (!isfinite(e->ops->flops_busy_share))
		tp_rule_undecided(r,
			e->ops->summed_up              ? TP_S(NO_USE_GIVEN)
				: e->ops->flops_impossible ? TP_S(TP_IMPOSSIBLE)
				: e->ops->has_flops        ? TP_S("the devices' peak FLOP/s is unknown")
									: TP_S("the profile does not give the FLOP of each kernel"));
	else
		tp_rule_decide(r, e->ops->flops_busy_share, without_slow_arithmetic_ps(e));
}

static void
precision(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_has_operations(e, r))
		return;
	if (!e->ops->half_known)
		tp_rule_undecided(r, TP_S("the profile does not give operand types"));
	else if (e->ops->compute_ps <= e->ops->busy_ps / 10)
		tp_rule_not_applicable(r, "arithmetic takes less than a tenth of busy time");
	else
		tp_rule_decide(r, (double)e->ops->half_ps / (double)e->ops->compute_ps, NAN);
	if (e->ops->half_ps == 0)
		r->title = "No operation computes with 16-bit operands or results";
}

/* What time over all cores is of a step, as its share of busy time; NaN where there are no steps of a TPU. */
static double
of_a_step(const struct tp_evaluation *e, double time_ps)
{
	return tp_steps_part_of_busy_ps(e->steps, time_ps, (double)e->ops->busy_ps);
}

static void
padding(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_padding *p = tp_padding_known(e->ctx);

	if (!tp_rule_has_operations(e, r))
		return;
	if (p == NULL) {
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_padding));
		return;
	}
	switch (p->state) {
	case TP_PADDING_NO_HLO:
		tp_rule_undecided(r, tp_padding_reason(p));
		break;
	case TP_PADDING_UNTILED:
	case TP_PADDING_NO_PRODUCT:
		r->status = TP_FINDING_NOT_APPLICABLE;
		r->reason = tp_padding_reason(p);
		break;
	case TP_PADDING_JUDGED:
		if (p->unknown == p->count)
			tp_rule_undecided(r, TP_S("the layouts of convolutions and dots are unknown"));
		else
			tp_rule_decide(r, p->lost_ps / (double)p->ops->busy_ps, of_a_step(e, p->lost_ps));
	}
}

static void
padding_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	tp_padding_advise(ctx, tp_padding_known(ctx), doc, finding);
}

static void
memory_bandwidth(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_has_operations(e, r))
		return;
	if (e->ops->summed_up && !isfinite(e->ops->hbm_busy_share))
		tp_rule_undecided(r, TP_S(NO_USE_GIVEN));
	else if (e->ops->summed_up)
		tp_rule_decide(r, e->ops->hbm_busy_share, NAN);
	else if (e->roofline == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_roofline));
	else
		tp_rule_decide(r, e->roofline->operations.share[TP_PEAK_HBM], NAN);
}

/* Where there is no roofline. An op profile says how near the peaks operations came, not what the peaks are. */
static void
point_at_operations(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	if (tp_result(ctx, &tp_pass_roofline) == NULL)
		finding->evidence = TP_SAY0(doc, "[Operations](#operations)");
}

/* Arithmetic that is slow although memory is not busy either waits for something, or is too small. */
static void
flops_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	static const double mostly = .5;
	const struct tp_ops *o = tp_ops_known(ctx);

	/* The last step is to compute in 16 bits. */
	if (tp_value_in(tp_doc_value(doc, "precision.compute_16bit_share"), TP_UNIT_SHARE) > mostly)
		finding->action_count--;
	point_at_operations(ctx, doc, finding);
	if (!isfinite(o->hbm_busy_share))
		return;
	/* The same limit as in the roofline. */
	const struct tp_roofline *r = tp_result(ctx, &tp_pass_roofline);
	const char *nearer = r == NULL || r->operations.bound == TP_PEAK_COUNT ? ""
		: r->operations.bound == TP_PEAK_HBM                               ? ", the nearer limit"
		: r->operations.bound == TP_PEAK_FLOP ? ", and arithmetic is the nearer limit"
											  : "";

	if (o->hbm_busy_share < TP_BUSY_SHARE)
		TP_SAY_MORE(doc, finding->saw,
			" Memory bandwidth use is {memory_bandwidth.busy_utilization_share}{}. Neither is "
			"near its peak, so operations are small, badly shaped, or waiting.",
			tp_text_value(tp_slice_of(nearer)));
	else
		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY0(doc,
				" Memory bandwidth use is {memory_bandwidth.busy_utilization_share}: closer to its limit "
				"than arithmetic."));
}

static void
memory_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	point_at_operations(ctx, doc, finding);
	if (tp_result(ctx, &tp_pass_op_profile) != NULL)
		finding->check = TP_SAY0(doc, "`memory_bandwidth.busy_utilization_share` lower");
}

static void
shuffling(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	/* Broadcasts, data formatting and dynamic slices count as copies: TPR-COPY-001. */
	static const char *const names[] = {"concatenate", "gather", "pad", "reverse", "scatter",
		"select", "select-and-scatter", "shuffle", "slice", "sort", NULL};
	int64_t ps = 0;

	if (!tp_rule_has_operations(e, r))
		return;
	for (size_t i = 0; i < e->ops->category_count; i++) {
		if (tp_texts_any(e->ops->categories[i].name, tp_slice_eq, names))
			ps = tp_add_ps(ps, e->ops->categories[i].self_ps);
	}
	double share = (double)ps / (double)e->ops->busy_ps;

	tp_rule_decide(r, share, share * compute_of_a_step(e));
}

static void
poor_use(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	struct tp_op_poor poor = tp_op_poor(e->ctx);

	if (!tp_rule_has_operations(e, r))
		return;
	if (!poor.known)
		tp_rule_undecided(r,
			e->ops->summed_up       ? TP_S(NO_USE_GIVEN)
				: e->ops->has_costs ? TP_S("the devices' peaks are unknown")
									: TP_S("the profile does not give the cost of each kernel"));
	else
		tp_rule_decide(
			r, (double)poor.self_ps / (double)e->ops->busy_ps, of_a_step(e, poor.wasted_ps));
}

/* What is said of the worst of them. */
static void
poor_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	struct tp_op_poor poor = tp_op_poor(ctx);
	const struct tp_ops *o = tp_ops_known(ctx);
	struct tp_op_peaks peaks = tp_op_peaks(ctx);

	if (poor.worst == NULL)
		return;
	struct tp_value use, limit = tp_op_bound_by(poor.worst, &peaks, &use);
	struct tp_value name = tp_text_value(tp_op_short_name(ctx, poor.worst->op->label));
	struct tp_value share = tp_op_busy_share(o, poor.worst->self_ps);

	finding->saw = tp_doc_join(doc, finding->saw,
		tp_known(limit) ? TP_SAY(doc, " `{}` wastes most: {} of busy time, using {} of {}.", name,
							  share, use, limit)
						: TP_SAY(doc, " `{}` wastes most: {} of busy time.", name, share));
}

/* The device works, but mostly on moving data. */
static struct tp_verdict_text
copies_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);

	if (s == NULL || o->on_host)
		return (struct tp_verdict_text){0};
	struct tp_value rest = tp_share((double)o->compute_ps, (double)o->busy_ps, TP_S("no time"));

	return (struct tp_verdict_text){
		.steps_are = "bound by copies",
		.verdict.saw = TP_SAY(doc, "copies and waits for them take {} of busy time",
			tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY(doc, "arithmetic gets {}.", rest),
		.because = TP_SAY(doc,
			"Because `{}` and the like take most of the {} step. Therefore *find what the copies "
			"move*, and keep data in place: see [Operations](#operations).",
			tp_text_value(o->categories[0].name), tp_say_step(ctx, s)),
	};
}

const struct tp_finding_rule tp_rules_operations[] = {
	{
		.info = {"TPR-COPY-001", "Moving and formatting data", "busy time", 0.50, 0.15, false,
			TP_HUE_MEMORY},
		.saves_of = TP_SAVED_COPY,
		.evaluate = copies,
		.of_events = true,
		.verdict = copies_verdict,
		.title = "Copies, waits for them and data formatting take {} of busy time",
		.passed = "copies, waits for them and data formatting take {} of busy time (limit {})",
		.any = {"Find what the longest copies move; start them earlier, or keep the data where it "
				"is used.",
			{"For each long `copy-done` find its `copy-start` and what it copies: host memory in "
			 "each step? an unused result?",
				"Order dimensions as operations use them, to avoid transposes.",
				"Prefetch what must come from the host, so that the copy overlaps with compute."},
			.on_gpus = "For the longest copies find which way they go and what they copy: host "
					   "memory in each step? an unused result?"},
		.jax.on_gpus = "For the longest copies find which way they go and what they copy: "
					   "offloaded arrays (`pinned_host`)? an unused result?",
		.jax.actions =
			{"For each long `copy-done` find its `copy-start` and what it copies: offloaded arrays "
			 "(`pinned_host`)? an unused result?",
				"Fold transposes into the matmul: `jnp.einsum` instead of `reshape` and "
				"`transpose` before it.",
				"Donate buffers that are overwritten (`donate_argnums`), so that they are not "
				"copied."},
		.check = "the share of copies below {}",
		.evidence = "[Operations](#operations)",
	},
	{
		.info = {"TPR-SHUF-001", "Shuffling data", "busy time", NAN, 0.30, false, TP_HUE_MEMORY},
		.saves_of = TP_SAVED_DEVICE_WORK,
		.evaluate = shuffling,
		.of_events = true,
		.title = "Gather, scatter, sort, slices and the like take {} of busy time",
		.passed = "gather, scatter, sort, slices and the like take {} of busy time (limit {})",
		.any = {"Access memory in order: make gathers and scatters larger, aligned, or rarer.",
			{"Make the gathered or scattered dimension a multiple of 128, and index whole rows.",
				"Sort or group indices once, outside the step; replace small gathers with a "
				"one-hot matmul.",
				"Update in place: one `dynamic-update-slice` instead of `concatenate`."}},
		.check = "the share of these categories below {}",
		.evidence = "[Operations](#operations)",
	},
	{
		.info = {"TPR-FLOPS-001", "Low FLOPS utilisation", "peak FLOP/s while busy", NAN, 0.25,
			true, TP_HUE_COMPUTE},
		.saves_of = TP_SAVED_DEVICE_WORK,
		.evaluate = flops,
		.of_events = true,
		.title = "While busy, the device reaches {} of its peak FLOP/s",
		.passed = "the device reaches {} of its peak FLOP/s while busy (limit {})",
		.any = {.brief =
					"Start with the longest operations: are they bound by memory, small, or badly shaped?",
			.on_gpus =
				"Raise the batch size per GPU, and make dimensions multiples of 64: small or odd "
				"shapes leave tensor cores empty.",
			.actions =
				{"Raise the batch size per core, and make dimensions multiples of the matrix "
				 "units' tiles (8 and 128).",
					"Open the longest operations: what copies or formats data does no arithmetic.",
					"Compute in bfloat16 where the model allows."}},
		.general = true,
		.particulars = flops_particulars,
		.check = "`flops.busy_utilization_share` above {}",
		.evidence = "[Operations](#operations) · [Roofline](#roofline)",
	},
	{
		.info = {"TPR-PREC-001", "Low use of 16-bit arithmetic", "compute time", NAN, 0.10, true,
			TP_HUE_COMPUTE},
		.evaluate = precision,
		.of_events = true,
		.title = "Only {} of compute time has 16-bit operands or results",
		.passed = "{} of compute time has 16-bit operands or results (at least {})",
		.tensorflow = {"Set `mixed_precision.set_global_policy(\"mixed_bfloat16\")`.",
			{"`tf.keras.mixed_precision.set_global_policy(\"mixed_bfloat16\")` (`mixed_float16` on "
			 "GPUs before Ampere).",
				"Keep the loss and the variables in float32."}},
		.jax.actions =
			{"Cast activations and weights before matmuls: `x.astype(jnp.bfloat16)`; in Flax "
			 "`dtype=jnp.bfloat16`, `param_dtype=jnp.float32`.",
				"Keep parameters, loss and reductions in float32."},
		.pytorch_xla.actions =
			{"`with torch.autocast(\"xla\", dtype=torch.bfloat16):` around forward and loss.",
				"Keep parameters and the optimiser in float32."},
		.any = {"Compute in bfloat16; keep parameters and the loss in float32.",
			{"Cast activations and weights to bfloat16 for matmuls and convolutions.",
				"Keep parameters, loss and reductions in float32."}},
		.unbounded =
			"The speed-up from 16-bit arithmetic depends on the device; the profile shows only "
			"that little is used.",
		.check = "`precision.compute_16bit_share` above {}",
		.evidence = "[Operations](#operations)",
	},
	{
		.info = {"TPR-PAD-001", "Padding of convolutions and dots", "busy time", 0.20, 0.05, false,
			TP_HUE_COMPUTE},
		.saves_of = TP_SAVED_ARITHMETIC,
		.evaluate = padding,
		.of_events = true,
		.title = "Padding takes {} of busy time",
		.passed = "padding of convolutions and dots takes {} of busy time (limit {})",
		.any = {"Choose sizes that fill the tiles of the layout.",
			{"Make batch and features multiples of 8 and 128."}},
		.check = "`padding.lost_share` below {}",
		.evidence = "[Padding fit](#padding)",
		.particulars = padding_particulars,
	},
	{
		.info = {"TPR-MEM-001", "Memory bandwidth is the limit",
			"peak memory bandwidth while operations run", 0.80, 0.60, false, TP_HUE_MEMORY},
		.evaluate = memory_bandwidth,
		.of_events = true,
		.title = "Operations are memory-bound: they use {} of memory bandwidth",
		.passed = "operations use {} of memory bandwidth (limit {})",
		.any = {"Move fewer bytes for the same arithmetic: fuse, use smaller types, larger tiles.",
			{"Store activations and weights in bfloat16; keep what must be exact in float32.",
				"Let element-wise operations fuse with the matmuls around them: avoid "
				"materialising intermediates.",
				"Raise the batch size if weights are most of the bytes: they are then read less "
				"often per example."}},
		.unbounded =
			"When memory-bound, only moving fewer bytes helps; the profile does not show how many "
			"could be saved.",
		.check = "`roofline.operations.intensity_flop_per_byte` higher",
		.evidence = "[Roofline](#roofline)",
		.particulars = memory_particulars,
	},
	{
		.info = {"TPR-OP-001", "Operations with low utilisation", "busy time", 0.30, 0.10, false,
			TP_HUE_COMPUTE},
		.saves_of = TP_SAVED_DEVICE_WORK,
		.evaluate = poor_use,
		.of_events = true,
		.title = "Operations below a quarter of both peaks take {} of busy time",
		.passed = "operations below a quarter of both peaks take {} of busy time (limit {})",
		.any = {"Find what keeps the largest of them from the device's peaks: size, layout, or "
				"waiting.",
			{"Give it more work at once: a larger batch, or one batched matmul for several "
			 "small ones.",
				"Let the compiler fuse it with its neighbours: avoid materialising "
				"intermediates.",
				"Replace what a TPU or GPU does badly (gathers, sorts, loops over elements) "
				"with matmuls or whole-array operations."}},
		.check = "`op.poor_share` below {}",
		.evidence = "[Operations by category](#operations/tree)",
		.particulars = poor_particulars,
	},
	{.evaluate = NULL},
};
