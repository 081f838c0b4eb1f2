/* The fixed texts of the section Input pipeline; classes of operations, kinds of stages and what helps: input_advice.c. {} and {id} take figures, as
 * TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_INPUT_WORDS_H
#define TP_ANALYZE_INPUT_WORDS_H

static const char title_input[] = "Input pipeline";
/* What it says first: steps wait, and for what; … */
static const char text_waiting[] = "{} of step time is spent waiting for input; ";
static const char text_waiting_inferred[] =
	"Likely {} of inferred step time is spent waiting for input; ";
static const char text_waiting_for[] = "`{}` takes {} of the time of calls for a batch.";
static const char text_most_on_host[] = "most input time on the host is {}, {}.";
static const char text_nothing_shows_why[] = "no host operation shows why.";
static const char text_is_high[] = "That is high (20 % or more). ";
static const char text_is_medium[] = "That is medium (from 5 %; high from 20 %). ";
static const char text_start_stage[] = "Start with the [slowest stage](#input-pipeline/tf-data).";
static const char text_start_host[] =
	"Start with the [classes of host time](#input-pipeline/host).";
static const char text_start_tf_data[] = "Build the input with tf.data to see its stages here.";
/* … they do not; … */
static const char text_not_bound[] =
	"Steps are not input-bound: they wait for input for {input.wait_share} of their time.";
static const char text_limits[] = "Medium starts at 5 %, high at 20 %.";
static const char text_not_bound_at_most[] =
	"Steps are not input-bound: they wait for input for at most {input.wait_limit_share} of their "
	"time.";
static const char text_works_otherwise[] =
	"Waiting is not recorded, but the device works for the rest of each step. Medium starts at 5 "
	"%, high at 20 %.";
/* … they may; … */
static const char text_potential[] =
	"{input.wait_share} of step time is spent waiting for input; {step.class.other_share} is "
	"outside any operation or call.";
static const char text_potential_unseen[] =
	"Nothing shows whether steps wait for input; {step.class.other_share} of their time is outside "
	"any operation or call.";
static const char text_name_parts[] =
	"From 3 % on, such time may be input, Python or both: *potentially input-bound*. Name the "
	"parts of the loop to see which.";
static const char text_trace_python[] =
	"From 3 % on, such time may be input, Python or both: *potentially input-bound*. Capture with "
	"the Python tracer to see which.";
/* … nobody knows. */
static const char text_no_pipeline[] = "Nothing in the profile shows an input pipeline.";
static const char text_no_fetch[] = "No step fetches input, as far as the profile shows.";
static const char text_no_tool_file[] = "No tool file says whether steps wait for input.";
static const char text_no_step_time[] = "Step time is unknown, too: {}.";
static const char text_unknown[] = "Whether steps wait for input is unknown; ";
static const char text_because[] = "Because {}.";
static const char text_inferred[] = " Steps are ";
static const char text_profiler_said[] = "The profiler itself said, in `{}`: “{}”";
static const char text_contradicts[] =
	" The steps that this file holds contradict it: {input.wait_share} of their time is spent "
	"waiting for input. The verdict follows the steps.";
static const char text_other_steps[] =
	" That is about the steps of that file. The steps here, which the verdict follows, are those "
	"of `{}`: {input.wait_share} of their time is spent waiting for input.";

/* In the steps. */
static const char title_steps[] = "In the steps";
static const char caption_steps[] =
	"Step time, and the share of it spent waiting for input, as a mean over steps; the share of "
	"all step time is above";
static const char caption_steps_worst[] =
	"Step time, and the share of it spent waiting for input on the worst core, as a mean over "
	"steps; the share of all step time is above";
static const char text_strip_alt[] =
	"Share of each of %zu steps spent waiting for input%s: %.*s to %.*s.%s";
static const char text_strip_most[] = ", on the core or host that waits most";
static const char text_column_of_several[] =
	" Each column is the worst of several consecutive steps.";
static const char text_by_step[] =
	"[Steps](#steps/each) has each step, with the core or host that waits most.";

/* tf.data stages. */
static const char title_stages[] = "tf.data stages";
static const char text_waited_for_most[] = "Calls wait most for `{}`: {} of their {}. ";
static const char text_prefetch[] =
	"{} of call time is work that starts only on request. `.prefetch(tf.data.AUTOTUNE)` as the "
	"last stage does it while the previous step runs.";
static const char text_to_device[] =
	"These pipelines only move batches from another one to a device; that one ran outside this "
	"capture or on another host.";
static const char text_by_name[] =
	"Iterators carry no ids in this profile: callers are inferred from names and nesting on a "
	"thread, and work on other threads is not linked.";
static const char caption_pipelines[] =
	"Calls of each tf.data pipeline by its consumer; slow: longer than 50 µs";
static const char caption_stages[] =
	"Stages of the slowest pipelines, without calls for elements that no consumer took in this "
	"capture; waited for: each stage's part of the consumer's calls";

/* On the host. */
static const char title_host[] = "On the host";
static const char text_generator[] =
	"`Generator` runs a Python function, {} in {}: it may read data although it counts as "
	"preprocessing, as in xprof; more `map` threads do not make it faster.";
static const char text_prefetch_waits[] =
	"{} of preprocessing is waiting: stages such as `Prefetch` and `MapAndBatch` waited for their "
	"threads, whose work is counted where it ran.";
static const char text_copies[] =
	"`{}` counts as enqueuing, although it covers all copies to the device and may overlap with "
	"compute.";
static const char caption_classes[] = "Self time of input operations by class, as in xprof";
static const char caption_classes_scaled[] =
	"Host time by class, as in xprof; all but enqueuing is scaled to the time between transfers";
static const char title_each_host[] = "By host";
static const char caption_hosts[] = "Input work on each host, scaled by its transfers";
static const char caption_operations[] =
	"Host input operations; shares are of their summed self time, so total shares may exceed 100 %";
static const char text_generators[] = "including Python generators";
static const char text_generators_help[] =
	"files instead of a generator, or several generators in parallel";
static const char text_waits[] = "including waiting for prefetch threads";
static const char text_waits_help[] = "see the stages that prefetch waits for";
static const char text_other_stages[] = "including other stages";

/* What was looked for, where there is nothing. */
static const char title_looked_for[] = "What was looked for";
static const char text_no_stage[] =
	"Host threads show no tf.data stage (`Iterator::…`), no stage with a category "
	"(`_ipl_stage_cat`), and no transfer to the device (`InfeedEnqueue…`, `MemcpyHToD`).";
static const char text_no_host_threads[] =
	"The profile holds no host threads, where tf.data stages and transfers to the device would "
	"show: capture with the host tracer on.";
static const char text_mark_jax[] =
	"JAX takes its input from plain Python, which no event marks as input. To see it, annotate "
	"fetching a batch inside the step: `with jax.profiler.TraceAnnotation(\"IteratorGetNext\"): "
	"batch = next(batches)`.";
static const char text_mark_pytorch[] =
	"PyTorch's DataLoader leaves no events in an XLA profile. To see it, annotate fetching a batch "
	"inside the step: `with xp.Trace(\"IteratorGetNext\"): batch = next(loader)`, where `xp` is "
	"`torch_xla.debug.profiler`.";

/* Why a figure is missing. */
static const char why_not_recorded[] = "waiting for input is not recorded";
static const char why_calls_no_time[] = "calls take no time";
static const char why_no_time[] = "no time";
static const char why_operations_no_time[] = "no input operation took time";
static const char why_operation_no_time[] = "no operation took time";
static const char why_several_operations[] = "it covers several operations";
static const char why_several_pipelines[] = "it covers several pipelines";
static const char why_single_step[] = "a single step has no deviation";
static const char why_no_operations[] = "the profile holds no input operations";
static const char why_no_calls[] = "the profile holds no call into a tf.data pipeline";

/* How figures are computed. */
static const char how_input[] =
	"A step waits for input while it fetches a batch or copies it to the device and nothing of "
	"higher rank runs; on a TPU, in infeed operations. Input operations are tf.data stages and "
	"transfers to the device on host threads; self time excludes operations nested on the same "
	"thread. If the host feeds an infeed queue, the time of all but the transfers is scaled to "
	"fill the time between transfers, as in xprof. In the table of stages a call waits for calls "
	"nested in it and, through a buffer, for those that made its element on other threads; self "
	"time excludes them, and \"waited for\" assigns each instant of a consumer's call to the "
	"lowest stage working for it, so it sums to the calls.";
static const char how_precomputed[] =
	"Waits, operations and classes of host time are the profiler's own figures; shares and "
	"statistics over steps are computed here.";
static const char source_input[] = "host-thread events; waits as in Steps";

#endif
