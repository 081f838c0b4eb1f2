#include "analyze/torch_steps/torch_quality.h"

#include "analyze/core/say.h"
#include "analyze/torch_steps/torch_steps.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

static void
add_records(const struct tp_torch_trace *t, struct tp_torch_quality *q)
{
	q->memory |= t->memory_count != 0;
	q->stacks |= t->python_count != 0;
	for (uint32_t i = 0; i < t->attribute_count; i++) {
		q->shapes |= t->attributes[i].shapes != 0;
		q->stacks |= t->attributes[i].stack != 0;
	}
}

struct tp_torch_quality
tp_torch_quality_of(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_stepped *stepped = tp_result(ctx, &tp_pass_torch_steps);
	struct tp_torch_quality q = {.work = linked->work};

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		q.trimmed += stepped->traces[i].trimmed;
		q.crossing += linked->traces[i].crossing;
		q.non_finite_numbers += torch->traces[i]->non_finite_numbers;
		add_records(torch->traces[i], &q);
	}
	return q;
}

struct tp_slice
tp_torch_not_recorded(const struct tp_pass_ctx *ctx, enum tp_torch_asked what)
{
	const struct tp_torch *torch = ctx->profile->torch;

	/* What was asked for and is not there was not to be had. */
	if (torch == NULL || (tp_torch_asked_for(torch) & what) != 0)
		return TP_S("");
	struct tp_torch_quality q = tp_torch_quality_of(ctx);
	bool recorded = what == TP_TORCH_MEMORY ? q.memory
		: what == TP_TORCH_SHAPES           ? q.shapes
											: q.stacks;

	return recorded ? TP_S("") : TP_S("no trace holds any");
}

void
tp_torch_quality_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	bool torch = ctx->profile->torch != NULL;
	struct tp_torch_quality q = {0};
	struct tp_value none = tp_missing(TP_S("the profile holds no PyTorch trace"));

	if (torch)
		q = tp_torch_quality_of(ctx);
	tp_say_metric(doc, "torch.data.trimmed_steps", "PyTorch steps left out",
		torch ? tp_count(q.trimmed) : none,
		"last steps of a trace without device work, or with less than 80 % of that of the "
		"step before");
	tp_say_metric(doc, "torch.data.no_launch_count", "Device work without a launch",
		torch ? tp_count(q.work.no_call + q.work.untold) : none,
		"kernels, copies and fills whose call is not in the file, or that name none");
	tp_say_metric(doc, "torch.data.no_launch_share", "Their time",
		torch ? tp_share((double)q.work.no_call_ps + (double)q.work.untold_ps, (double)q.work.ps,
					TP_S("no trace holds work of a device"))
			  : none,
		"over the time of all device work");
}

static void
notice(struct tp_doc *doc, struct tp_block *section, const char *id, struct tp_text text)
{
	tp_doc_add(doc, section, TP_BLOCK_NOTICE, tp_slice_of(id))->notice.text = text;
}

void
tp_torch_quality_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_torch_quality q = tp_torch_quality_of(ctx);

	if (q.trimmed != 0)
		notice(doc, section, "method/torch-trimmed",
			TP_SAY(doc,
				"{} at the end of a trace left out: their device work is missing or cut off.",
				tp_say_number(ctx, q.trimmed, "step is", "steps are")));
	if (q.work.no_call != 0)
		notice(doc, section, "method/torch-no-launch",
			TP_SAY(doc,
				"{} of device work, {} of its time, was launched by no call in the file, mostly "
				"before the trace began: it counts as device time, but for no operator.",
				tp_say_number(ctx, q.work.no_call, "piece", "pieces"),
				tp_share((double)q.work.no_call_ps, (double)q.work.ps, TP_S("it took no time"))));
	if (q.work.untold != 0)
		notice(doc, section, "method/torch-untold-launch",
			TP_SAY(doc,
				"{} of device work, {} of its time, without the number of the call that launched "
				"it: it counts as device time, but for no operator and for no step's begin.",
				tp_say_number(ctx, q.work.untold, "piece is", "pieces are"),
				tp_share((double)q.work.untold_ps, (double)q.work.ps, TP_S("it took no time"))));
	if (q.crossing != 0)
		notice(doc, section, "method/torch-crossing",
			TP_SAY(doc,
				"{} after the range in which it began on the same thread: taken as not in it.",
				tp_say_number(ctx, q.crossing, "range ends", "ranges end")));
	if (q.non_finite_numbers != 0)
		notice(doc, section, "method/torch-odd-numbers",
			TP_SAY(doc, "{} no finite number (NaN, Infinity, N/A): taken as not recorded.",
				tp_say_number(ctx, q.non_finite_numbers, "value is", "values are")));
}
