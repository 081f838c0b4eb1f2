#include "analyze/judge/verdict_finding.h"

#include "analyze/judge/rule.h"
#include "analyze/judge/what_if.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"

/* Beyond ten times the rest of a step is so little that nothing is known of it, and a factor only looks exact. */
#define MOST_REMOVABLE 0.9

struct tp_text
tp_say_speedup(struct tp_doc *doc, const char *without, double removable_share)
{
	struct tp_value what = tp_text_value(tp_slice_of(without));

	if (removable_share > MOST_REMOVABLE)
		return TP_SAY(doc, "{} more than 10× faster at best.", what);
	return TP_SAY(
		doc, "{} at most {} faster.", what, tp_number(1 / (1 - removable_share), TP_UNIT_TIMES));
}

double
tp_removable_share(const struct tp_finding_result *r, const struct tp_steps *s)
{
	return r->weight_ps / s->time.mean;
}

double
tp_class_share(const struct tp_steps *s, enum tp_class c)
{
	return s->class_mean_ps[c] / s->time.mean;
}

/* What is said of a class of time. Markup; {} is the share of the step, and the milliseconds of it and of the step. */
struct class_verdict {
	const char *rule;
	const char *name, *likely;
	const char *saw,
		*consequence;           /* consequence: what stands before how much faster steps would be */
	const char *because, *read; /* read: which section says more */
};

static const struct class_verdict class_verdicts[] = {
	{
		"TPR-IDLE-001",
		"Idle devices:",
		"Likely idle devices:",
		"cores do nothing for {} of each step",
		"without the gaps steps would be",
		"Because no operation runs for {} of a {} step. Therefore *see what the host does between "
		"programs*:",
		"[Steps](#steps) shows the gaps.",
	},
	{
		"TPR-COMM-001",
		"Communication-bound:",
		"Likely communication-bound:",
		"collectives take {} of each step",
		"hiding them would make steps",
		"Because {} of a {} step is collectives that no compute hides. Therefore *overlap or "
		"shrink them*:",
		"[Steps](#steps) shows them.",
	},
	{
		"TPR-LAUNCH-001",
		"Launch-bound:",
		"Likely launch-bound:",
		"for {} of each step the device waits for launches",
		"without them steps would be",
		"Because for {} of a {} step the host prepares work and nothing else runs. Therefore "
		"*launch fewer, larger kernels*:",
		"see [Steps](#steps).",
	},
	{
		"TPR-OUTPUT-001",
		"Output-bound:",
		"Likely output-bound:",
		"output takes {} of each step",
		"without it steps would be",
		"Because {} of a {} step goes into sending results to the host. Therefore *send less, and "
		"less often*:",
		"see [Steps](#steps).",
	},
	{
		"TPR-COMPILE-001",
		"Compiling:",
		"Likely compiling:",
		"programs are compiled for {} of each step",
		"with programs compiled before, steps would be",
		"Because for {} of a {} step programs are traced, lowered or compiled. Therefore *keep "
		"shapes the same from step to step*:",
		"[Steps](#steps) shows when.",
	},
};

static const struct class_verdict *
of_rule(const char *id)
{
	for (size_t i = 0; i < sizeof class_verdicts / sizeof *class_verdicts; i++) {
		if (strcmp(class_verdicts[i].rule, id) == 0)
			return &class_verdicts[i];
	}
	return NULL;
}

struct tp_verdict_text
tp_verdict_of_class(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct class_verdict *c = of_rule(r->rule->info.id);

	if (r->severity != TP_JUDGE_BAD)
		return (struct tp_verdict_text){0};
	bool side_by_side =
		r->rule->saves_of == TP_SAVED_COLLECTIVE && tp_result(ctx, &tp_pass_pod) != NULL;
	struct tp_text because =
		TP_SAY(doc, c->because, tp_ps_in_ms(r->measured * s->time.mean), tp_ps_in_ms(s->time.mean));
	const char *read =
		side_by_side ? "[Distributed](#distributed) shows who waits, and for whom." : c->read;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, c->name),
		.likely = TP_SAY0(doc, c->likely),
		.verdict.saw = TP_SAY(doc, c->saw, tp_number(r->measured, TP_UNIT_SHARE)),
		.verdict.consequence = tp_say_speedup(doc, c->consequence, tp_removable_share(r, s)),
		.because =
			tp_doc_join(doc, tp_doc_join(doc, because, TP_SAY0(doc, " ")), TP_SAY0(doc, read)),
	};
}

struct tp_verdict_text
tp_verdict_held_up(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	static const char *const names[TP_POD_LEVELS][2] = {
		[TP_POD_CORE] = {"Held up by a slow core:", "Likely held up by a slow core:"},
		[TP_POD_CHIP] = {"Held up by a slow chip:", "Likely held up by a slow chip:"},
		[TP_POD_HOST] = {"Held up by a slow host:", "Likely held up by a slow host:"},
	};
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	if (r->severity != TP_JUDGE_BAD || s == NULL || !tp_pod_has_straggler(pod))
		return (struct tp_verdict_text){0};
	const struct tp_pod_straggler *one = &pod->straggler;
	double saving_ps = one->lead.cost_ps;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, names[one->level][0]),
		.likely = TP_SAY0(doc, names[one->level][1]),
		.verdict.saw = TP_SAY(doc,
			!pod->cores           ? "{} works {} as long as the others"
				: pod->sync_known ? "{} works {} as long as the others, its collectives included"
								  : "{} works {} as long as the others, collectives aside",
			tp_text_value(tp_pod_name(ctx, pod, one->level, one->unit)),
			tp_number(one->own_ps / one->others_ps, TP_UNIT_TIMES)),
		.verdict.consequence =
			tp_say_speedup(doc, "were it as fast, steps would be", saving_ps / s->time.mean),
		.because = TP_SAY(doc,
			"Because the others wait for it {} of a {} step. Therefore *find out what is different "
			"there*: see [Distributed](#distributed).",
			tp_ps_in_ms(saving_ps), tp_ps_in_ms(s->time.mean)),
	};
}
