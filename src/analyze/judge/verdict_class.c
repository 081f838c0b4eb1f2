/* Verdicts of one class of a step's time, and of what no event covers. */
#include "analyze/judge/rule.h"

#include "analyze/judge/verdict_torch.h"
#include "analyze/judge/what_if.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"

/* What is said of a class of time. Markup; {} is the share of the step, and the milliseconds of it and of the step. */
struct class_verdict {
	const char *rule;
	const char *steps_are;
	const char *saw,
		*consequence;           /* consequence: what stands before how much faster steps would be */
	const char *because, *read; /* read: which section says more */
};

static const struct class_verdict class_verdicts[] = {
	{
		"TPR-IDLE-001",
		"idle devices",
		"cores are idle for {} of step time",
		"without the gaps steps would be",
		"Because no operation runs for {} of the {} step. Therefore *find what cores wait for in "
		"these gaps*:",
		"see [Steps](#steps).",
	},
	{
		"TPR-COMM-001",
		"communication-bound",
		"collectives take {} of step time",
		"hiding them would make steps",
		"Because exposed collectives take {} of the {} step. Therefore *overlap or shrink them*:",
		"[Steps](#steps) shows them.",
	},
	{
		"TPR-LAUNCH-001",
		"launch-bound",
		"for {} of step time the device waits for launches",
		"without these waits steps would be",
		"Because for {} of the {} step the host prepares launches and nothing else runs. Therefore "
		"*launch fewer, larger kernels*:",
		"see [Steps](#steps).",
	},
	{
		"TPR-OUTPUT-001",
		"output-bound",
		"output takes {} of step time",
		"without it steps would be",
		"Because sending results to the host takes {} of the {} step. Therefore *send less, and less "
		"often*:",
		"see [Steps](#steps).",
	},
	{
		"TPR-COMPILE-001",
		"compiling",
		"compiling takes {} of step time",
		"with programs compiled beforehand, steps would be",
		"Because for {} of the {} step programs are traced, lowered or compiled. Therefore *keep "
		"shapes the same from step to step*:",
		"[Steps](#steps) shows when.",
	},
};

static const struct class_verdict *
of_rule(const char *id)
{
	for (size_t i = 0; i < sizeof class_verdicts / sizeof *class_verdicts; i++) {
		if (strcmp(class_verdicts[i].rule, id) == 0)
			return &class_verdicts[i];
	}
	return NULL;
}

struct tp_verdict_text
tp_verdict_of_class(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct class_verdict *c = of_rule(r->rule->info.id);

	bool side_by_side =
		r->rule->saves_of == TP_SAVED_COLLECTIVE && tp_result(ctx, &tp_pass_pod) != NULL;
	struct tp_text because =
		TP_SAY(doc, c->because, tp_ps_in_ms(r->told * s->time.mean), tp_say_step(ctx, s));
	const char *read =
		side_by_side ? "[Distributed](#distributed) shows who waits, and for whom." : c->read;

	return (struct tp_verdict_text){
		.steps_are = c->steps_are,
		.verdict.saw = tp_say_told(doc, c->saw, r),
		.verdict.consequence = tp_say_speedup(doc, c->consequence, tp_removable_share(r, s)),
		.because =
			tp_doc_join(doc, tp_doc_join(doc, because, TP_SAY0(doc, " ")), TP_SAY0(doc, read)),
	};
}

/* Time without an event may be input, unless each call for a batch is recorded. On a GPU the host may well have done something
 * then: it is not recorded why the GPU did nothing. */
struct tp_verdict_text
tp_verdict_unrecorded(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s->source->by_role)
		return tp_verdict_torch_unrecorded(ctx, doc, s);
	if (r->severity != TP_JUDGE_BAD || r->measured < TP_GAP_LEADS_SHARE)
		return (struct tp_verdict_text){0};
	bool traced = tp_steps_python_traced(ctx->profile);
	struct tp_text because = TP_SAY(doc,
		s->source->launches
			? "Because for {} of the {} step no kernel, copy or launch was recorded. "
			: traced
			? "Because for {} of the {} step the profiler recorded no operation and no call. "
			: "Because the profiler recorded nothing for {} of the {} step. ",
		tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER]), tp_say_step(ctx, s));
	struct tp_text therefore = traced
		? TP_SAY0(doc,
			  "The Python tracer was on: therefore *name the parts of the loop* and capture again; "
			  "[Input pipeline](#input-pipeline) shows what was recorded.")
		: TP_SAY0(doc,
			  "Therefore *capture again with the Python tracer*; [Input pipeline](#input-pipeline) "
			  "shows what was recorded.");

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = s->input_asked || s->shows_input ? TP_SAY0(doc, "Time not recorded:")
														 : TP_SAY0(doc, "Possibly input-bound:"),
		.verdict.saw = TP_SAY(doc,
			s->source->launches ? "for {} of step time nothing shows why the GPU is idle"
				: traced        ? "{} of step time is outside any operation or call"
								: "{} of step time is not covered by any event",
			tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = s->input_asked
			? TP_SAY0(doc, "only {input.wait_share} is waiting for input.")
			: TP_SAY0(doc, "it may be input, Python, or waiting."),
		.because = tp_doc_join(doc, because, therefore),
	};
}
