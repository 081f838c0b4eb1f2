/* Rules on what a step waits for besides input. Thresholds of output, launch and time without events are those of
 * xprof's input-pipeline analysis, those of debug prints of its suggestions; the others are ours. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/input/input_pipeline.h"
#include "analyze/judge/uneven_steps.h"
#include "analyze/judge/verdict_torch.h"
#include "analyze/judge/what_if.h"
#include "analyze/llm/serving.h"
#include "analyze/ops/op_profile.h"
#include "analyze/steps/special_events.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>

/* Whether launched work stands still by the rule on that, which the time is then left to. */
static bool
work_stands_still(const struct tp_evaluation *e)
{
	for (const struct tp_finding_rule *rule = tp_rules_torch_host; rule->evaluate != NULL; rule++) {
		struct tp_finding_result r = {.rule = rule, .limits = tp_rule_limits(e->ctx, rule)};

		if (strcmp(rule->info.id, "TPR-QUEUE-001") != 0 || !tp_rule_concerns(e->ctx, rule))
			continue;
		rule->evaluate(e, &r);
		return r.status == TP_FINDING_OPEN;
	}
	return false;
}

static void
unrecorded(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->steps != NULL && e->steps->source->gaps_are_idle)
		tp_rule_not_applicable(r, "on a TPU, time without an operation is idle");
	else if (tp_kernels_not_recorded(e->ctx).reason.len != 0)
		tp_rule_undecided(r, tp_kernels_not_recorded(e->ctx).reason);
	else if (work_stands_still(e))
		tp_rule_undecided(
			r, TP_S("while launched work is queued, the host may have nothing to do"));
	else
		tp_rule_step_class(e, r, TP_CLASS_OTHER);
}

/* Whom Python's functions were recorded of need not record them. */
static void
unrecorded_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_torch *torch = ctx->profile->torch;

	if (torch == NULL && s->source->launches) /* the host may well have done something */
		finding->title = TP_SAY(doc,
			s->inferred ? "Likely: for {} of step time nothing shows why the GPU is idle"
						: "For {} of step time nothing shows why the GPU is idle",
			finding->measured);

	if (torch == NULL && tp_steps_python_traced(ctx->profile)) {
		if (!s->source->launches)
			finding->title = TP_SAY(doc,
				s->inferred ? "Likely: {} of step time is outside any operation or call"
							: "{} of step time is outside any operation or call",
				finding->measured);
		finding->brief = TP_SAY0(doc,
			s->source->launches
				? "Find what the host does while the GPU is idle: input, Python, or waiting."
				: "Find what the program does in that time: input, Python, or waiting.");
		finding->action_count = 0;
		tp_rule_add_action(ctx, finding,
			TP_SAY0(doc, "The Python tracer was on: the timeline shows which functions run then."));
		tp_rule_add_action(ctx, finding,
			TP_SAY0(doc,
				"Name parts of the loop: `jax.profiler.TraceAnnotation(\"part\")` or "
				"`tf.profiler.experimental.Trace(\"part\")`."));
		return;
	}
	if (torch == NULL || !tp_torch_python_recorded(torch))
		return;
	finding->title =
		TP_SAY(doc, "{} of step time is outside any operator, call or kernel", finding->measured);
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"Python functions are in the trace: the timeline shows which run between operators."));
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc, "Name parts of the loop: `with torch.profiler.record_function(\"part\")`."));
}

static void
output(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_of_device_steps(e, r))
		return;
	if (e->steps != NULL && e->steps->source->tells_device)
		tp_rule_step_class(e, r, TP_CLASS_OUTPUT);
	else if (e->steps != NULL) {
		tp_rule_decide(r, e->steps->output_share, tp_without_class_ps(e->steps, TP_CLASS_OUTPUT));
		tp_rule_tell_mean(e, r, TP_CLASS_OUTPUT);
	} else
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_steps));
}

static void
launch(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->steps != NULL && !e->steps->source->launches &&
		!tp_steps_tell(e->steps, TP_CLASS_LAUNCH))
		tp_rule_not_applicable(r, "only GPUs launch kernel by kernel");
	else if (tp_rule_of_device_steps(e, r))
		tp_rule_step_class(e, r, TP_CLASS_LAUNCH);
}

/* xprof's hint: threads of tf.data may take the cores that launches need. */
static void
launch_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	int64_t tf_data_ps = 0;

	for (int c = TP_INPUT_PREPROCESSING; in != NULL && c <= TP_INPUT_DEMANDED_READ; c++)
		tf_data_ps += in->ops.all.self_ps[c];
	if (tf_data_ps > 0)
		tp_rule_add_action(ctx, finding,
			TP_SAY0(doc,
				"tf.data threads may take the cores that launches need: limit them "
				"(`options.threading.private_threadpool_size`), or give launches dedicated threads "
				"(`TF_GPU_THREAD_MODE=gpu_private`)."));
}

static void
compiling(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	tp_rule_step_class(e, r, TP_CLASS_COMPILE);
}

static void
idle_in_steps(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_of_device_steps(e, r))
		return;
	if (e->steps != NULL && !e->steps->source->gaps_are_idle)
		tp_rule_not_applicable(r, "on a GPU, time without an event counts as not recorded");
	else
		tp_rule_step_class(e, r, TP_CLASS_IDLE);
}

/* Most of the idle time is within a program's run: the host's calls between programs are not what cores wait for. */
static void
advise_within_programs(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	struct tp_finding *finding)
{
	static const double most = .8;
	double idle_ps = s->class_mean_ps[TP_CLASS_IDLE];
	double within_ps = idle_ps - s->program_gap_ps;

	if (!s->tells_programs || within_ps < most * idle_ps)
		return;
	TP_SAY_MORE(doc, finding->saw, " {} of that lies within runs of a program.",
		within_ps > .99 * idle_ps ? tp_text_value(TP_S("All"))
								  : tp_number(within_ps / 1e9, TP_UNIT_MS));
	finding->brief = TP_SAY0(doc, "See which operations the gaps within a program follow.");
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"See in the timeline which operation ends before each gap: an operation that sends to "
			"the host or receives from it waits for the host."));
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"Take transfers to the host, callbacks and printing out of the program, or do them "
			"every hundred steps."));
}

/* Where several cores were profiled, they can be compared. */
static void
idle_in_steps_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	advise_within_programs(ctx, doc, s, finding);
	tp_rule_say_unprofiled(ctx, doc, finding);
	if (s->timelines > 1)
		tp_rule_add_action(
			ctx, finding, TP_SAY0(doc, "Compare cores: a slow one makes all others idle."));
}

/* Whether steps follow each other at once: then all idle time is within them, and findings about that bound what it costs. */
static bool
without_gaps(const struct tp_steps *s)
{
	return !(s->gap_mean_ps > 0);
}

/* From this share on a step, or the time between steps, is idle to speak of. */
#define LITTLE_IDLE 0.01

/* Steps of cores, or inferred ones, hold next to no idle time and follow each other with next to none: devices are idle before the first or after the last.
 * Inferred steps that follow each other have no gap: it is NaN. */
static bool
idle_outside(const struct tp_steps *s)
{
	return (s->source->of_cores || s->inferred) && s->idle_share < LITTLE_IDLE &&
		!(s->gap_mean_ps > LITTLE_IDLE * s->time.mean);
}

/* Idle time between steps ends when the next step may begin at once: that is what it saves, of the time from one step's
 * start to the next one's. */
static void
idle_devices(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_op_profile *precomputed = tp_result(e->ctx, &tp_pass_op_profile);

	if (precomputed != NULL && !isfinite(precomputed->idle_ps))
		tp_rule_undecided(r, TP_S("the op profile does not say how long devices were idle"));
	else if (precomputed != NULL)
		tp_rule_decide(r,
			precomputed->idle_ps / ((double)precomputed->ops.busy_ps + precomputed->idle_ps), NAN);
	else if (tp_rule_measured(e, r))
		tp_rule_decide(r,
			(double)(e->devices->total_ps - e->devices->busy_ps) / (double)e->devices->total_ps,
			e->steps != NULL && !without_gaps(e->steps) && !idle_outside(e->steps)
				? e->steps->gap_mean_ps
				: NAN);
}

static void
say_idle_outside(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	finding->brief = TP_SAY0(doc, "No step waits for it: see what runs outside steps.");
	finding->matters = TP_SAY0(doc,
		"Steps are idle {step.class.idle_share} of their time and follow each other at once: nearly "
		"all of this time is before the first step or after the last. Steps would not take less.");
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"Start the capture after compilation and set-up; see in [Timeline](#timeline) what runs "
			"before the first step and after the last."));
}

/* Of which time that is a share, and on how many devices. */
static void
idle_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s != NULL && idle_outside(s))
		say_idle_outside(ctx, doc, finding);
	else if (s != NULL && s->count > 1 && !s->inferred && without_gaps(s))
		finding->matters = TP_SAY0(doc,
			"Steps follow each other without gaps: this time is within them, or before the first "
			"and after the last.");
	if (d == NULL) {
		finding->evidence = TP_SAY0(doc, "[Performance](#performance)");
		return;
	}
	struct tp_text window = tp_doc_join(doc, TP_SAY0(doc, " That is a share of the "),
		tp_doc_join(doc, tp_devices_say_window(ctx, doc, d), TP_SAY0(doc, ".")));

	finding->saw = tp_doc_join(
		doc, finding->saw, tp_doc_join(doc, window, tp_devices_say_capture(ctx, doc, d)));
}

static const char no_debug_prints[] = "only operations of TPU cores show debug prints";

static void
debug_prints(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_may_be_of_tpu(e, r, no_debug_prints) || !tp_rule_has_steps(e, r))
		return;
	struct tp_special_events of = tp_find_special_events(e->ctx, e->steps);

	if (!of.known)
		tp_rule_not_applicable(r, no_debug_prints);
	else
		tp_rule_decide(r, of.debug_ps / e->steps->time.mean, of.debug_ps);
}

/* Whether steps are iterations of an inference engine, some of prompts and some of decode. */
static bool
several_kinds(const struct tp_pass_ctx *ctx)
{
	const struct tp_serving *s = tp_result(ctx, &tp_pass_serving);
	unsigned kinds = 0;

	for (int k = 0; s != NULL && k < TP_SERVING_KINDS; k++)
		kinds += s->kinds[k].count != 0;
	return kinds > 1;
}

/* What the few long steps cost: the mean over the median. Steps that the capture cuts say nothing. */
static void
uneven(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_steps *s = e->steps;

	if (s == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_steps));
	else if (several_kinds(e->ctx))
		tp_rule_not_applicable(
			r, "steps are iterations of several kinds, each with its own length");
	else if (s->inferred)
		tp_rule_undecided(r, TP_S("steps are inferred, so their lengths are not measured"));
	else if (s->whole.count < TP_UNEVEN_STEPS)
		tp_rule_undecided(r, TP_S("at least ten complete steps are needed"));
	else
		tp_rule_decide(r, (s->whole.time.p95 - s->whole.time.p50) / s->whole.time.p50,
			s->whole.time.mean > s->whole.time.p50 ? s->whole.time.mean - s->whole.time.p50 : NAN);
}

static void
uneven_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	finding->saw =
		TP_SAY(doc, "The 95th percentile of {} is {}, the median {}: {} longer (limit {}).",
			tp_say_number(ctx, s->whole.count, "step", "steps"), tp_ps_in_ms(s->whole.time.p95),
			tp_ps_in_ms(s->whole.time.p50), finding->measured, finding->limit);
	tp_uneven_say(ctx, doc, s, finding);
	finding->matters = TP_SAY(doc,
		"If every step took as long as the median one, the mean would be {} instead of {}.",
		tp_ps_in_ms(s->whole.time.p50), tp_ps_in_ms(s->whole.time.mean));
}

const struct tp_finding_rule tp_rules_steps[] = {
	{
		.info = {"TPR-STEP-001", "Time outside operations and calls", "step time", 0.15,
			TP_OTHER_SHARE, false, TP_HUE_IDLE},
		.scope = TP_RULE_OF_ALL,
		.part_of = "TPR-HOST-001", /* of PyTorch runs on a device */
		.saves_of = TP_SAVED_UNRECORDED,
		.tint = TP_TINT_UNRECORDED,
		.evaluate = unrecorded,
		.verdict = tp_verdict_unrecorded,
		.verdict_of_medium = true,
		.title = "{} of step time is not covered by any event",
		.passed = "{} of step time is outside any operation or call (limit {})",
		.jax.actions =
			{"`options = jax.profiler.ProfileOptions(); options.python_tracer_level = 1`, then "
			 "`jax.profiler.start_trace(logdir, profiler_options=options)`.",
				"If it is data loading, move it to other threads and put batches on the device in "
				"advance.",
				"If it is Python between calls, put more of the step in one `jax.jit`."},
		.tensorflow.actions =
			{"`tf.profiler.experimental.start(logdir, "
			 "options=tf.profiler.experimental.ProfilerOptions(python_tracer_level=1))`.",
				"If it is data loading, build it with `tf.data` and end it with "
				"`.prefetch(tf.data.AUTOTUNE)`.",
				"If it is Python between calls, run several steps in one `tf.function`."},
		.pytorch_xla.actions =
			{"Annotate the training loop with `xp.Trace` (`torch_xla.debug.profiler`) to see its "
			 "parts.",
				"If it is data loading, use several workers and `torch_xla`'s `MpDeviceLoader`.",
				"If it is retracing, keep shapes and control flow the same from step to step."},
		.pytorch = {"Find what the program does between operators: Python, logging, or waiting for "
					"other processes.",
			{"Capture with `with_stack=True` to record Python functions too.",
				"Name parts of the loop: `with torch.profiler.record_function(\"part\")`."}},
		.any =
			{"Capture again with the Python tracer on; the time may be input, Python, or waiting.",
				{"Capture with `python_tracer_level=1` to see what Python does then.",
					"If it is data loading, move it to other threads and prefetch."}},
		.check = "`step.class.other_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = unrecorded_particulars,
	},
	{
		.info = {"TPR-OUTPUT-001", "Output", "step time", 0.20, 0.05, false, TP_HUE_OUTPUT},
		.saves_of = TP_SAVED_OUTPUT,
		.evaluate = output,
		.verdict = tp_verdict_of_class,
		.title = "Output takes {} of step time",
		.passed = "output takes {} of step time (limit {})",
		.jax.actions =
			{"Read metrics every hundred steps: `float(loss)`, `print` and `jax.device_get` wait "
			 "for the device.",
				"Reduce on the device first: return scalars, not arrays, from the step.",
				"Start copies early: `x.copy_to_host_async()`."},
		.tensorflow.actions =
			{"Log metrics and summaries every hundred steps (`update_freq`, `steps_per_execution`).",
				"Reduce on the device first: fetch metrics, not tensors, and nothing that is not "
				"used.",
				"On a TPU, drop outfeed and `host_call` from the step, or run them every hundredth "
				"step."},
		.pytorch_xla.actions =
			{"`loss.item()`, `print` and `.cpu()` each wait for the device: do them every hundred "
			 "steps.",
				"Log with `xm.add_step_closure`, which runs after the step.",
				"Reduce on the device first: send scalars, not tensors."},
		.any = {"Send fewer results to the host, less often.",
			{"Log metrics and summaries every hundred steps, not every step.",
				"Reduce on the device first: send scalars, not tensors."}},
		.check = "`step.class.output_share` below {}",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-LAUNCH-001", "Launch overhead", "step time", 0.15, 0.03, false, TP_HUE_HOST},
		.saves_of = TP_SAVED_LAUNCH,
		.tint = 1, /* as of TP_CLASS_LAUNCH */
		.evaluate = launch,
		.verdict = tp_verdict_of_class,
		.title = "Launching kernels takes {} of step time while the device waits",
		.passed = "launching takes {} of step time (limit {})",
		.jax = {"Launch fewer, larger kernels: put the whole step under one `jax.jit`.",
			{"One `jax.jit` around forward, backward and update; write loops as `jax.lax.scan`.",
				"Raise the batch size so that each kernel does more."}},
		.tensorflow = {"Launch fewer, larger kernels: compile the step with XLA.",
			{"`tf.function(jit_compile=True)` around the whole step.",
				"Raise the batch size so that each kernel does more."}},
		.pytorch_xla = {"Launch fewer, larger kernels: put the whole step in one graph.",
			{"One `xm.mark_step()` per step, and nothing in between that reads a value.",
				"Raise the batch size so that each kernel does more."}},
		.any = {"Launch fewer, larger kernels: compile the step as a whole.",
			{"Wrap the whole step in `tf.function(jit_compile=True)` or `jax.jit`.",
				"Raise the batch size so that each kernel does more."}},
		.check = "`step.class.launch_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = launch_particulars,
	},
	{
		.info = {"TPR-COMPILE-001", "Compiling within steps", "step time", 0.15, 0.03, false,
			TP_HUE_COMPILE},
		.saves_of = TP_SAVED_COMPILE,
		.evaluate = compiling,
		.verdict = tp_verdict_of_class,
		.title = "Compiling takes {} of step time",
		.passed = "compiling takes {} of step time (limit {})",
		.tensorflow = {"Find what is retraced: shapes, dtypes or Python values that change from "
					   "step to step.",
			{"Pass tensors, not Python numbers, to a `tf.function`; give it an `input_signature`.",
				"Drop the last, smaller batch: `ds.batch(n, drop_remainder=True)`.",
				"Capture after the first steps, once everything has been traced."}},
		.any = {"Find what is recompiled: shapes, dtypes or static arguments that change from step "
				"to step.",
			{"Log it: `jax.config.update(\"jax_log_compiles\", True)`; pad batches to one size.",
				"Keep compiled programs between runs: "
				"`jax.config.update(\"jax_compilation_cache_dir\", …)`.",
				"Capture after the first steps, once everything has been compiled."}},
		.check = "`step.class.compile_share` below {}",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-IDLE-001", "Idle within steps", "step time", 0.15, 0.03, false, TP_HUE_IDLE},
		.saves_of = TP_SAVED_IDLE,
		.evaluate = idle_in_steps,
		.verdict = tp_verdict_of_class,
		.title = "Cores are idle for {} of step time",
		.passed = "cores are idle {} of a step (limit {})",
		.jax.actions =
			{"One `jax.jit` for the whole step: between programs the cores wait for Python.",
				"Do not block: no `block_until_ready`, `float(loss)` or `jax.debug.print` in the "
				"loop."},
		.tensorflow = {"Run several steps per call, so that the host intervenes less often.",
			{"`steps_per_execution=…` in Keras, or a loop over steps in one `tf.function`.",
				"Avoid host transfers and printing in the step: `tf.print`, summaries, "
				"`tf.py_function`."}},
		.pytorch_xla = {"Look for host work between graphs.",
			{"Trace ahead: one `xm.mark_step()` per step, and no value read in between.",
				"Avoid fallbacks to the CPU: `torch_xla.debug.metrics` counts them as `aten::` "
				"operations."}},
		.any = {"Look for host work between programs.",
			{"Dispatch the next step before the last one ends; do not block on its results.",
				"Avoid host transfers and printing in the step."}},
		.check = "`step.class.idle_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = idle_in_steps_particulars,
	},
	{
		.info = {"TPR-IDLE-002", "Idle devices", "device time", 0.50, 0.10, false, TP_HUE_IDLE},
		.saves_of = TP_SAVED_BETWEEN,
		.evaluate = idle_devices,
		.title = "Devices are idle {} of the time from first to last operation",
		.passed = "devices are idle {} of the time from first to last operation (limit {})",
		.jax.actions = {"Dispatch ahead: JAX runs asynchronously until something reads a value.",
			"Move evaluation, checkpoints (`orbax` saves asynchronously) and logging off the "
			"path between steps."},
		.tensorflow.actions =
			{"Run several steps per call: `steps_per_execution=…`, or a loop in one `tf.function`.",
				"Move evaluation, checkpoints and callbacks off the path between steps."},
		.any = {"See what the host does between steps and within them.",
			{"Dispatch the next step before the last one ends; do not wait for results between "
			 "steps.",
				"Move evaluation, checkpoints and logging off the path between steps."}},
		.inferred_steps = {"Find what the host does between programs: inferred steps hold the idle time "
						   "up to the next one.",
			{"See in [Steps](#steps) how much of each step is idle, and whether some steps are "
			 "much longer than others.",
				"Dispatch the next program before the last one ends; move evaluation, checkpoints "
				"and logging off that path.",
				"Mark the steps and capture again to tell gaps between steps from idle time within "
				"them."}},
		.without_steps =
			{"Find what the host does between programs; mark steps, so that the report can tell "
			 "which wait it is.",
				{"Wrap each step in a step marker and capture again.",
					"Dispatch ahead: do not wait for results between steps."}},
		.check = "`device.idle_share` below {}",
		.evidence = "[Devices](#devices)",
		.particulars = idle_particulars,
		.saves = "per step, between steps",
	},
	{
		.info = {"TPR-DEBUG-001", "Debug prints", "step time", NAN, 0.05, false, TP_HUE_HOST},
		.saves_of = TP_SAVED_DEVICE_WORK,
		.evaluate = debug_prints,
		.of_events = true,
		.title = "Debug prints take {} of step time",
		.passed = "debug prints take {} of a step on the worst host (limit {})",
		.any = {"Remove `jax.debug.print` and other callbacks from the step.",
			{"Remove `jax.debug.print`, `jax.debug.callback` and the like; return the values to "
			 "print instead.",
				"Print every hundredth step: `jax.lax.cond(step % 100 == 0, …)`."}},
		.check = "no operation named `debug_print`",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-STEP-002", "Uneven steps",
			"the median step by which the 95th percentile exceeds it", 0.50, 0.10, false,
			TP_HUE_NONE},
		.scope = TP_RULE_OF_ALL,
		.saves_of = TP_SAVED_ANY,
		.evaluate = uneven,
		.title = "The 95th percentile of steps is {} above the median",
		.passed = "the 95th percentile of steps is {} above the median (limit {})",
		.any = {"Find what slow steps spend more time on: see *Steps*.",
			{"See *The slowest step, explained*: the class of time, the operations and the host "
			 "event that made it longer.",
				"If the longer class is input, prefetch further ahead and read several files at once; if it is "
				"checkpoints, logging or evaluation, do them asynchronously.",
				"If nothing there explains it, look for other work on the same hosts."}},
		.check = "`step.time.p95_ms` towards `step.time.p50_ms`",
		.evidence = "[The slowest step](#steps/slowest)",
		.particulars = uneven_particulars,
	},
	{.evaluate = NULL},
};
