/* Headline figures of operators. */
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_say.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

static struct tp_value
us(int64_t ps)
{
	return tp_number((double)ps / 1e6, TP_UNIT_US);
}

static void
of_trace(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, uint32_t i,
	const struct tp_torch_correlation *links, struct tp_doc *doc)
{
	const struct tp_torch_op_trace *t = &o->traces[i];
	struct tp_scope scope = tp_torch_scope(ctx, ctx->profile->torch->traces[i]);
	struct tp_slice none = TP_S("the trace holds no operator");
	struct tp_slice no_work = TP_S("the trace holds no work of a device");
	struct tp_slice empty = TP_S("");
	bool any = links->work_count != 0;

	tp_doc_metric_for(doc, "torch.op.count", scope, tp_count(t->names), empty);
	tp_doc_metric_for(doc, "torch.op.calls", scope, tp_count(t->sums.calls), empty);
	tp_doc_metric_for(doc, "torch.op.host_self_us", scope,
		t->names != 0 ? us(t->sums.host_self_ps) : tp_missing(none), empty);
	tp_doc_metric_for(doc, "torch.op.device_self_us", scope,
		any ? us(t->sums.device_self_ps) : tp_missing(no_work), empty);
	tp_doc_metric_for(doc, "torch.op.top.name", scope,
		t->top != TP_NONE ? tp_text_value(o->by_name[t->top].name) : tp_missing(none), empty);
	tp_doc_metric_for(doc, "torch.op.top.self_share", scope,
		tp_share((double)t->top_ps,
			o->on_device ? (double)links->work_ps : (double)t->sums.host_self_ps, none),
		empty);
	tp_doc_metric_for(doc, "torch.device_work.before_window_us", scope,
		any ? us(links->no_call_ps) : tp_missing(no_work), empty);
	tp_doc_metric_for(doc, "torch.device_work.untold_us", scope,
		any ? us(links->untold_ps) : tp_missing(no_work), empty);
	tp_doc_metric_for(doc, "torch.device_work.no_operator_us", scope,
		any ? us(links->no_operator_ps) : tp_missing(no_work), empty);
}

void
tp_torch_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_ops *o = result;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	struct tp_value skipped = tp_missing(tp_skipped_itself(ctx));
	struct tp_value no_work = o == NULL || o->work_count != 0
		? skipped
		: tp_missing(TP_S("no trace holds work of a device"));
	struct tp_value none = o == NULL ? skipped : tp_missing(TP_S("no trace holds an operator"));
	bool any = o != NULL && o->name_count != 0, work = o != NULL && o->work_count != 0;
	struct tp_slice empty = TP_S("");
	static const char *const ids[] = {"torch.op.count", "torch.op.calls", "torch.op.host_self_us",
		"torch.op.device_self_us", "torch.op.top.name", "torch.op.top.self_share",
		"torch.device_work.before_window_us", "torch.device_work.untold_us",
		"torch.device_work.no_operator_us"};

	tp_doc_metric(doc, TP_S("torch.op.count"), "PyTorch operators",
		o != NULL ? tp_count(o->name_count) : skipped,
		TP_S("different names, over all workers and spans"), empty);
	tp_doc_metric(doc, TP_S("torch.op.calls"), "Calls of PyTorch operators",
		o != NULL ? tp_count(o->sums.calls) : skipped,
		TP_S("an operator that calls one alone, and that by the same name, is one call with it"),
		empty);
	tp_doc_metric(doc, TP_S("torch.op.host_self_us"), "Host time of PyTorch operators",
		any ? us(o->sums.host_self_ps) : none,
		TP_S("Σ of their own time, without calls of the runtime"), empty);
	tp_doc_metric(doc, TP_S("torch.op.device_self_us"), "Device time of PyTorch operators",
		work ? us(o->sums.device_self_ps) : no_work,
		TP_S("Σ durations of the device work that operators launched"), empty);
	tp_doc_metric(doc, TP_S("torch.op.top.name"), "Top PyTorch operator",
		any ? tp_text_value(o->by_name[0].name) : none,
		TP_S("the one with the most device time of its own; where none has any, host time"), empty);
	tp_doc_metric(doc, TP_S("torch.op.top.self_share"), "Share of the top PyTorch operator",
		any ? tp_share((double)tp_torch_op_key_ps(o, &o->by_name[0].sums),
				  (double)tp_torch_op_whole_ps(o), TP_S("no time was measured"))
			: none,
		TP_S(
			"its own time over all device work; where it has none, over the host time of operators"),
		empty);
	tp_doc_metric(doc, TP_S("torch.device_work.before_window_us"),
		"Device work launched before the trace", work ? us(o->no_call_ps) : no_work,
		TP_S("Σ durations of kernels, copies and fills whose launching call is not in the file"),
		empty);
	tp_doc_metric(doc, TP_S("torch.device_work.untold_us"), "Device work that names no launch",
		work ? us(o->untold_ps) : no_work,
		TP_S("Σ durations of kernels, copies and fills without the number of a call"), empty);
	tp_doc_metric(doc, TP_S("torch.device_work.no_operator_us"),
		"Device work launched outside of operators", work ? us(o->no_operator_ps) : no_work,
		TP_S("Σ durations of kernels, copies and fills whose launching call is in no operator"),
		empty);
	tp_torch_ops_flops_metrics(ctx, o, doc);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		tp_doc_metric_scopes(doc, ids[i], "@worker,span");
	for (uint32_t i = 0; o != NULL && i < ctx->profile->torch->trace_count; i++)
		of_trace(ctx, o, i, &linked->traces[i], doc);
}
