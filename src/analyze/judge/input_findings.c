/* What findings say in particular where input is concerned. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "report/doc.h"

enum { MOST_ACTIONS = 3 };

/* Whether the finding with this id means the stage. */
static bool
meant(struct tp_slice id, const struct tp_stage *s)
{
	if (tp_slice_eq(id, TP_S("TPR-INPUT-002")))
		return s->kind == TP_ITERATOR_GENERATOR;
	if (tp_slice_eq(id, TP_S("TPR-INPUT-003")))
		return tp_stage_works_alone(s);
	return s->kind == TP_ITERATOR_FILE && !s->ahead;
}

void
tp_input_finding_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	const struct tp_stage *most = NULL;

	for (size_t i = 0; i < in->tf.stage_count; i++) {
		const struct tp_stage *s = &in->tf.stages[i];

		if (!in->tf.pipelines[s->pipeline].to_device && meant(finding->id, s) &&
			(most == NULL || s->critical_ps > most->critical_ps))
			most = s;
	}
	if (most != NULL)
		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY(doc, " Most of it is `{}`, waited for {} in {}.", tp_text_value(most->long_name),
				tp_integer(most->critical_ps, TP_UNIT_PS),
				tp_say_number(ctx, most->calls, "call", "calls")));
}

/* Where a stage is known to be waited for, that is what to mend first: it takes the place of the general first action, which
 * is to work on several elements at once. */
void
tp_input_wait_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	const struct tp_stage *s = in->slowest;

	if (s == NULL || finding->action_count == 0)
		return;
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, MOST_ACTIONS);
	struct tp_value share =
		tp_share((double)s->critical_ps, (double)in->tf.sum_ps, TP_S("calls take no time"));

	memcpy(actions, finding->actions, finding->action_count * sizeof *actions);
	actions[0] = tp_doc_join(doc,
		TP_SAY(doc, "`{}` ({}): ", tp_text_value(s->name),
			tp_text_value(tp_slice_of(tp_stage_label(s)))),
		TP_SAY0(doc, tp_stage_advice(s)));
	finding->actions = actions;
	finding->brief =
		TP_SAY(doc, "Begin with the slowest stage, `{}` ({}): {} of the calls for a batch.",
			tp_text_value(s->name), tp_text_value(tp_slice_of(tp_stage_label(s))), share);
	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " Of the calls for a batch `{}` takes {}.", tp_text_value(s->name), share));
}

/* xprof's hint: threads of tf.data may take the cores that launches need. */
void
tp_input_launch_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_input_pipeline *in = tp_result(ctx, &tp_pass_input);
	int64_t tf_data_ps = 0;

	for (int c = TP_INPUT_PREPROCESSING; c <= TP_INPUT_DEMANDED_READ; c++)
		tf_data_ps += in->ops.all.self_ps[c];
	if (tf_data_ps <= 0 || finding->action_count == MOST_ACTIONS)
		return;
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, MOST_ACTIONS);

	memcpy(actions, finding->actions, finding->action_count * sizeof *actions);
	actions[finding->action_count++] = TP_SAY0(doc,
		"Threads of tf.data may take the cores that launches need: limit them "
		"(`options.threading.private_threadpool_size`), or give launches threads of their own "
		"(`TF_GPU_THREAD_MODE=gpu_private`).");
	finding->actions = actions;
}
