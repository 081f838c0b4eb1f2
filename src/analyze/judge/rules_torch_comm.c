/* Rules on workers of a PyTorch job that wait for each other. */
#include "analyze/judge/rule.h"

#include "analyze/judge/what_if.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "model/profile.h"

#include <math.h>

static void
comes_last(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_torch_comm *c = tp_result(e->ctx, &tp_pass_torch_comm);

	if (c == NULL)
		tp_rule_not_applicable(r, "one process alone, without a collective");
	else if (c->workers < 2)
		tp_rule_undecided(r, TP_S("the report holds the traces of one worker"));
	else if (c->straggler == TP_NONE || !(c->step_mean_ps > 0))
		tp_rule_undecided(r, TP_S("no collective within a step was matched over several workers"));
	else
		tp_rule_decide(r, tp_torch_comm_late_share(e->ctx, c), tp_torch_comm_saving_ps(e->ctx, c));
}

/* Which it is, and how sure that is. */
static void
name_it(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);

	finding->title = TP_SAY(doc,
		"Worker {torch.comm.straggler.name} comes last to collectives; it costs {} of each step",
		finding->measured);
	finding->saw = TP_SAY0(doc,
		"{torch.comm.straggler.name} comes last to {torch.comm.last_share} of the collectives in "
		"which it takes part; the others wait for it {torch.comm.straggler.wait_us} a step in the "
		"mean. It comes {torch.comm.late_us} a step later than the last but one; of that at most "
		"the exposed communication of a mean step is saved.");
	if (tp_torch_comm_absent(c) != 0)
		TP_SAY_MORE(doc, finding->saw,
			" Only {} of {} workers are in this report: one of the others may come still later.",
			tp_count(c->workers), tp_count((uint64_t)c->world_size));
}

static struct tp_verdict_text
late_worker(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	(void)ctx;
	return (struct tp_verdict_text){
		.steps_are = "held up by a worker",
		.verdict.saw = TP_SAY0(doc,
			"{torch.comm.straggler.name} comes last to {torch.comm.last_share} of collectives"),
		.verdict.consequence =
			tp_say_speedup(doc, "were it as early as the next, steps would be", r->measured),
		.because = TP_SAY0(doc,
			"Because the others wait for it {torch.comm.straggler.wait_us} a step; as early as the "
			"next it would save at most {torch.comm.straggler.saving_us}. Therefore *find out what it "
			"does longer*; see [Distributed](#distributed)."),
	};
}

const struct tp_finding_rule tp_rules_torch_comm[] = {
	{
		.info = {"TPR-RANK-001", "A worker that the others wait for", "step time",
			TP_TORCH_LATE_HIGH_SHARE, TP_TORCH_LATE_MEDIUM_SHARE, false, TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COLLECTIVE,
		.evaluate = comes_last,
		.verdict = late_worker,
		.title = "One worker comes last to collectives; it costs {} of each step",
		.passed = "the worker that comes last costs {} of step time (limit {})",
		.any = {"See what that worker does longer than the others before its collectives.",
			{"Deal the work out evenly: batches of the same number of tokens or pixels on every "
			 "rank (`DistributedSampler`, bucketing by length), shards and pipeline stages of the "
			 "same cost.",
				"Compare its step with another's in *Steps*: waiting for its `DataLoader`, logging "
				"or saving on rank 0, garbage collection, or a slower GPU (clocks, heat, another "
				"job on it).",
				"If it changes from step to step, let steps differ less: pinned memory and workers "
				"for input, `torch.compile` without recompiling, no `.item()` in the loop."}},
		.check = "`torch.comm.straggler.saving_us` below {} of a step",
		.evidence = "[Distributed](#distributed)",
		.particulars = name_it,
	},
	{.evaluate = NULL},
};
