/* How steps and their classes are worked out, in words. */
#include "analyze/steps/steps.h"

#include "analyze/core/say.h"
#include "base/arena.h"

void
tp_step_how(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
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
	const char *said = s->launched.timing != TP_TIMED_BY_MARKER
		? tp_arena_printf(ctx->keep, launched, lasts[s->launched.timing]).ptr
		: s->source->how;
	static const char of_host[] =
		" No operation receives input here: it comes with the arguments. So in each step idle time "
		"of a host's cores counts as input wait as long as the host's step of the same number "
		"waited for input or sent it to the device; beyond the page's idle time it cannot be.";

	if (s->inferred)
		said = tp_arena_printf(ctx->keep, inferred, s->source->inferred.nothing,
			s->source->inferred.chosen, s->source->inferred.runs, s->source->timeline,
			TP_INFERENCE_THRESHOLD, s->source->inferred.rest)
				   .ptr;
	if (s->input_of_host)
		said = tp_arena_printf(ctx->keep, "%s%s", said, of_host).ptr;
	tp_say_how(ctx, doc, section, "steps/how", said);
}
