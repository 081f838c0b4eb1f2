/* Headline figures of PyTorch modules: over all workers and spans, and by worker and span. */
#include "analyze/torch/modules/torch_modules.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

/* The figures of one trace, or of all. */
struct figures {
	struct tp_value count, calls, name, share;
};

static struct figures
missing(struct tp_slice why)
{
	struct tp_value m = tp_missing(why);

	return (struct figures){m, m, m, m};
}

static struct figures
figures_of(const struct tp_torch_module *list, uint32_t count)
{
	int64_t own_ps = 0;
	uint64_t calls = 0;

	if (count == 0)
		return missing(TP_S("the trace holds no call of a module: capture with with_stack=True"));
	for (uint32_t i = 0; i < count; i++) {
		calls += list[i].calls;
		own_ps = tp_add_ps(own_ps, list[i].own_ps);
	}
	return (struct figures){
		.count = tp_count(count),
		.calls = tp_count(calls),
		.name = tp_text_value(list[0].name),
		.share = tp_share((double)list[0].own_ps, (double)own_ps, TP_S("no module took any time")),
	};
}

static void
all_classes(const struct tp_torch_modules *m, struct tp_value count, struct tp_doc *doc)
{
	bool any = m != NULL && m->class_count != 0;

	tp_doc_metric(doc, TP_S("torch.module.top_class.name"),
		"Most expensive class of PyTorch modules", any ? tp_text_value(m->classes[0].name) : count,
		TP_S("by the own time of all modules of a class"), TP_S(""));
	tp_doc_metric(doc, TP_S("torch.module.top_class.share"),
		"Own time of the most expensive class of PyTorch modules",
		any ? tp_share(
				  (double)m->classes[0].own_ps, (double)m->own_ps, TP_S("no module took any time"))
			: count,
		TP_S("of the own time of all modules"), TP_S(""));
}

void
tp_torch_modules_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_modules *m = result;
	const struct tp_torch *torch = ctx->profile->torch;
	struct figures all = m != NULL ? figures_of(m->list, m->list_count)
								   : missing(tp_skipped(ctx, &tp_pass_torch_modules));

	tp_doc_metric(doc, TP_S("torch.module.count"), "PyTorch modules", all.count,
		TP_S("modules by name and number that were called, those of all workers and spans once"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.module.calls"), "Calls of PyTorch modules", all.calls,
		TP_S("python_function events of nn.Module, else spans of Lightning's profiler; all workers "
			 "and spans"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.module.top.name"), "Most expensive PyTorch module", all.name,
		TP_S("by its own time: its calls less the modules that they call; of device work where any "
			 "was recorded, else of the host"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("torch.module.top.share"),
		"Own time of the most expensive PyTorch module", all.share,
		TP_S("of the own time of all modules, which is the time of the outermost"), TP_S(""));
	all_classes(m, all.count, doc);
	tp_doc_metric_scopes(doc, "torch.module.count", "@worker,span");
	tp_doc_metric_scopes(doc, "torch.module.calls", "@worker,span");
	tp_doc_metric_scopes(doc, "torch.module.top.name", "@worker,span");
	tp_doc_metric_scopes(doc, "torch.module.top.share", "@worker,span");
	for (uint32_t i = 0; m != NULL && i < torch->trace_count; i++) {
		struct tp_scope scope = tp_torch_scope(ctx, torch->traces[i]);
		struct figures f = figures_of(m->traces[i].list, m->traces[i].list_count);

		tp_doc_metric_for(doc, "torch.module.count", scope, f.count, TP_S(""));
		tp_doc_metric_for(doc, "torch.module.calls", scope, f.calls, TP_S(""));
		tp_doc_metric_for(doc, "torch.module.top.name", scope, f.name, TP_S(""));
		tp_doc_metric_for(doc, "torch.module.top.share", scope, f.share, TP_S(""));
	}
}
