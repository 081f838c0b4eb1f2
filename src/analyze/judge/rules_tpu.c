/* The rule on graphs that are meant for a TPU. */
#include "analyze/judge/rule.h"

#include "analyze/graph/tpu_compat.h"

#include <math.h>

/* One operation that does not compile is enough. */
#define ANY_SHARE 1e-9

static void
incompatible(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tpu_compat *c = tp_result(e->ctx, &tp_pass_tpu_compat);

	if (c == NULL)
		tp_rule_not_applicable(r, "no graph of TensorFlow");
	else if (!c->for_tpu)
		tp_rule_not_applicable(r, "neither the graph nor the profile names a TPU");
	else if (c->judged == 0)
		tp_rule_not_applicable(r, "no operation of the graph was judged");
	else
		tp_rule_decide(r, (double)c->nodes[TP_TPU_INCOMPATIBLE] / c->judged, NAN);
}

static void
name_them(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_tpu_compat *c = tp_result(ctx, &tp_pass_tpu_compat);

	finding->saw = tp_doc_join(doc,
		TP_SAY0(
			doc, "Not in the list of operations that have a TPU kernel, by their names alone: "),
		tp_tpu_worst(doc, c));
}

const struct tp_finding_rule tp_rules_tpu[] = {
	{
		.info = {"TPR-TPU-001", "Operations without a TPU kernel",
			"the judged operations of the graph, an estimate", NAN, ANY_SHARE, false, TP_HUE_HOST},
		.evaluate = incompatible,
		.title = "{graph.tpu.incompatible} of {graph.tpu.judged} judged operations likely cannot "
				 "run on a TPU",
		.passed = "every judged operation is in the list of those that run on a TPU",
		.any = {"See which they are, and what can replace them.",
			{"Replace them as the table of operations suggests, where it does.",
				"Keep host-only work out of the compiled program: "
				"`tf.compat.v1.tpu.outside_compilation`, or the `tf.data` pipeline."}},
		.check = "`graph.tpu.incompatible` 0",
		.evidence = "[TPU compatibility](#graph/tpu)",
		.unbounded = "This is not about time: what does not compile cannot run.",
		.particulars = name_them,
	},
	{.evaluate = NULL},
};
