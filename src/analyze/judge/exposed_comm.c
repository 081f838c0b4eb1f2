/* What to do about exposed communication depends on what communicates, and on whether a step has computation left to hide it
 * behind: where it has none, only sending less helps. What it saves at most is all of it, for sending less may save that. */
#include "analyze/judge/exposed_comm.h"

#include "analyze/core/say.h"
#include "analyze/judge/rule.h"
#include "analyze/judge/what_if.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"

enum pattern { GRADIENTS, SHARDS, EXPERTS, STAGES, OTHER, PATTERNS };

/* Of the operations that stand for a way to train in parallel. */
static const struct {
	const char *operation;
	enum pattern pattern;
} patterns[] = {
	{"all_reduce", GRADIENTS},
	{"all_gather", SHARDS},
	{"reduce_scatter", SHARDS},
	{"all_to_all", EXPERTS},
	{"send", STAGES},
	{"recv", STAGES},
};

/* Markup. therefore: of a verdict; overlap, less: the first steps to take, by what helps. */
static const struct {
	const char *therefore, *brief, *overlap, *less[2];
} advices[PATTERNS] = {
	[GRADIENTS] = {"overlap it with the backward pass or send less",
		"Overlap it with the backward pass, or send fewer bytes.",
		"Let DDP reduce gradients during the backward pass: tune `bucket_cap_mb`, and avoid "
		"`find_unused_parameters=True`.",
		{"Accumulate gradients over several batches (`model.no_sync()`), or raise the batch size.",
			"Send 16-bit gradients: DDP's `fp16_compress_hook`, or `PowerSGD`."}},
	[SHARDS] = {"prefetch shards or send less",
		"Prefetch shards while layers compute, or send fewer bytes.",
		"With FSDP, prefetch: `backward_prefetch=BackwardPrefetch.BACKWARD_PRE`, "
		"`forward_prefetch=True`.",
		{"Send 16-bit parameters and gradients: a mixed-precision policy.",
			"If memory allows, shard within a node only (`HYBRID_SHARD`), or keep parameters after "
			"the forward pass (`SHARD_GRAD_OP`)."}},
	[EXPERTS] = {"overlap it with computation or send less",
		"Overlap it with computation, or send fewer bytes.",
		"While tokens are exchanged, compute something else: a shared expert, or another "
		"micro-batch.",
		{"Send fewer bytes: a lower capacity factor, or 8-bit activations.",
			"Keep the experts of a group within a node."}},
	[STAGES] = {"use more micro-batches or balance the stages",
		"Use more micro-batches, or balance the pipeline stages.",
		"Use more micro-batches per step, or an interleaved schedule "
		"(`ScheduleInterleaved1F1B`).",
		{"Balance the stages: the slowest sets the pace.", "Send 16-bit activations."}},
	[OTHER] = {"overlap it with computation or send less",
		"Overlap it with computation, or send fewer bytes.", NULL, {NULL, NULL}},
};

/* What most of communication is; OTHER: no pattern has more than half. */
static enum pattern
pattern_of(const struct tp_torch_comm *c)
{
	double by_pattern[PATTERNS] = {0}, all = 0;

	for (size_t i = 0; i < c->sum_count; i++) {
		enum pattern p = OTHER;

		for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
			if (tp_slice_eq(c->ops[c->sums[i].op].name, tp_slice_of(patterns[k].operation)))
				p = patterns[k].pattern;
		}
		by_pattern[p] += c->sums[i].latency_ps;
		all += c->sums[i].latency_ps;
	}
	for (enum pattern p = 0; p < OTHER; p++) {
		if (by_pattern[p] > all / 2)
			return p;
	}
	return OTHER;
}

/* Stages wait for each other: no computation of theirs could hide that. */
static bool
could_be_hidden(const struct tp_torch_comm *c, enum pattern p)
{
	return p != STAGES && tp_torch_comm_hideable_ps(c) >= tp_torch_comm_exposed_ps(c);
}

/* Whether it can be shortened by doing it otherwise, as its pattern advises; else only by doing less of it. */
static bool
pattern_helps(const struct tp_torch_comm *c, enum pattern p)
{
	return p == STAGES || could_be_hidden(c, p);
}

static struct tp_text
consequence(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r,
	const struct tp_torch_comm *c, enum pattern p)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	return tp_say_speedup(doc,
		could_be_hidden(c, p) ? "hiding it would make steps" : "without it, steps would be",
		tp_removable_share(r, s));
}

/* Where computation cannot hide it all. */
static struct tp_text
too_little_computation(struct tp_doc *doc, const struct tp_torch_comm *c)
{
	double left_ps = tp_torch_comm_hideable_ps(c);

	return left_ps > 0
		? TP_SAY(doc, "only {} of computation is left to hide it behind", tp_ps_in_ms(left_ps))
		: TP_SAY0(doc, "no computation is left to hide it behind");
}

static struct tp_text
reason(struct tp_doc *doc, const struct tp_finding_result *r, const struct tp_torch_comm *c,
	enum pattern p)
{
	double exposed_ps = tp_torch_comm_exposed_ps(c);
	struct tp_text because =
		TP_SAY(doc, "Because for {} of the {} step a collective runs and no computation does",
			tp_ps_in_ms(exposed_ps), tp_ps_in_ms(exposed_ps / r->measured));

	if (pattern_helps(c, p)) {
		TP_SAY_MORE(doc, because, ". Therefore *{}*; see [Findings](#findings).",
			tp_text_value(tp_slice_of(advices[p].therefore)));
		return because;
	}
	because = tp_doc_join(
		doc, tp_doc_join(doc, because, TP_SAY0(doc, ", and ")), too_little_computation(doc, c));
	return tp_doc_join(
		doc, because, TP_SAY0(doc, ". Therefore *send less*; see [Findings](#findings)."));
}

struct tp_verdict_text
tp_exposed_comm_verdict(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	enum pattern p = pattern_of(c);
	struct tp_verdict_text text = {
		.steps_are = "communication-bound",
		.verdict.saw = TP_SAY(
			doc, "{} of step time is exposed communication", tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = consequence(ctx, doc, r, c, p),
		.because = reason(doc, r, c, p),
	};

	if (tp_torch_comm_absent(c) == 1)
		TP_SAY_MORE(doc, text.because, " {} would show how much of it is waiting.",
			tp_text_value(TP_S("The other worker's trace")));
	else if (tp_torch_comm_absent(c) != 0)
		TP_SAY_MORE(doc, text.because,
			" The traces of the other {} workers would show how much of it is waiting.",
			tp_count(tp_torch_comm_absent(c)));
	return text;
}

void
tp_exposed_comm_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	enum pattern p = pattern_of(c);
	bool helps = pattern_helps(c, p);

	finding->brief =
		TP_SAY0(doc, helps ? advices[p].brief : "Send fewer bytes, or wait less for each other.");
	if (!helps)
		finding->saw = tp_doc_join(doc,
			tp_doc_join(doc, finding->saw, TP_SAY0(doc, " Overlapping is not enough: ")),
			tp_doc_join(doc, too_little_computation(doc, c), TP_SAY0(doc, ".")));
	if (p == OTHER)
		return;
	struct tp_text waiting = finding->actions[finding->action_count - 1];

	finding->action_count = 0;
	if (helps)
		tp_rule_add_action(ctx, finding, TP_SAY0(doc, advices[p].overlap));
	tp_rule_add_action(ctx, finding, TP_SAY0(doc, advices[p].less[0]));
	if (!helps)
		tp_rule_add_action(ctx, finding, TP_SAY0(doc, advices[p].less[1]));
	tp_rule_add_action(ctx, finding, waiting);
}
