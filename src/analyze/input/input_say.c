/* What the section on the input pipeline says first: whether steps wait, what for, and what to do next. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/input/input_words.h"
#include "analyze/steps/steps.h"
#include "report/doc.h"

/* Where most of the host's input time goes, as the second half of a sentence; empty when nothing shows it. */
static struct tp_text
where_it_goes(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	int most = 0;

	if (in->slowest != NULL)
		return TP_SAY(doc, text_waiting_for, tp_text_value(in->slowest->name),
			tp_share(
				(double)in->slowest->critical_ps, (double)in->tf.sum_ps, TP_S(why_calls_no_time)));
	for (int c = 1; c < TP_INPUT_CLASS_COUNT; c++)
		most = in->all.ps[c] > in->all.ps[most] ? c : most;
	if (!(in->all.total_ps > 0))
		return TP_SAY0(doc, text_nothing_shows_why);
	return TP_SAY(doc, text_most_on_host,
		tp_text_value(tp_slice_of(tp_input_class_info((enum tp_input_class)most)->name)),
		tp_share(in->all.ps[most], in->all.total_ps, TP_S(why_no_time)));
}

static struct tp_text
next_step(const struct tp_input_pipeline *in, struct tp_doc *doc)
{
	if (in->slowest != NULL)
		return TP_SAY0(doc, text_start_stage);
	if (in->ops.count != 0)
		return TP_SAY0(doc, text_start_host);
	return TP_SAY0(doc, text_start_tf_data);
}

static void
say_waiting(const struct tp_input_pipeline *in, bool high, const struct tp_steps *steps,
	struct tp_doc *doc, struct tp_section *s)
{
	bool inferred = steps->inferred;
	struct tp_value waiting = tp_doc_value(doc, tp_input_metric(steps));
	struct tp_text limit = high ? TP_SAY0(doc, text_is_high) : TP_SAY0(doc, text_is_medium);

	s->answer =
		tp_doc_join(doc, TP_SAY(doc, inferred ? text_waiting_inferred : text_waiting, waiting),
			where_it_goes(in, doc));
	s->so_what = tp_doc_join(doc, limit, next_step(in, doc));
}

static void
say_not_bound(struct tp_doc *doc, bool shown, struct tp_section *s)
{
	if (!shown) {
		s->answer = TP_SAY0(doc, text_not_bound_at_most);
		s->so_what = TP_SAY0(doc, text_works_otherwise);
		return;
	}
	s->answer = TP_SAY0(doc, text_not_bound);
	s->so_what = TP_SAY0(doc, text_limits);
}

static void
say_unknown(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s)
{
	struct tp_value reason = tp_text_value(tp_skipped(ctx, &tp_pass_steps));

	if (steps != NULL) {
		const char *answer = steps->source->input_unseen.answer;

		s->answer = answer != NULL ? TP_SAY0(doc, answer)
			: in->ops.count == 0   ? TP_SAY0(doc, text_no_pipeline)
								   : TP_SAY0(doc, text_no_fetch);
		s->so_what = TP_SAY0(doc, steps->source->input_unseen.so_what);
		return;
	}
	if (in->ops.count == 0) {
		s->answer = tp_precomputed(ctx) != NULL ? TP_SAY0(doc, text_no_tool_file)
												: TP_SAY0(doc, text_no_pipeline);
		s->so_what = TP_SAY(doc, text_no_step_time, reason);
		return;
	}
	s->answer = tp_doc_join(doc, TP_SAY0(doc, text_unknown), where_it_goes(in, doc));
	s->so_what = TP_SAY(doc, text_because, reason);
}

void
tp_input_say(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s)
{
	enum tp_input_verdict verdict = tp_input_verdict(steps);
	bool shown = steps != NULL && steps->shows_input;

	s->key_figure =
		shown ? tp_doc_value(doc, tp_input_metric(steps)) : tp_missing(TP_S(why_not_recorded));
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
		s->answer = TP_SAY0(doc, shown ? text_potential : text_potential_unseen);
		s->so_what = TP_SAY0(
			doc, tp_steps_python_traced(ctx->profile) ? text_name_parts : text_trace_python);
		return;
	case TP_INPUT_NONE:
		say_not_bound(doc, shown, s);
		return;
	}
}
