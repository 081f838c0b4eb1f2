/* What the section on the input pipeline says first: whether steps wait, what for, and what to do next. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/steps/steps.h"
#include "report/doc.h"

/* Where most of the host's input time goes, as the second half of a sentence; empty when nothing shows it. */
static struct tp_text
where_it_goes(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	int most = 0;

	if (in->slowest != NULL)
		return TP_SAY(doc, "`{}` takes {} of the time of calls for a batch.",
			tp_text_value(in->slowest->name),
			tp_share((double)in->slowest->critical_ps, (double)in->tf.sum_ps,
				TP_S("calls take no time")));
	for (int c = 1; c < TP_INPUT_CLASS_COUNT; c++)
		most = in->all.ps[c] > in->all.ps[most] ? c : most;
	if (!(in->all.total_ps > 0))
		return TP_SAY0(doc, "no host operation shows why.");
	return TP_SAY(doc, "most input time on the host is {}, {}.",
		tp_text_value(tp_slice_of(tp_input_class_info((enum tp_input_class)most)->name)),
		tp_share(in->all.ps[most], in->all.total_ps, TP_S("no time")));
}

static struct tp_text
next_step(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	if (in->slowest != NULL)
		return TP_SAY0(doc, "Start with the [slowest stage](#input-pipeline/tf-data).");
	if (in->ops.count != 0)
		return TP_SAY0(doc, "Start with the [classes of host time](#input-pipeline/host).");
	return TP_SAY0(doc, "Build the input with tf.data to see its stages here.");
}

static void
say_waiting(const struct tp_input_pipeline *in, bool high, const struct tp_steps *steps,
	struct tp_doc *doc, struct tp_section *s)
{
	bool inferred = steps->inferred;
	struct tp_value waiting = tp_doc_value(doc, tp_input_metric(steps));
	struct tp_text limit = high ? TP_SAY0(doc, "That is high (20 % or more). ")
								: TP_SAY0(doc, "That is medium (from 5 %; high from 20 %). ");

	s->answer = tp_doc_join(doc,
		TP_SAY(doc,
			inferred ? "Likely {} of inferred step time is spent waiting for input; "
					 : "{} of step time is spent waiting for input; ",
			waiting),
		where_it_goes(in, doc));
	s->so_what = tp_doc_join(doc, limit, next_step(in, doc));
}

static void
say_not_bound(struct tp_doc *doc, bool shown, struct tp_section *s)
{
	if (!shown) {
		s->answer = TP_SAY0(doc,
			"Steps are not input-bound: they wait for input for at most {input.wait_limit_share} "
			"of their time.");
		s->so_what = TP_SAY0(doc,
			"Waiting is not recorded, but the device works for the rest of each step. Medium "
			"starts at 5 %, high at 20 %.");
		return;
	}
	s->answer = TP_SAY0(doc,
		"Steps are not input-bound: they wait for input for {input.wait_share} of their time.");
	s->so_what = TP_SAY0(doc, "Medium starts at 5 %, high at 20 %.");
}

static void
say_unknown(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s)
{
	struct tp_value reason = tp_text_value(tp_skipped(ctx, &tp_pass_steps));

	if (steps != NULL) {
		const char *answer = steps->source->input_unseen.answer;

		s->answer = answer != NULL ? TP_SAY0(doc, answer)
			: in->ops.count == 0
			? TP_SAY0(doc, "Nothing in the profile shows an input pipeline.")
			: TP_SAY0(doc, "No step fetches input, as far as the profile shows.");
		s->so_what = TP_SAY0(doc, steps->source->input_unseen.so_what);
		return;
	}
	if (in->ops.count == 0) {
		s->answer = tp_precomputed(ctx) != NULL
			? TP_SAY0(doc, "No tool file says whether steps wait for input.")
			: TP_SAY0(doc, "Nothing in the profile shows an input pipeline.");
		s->so_what = TP_SAY(doc, "Step time is unknown, too: {}.", reason);
		return;
	}
	s->answer = tp_doc_join(
		doc, TP_SAY0(doc, "Whether steps wait for input is unknown; "), where_it_goes(in, doc));
	s->so_what = TP_SAY(doc, "Because {}.", reason);
}

void
tp_input_say(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s)
{
	enum tp_input_verdict verdict = tp_input_verdict(steps);
	bool shown = steps != NULL && steps->shows_input;

	s->key_figure = shown ? tp_doc_value(doc, tp_input_metric(steps))
						  : tp_missing(TP_S("waiting for input is not recorded"));
	switch (verdict) {
	case TP_INPUT_UNKNOWN:
		say_unknown(ctx, in, steps, doc, s);
		return;
	case TP_INPUT_HIGH:
	case TP_INPUT_MODERATE:
		s->judge = verdict == TP_INPUT_HIGH ? TP_JUDGE_BAD : TP_JUDGE_WARN;
		say_waiting(in, verdict == TP_INPUT_HIGH, steps, doc, s);
		return;
	case TP_INPUT_POTENTIAL:
		s->answer = TP_SAY0(doc,
			shown ? "{input.wait_share} of step time waits for input; {step.class.other_share} is "
					"outside any operation or call."
				  : "Nothing shows whether steps wait for input; {step.class.other_share} of their "
					"time is outside any operation or call.");
		s->so_what = TP_SAY0(doc,
			tp_steps_python_traced(ctx->profile)
				? "From 3 % on, such time may be input, Python or both: *potentially "
				  "input-bound*. Name the parts of the loop to see which."
				: "From 3 % on, such time may be input, Python or both: *potentially "
				  "input-bound*. Capture with the Python tracer to see which.");
		return;
	case TP_INPUT_NONE:
		say_not_bound(doc, shown, s);
		return;
	}
}
