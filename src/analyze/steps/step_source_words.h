/* What is said of steps for the source that they come from: the words of each struct tp_step_source, how steps and classes are worked out, and why
 * there are none. */
#ifndef TP_ANALYZE_STEP_SOURCE_WORDS_H
#define TP_ANALYZE_STEP_SOURCE_WORDS_H

#include "analyze/steps/step_source.h"
#include "report/column.h"

/* Cores of TPUs. */
static const char how_tpu[] =
	"Steps are the events of each core's Steps line, matched across cores and hosts by name; a "
	"step counts if every core has it. An operation's self time counts in the step in which it "
	"starts, on the chip's clock, for the class of its HLO category; compute is shown as "
	"arithmetic and copies. The rest, up to the longest core's step, is idle, so the classes sum "
	"to the step. No step is left out at the edges; a first or last one with fewer operations on a "
	"core than all between counts as cut.";
static const char how_tpu_inferred[] =
	"Cores are matched by order; if one lacks a run, by time on the same host, else by shared "
	"collectives. An operation's self time counts in the step in which it starts, on the chip's "
	"clock, for the class of its HLO category; the rest, up to the longest core's step, is idle, "
	"so the classes sum to the step.";
static const char why_tpu_incomplete[] = "no step is complete on every core";
static const char why_tpu_no_steps[] =
	"no TPU core has a Steps line with events, and no program runs often enough to infer steps";
static const char text_operations_repeat[] = "a sequence of operations that repeats";
#define TPU_WORDS                                                                                  \
	.timeline = "core", .timelines = "cores",                                                      \
	.input_unseen =                                                                                \
		{                                                                                          \
			.why = TP_LIT("neither core operations nor host step events receive input, so "        \
						  "waiting for it looks like idle time"),                                  \
			.answer = "Whether steps wait for input is unknown: no operation receives it.",        \
			.so_what = "If input reaches the device without infeed, as in JAX, waiting for "       \
					   "it is idle time: {step.class.idle_share} of a step.",                      \
			.tile = {"no input recorded", "counts as idle: {step.class.idle_share}"},              \
	},                                                                                             \
	.inferred =                                                                                    \
		{                                                                                          \
			.say = "No core marks steps; these are ",                                              \
			.nothing = "no core",                                                                  \
			.chosen = "Of the programs that run three times or more on a core, the one "           \
					  "that takes most time in total",                                             \
			.runs = "runs",                                                                        \
			.rest = how_tpu_inferred,                                                              \
			.from = "lines \"XLA Modules\" and \"XLA Ops\" of each core",                          \
	},                                                                                             \
	.untold = TP_LIT("this kind of profile cannot show it"),                                       \
	.undecided = TP_LIT("TPU core steps do not show what the host does meanwhile"),                \
	.quality = "steps from markers", .how = how_tpu,                                               \
	.from = "lines \"Steps\" and \"XLA Ops\" of each core",                                        \
	.compared = "Operations whose self time differs most on the slowest core"

/* Markers of hosts, or calls that repeat. */
static const char how_markers[] =
	"Steps are marker events on the host or device. A step owns events nested in its marker and "
	"those they caused on other threads or streams. Each instant counts for the class of the "
	"highest-ranking event running then (device compute before copies, waiting for input, "
	"collectives, launch, transfers and host compute); when only work of another step, or none, is "
	"running, it counts as host compute (on a GPU, as compute). Host compute is everything else "
	"the host records: operations, Python, dispatch and waits. Time in the marker without events "
	"is \"not recorded\", so the classes sum to the step. With more than five steps, the first and "
	"last are left out because the capture may cut them.";
static const char how_markers_inferred[] =
	"A step owns what starts on the main thread during it, what that caused on other threads and "
	"streams, and input requests on any thread at that time. Where calls run ahead of their work, "
	"steps go from the first work of one call to that of the next. Each instant counts for the "
	"class of the highest-ranking event running then; time without operations and calls is \"not "
	"recorded\", so the classes sum to the step. With more than five steps, the first and last are "
	"left out; with fewer, the last ends with its own calls.";
static const char why_unreadable[] = "the readable part of the profile holds no step markers";
static const char why_pod_alone[] =
	"the run holds no events, and only the pod viewer's tool file has steps, per core: see "
	"Distributed";
static const char why_no_step_times[] =
	"the run holds no events, and none of its tool files gives step times";
static const char why_not_marked[] =
	"the profile holds no step markers (jax.profiler.StepTraceAnnotation, "
	"tf.profiler.experimental.Trace(\"train\", step_num=i, _r=1)), and no call repeats on a main "
	"thread";
static const char why_calls_do_nothing[] =
	"the profile has no step markers, and the repeated calls start no work";
static const char why_markers_cover_nothing[] = "no step marker covers any work";
#define MARKER_WORDS                                                                               \
	.timeline = "host", .timelines = "hosts",                                                      \
	.input_unseen.tile = {"no input recorded", "counts as host work"},                             \
	.inferred =                                                                                    \
		{                                                                                          \
			.say = "The profile has no step markers; these are ",                                  \
			.nothing = "nothing",                                                                  \
			.chosen = "Of the calls made three times or more on the main thread, the one "         \
					  "that takes most time in total",                                             \
			.runs = "calls",                                                                       \
			.rest = how_markers_inferred,                                                          \
			.from = "main-thread calls, events of host threads and GPU streams",                   \
	},                                                                                             \
	.untold = TP_LIT("this kind of profile cannot show it"),                                       \
	.no_tpu_parts = TP_LIT("not a TPU profile"), .quality = "steps from markers",                  \
	.how = how_markers
/* Hosts without GPUs, and with. */
#define HOST_WORDS                                                                                 \
	MARKER_WORDS,                                                                                  \
		.input_unseen.why =                                                                        \
			TP_LIT("no call for a batch was recorded in a step, so waiting for input "             \
				   "looks like host work"),                                                        \
		.input_unseen.so_what = "Steps that wait for input look like host compute.",               \
		.from = "step markers and host-thread events",                                             \
		.compared = "Host-thread events whose self time differs most"
#define GPU_WORDS                                                                                  \
	MARKER_WORDS,                                                                                  \
		.input_unseen.why =                                                                        \
			TP_LIT("neither a copy to a GPU nor a call for a batch was recorded in a "             \
				   "step, so waiting for input looks like other host work"),                       \
		.input_unseen.so_what = "Waiting for input then looks like other host work.",              \
		.from = "step markers of host and GPUs, host threads, GPU streams",                        \
		.compared = "Host-thread and GPU-stream events whose self time differs most"

/* PyTorch's traces. */
#define TORCH_CLASSES                                                                              \
	"Each instant counts for the first of these that is running: kernels (compute); "              \
	"collectives; device copies and memsets (memory, copy); work that was launched more "          \
	"than 0.1 ms ago and has not begun (work queued); calls of 1 ms or more that set a "           \
	"device up, and launches of 0.1 s or more, which load a module (set-up); other "               \
	"runtime or driver calls on any thread (launch); waiting for a DataLoader's next "             \
	"batch (input wait, before work queued and set-up); operators and named ranges (host "         \
	"compute); otherwise it is not recorded. So the parts sum to the step. Steps of "              \
	"several workers with the same span and name are one step, as long as the longest; "           \
	"classes are means over workers, and where a worker's step is shorter, the rest is "           \
	"idle."
static const char how_marks[] =
	"Steps are the host's ProfilerStep ranges; without any, a trace is one step, from its first to "
	"its last operator or Python function. A step lasts until the device work it launched ends, "
	"and the next starts no earlier; the first step starts after device work launched before it, "
	"by the call's time or number, has ended. Last steps with no device work, or less than 80 % of "
	"the previous step's, are left out. " TORCH_CLASSES;
static const char how_annotations[] =
	"No ProfilerStep is in the trace, so steps are the iterations that the program annotates: of "
	"the ranges of a thread (GPU ranges where the host has none) the outermost that repeat, once "
	"digits in their names are masked; ranges of libraries, such as Optimizer.step or nccl, do not "
	"count. Names of one engine, or prefill and decode, are kinds of iterations; forward, backward "
	"and optimizer, and names that always follow each other in one order, are parts of one step, "
	"which lasts from the first to the last. A step lasts until the device work it launched ends, "
	"and the next starts no earlier. Between two steps, an iteration without a range counts where "
	"the same kernels ran as in one that has a range. Time between steps belongs to no step. The "
	"confidence is the product of: device work within steps / all; 1 − median deviation of step "
	"length from the median of its kind / that median; 1 − 1 / number of steps. --steps REGEX "
	"chooses other ranges. " TORCH_CLASSES;
static const char how_kernels[] =
	"A step here ends with its last kernel; the gap after it belongs to no step. In the "
	"confidence, how well gaps agree with step starts takes the place of the share of runs "
	"found. " TORCH_CLASSES;
static const char why_order_unsure[] =
	"no trace holds a ProfilerStep range, an annotation or an operator, and the order of its "
	"kernels does not repeat reliably enough";
static const char why_nothing[] =
	"no trace holds a ProfilerStep range, an operator or a Python function";
static const char why_torch_no_length[] = "no step has a length";
#define TORCH_WORDS                                                                                \
	.timeline = "worker", .timelines = "workers",                                                  \
	.input_unseen =                                                                                \
		{                                                                                          \
			.why = TP_LIT("the trace holds no DataLoader call for the next batch, so waiting "     \
						  "for input looks like other host work"),                                 \
			.so_what = "Waiting for input then looks like other host work.",                       \
			.tile = {"no DataLoader recorded", "counts as host work"},                             \
	},                                                                                             \
	.untold = TP_LIT("no trace holds any of it"), .not_applicable = "no trace holds any of it",    \
	.no_tpu_parts = TP_LIT("not a TPU profile"),                                                   \
	.from = "operators, ranges and calls on host threads, GPU-stream work",                        \
	.compared = "Host-thread and GPU-stream events whose self time differs most"
/* Steps are marked; annotated; found by the order of kernels; a trace is one step. */
#define MARK_WORDS TORCH_WORDS, .how = how_marks, .quality = "steps from ProfilerStep"
#define ANNOTATION_WORDS                                                                           \
	TORCH_WORDS, .how = how_annotations, .quality = "steps from annotations",                      \
				 .coverage = ", from annotations"
#define KERNEL_WORDS                                                                               \
	TORCH_WORDS,                                                                                   \
		.how = how_annotations, .quality = "steps from the order of kernels",                      \
		.inferred = {                                                                              \
			.say = "No range marks steps; these are ",                                             \
			.nothing = "no range of the trace",                                                    \
			.chosen = "A kernel that runs once in each iteration, found by the gaps that "         \
					  "the host leaves between iterations (else by the period of the "             \
					  "order of kernels),",                                                        \
			.runs = "run, where all kernels of a graph's launch count as one",                     \
			.rest = how_kernels,                                                                   \
			.from = "GPU-stream work, and calls that launch it",                                   \
	}
#define TRACE_WORDS                                                                                \
	TORCH_WORDS, .how = how_marks,                                                                 \
				 .unmarked = TP_LIT("there are no markers: each trace counts as one"),             \
				 .quality = "no step markers: each trace is one step"

/* Tool files. */
static const char how_precomputed[] =
	"Steps and their parts are the profiler's own figures from a tool file, which does not say "
	"what they average over. The parts of a step sum to its time; statistics over steps are "
	"computed here. Classes of time that the file does not separate are missing.";
#define TOOL_FILE_WORDS                                                                            \
	.timeline = "host", .timelines = "hosts",                                                      \
	.input_unseen.so_what = "Steps that wait for input look like host compute.",                   \
	.untold = TP_LIT("this kind of profile cannot show it"),                                       \
	.undecided = TP_LIT("the tool file that steps come from does not separate it"),                \
	.no_tpu_parts = TP_LIT("the tool file does not say"),                                          \
	.no_gap = TP_LIT("tool files do not record when steps started"),                               \
	.coverage = ", precomputed by the profiler", .quality = "steps from markers",                  \
	.how = how_precomputed

#endif
