/* Verdicts of findings on input, on what was not recorded, on copies and on memory. */
#include "analyze/judge/verdict_finding.h"

#include "analyze/facts/peaks.h"
#include "analyze/judge/rule.h"
#include "analyze/judge/verdict_torch.h"
#include "analyze/ops/ops.h"
#include "analyze/steps/steps.h"

/* Whether no class of time but the wait for input takes more of a step than it. */
static bool
input_is_largest(const struct tp_steps *s)
{
	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		if (c != TP_CLASS_INPUT_WAIT && tp_class_share(s, (enum tp_class)c) > s->input_share)
			return false;
	}
	return true;
}

static struct tp_verdict_text
input_high(struct tp_doc *doc, const struct tp_steps *s, const struct tp_finding_result *r)
{
	double rest = s->time.mean * (1 - r->measured);
	struct tp_text because = TP_SAY(doc,
		s->source->of_cores ? "Because the core that waits longest works {} of a {} step."
							: "Because only {} of a {} step is not waiting.",
		tp_ps_in_ms(rest), tp_ps_in_ms(s->time.mean));
	struct tp_text therefore = input_is_largest(s)
		? TP_SAY0(doc,
			  " Therefore *speed up the input pipeline first*: [Input pipeline](#input-pipeline) "
			  "has its slow parts.")
		: TP_SAY0(doc,
			  " Therefore *speed up the input pipeline*: see [Input pipeline](#input-pipeline), "
			  "then [Steps](#steps).");

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Input-bound (high):"),
		.likely = TP_SAY0(doc, "Likely input-bound (high):"),
		.verdict.saw = TP_SAY0(doc, "{input.wait_share} of each step waits for input"),
		.verdict.consequence =
			tp_say_speedup(doc, "hiding it would make steps", tp_removable_share(r, s)),
		.because = tp_doc_join(doc, because, therefore),
	};
}

static struct tp_verdict_text
input_moderate(struct tp_doc *doc, const struct tp_steps *s, const struct tp_finding_result *r)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_WARN,
		.verdict.name = TP_SAY0(doc, "Input-bound (moderate):"),
		.likely = TP_SAY0(doc, "Likely input-bound (moderate):"),
		.verdict.saw = TP_SAY0(doc, "{input.wait_share} of each step waits for input"),
		.verdict.consequence =
			tp_say_speedup(doc, "hiding it would make steps", tp_removable_share(r, s)),
		.because = TP_SAY(doc,
			"Because {} of a {} step is waiting for input. Therefore *reduce input time and the "
			"rest both*: see [Input pipeline](#input-pipeline), then [Steps](#steps).",
			tp_ps_in_ms(r->measured * s->time.mean), tp_ps_in_ms(s->time.mean)),
	};
}

struct tp_verdict_text
tp_verdict_input(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return r->severity == TP_JUDGE_BAD ? input_high(doc, s, r) : input_moderate(doc, s, r);
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
	if (r->severity != TP_JUDGE_BAD)
		return (struct tp_verdict_text){0};
	bool traced = tp_steps_python_traced(ctx->profile);
	struct tp_text because = TP_SAY(doc,
		s->source->launches ? "Because for {} of a {} step no kernel, copy or launch was recorded. "
							: "Because the profiler recorded nothing for {} of a {} step. ",
		tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER]), tp_ps_in_ms(s->time.mean));
	struct tp_text therefore = traced
		? TP_SAY0(doc,
			  "The Python tracer was on: therefore *name the parts of the loop* and capture again; "
			  "[Input pipeline](#input-pipeline) has what was recorded.")
		: TP_SAY0(doc,
			  "Therefore *capture again with the Python tracer*; [Input pipeline](#input-pipeline) "
			  "has what was recorded.");

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = s->input_asked ? TP_SAY0(doc, "Time not recorded:")
									   : TP_SAY0(doc, "Possibly input-bound:"),
		.verdict.saw = TP_SAY(doc,
			s->source->launches ? "for {} of each step nothing shows why the GPU does not work"
								: "{} of each step is covered by no event",
			tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = s->input_asked
			? TP_SAY0(doc, "only {input.wait_share} is waiting for input.")
			: TP_SAY0(doc, "it may be input, Python, or waiting."),
		.because = tp_doc_join(doc, because, therefore),
	};
}

/* The device works, but mostly on moving data. */
struct tp_verdict_text
tp_verdict_copies(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);

	if (r->severity != TP_JUDGE_BAD || s == NULL || o->on_host)
		return (struct tp_verdict_text){0};
	struct tp_value rest = tp_share((double)o->compute_ps, (double)o->busy_ps, TP_S("no time"));

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Bound by copies:"),
		.likely = TP_SAY0(doc, "Likely bound by copies:"),
		.verdict.saw = TP_SAY(doc, "copies and waits for them take {} of busy time",
			tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY(doc, "arithmetic gets {} of it.", rest),
		.because = TP_SAY(doc,
			"Because `{}` and the like take most of a {} step. Therefore *find what these copies "
			"move*, and keep data in place: see [Operations](#operations).",
			tp_text_value(o->categories[0].name), tp_ps_in_ms(s->time.mean)),
	};
}

struct tp_verdict_text
tp_verdict_memory(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	if (r->severity != TP_JUDGE_BAD)
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Too large for the memory:"),
		.verdict.saw = TP_SAY(doc, "the largest program needs {} of the device's memory",
			tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY0(doc, "as it was compiled it does not fit."),
		.because = TP_SAY(doc,
			"Because the compiler's plan has a peak of {memory.peak_bytes}, and the device has {}. "
			"Therefore *keep less alive at the peak*: [Memory](#memory) has what is largest there.",
			tp_peak_value(ctx, TP_PEAK_CAPACITY)),
	};
}
