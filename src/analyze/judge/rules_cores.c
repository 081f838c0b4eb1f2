/* Rules on cores that wait for each other. Thresholds of collectives are those of xprof's analysis of GPU steps, which
 * are stricter than its 6 % of all-reduce beyond input on a TPU; those of barriers and SparseCores its own. */
#include "analyze/judge/rule.h"

#include "analyze/facts/environment.h"
#include "analyze/judge/what_if.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/special_events.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

static void
collectives(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (tp_rule_of_device_steps(e, r))
		tp_rule_step_class(e, r, TP_CLASS_COLLECTIVE);
}

/* What the straggler takes longer for is work of its own, not input. */
static bool
computes_longer(const struct tp_pod_straggler *s)
{
	return s->longer == TP_POD_HIGH_FLOPS || s->longer == TP_POD_LOW_FLOPS ||
		s->longer == TP_POD_COPY;
}

/* "computes 4.70 ms where the median core needs 3.61 ms": what the straggler does. */
static struct tp_text
how_slow(const struct tp_pod *pod, struct tp_doc *doc)
{
	const struct tp_pod_straggler *s = &pod->straggler;
	bool computes = computes_longer(s);

	return TP_SAY(doc,
		computes ? "computes {} where the median {} needs {}"
				 : "needs {}, waits excluded, where the median {} needs {}",
		tp_ps_in_ms(computes ? s->compute_ps : s->own_ps),
		tp_text_value(pod->cores ? TP_S("core") : TP_S("host")),
		tp_ps_in_ms(computes ? s->compute_others_ps : s->others_ps));
}

/* What of it is waiting; and that what others wait for may be a host that nobody looked at. */
static void
collective_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);
	struct tp_value sync = tp_doc_value(doc, "step.tpu.all_reduce_sync_ms");

	if (tp_known(tp_doc_value(doc, "step.collective_wait_ms")))
		TP_SAY_MORE(doc, finding->saw,
			" Of that, at most {step.collective_wait_ms} is waiting for other cores, as a mean over "
			"cores.");
	if (tp_known(sync) && sync.number > 0)
		TP_SAY_MORE(doc, finding->saw,
			" On the core with the longest all-reduce alone, {step.tpu.all_reduce_sync_ms} is "
			"waiting and {step.tpu.all_reduce_compute_ms} the all-reduce itself.");
	if (pod != NULL)
		finding->evidence = TP_SAY0(doc, "[Distributed](#distributed), [Steps](#steps)");
	tp_rule_say_unprofiled(ctx, doc, finding);
	if (s == NULL || s->timelines < 2)
		return;
	tp_rule_add_action(ctx, finding,
		pod != NULL && tp_pod_straggles(ctx, pod)
			? TP_SAY0(doc, "Fix [TPR-POD-001](#TPR-POD-001) first: the others wait for it.")
			: TP_SAY0(doc,
				  "If that time is mostly waiting, find the straggler: a larger batch does not "
				  "help."));
}

/* One device alone has nobody to wait for it. */
static bool
is_alone(const struct tp_evaluation *e)
{
	return tp_rule_knows_devices(e) && e->environment->hosts <= 1 && e->environment->cores <= 1 &&
		e->environment->unprofiled == 0;
}

static void
straggler(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_pod *pod = tp_result(e->ctx, &tp_pass_pod);

	if (pod != NULL)
		tp_rule_decide(
			r, pod->straggler.lead.cost_ps / pod->steps->time.mean, pod->straggler.lead.cost_ps);
	else if (e->steps == NULL && is_alone(e))
		tp_rule_not_applicable(
			r, e->environment->cores == 0 ? "there is only one host" : "there is only one device");
	else if (e->steps == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_steps));
	else if (e->steps->timelines > 1)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_pod));
	else
		tp_rule_not_applicable(r,
			tp_arena_printf(e->ctx->keep, "only one %s has steps", e->steps->source->timeline).ptr);
}

/* What to do with the host, where what takes longer tells. */
static void
advise_on_host(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_pod *pod,
	struct tp_finding *finding)
{
	struct tp_slice host = pod->units[pod->straggler.unit].host_name;
	bool computes = computes_longer(&pod->straggler);

	if (host.len == 0 || (!computes && pod->straggler.longer != TP_POD_INFEED))
		return;
	finding->brief = TP_SAY(doc,
		computes ? "Drain host `{}` and profile again." : "Look at the input of host `{}`.",
		tp_text_value(host));
	finding->action_count = 0;
	if (!computes) {
		tp_rule_add_action(ctx, finding,
			TP_SAY(doc, "Look at the input pipeline and the disks of host `{}`.",
				tp_text_value(host)));
		return;
	}
	tp_rule_add_action(ctx, finding,
		TP_SAY(doc,
			"Drain host `{}` and profile again: if all are even then, have its chip checked.",
			tp_text_value(host)));
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"If another host is then as slow with that work, the work is uneven: balance shapes "
			"and shards."));
}

/* Which one it is. */
static void
name_straggler(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	if (!tp_pod_has_straggler(pod))
		return;
	finding->title = TP_SAY(doc, "Straggler {} costs {} of step time",
		tp_text_value(tp_pod_name(ctx, pod, pod->straggler.level, pod->straggler.unit)),
		finding->measured);
	finding->saw = tp_doc_join(doc, finding->saw,
		tp_doc_join(doc, TP_SAY0(doc, " It is {pod.straggler.name}, which "),
			tp_doc_join(doc, how_slow(pod, doc), TP_SAY0(doc, "."))));
	advise_on_host(ctx, doc, pod, finding);
}

static const char no_barriers[] = "only TPU cores have all-core barriers";
static const char no_sparse_core[] = "the profile holds no SparseCore";

static void
barriers(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_may_be_of_tpu(e, r, no_barriers) || !tp_rule_has_steps(e, r))
		return;
	struct tp_special_events of = tp_find_special_events(e->ctx, e->steps);

	if (!of.known && e->steps->source->tells_device)
		tp_rule_undecided(r, TP_S("tool files do not record all-core barriers"));
	else if (!of.known)
		tp_rule_not_applicable(r, no_barriers);
	else if (!of.traced)
		tp_rule_undecided(r, TP_S("the profile holds no XLA TraceMe line"));
	else
		tp_rule_decide(r, of.barrier_ps / e->steps->time.mean, of.barrier_ps);
}

static void
sparse_cores(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_may_be_of_tpu(e, r, no_sparse_core) || !tp_rule_has_steps(e, r))
		return;
	struct tp_special_events of = tp_find_special_events(e->ctx, e->steps);

	if (!of.known || (of.sparse_cores == 0 && !(of.sparse_wait_ps > 0)))
		tp_rule_not_applicable(r, no_sparse_core);
	else
		tp_rule_decide(r, fmax(of.sparse_ps, of.sparse_wait_ps) / e->steps->time.mean, NAN);
}

/* "Because core 13 (w-3, chip 6, core 1) computes 4.70 ms where the median core needs 3.61 ms. Therefore …" */
static struct tp_text
why_slow(const struct tp_pod *pod, struct tp_doc *doc)
{
	const struct tp_pod_straggler *s = &pod->straggler;
	const struct tp_pod_unit *unit = &pod->units[s->unit];
	bool computes = computes_longer(s);
	struct tp_text because = tp_doc_join(doc, TP_SAY0(doc, "Because {pod.straggler.name} "),
		tp_doc_join(doc, how_slow(pod, doc), TP_SAY0(doc, ". ")));

	if (unit->host_name.len == 0 || (!computes && s->longer != TP_POD_INFEED))
		TP_SAY_MORE(doc, because, "Therefore *find out what differs there*");
	else
		TP_SAY_MORE(doc, because,
			computes ? "Therefore *drain host `{}` and profile again*"
					 : "Therefore *look at the input of host `{}`*",
			tp_text_value(unit->host_name));
	return tp_doc_join(doc, because, TP_SAY0(doc, "; see [Distributed](#distributed)."));
}

static struct tp_verdict_text
held_up(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	static const char *const steps_are[TP_POD_LEVELS] = {
		[TP_POD_CORE] = "held up by one core",
		[TP_POD_CHIP] = "held up by one chip",
		[TP_POD_HOST] = "held up by one host",
	};
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	if (s == NULL || !tp_pod_has_straggler(pod))
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.steps_are = steps_are[pod->straggler.level],
		.verdict.saw = TP_SAY(doc, "it costs {} of step time", tp_number(r->told, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY(doc, "at the {} speed a step would take {} instead of {}.",
			tp_text_value(
				tp_pod_of_two(pod, pod->straggler.level) ? TP_S("other's") : TP_S("others'")),
			tp_ps_in_ms(s->time.mean - pod->straggler.lead.cost_ps), tp_ps_in_ms(s->time.mean)),
		.because = why_slow(pod, doc),
	};
}

const struct tp_finding_rule tp_rules_cores[] = {
	{
		.info = {"TPR-COMM-001", "Exposed collectives", "step time", 0.15, 0.03, false,
			TP_HUE_COLLECTIVE},
		.saves_of = TP_SAVED_COLLECTIVE,
		.evaluate = collectives,
		.verdict = tp_verdict_of_class,
		.title = "Exposed collectives take {} of step time",
		.passed = "exposed collectives take {} of step time (limit {})",
		.jax.on_gpus = "Overlap them with compute: the latency-hiding scheduler "
					   "(`XLA_FLAGS=--xla_gpu_enable_latency_hiding_scheduler=true`).",
		.jax.on_tpus = "Overlap them with compute: "
					   "`LIBTPU_INIT_ARGS=--xla_tpu_enable_async_collective_fusion=true`.",
		.jax.actions =
			{"Overlap them with compute: `--xla_tpu_enable_async_collective_fusion=true`, and the "
			 "latency-hiding scheduler (`--xla_gpu_enable_latency_hiding_scheduler=true` on "
			 "GPUs).",
				"Reduce gradients in bfloat16, and shard what is replicated (`jax.sharding`), to "
				"send fewer bytes."},
		.tensorflow.on_tpus = "Make the whole step one `tf.function`, so that XLA combines "
							  "collectives and overlaps them with compute.",
		.tensorflow
			.actions = {"Reduce gradients in fewer, larger buckets: "
						"`tf.distribute.CommunicationOptions(bytes_per_pack=…)`, and NCCL on GPUs.",
			"Reduce in 16-bit precision: a mixed-precision policy, or cast gradients before "
			"reducing them."},
		.pytorch_xla.actions =
			{"One `xm.mark_step()` per step, so that the compiler can overlap collectives with "
			 "compute.",
				"Shard parameters (FSDP over XLA) or reduce gradients in bfloat16 to send fewer "
				"bytes."},
		.any = {"Overlap them with compute, or send fewer bytes.",
			{"Reduce gradients in 16-bit precision, in fewer, larger buckets.",
				"Let the compiler overlap collectives with compute (asynchronous collectives, "
				"latency-hiding scheduler)."}},
		.check = "`step.class.collective_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = collective_particulars,
	},
	{
		.info = {"TPR-POD-001", "Straggling core or host", "step time", TP_POD_HIGH_SHARE,
			TP_POD_MEDIUM_SHARE, false, TP_HUE_COLLECTIVE},
		.saves_of = TP_SAVED_COLLECTIVE | TP_SAVED_IDLE,
		.tint = TP_TINT_UNUSED,
		.evaluate = straggler,
		.verdict = held_up,
		.title = "A straggler costs {} of step time",
		.passed = "the slowest costs {} of step time (limit {})",
		.any = {"See what the straggler spends longer on than the rest, and whether it is always "
				"the same one.",
			{"If the same operations take it longer, take that chip out of service and have it "
			 "checked.",
				"If it has more to do, balance the work: shapes and shards of the same size "
				"everywhere.",
				"If it waits for input, look at that host's input pipeline and disks."}},
		.check = "`pod.straggler.cost_share` below {}",
		.evidence = "[Distributed](#distributed)",
		.particulars = name_straggler,
	},
	{
		.info = {"TPR-POD-002", "All-core barriers", "step time", NAN, 0.10, false,
			TP_HUE_COLLECTIVE},
		.saves_of = TP_SAVED_COLLECTIVE | TP_SAVED_IDLE,
		.tint = TP_TINT_UNUSED,
		.evaluate = barriers,
		.title = "Cores wait at barriers for {} of step time",
		.passed = "cores wait at barriers for {} of a step (limit {})",
		.any = {"Find the straggler: the rest wait for it at the barrier.",
			{"Compare cores and hosts: which computes longest, which gets its input last?",
				"Feed all hosts alike: a slow input pipeline on one stalls all others.",
				"Check the network between hosts: a slow link looks like a slow host."}},
		.check = "time at `barrier-cores` below {} of a step",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-SC-001", "SparseCores", "step time", 0.10, 0.03, false, TP_HUE_MEMORY},
		.evaluate = sparse_cores,
		.title = "SparseCores work, or are waited for, during {} of step time",
		.passed = "SparseCores work, or are waited for, during {} of a step (limit {})",
		.any = {"Make embeddings cheaper, or overlap them with the TensorCores' work.",
			{"Sort and deduplicate indices before the lookup; group tables of one width.",
				"Shrink tables: smaller rows, quantised rows, fewer tables.",
				"Look up the next batch's embeddings while the TensorCores work on this one "
				"(pipelined embeddings)."}},
		.check = "time of SparseCores below {} of a step",
		.evidence = "[Steps](#steps)",
		.unbounded =
			"They overlap with the TensorCores; a step would save only the exposed part, which the "
			"profile does not show.",
	},
	{.evaluate = NULL},
};
