/* The verdict on PyTorch steps of which most is in nothing that was recorded: what they are bound by is not known, and launches or
 * operators are not what to begin with. */
#include "analyze/judge/verdict_torch.h"

#include "analyze/judge/verdict_finding.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"
#include "model/torch.h"

/* More than all that was recorded together. */
#define MOST_SHARE 0.5

bool
tp_torch_shows_device(const struct tp_steps *s)
{
	return tp_steps_tell(s, TP_CLASS_COMPUTE);
}

bool
tp_torch_mostly_unrecorded(const struct tp_steps *s)
{
	return tp_class_share(s, TP_CLASS_OTHER) > MOST_SHARE;
}

bool
tp_torch_python_recorded(const struct tp_torch *torch)
{
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		if (torch->traces[i]->kind_count[TP_TORCH_PYTHON] != 0)
			return true;
	}
	return false;
}

struct tp_verdict_text
tp_verdict_torch_unrecorded(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	bool device = tp_torch_shows_device(s);

	if (!tp_torch_mostly_unrecorded(s))
		return (struct tp_verdict_text){0};
	bool python = tp_torch_python_recorded(ctx->profile->torch);
	struct tp_text because = TP_SAY(doc,
		"Because of a {} step only {} is in what the trace holds of operators, calls and devices. ",
		tp_ps_in_ms(s->time.mean), tp_ps_in_ms(s->time.mean - s->class_mean_ps[TP_CLASS_OTHER]));

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Time not recorded:"),
		.verdict.saw = TP_SAY(doc,
			device ? "{} of each step is in no operator, call or kernel"
				   : "{} of each step is in no operator",
			tp_number(tp_class_share(s, TP_CLASS_OTHER), TP_UNIT_SHARE)),
		.verdict.consequence = device
			? TP_SAY0(doc, "what the host and the GPU do then, the trace does not tell.")
			: TP_SAY0(doc, "what the program does then, the trace does not tell."),
		.because = tp_doc_join(doc, because,
			python ? TP_SAY0(doc,
						 "Therefore *see what Python does then*: its functions are in the trace, "
						 "to be seen in `ui.perfetto.dev`; name the parts of the loop with "
						 "`torch.profiler.record_function(\"part\")`.")
				   : TP_SAY0(doc,
						 "Therefore *record the rest*: capture whole steps with `with_stack=True`, "
						 "and name the parts of the loop with "
						 "`torch.profiler.record_function(\"part\")`.")),
	};
}
