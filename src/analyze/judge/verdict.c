/* The verdict: the first open finding that has one, else what steps are spent on, else what there is without any. */
#include "analyze/judge/verdict.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/judge/findings.h"
#include "analyze/judge/rule.h"
#include "analyze/judge/verdict_torch.h"
#include "analyze/judge/what_if.h"
#include "analyze/ops/host_ops.h"
#include "analyze/ops/op_use.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <ctype.h>
#include <math.h>

static struct tp_value
share(double number)
{
	return tp_number(number, TP_UNIT_SHARE);
}

#define LITTLE_SHARE 0.005 /* of a step */

/* What is known of a host that works: how long operations of XLA run. What else is recorded there may be Python, the dispatch of
 * operations or a wait: profiles do not tell these apart. */
static void
say_host_work(struct tp_doc *doc, const struct tp_steps *s, struct tp_verdict *v)
{
	double host = tp_class_share(s, TP_CLASS_HOST_COMPUTE), operations = 1 - s->idle_share;

	if (!(operations > 0)) {
		v->saw = TP_SAY(doc, "host events cover {} of step time", share(host));
		v->consequence = TP_SAY0(doc, "the profiler does not show how much of that is waiting.");
		return;
	}
	v->saw = TP_SAY(doc, "XLA operations run for {} of step time", share(operations));
	v->consequence = host - operations < LITTLE_SHARE
		? TP_SAY0(doc, "hardly anything else runs.")
		: TP_SAY(doc, "another {} is Python, dispatch or waiting on the host.",
			  share(host - operations));
}

/* Where the device's operations are not known: what takes most of the step, as far as the profile says. */
static struct tp_text
start_with(const struct tp_pass_ctx *ctx, struct tp_doc *doc, bool on_host)
{
	const struct tp_host_ops *h = tp_result(ctx, &tp_pass_host_ops);
	struct tp_value top = tp_doc_value(doc, "op.top.name");

	if (tp_known(top))
		return TP_SAY(doc, "*make [operations](#operations) faster*, starting with `{}`.", top);
	if (!on_host || h == NULL)
		return TP_SAY0(doc, "*make it faster*; the profile does not show individual operations.");
	return TP_SAY(doc,
		"*make [operations](#operations) faster*, starting with `{}` ({} of operation time).",
		tp_text_value(tp_op_short_name(ctx, h->ops[0].name)),
		tp_share((double)h->ops[0].sums.self_ps, (double)h->busy_ps, TP_S("no time")));
}

/* Steps are spent on work: say on what, and how well the device is used. */
static struct tp_verdict_text
busy(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	bool on_host = tp_class_share(s, TP_CLASS_HOST_COMPUTE) > tp_class_share(s, TP_CLASS_COMPUTE);
	double part = tp_class_share(s, on_host ? TP_CLASS_HOST_COMPUTE : TP_CLASS_COMPUTE);
	bool rated = !on_host && o != NULL && isfinite(o->flops_busy_share);
	bool low = rated && tp_finding_judge(tp_finding_of(ctx, "TPR-FLOPS-001")) == TP_JUDGE_WARN;
	struct tp_verdict_text v = {
		.verdict =
			{
				.judge = low ? TP_JUDGE_WARN : TP_JUDGE_GOOD,
				.saw = TP_SAY(doc, "{} of step time is device work", share(part)),
				.consequence = rated
					? TP_SAY0(doc,
						  "while busy it reaches {flops.busy_utilization_share} of peak FLOP/s.")
					: TP_SAY0(doc, "the profiler recorded little waiting."),
			},
		.steps_are = on_host ? "CPU-bound" : "device-bound",
	};

	if (on_host)
		say_host_work(doc, s, &v.verdict);
	if (on_host && s->idle_share < 1)
		part = 1 - s->idle_share;
	if (o == NULL) {
		bool named = tp_known(tp_doc_value(doc, "op.top.name"));

		v.because = tp_doc_join(doc,
			TP_SAY(doc,
				named ? "Because operations take {} of the {} step. Therefore "
					  : "Because compute takes {} of the {} step. Therefore ",
				tp_ps_in_ms(part * s->time.mean), tp_say_step(ctx, s)),
			start_with(ctx, doc, on_host));
		return v;
	}
	bool told = !tp_op_category_of_kernels(o->categories[0].name);
	int64_t first_ps = told ? o->categories[0].self_ps : o->ops[o->top].self_ps;

	v.because = TP_SAY(doc,
		told
			? "Because operations take {} of the {} step. Therefore *make [operations](#operations) "
			  "faster*, starting with {} ({} of busy time)."
			: "Because operations take {} of the {} step. Therefore *make [operations](#operations) "
			  "faster*, starting with `{}` ({} of busy time).",
		tp_ps_in_ms(part * s->time.mean), tp_say_step(ctx, s),
		tp_text_value(
			told ? o->categories[0].name : tp_op_short_name(ctx, o->ops[o->top].op->label)),
		tp_share((double)first_ps, (double)o->busy_ps, TP_S("no time")));
	return v;
}

/* "3 of 8 GPUs": the others ran nothing, so what is said is not of them. */
static struct tp_text
devices_at_work(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_devices *d)
{
	bool gpus = ctx->profile->devices[d->devices[0].device].kind == TP_DEVICE_GPU;

	return TP_SAY(doc, "{} of {}", tp_count(d->count),
		tp_say_number(
			ctx, d->count + d->without_work, gpus ? "GPU" : "device", gpus ? "GPUs" : "devices"));
}

/* " Judged by one step and 3 of 8 GPUs.": one step may be unlike the others, and devices that ran nothing are not judged. */
static struct tp_text
judged_by(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	bool one = s->count == 1, some = d != NULL && d->count != 0 && d->without_work != 0;

	if (!one && !some)
		return TP_SAY0(doc, "");
	struct tp_text steps = TP_SAY0(doc,
		one && some ? " Judged by one step and "
			: one   ? " Judged by one step"
					: " Judged by ");

	if (some)
		steps = tp_doc_join(doc, steps, devices_at_work(ctx, doc, d));
	return tp_doc_join(doc, steps, TP_SAY0(doc, "."));
}

/* By less nobody would take the one for the other. */
#define APART 0.02

/* That the mean of a step, which all shares are of, has steps that are no whole ones, where that changes it. */
static struct tp_text
with_cut_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	double whole_ms = tp_value_in(tp_doc_value(doc, "step.time.whole.mean_ms"), TP_UNIT_MS);

	if (s->open_count == 0 || !(fabs(whole_ms * 1e9 - s->time.mean) > APART * s->time.mean))
		return TP_SAY0(doc, "");
	return TP_SAY(doc,
		" The mean includes {} that the capture cuts; whole steps take {step.time.whole.mean_ms}.",
		tp_say_number(ctx, s->open_count, "step", "steps"));
}

/* Of what GPUs did, or whether they waited, the profile holds nothing. */
static struct tp_verdict_text
kernels_unrecorded(struct tp_doc *doc, struct tp_unrecorded u)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Kernels not recorded:"),
		.verdict.saw = TP_SAY(doc, "{}", tp_text_value(u.reason)),
		.verdict.consequence = TP_SAY0(doc, "what the GPU does in a step is unknown."),
		.because = TP_SAY0(doc,
			u.launched
				? "Because CUPTI (on AMD, roctracer) gave it none: most often because only "
				  "administrators may profile here (`NVreg_RestrictProfilingToAdminUsers`), or "
				  "because another profiler holds the GPU. Therefore *capture again*: "
				  "[Findings](#findings) says how. Host figures are valid."
				: "Because nothing ran on them during the capture, or CUPTI (on AMD, roctracer) "
				  "gave it none: only administrators may profile here "
				  "(`NVreg_RestrictProfilingToAdminUsers`), or another profiler holds the GPU. "
				  "Therefore *capture again* while steps run. Host figures are valid."),
	};
}

static struct tp_verdict_text
of_findings(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);

	for (size_t i = 0; i < f->open; i++) {
		const struct tp_finding_result *r = &f->results[i];
		struct tp_verdict_text v = {0};

		if (r->rule->verdict != NULL && (r->severity == TP_JUDGE_BAD || r->rule->verdict_of_medium))
			v = r->rule->verdict(ctx, doc, r);
		if (v.because.count == 0)
			continue;
		if (v.verdict.judge == TP_JUDGE_NONE)
			v.verdict.judge = r->severity;
		v.verdict.finding = tp_slice_of(r->rule->info.id);
		return v;
	}
	return (struct tp_verdict_text){0};
}

/* The first check that passed by the user's limits alone: by the rule's own it would be high, and the verdict. NULL: none. */
static const struct tp_finding_result *
let_pass(const struct tp_findings *f)
{
	size_t first = f->open + f->notes;

	for (size_t i = first; i < first + f->passed; i++) {
		const struct tp_finding_result *r = &f->results[i];
		const struct tp_rule_info *info = &r->rule->info;

		if (r->rule->verdict != NULL && isfinite(info->high) && !info->below &&
			r->measured >= info->high)
			return r;
	}
	return NULL;
}

/* Nothing is praised beside it. */
static struct tp_verdict_text
within_limits(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Within the given limits:"),
		.verdict.saw = TP_SAY(doc, r->passed, tp_number(r->measured, TP_UNIT_SHARE),
			tp_number(r->limits.medium, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY(doc,
			"by default that is high from {} "
			"on.",
			tp_number(r->rule->info.high, TP_UNIT_SHARE)),
		.because = TP_SAY(doc,
			"Because `{}` allows it ({}). [Method](#method/thresholds) lists all limits.",
			tp_text_value(ctx->options->limits_file), tp_text_value(tp_slice_of(r->rule->info.id))),
	};
}

/* What steps are spent on leads; what is not known of them comes second, where a finding says so: that finding's advice is about
 * the rest of the step, and the verdict's about what it names. */
static void
say_gap(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	struct tp_verdict_text *v)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);
	const struct tp_finding_result *gap = tp_finding_of(ctx, "TPR-STEP-001");

	if (gap == NULL || gap->status != TP_FINDING_OPEN)
		return;
	v->verdict.consequence = TP_SAY(doc,
		s->source->launches ? "for {} of it nothing shows why the GPU is idle."
							: "{} of it is outside any operation or call.",
		tp_number(gap->told, TP_UNIT_SHARE));
	TP_SAY_MORE(doc, v->because, " [Finding {}](#{}) is about the {} not recorded.",
		tp_count((uint64_t)(gap - f->results) + 1), tp_text_value(tp_slice_of(gap->rule->info.id)),
		tp_ps_in_ms(gap->told * s->time.mean));
}

/* Of a profile that most checks can say nothing of nothing is praised. */
static void
without_praise(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_verdict_text *v)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);

	if (v->verdict.judge != TP_JUDGE_GOOD || f->passed >= f->undecided + f->not_applicable)
		return;
	size_t applicable = f->count - f->not_applicable, decided = f->passed + f->open + f->notes;

	v->verdict.judge = TP_JUDGE_UNDECIDED;
	if (4 * decided < 3 * applicable)
		TP_SAY_MORE(doc, v->because, " Only {} of {} that apply could be decided.",
			tp_count(decided), tp_say_number(ctx, applicable, "check", "checks"));
}

/* Where no finding has a verdict. */
static struct tp_verdict_text
otherwise(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_finding_result *allowed = let_pass(tp_result(ctx, &tp_pass_findings));

	if (allowed != NULL)
		return within_limits(ctx, doc, allowed);
	if (s == NULL)
		return ctx->profile->torch != NULL ? tp_verdict_without_torch_steps(ctx, doc)
										   : tp_verdict_without_steps(ctx, doc);
	if (s->source->by_role)
		return tp_verdict_of_torch(ctx, doc, s, tp_finding_of(ctx, "TPR-PIN-001"));
	struct tp_verdict_text v = busy(ctx, doc, s);

	say_gap(ctx, doc, s, &v);
	return v;
}

/* What is judged by inferred steps or by a single one is not certain. */
static struct tp_text
name_of_steps(struct tp_doc *doc, const struct tp_steps *s, const char *are)
{
	bool likely = s != NULL && (s->inferred || s->count == 1);

	return TP_SAY0(doc,
		likely ? tp_arena_printf(doc->arena, "Likely %s:", are).ptr
			   : tp_arena_printf(doc->arena, "%c%s:", toupper(are[0]), are + 1).ptr);
}

static bool
forbids_praise(const struct tp_findings *f, const struct tp_steps *s)
{
	for (size_t i = 0; i < f->open + f->notes; i++) {
		const struct tp_finding_result *r = &f->results[i];

		if (s != NULL && r->severity == TP_JUDGE_WARN &&
			r->saving_ps >= TP_NOTABLE_SAVING * s->time.mean)
			return true;
	}
	return false;
}

/* No verdict is milder than the first finding, which is the worst: a high one always counts, a medium one where nothing is praised. */
static enum tp_judge
no_milder(enum tp_judge judge, const struct tp_findings *f)
{
	enum tp_judge worst = f->open != 0 ? f->results[0].severity : TP_JUDGE_NONE;
	bool silent = judge == TP_JUDGE_NONE || judge == TP_JUDGE_UNDECIDED;

	return worst == TP_JUDGE_BAD || (worst == TP_JUDGE_WARN && silent) ? worst : judge;
}

struct tp_verdict_text
tp_verdict_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);
	struct tp_unrecorded u = tp_kernels_not_recorded(ctx);
	bool unrecorded = u.reason.len != 0 && (s == NULL || !s->source->tells_device);
	struct tp_verdict_text v = unrecorded ? kernels_unrecorded(doc, u) : of_findings(ctx, doc);

	if (v.because.count == 0)
		v = otherwise(ctx, doc, s);
	if (v.verdict.judge == TP_JUDGE_GOOD && forbids_praise(f, s))
		v.verdict.judge = TP_JUDGE_WARN;
	without_praise(ctx, doc, &v);
	v.verdict.judge = no_milder(v.verdict.judge, f);
	if (v.steps_are != NULL)
		v.verdict.name = name_of_steps(doc, s, v.steps_are);
	if (s != NULL && u.reason.len == 0)
		v.because = tp_doc_join(
			doc, v.because, tp_doc_join(doc, judged_by(ctx, doc, s), with_cut_steps(ctx, doc, s)));
	TP_SAY_MORE(doc, v.verdict.saw, ";");
	return v;
}
