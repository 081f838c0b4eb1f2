/* Evaluating the rules, in the order in which they are printed: those of input, of steps, of cores, of operations, of kernels.
 *
 * Which of them answers which recommendation of xprof (overview page, input-pipeline analyzer, smart suggestions):
 *
 *   input-bound, HIGHLY and MODERATELY        INPUT-001; on a TPU with unprofiled hosts COMM-001 and IDLE-001 say so
 *   POTENTIALLY input-bound, "All Others"     STEP-001
 *   output-bound                              OUTPUT-001
 *   kernel launch, contention with tf.data    LAUNCH-001, KERN-001
 *   device collectives; all-reduce and sync;  COMM-001, and POD-001 for the core that is waited for
 *     CollectiveBound
 *   TensorCore idle, host overhead;           IDLE-001, IDLE-002
 *     TensorCoreIdleBound
 *   SparseCore                                SC-001
 *   16-bit precision                          PREC-001
 *   eager execution, expensive tf.functions   EAGER-001, COMPILE-001 (tracing)
 *   outside compilation                       OUTC-001
 *   tf.data bottlenecks                       INPUT-002 … INPUT-005
 *   HostProcessingBound, DataTransferBound    INPUT-002 … INPUT-005, INPUT-006
 *   BarrierCores                              POD-002
 *   DataShuffleBound                          SHUF-001, COPY-001
 *   MemoryBound, ComputeBound, latency-bound  MEM-001, FLOPS-001 (says whether memory is busy)
 *   advise of tfprof                          TFPROF-002 … TFPROF-005
 *   DebugPrint                                DEBUG-001
 *   TensorCore eligible, not used             TC-001
 *
 * Ours besides: PAD-001, OP-001, STEP-002, OOM-001 … OOM-003, FRAG-001, TPU-001, TFPROF-001, TFPROF-006. */
#include "analyze/core/pass.h"
#include "analyze/judge/rule.h"

#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/peaks.h"
#include "analyze/graph/tpu_compat.h"
#include "analyze/input/input_pipeline.h"
#include "analyze/kernels/kernels.h"
#include "analyze/llm/serving.h"
#include "analyze/memory/allocators.h"
#include "analyze/memory/memory.h"
#include "analyze/ops/op_placement.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/padding.h"
#include "analyze/pod/hosts.h"
#include "analyze/pod/pod.h"
#include "analyze/roofline/roofline.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/memory/torch_memory.h"
#include "base/arena.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct tp_finding_rule *const topics[] = {tp_rules_input, tp_rules_steps,
	tp_rules_cores, tp_rules_operations, tp_rules_kernels, tp_rules_memory, tp_rules_torch,
	tp_rules_torch_host, tp_rules_torch_comm, tp_rules_torch_memory, tp_rules_llm, tp_rules_tpu,
	tp_rules_tfprof};

const struct tp_finding_rule *
tp_rule_at(size_t index)
{
	for (size_t t = 0; t < sizeof topics / sizeof *topics; t++) {
		for (const struct tp_finding_rule *r = topics[t]; r->evaluate != NULL; r++) {
			if (index-- == 0)
				return r;
		}
	}
	return NULL;
}

const struct tp_finding_result *
tp_finding_of(const struct tp_pass_ctx *ctx, const char *id)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);

	for (size_t i = 0; i < f->count; i++) {
		if (strcmp(f->results[i].rule->info.id, id) == 0)
			return &f->results[i];
	}
	return NULL;
}

enum tp_judge
tp_finding_judge(const struct tp_finding_result *r)
{
	if (r == NULL || (r->status != TP_FINDING_OPEN && r->status != TP_FINDING_PASSED))
		return TP_JUDGE_NONE;
	return r->status == TP_FINDING_OPEN ? r->severity : TP_JUDGE_GOOD;
}

struct tp_value
tp_tile_judge(const struct tp_pass_ctx *ctx, const char *rule, const char *const words[static 3],
	struct tp_tile *t)
{
	const struct tp_finding_result *r = tp_finding_of(ctx, rule);

	t->judge = tp_finding_judge(r);
	if (t->judge == TP_JUDGE_NONE)
		return tp_text_value(TP_S(""));
	t->finding = tp_slice_of(rule);
	return tp_text_value(tp_slice_of(words[t->judge == TP_JUDGE_BAD ? 0
			: t->judge == TP_JUDGE_WARN                             ? 1
																	: 2]));
}

static double
weight_of(const struct tp_finding_result *r)
{
	return isfinite(r->weight_ps) ? r->weight_ps : -1;
}

/* Open before passed …; high before medium; the exact before the general; the larger saving first; wholes before parts; then the
 * order of the rules. */
TP_ORDER(by_weight, struct tp_finding_result, TP_UP(status), TP_UP(severity), TP_UP(rule->general),
	(weight_of(a) < weight_of(b)) - (weight_of(a) > weight_of(b)), TP_DOWN(memory_bytes),
	TP_UP(is_part), TP_UP(order));

static bool
is_part_of(const struct tp_finding_rule *r, const struct tp_finding_rule *whole)
{
	return r->part_of != NULL && strcmp(r->part_of, whole->info.id) == 0;
}

static void
find_parts(struct tp_findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct tp_finding_result *r = &f->results[i];

		for (size_t k = 0; k < f->count && r->status == TP_FINDING_OPEN; k++)
			r->is_part |=
				f->results[k].status == TP_FINDING_OPEN && is_part_of(r->rule, f->results[k].rule);
	}
}

/* What says more exactly where the time goes comes first, where both are as bad. */
static void
put_held_first(struct tp_findings *f)
{
	for (size_t i = 0; i < f->open; i++) {
		struct tp_finding_result *whole = &f->results[i];

		for (size_t k = i + 1; k < f->open && whole->rule->holds != NULL; k++) {
			struct tp_finding_result held = f->results[k];

			if (held.severity != whole->severity ||
				strcmp(held.rule->info.id, whole->rule->holds) != 0)
				continue;
			memmove(whole + 1, whole, (k - i) * sizeof *whole);
			*whole = held;
			break;
		}
	}
}

/* What a reader must not add up: of the open ones before it, the first that it is a part of, else the first that is about the same
 * time; one that has a saving before those that have none. Only what has no saving itself is told one that has none: it may be
 * no second problem. */
static void
find_shared(const struct tp_findings *f, struct tp_finding_result *r)
{
	int rank = 0;

	r->shares_with = 0;
	r->shared = NULL;
	r->within = r->shares_saving = false;
	for (size_t i = 0; &f->results[i] < r; i++) {
		const struct tp_finding_result *other = &f->results[i];
		bool part = is_part_of(r->rule, other->rule), saves = isfinite(other->saving_ps);
		int of = 1 + part + 2 * saves;

		if ((r->rule->saves_of & other->rule->saves_of) == 0 || of <= rank ||
			(!saves && isfinite(r->saving_ps)))
			continue;
		rank = of;
		r->shares_with = i + 1;
		r->shared = other->rule;
		r->within = part;
		r->shares_saving = saves;
	}
}

/* What another says more exactly, and what is only to be known of the figures, is no problem of its own: it goes behind the others. */
static void
put_notes_last(struct tp_findings *f, struct tp_arena *scratch)
{
	struct tp_finding_result *notes = tp_new_array(scratch, struct tp_finding_result, f->open);
	size_t kept = 0;

	for (size_t i = 0; i < f->open; i++) {
		struct tp_finding_result *r = &f->results[i];

		r->note =
			r->rule->of_data || (r->rule->general && r->shared != NULL && !isfinite(r->saving_ps));
		if (r->note)
			notes[f->notes++] = *r;
		else
			f->results[kept++] = *r;
	}
	memcpy(&f->results[kept], notes, f->notes * sizeof *notes);
	f->open = kept;
}

/* From this share of a step on a bound says nothing: no step takes no time. */
#define WHOLE_STEP 0.99

/* The bounds of single rules are of the core or worker that has most of what is measured, in each step. What is said to take a
 * share of the mean step saves no more than that share: beyond it others would have to wait less, which they do in classes of
 * their own. */
static void
limit_saving(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	r->weight_ps = r->saving_ps;
	if (e->steps == NULL || !isfinite(r->saving_ps) || r->rule->saves != NULL)
		return;
	double step_ps = e->steps->time.mean;

	if (strcmp(r->rule->info.share_of, "step time") == 0)
		r->weight_ps = r->saving_ps = fmin(r->saving_ps, r->measured * step_ps);
	if (r->saving_ps >= WHOLE_STEP * step_ps)
		r->saving_ps = NAN;
}

/* Of a dump of tfprof no rule on events can ever be decided: nothing is lacking that another dump would hold. */
static void
leave_to_events(const struct tp_pass_ctx *ctx, struct tp_finding_result *r)
{
	bool dump = ctx->profile->tfprof_dumps != NULL && !tp_has_profile(ctx);

	if (dump && r->status == TP_FINDING_UNDECIDED && r->rule->scope != TP_RULE_OF_TFPROF)
		tp_rule_not_applicable(r, "tfprof sums operations up: its dumps hold no events");
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_findings *f = tp_new(ctx->keep, struct tp_findings);
	const struct tp_evaluation e = {
		.ctx = ctx,
		.steps = tp_result(ctx, &tp_pass_steps),
		.devices = tp_result(ctx, &tp_pass_devices),
		.ops = tp_ops_known(ctx),
		.environment = tp_result(ctx, &tp_pass_environment),
		.hosts = tp_result(ctx, &tp_pass_hosts),
		.roofline = tp_result(ctx, &tp_pass_roofline),
		.kernels = tp_result(ctx, &tp_pass_kernels),
		.placement = tp_result(ctx, &tp_pass_op_placement),
		.pipeline = tp_result(ctx, &tp_pass_input),
		.torch = tp_result(ctx, &tp_pass_torch_costs),
		.torch_gpus = tp_result(ctx, &tp_pass_torch_gpus),
	};

	(void)err;
	size_t rules = 0;

	while (tp_rule_at(rules) != NULL)
		rules++;
	f->results = tp_new_array(ctx->keep, struct tp_finding_result, rules);
	for (size_t i = 0; i < rules; i++) {
		struct tp_finding_result *r = &f->results[f->count];

		if (!tp_rule_concerns(ctx, tp_rule_at(i)))
			continue;
		f->count++;
		const struct tp_finding_rule *rule = tp_rule_at(i);

		*r = (struct tp_finding_result){.rule = rule,
			.name = rule->info.name,
			.title = rule->title,
			.passed = rule->passed,
			.order = i,
			.measured = NAN,
			.mean = NAN,
			.told = NAN,
			.saving_ps = NAN,
			.whole_ps = NAN};
		r->limits = tp_rule_limits(ctx, r->rule);
		if (r->rule->of_events && ctx->options->merge != NULL)
			tp_rule_undecided(r, TP_S("summaries of ranks do not hold it"));
		else
			r->rule->evaluate(&e, r);
		leave_to_events(ctx, r);
		limit_saving(&e, r);
		f->open += r->status == TP_FINDING_OPEN;
		f->passed += r->status == TP_FINDING_PASSED;
		f->not_applicable += r->status == TP_FINDING_NOT_APPLICABLE;
		f->undecided += r->status == TP_FINDING_UNDECIDED;
	}
	find_parts(f);
	qsort(f->results, f->count, sizeof *f->results, by_weight);
	put_held_first(f);
	for (size_t i = 0; i < f->open; i++)
		find_shared(f, &f->results[i]);
	put_notes_last(f, ctx->scratch);
	for (size_t i = 0; i < f->open + f->notes; i++)
		find_shared(f, &f->results[i]);
	*result = f;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_environment, &tp_pass_op_times,
	&tp_pass_devices, &tp_pass_steps, &tp_pass_ops, &tp_pass_op_profile, &tp_pass_padding,
	&tp_pass_roofline, &tp_pass_kernels, &tp_pass_memory, &tp_pass_allocators,
	&tp_pass_op_placement, &tp_pass_hosts, &tp_pass_pod, &tp_pass_input, &tp_pass_torch_costs,
	&tp_pass_torch_comm, &tp_pass_torch_memory, &tp_pass_serving, &tp_pass_peaks,
	&tp_pass_tpu_compat, &tp_pass_tfprof, NULL};

const struct tp_pass tp_pass_findings = {
	.name = "findings",
	.title = "Findings",
	.summary = "what costs time, how much at most, and what to do about it",
	.after = after,
	.place = TP_PLACE_FINDINGS,
	.analyze = analyze,
	.present = tp_findings_present,
	.lacks_nothing = "checks that lack data are reported as undecided",
};
