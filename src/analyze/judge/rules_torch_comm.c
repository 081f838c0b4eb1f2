/* Rules on workers of a PyTorch job that wait for each other. */
#include "analyze/judge/rule.h"

#include "analyze/judge/what_if.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "model/profile.h"

#include <math.h>

static void
comes_last(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_torch_comm *c = tp_result(e->ctx, &tp_pass_torch_comm);

	if (c == NULL)
		tp_rule_not_applicable(r, "a single process, without collectives");
	else if (c->workers < 2)
		tp_rule_undecided(r, TP_S("the report holds only one worker's traces"));
	else if (c->straggler == TP_NONE || !(c->step_mean_ps > 0))
		tp_rule_undecided(r, TP_S("no collective within a step could be matched across workers"));
	else
		tp_rule_decide(r, tp_torch_comm_late_share(e->ctx, c), tp_torch_comm_saving_ps(e->ctx, c));
}

/* Of two workers there are no others. */
static struct tp_value
others_wait(const struct tp_torch_comm *c)
{
	return tp_text_value(c->workers == 2 ? TP_S("the other waits") : TP_S("the others wait"));
}

/* Which it is, and how sure that is. */
static void
name_it(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);

	finding->title =
		TP_SAY(doc, "Worker {torch.comm.straggler.name} is a straggler: it costs {} of step time",
			finding->measured);
	finding->saw = TP_SAY(doc,
		"{torch.comm.straggler.name} is the last to enter {torch.comm.last_share} of its "
		"collectives; {} for it {torch.comm.straggler.wait_us} per step on average. "
		"It enters {torch.comm.late_us} per step after {}; the saving is "
		"capped at a step's exposed communication, and at the waiting in it.",
		others_wait(c),
		tp_text_value(c->workers == 2 ? TP_S("the other") : TP_S("the second-to-last worker")));
	if (tp_torch_comm_absent(c) != 0)
		TP_SAY_MORE(doc, finding->saw,
			" Only {} of {} workers are in this report: another may be later still.",
			tp_count(c->workers), tp_count((uint64_t)c->world_size));
}

static struct tp_verdict_text
late_worker(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	struct tp_text mean = {0};

	/* What the bar of the mean step draws. */
	if (c->workers == 2 && tp_known(tp_doc_value(doc, "step.collective_wait_ms")))
		mean = TP_SAY0(doc, " (mean of both: {step.collective_wait_ms})");
	return (struct tp_verdict_text){
		.steps_are = "held up by one worker",
		.verdict.saw = TP_SAY0(doc,
			"{torch.comm.straggler.name} is the last to enter {torch.comm.last_share} of "
			"collectives"),
		.verdict.consequence = tp_say_speedup(doc, "keeping up would make steps",
			tp_removable_share(r, tp_result(ctx, &tp_pass_steps))),
		.because = tp_doc_join(doc,
			tp_doc_join(doc,
				TP_SAY(doc, "Because {} for it {torch.comm.straggler.wait_us} per step",
					others_wait(c)),
				mean),
			TP_SAY0(doc,
				"; at most {torch.comm.straggler.saving_us} can be saved. Therefore *see what takes it "
				"longer*: [Distributed](#distributed).")),
	};
}

const struct tp_finding_rule tp_rules_torch_comm[] = {
	{
		.info = {"TPR-RANK-001", "Straggling worker", "step time", TP_TORCH_LATE_HIGH_SHARE,
			TP_TORCH_LATE_MEDIUM_SHARE, false, TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COLLECTIVE,
		.tint = TP_TINT_UNUSED,
		.evaluate = comes_last,
		.verdict = late_worker,
		.title = "One worker is a straggler: it costs {} of step time",
		.passed = "the worker that comes last costs {} of step time (limit {})",
		.any = {"See what that worker spends longer on than the rest before its collectives.",
			{"Balance the work: the same number of tokens or pixels per batch on every rank "
			 "(`DistributedSampler`, bucketing by length), shards and pipeline stages of equal "
			 "cost.",
				"Compare its steps with another's in *Steps*: waiting for its `DataLoader`, "
				"logging or saving on rank 0, garbage collection, or a slower GPU (clocks, thermal "
				"throttling, another job).",
				"If the straggler changes from step to step, reduce jitter: pinned memory and "
				"workers for input, no recompilation by `torch.compile`, no `.item()` in the "
				"loop."}},
		.check = "`torch.comm.straggler.saving_us` below {} of a step",
		.evidence = "[Distributed](#distributed)",
		.particulars = name_it,
	},
	{.evaluate = NULL},
};
