/* How steps and their classes are worked out, in words. */
#include "analyze/steps/steps.h"

#include "analyze/core/say.h"
#include "base/arena.h"

void
tp_step_how(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const char *tpu =
		"Steps are the events of each core's Steps line, matched over cores and hosts by name; a "
		"step counts when every core has it. Operations are charged to the step in which they "
		"start, by the chip's clock, with their self time, to the class of their HLO category; "
		"class compute is shown as arithmetic and copies. What a core does not fill up to the "
		"longest core's step is idle, so the classes sum to the step. No step is left out at the "
		"edges; a first or last step with fewer operations on a core than any between is cut by "
		"the capture.";
	const char *markers =
		"Steps are marker events of the host or the device. What is nested in a marker, or was "
		"caused by such an event on another thread or stream, belongs to its step; each instant "
		"counts for the class of the highest-ranking event then running (device compute before "
		"copies, waiting for input, collectives, launch, transfers and host compute); where none "
		"of the step runs, but work of another step or of none, that is host compute, on a GPU "
		"compute. Host compute is all that the host records and nothing else tells apart: "
		"operations, Python, their dispatch, and waits. Time within the marker that no event "
		"covers is \"not recorded\", so the classes sum to the step. Of more than five steps the "
		"first and the last are left out, because the capture may cut them.";
	static const char launched[] =
		"Markers of the host only launch work here, most of which runs when they are over. So %s. "
		"Each instant counts for the class of the highest-ranking event then running: work of the "
		"device belongs to the step that launched it, what the host does to the step in whose time "
		"it falls; time that no event covers is \"not recorded\", so the classes sum to the step. "
		"Of more than five steps the first and the last are left out, because the capture may cut "
		"them.";
	static const char *const lasts[] = {
		[TP_TIMED_BY_MARKER] = "",
		[TP_TIMED_BY_START] =
			"a step lasts from the start of its marker to that of the next, and the last is left "
			"out",
		[TP_TIMED_BY_WORK] =
			"a step lasts from the first work on a GPU that its marker launched to that of the "
			"next, and the last to the end of its own",
		[TP_TIMED_BY_RUN] =
			"a step lasts from the beginning of a program's run to that of the next (so many runs "
			"later as there are for each marker); the last, and one after which a program runs "
			"that no marker calls, end with their own runs. The program is the one that takes most "
			"time, of those that markers call and that have as many runs for each. Runs come in "
			"the order of their markers; where the capture lacks some, steps have numbers of their "
			"own",
	};

	static const char inferred[] =
		"Steps are inferred, because %s marks them. %s begins a step with each of its %s. A step "
		"lasts until the next begins, so that the gap between them is part of it; only where "
		"something else follows that runs in fewer than half of the steps and takes a tenth of one "
		"or more, and after the last, a step ends with its own runs. The confidence is the product "
		"of four shares: time of runs that lies within steps, of that of all runs; 1 less the "
		"median deviation of a step's length from the median length, over that; runs found, over "
		"those if every %s had as many as the one with most; 1 less one over the count of runs. "
		"Below %.1f no steps are shown. %s";
	static const char inferred_tpu[] =
		"Cores are matched by order; where one lacks a run, by time on the same host, else by the "
		"collectives that they share. Operations are charged to the step in which they start, by "
		"the chip's clock, with their self time, to the class of their HLO category; what a core "
		"does not fill up to the longest core's step is idle, so the classes sum to the step.";
	static const char inferred_host[] =
		"What begins on the main thread within a step, and what that caused on other threads and "
		"streams, belongs to it, and so does asking for input on any thread at that time. Where "
		"calls run ahead of their work, steps go from the first work of one call to that of the "
		"next. Each instant counts for the class of the highest-ranking event then running; time "
		"that no event covers is \"not recorded\", so the classes sum to the step. Of more than "
		"five steps the first and the last are left out.";
	const char *torch =
		"Steps are the host's ProfilerStep ranges; without any a trace is one step, from its first "
		"operator or Python function to its last. A step lasts until the device work that it "
		"launched ends, and the next begins no earlier; device work launched before the first "
		"step, by the call's time or its number, moves its start until it ends. Last steps whose "
		"device work is missing, or less than 80 % of that of the step before, are left out. Each "
		"instant of a step counts for the first of these that is running: kernels (compute); "
		"device copies and fills (memory, copy); collectives; calls of the device's runtime or "
		"driver on any thread (launch); the wait for the next batch of a DataLoader (input wait); "
		"operators and named ranges (host compute); what none covers is not recorded. So the parts "
		"sum to the step. Steps of several workers with the same span and name are one: as long as "
		"the longest, classes are means over workers, and what a worker is shorter is idle.";
	const char *said = s->tpu ? tpu
		: s->torch            ? torch
		: s->launched.timing != TP_TIMED_BY_MARKER
		? tp_arena_printf(ctx->keep, launched, lasts[s->launched.timing]).ptr
		: markers;
	static const char of_host[] =
		" No operation receives input here: it comes with the arguments. So in each step idle time "
		"of a host's cores counts as input wait as long as the host's step of the same number "
		"waited for input or sent it to the device; beyond the page's idle time it cannot be.";

	if (s->inferred)
		said = tp_arena_printf(ctx->keep, inferred, s->tpu ? "no core" : "nothing",
			s->tpu
				? "Of the programs that run three times or more on a core, the one that takes most "
				  "time in all"
				: "Of what is called three times or more on the main thread, that which takes most "
				  "time in all",
			s->tpu ? "runs" : "calls", s->tpu ? "core" : "host", TP_INFERENCE_THRESHOLD,
			s->tpu ? inferred_tpu : inferred_host)
				   .ptr;
	if (s->input_of_host)
		said = tp_arena_printf(ctx->keep, "%s%s", said, of_host).ptr;
	tp_say_how(ctx, doc, section, "steps/how", said);
}
