/* The rule on gradients that are set to 0. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/costs/torch_costs.h"

#include <math.h>

#define HIGH_SHARE 0.05
#define MEDIUM_SHARE 0.01

static void
zero_grad(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->torch == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_torch_costs));
	else if (!e->torch->zero_grad_recorded)
		tp_rule_not_applicable(r, "no trace holds a call of Optimizer.zero_grad");
	else if (e->torch->zero_grads == 0)
		tp_rule_undecided(r, TP_S("no step holds a call of Optimizer.zero_grad"));
	else {
		double share = (double)e->torch->zero_ps / (double)e->torch->zero_step_ps;

		tp_rule_decide(r, share, tp_rule_of_a_step(e, share, e->steps ? e->steps->time.mean : 0));
	}
}

static void
particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " {} in {} of `zero_grad`.",
			tp_say_number(ctx, c->zero_fills, "operator fills", "operators fill"),
			tp_say_number(ctx, c->zero_grads, "call", "calls")));
}

const struct tp_finding_rule tp_rules_torch_zero[] = {
	{
		.info = {"TPR-ZERO-001", "Gradients set to 0", "step time", HIGH_SHARE, MEDIUM_SHARE, false,
			TP_HUE_MEMORY},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED | TP_SAVED_ARITHMETIC,
		.evaluate = zero_grad,
		.title = "Setting gradients to 0 takes {} of each step",
		.passed = "setting gradients to 0 takes {} of step time (limit {})",
		.any = {"Drop gradients instead of filling them.",
			{"`optimizer.zero_grad(set_to_none=True)`, or without an argument from torch 2.0 on: "
			 "the next backward pass then writes gradients instead of adding to zeros.",
				"What reads `.grad` before the backward pass must expect `None`."}},
		.check = "`torch.zero_grad_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = particulars,
	},
	{.evaluate = NULL},
};
