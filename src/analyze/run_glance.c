/* The table of runs: which there are beside the one that the report is about. */
#include "analyze/run_glance.h"

#include "analyze/say.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

static struct tp_value
figure(const struct tp_doc *doc, const char *id)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, tp_slice_of(id));

	return m != NULL ? m->value : tp_missing(TP_S("the run does not give it"));
}

struct tp_run_glance
tp_run_glance_of(const struct tp_profile *p, const struct tp_doc *doc, struct tp_slice name)
{
	struct tp_value none = tp_missing(TP_S("the run holds no PyTorch trace"));

	return (struct tp_run_glance){
		.name = name,
		.workers = p->torch != NULL ? tp_count(p->torch->worker_count) : none,
		.spans = p->torch != NULL ? tp_count(p->torch->trace_count) : none,
		.steps = figure(doc, "step.count"),
		.step_ms = figure(doc, "step.time.mean_ms"),
		.input_share = figure(doc, "input.wait_share"),
	};
}

static const struct tp_column columns[] = {
	{.key = TP_LIT("run"), .title = TP_LIT("Run"), .code = true},
	{.key = TP_LIT("workers"), .title = TP_LIT("Workers")},
	{.key = TP_LIT("spans"), .title = TP_LIT("Spans")},
	{.key = TP_LIT("steps"), .title = TP_LIT("Steps")},
	{.key = TP_LIT("step_ms"), .title = TP_LIT("Mean step"), .unit = TP_UNIT_MS, .decimals = 1},
	{.key = TP_LIT("input_share"),
		.title = TP_LIT("Waiting for input"),
		.unit = TP_UNIT_SHARE,
		.decimals = 1},
	{.key = TP_LIT("report"), .title = TP_LIT("Report")},
};

static void
put(struct tp_draft *draft, const struct tp_run_glance *g, const char *report)
{
	struct tp_cell *cell = tp_draft_row(draft, g->name, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(g->name);
	cell[1].value = g->workers;
	cell[2].value = g->spans;
	cell[3].value = g->steps;
	cell[4].value = g->step_ms;
	cell[5].value = g->input_share;
	cell[6].value = tp_text_value(tp_slice_of(report));
}

void
tp_run_glance_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_pass_options *o = ctx->options;

	if (o->other_count == 0)
		return;
	struct tp_run_glance this = tp_run_glance_of(ctx->profile, doc, ctx->profile->run);
	struct tp_draft draft =
		tp_draft_table(doc, section, "environment/runs", columns, sizeof columns / sizeof *columns);

	put(&draft, &this, "this one");
	for (size_t i = 0; i < o->other_count; i++)
		put(&draft, &o->others[i], "with --run and its name");
	tp_draft_finish(&draft, o->top)->caption =
		TP_S("Runs of the log directory; --run all gives each a report of its own");
}
