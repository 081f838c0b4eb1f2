#include "analyze/findings/verdict_class.h"

#include "analyze/findings/what_if.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/steps.h"

static struct tp_value
share(double number)
{
	return tp_number(number, TP_UNIT_SHARE);
}

struct tp_value
tp_ps_in_ms(double ps)
{
	return tp_number(ps / 1e9, TP_UNIT_MS);
}

/* Beyond ten times the rest of a step is so little that nothing is known of it, and a factor only looks exact. */
#define MOST_REMOVABLE 0.9

struct tp_text
tp_say_faster(struct tp_doc *doc, const char *without, double removable_share)
{
	struct tp_value what = tp_text_value(tp_slice_of(without));

	if (removable_share > MOST_REMOVABLE)
		return TP_SAY(doc, "{} more than 10× faster at best.", what);
	return TP_SAY(
		doc, "{} at most {} faster.", what, tp_number(1 / (1 - removable_share), TP_UNIT_TIMES));
}

double
tp_class_share(const struct tp_steps *s, enum tp_class c)
{
	return s->class_mean_ps[c] / s->time.mean;
}

static const struct tp_class_verdict class_verdicts[] = {
	{
		TP_CLASS_IDLE,
		0.15,
		"Idle devices:",
		"cores do nothing for {} of each step;",
		"without the gaps steps would be",
		"Because no operation runs for {} of a {} step. Therefore *see what the host does "
		"between programs*:",
		"[Steps](#steps) shows the gaps.",
	},
	{
		TP_CLASS_COLLECTIVE,
		0.15,
		"Communication-bound:",
		"collectives take {} of each step;",
		"hiding them would make steps",
		"Because {} of a {} step is collectives that no compute hides. Therefore *overlap or "
		"shrink them*:",
		"[Steps](#steps) shows them.",
	},
	{
		TP_CLASS_LAUNCH,
		0.15,
		"Launch-bound:",
		"for {} of each step the device waits for launches;",
		"without them steps would be",
		"Because for {} of a {} step the host prepares work and nothing else runs. Therefore "
		"*launch fewer, larger kernels*:",
		"see [Steps](#steps).",
	},
	{
		TP_CLASS_OUTPUT,
		0.20,
		"Output-bound:",
		"output takes {} of each step;",
		"without it steps would be",
		"Because {} of a {} step goes into sending results to the host. Therefore *send less, and "
		"less often*:",
		"see [Steps](#steps).",
	},
	{
		TP_CLASS_COMPILE,
		0.15,
		"Compiling:",
		"programs are compiled for {} of each step;",
		"with programs compiled before, steps would be",
		"Because for {} of a {} step programs are traced, lowered or compiled. Therefore *keep "
		"shapes the same from step to step*:",
		"[Steps](#steps) shows when.",
	},
};

struct tp_verdict_text
tp_verdict_of_class(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	const struct tp_class_verdict *c)
{
	double faster_share = tp_without_class_ps(s, c->class) / s->time.mean;
	bool side_by_side = c->class == TP_CLASS_COLLECTIVE && tp_result(ctx, &tp_pass_pod) != NULL;
	struct tp_text because =
		TP_SAY(doc, c->because, tp_ps_in_ms(s->class_mean_ps[c->class]), tp_ps_in_ms(s->time.mean));
	const char *read =
		side_by_side ? "[Distributed](#distributed) shows who waits, and for whom." : c->read;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, c->name),
		.verdict.saw = TP_SAY(doc, c->saw, share(tp_class_share(s, c->class))),
		.verdict.consequence = tp_say_faster(doc, c->consequence, faster_share),
		.because =
			tp_doc_join(doc, tp_doc_join(doc, because, TP_SAY0(doc, " ")), TP_SAY0(doc, read)),
	};
}

struct tp_verdict_text
tp_verdict_held_up(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	const struct tp_pod *pod)
{
	static const char *const names[TP_POD_LEVELS] = {
		[TP_POD_CORE] = "Held up by a slow core:",
		[TP_POD_CHIP] = "Held up by a slow chip:",
		[TP_POD_HOST] = "Held up by a slow host:",
	};
	const struct tp_pod_straggler *one = &pod->straggler;
	double saving_ps = one->lead.cost_ps;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, names[one->level]),
		.verdict.saw = TP_SAY(doc,
			!pod->cores           ? "{} works {} as long as the others;"
				: pod->sync_known ? "{} works {} as long as the others, its collectives included;"
								  : "{} works {} as long as the others, collectives aside;",
			tp_text_value(tp_pod_name(ctx, pod, one->level, one->unit)),
			tp_number(one->own_ps / one->others_ps, TP_UNIT_TIMES)),
		.verdict.consequence =
			tp_say_faster(doc, "were it as fast, steps would be", saving_ps / s->time.mean),
		.because = TP_SAY(doc,
			"Because the others wait for it {} of a {} step. Therefore *find out what is different "
			"there*: see [Distributed](#distributed).",
			tp_ps_in_ms(saving_ps), tp_ps_in_ms(s->time.mean)),
	};
}

const struct tp_class_verdict *
tp_class_that_decides(const struct tp_steps *s, double more_than)
{
	const struct tp_class_verdict *most = NULL;

	for (size_t i = 0; i < sizeof class_verdicts / sizeof *class_verdicts; i++) {
		const struct tp_class_verdict *c = &class_verdicts[i];
		double part = tp_class_share(s, c->class);

		if (part >= c->from_share && part > more_than) {
			most = c;
			more_than = part;
		}
	}
	return most;
}
