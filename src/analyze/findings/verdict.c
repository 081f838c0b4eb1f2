/* The verdict: one sentence, from the steps where there are any, else from the devices, else from what there is. */
#include "analyze/summary.h"

#include "analyze/devices.h"
#include "analyze/environment.h"
#include "analyze/findings/findings.h"
#include "analyze/findings/rule.h"
#include "analyze/findings/verdict_class.h"
#include "analyze/findings/what_if.h"
#include "analyze/ops/ops.h"
#include "analyze/pod/pod.h"
#include "analyze/say.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/verdict_torch.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

static struct tp_value
share(double number)
{
	return tp_number(number, TP_UNIT_SHARE);
}

#define LITTLE_SHARE 0.005 /* of a step */

/* The finding with this id when it is open and high; NULL: it is not. */
static const struct tp_finding_result *
high_finding(const struct tp_pass_ctx *ctx, const char *id)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);

	for (size_t i = 0; i < f->open; i++) {
		if (f->results[i].severity == TP_JUDGE_BAD && strcmp(f->results[i].rule->info.id, id) == 0)
			return &f->results[i];
	}
	return NULL;
}

/* Whether no class of time but the wait for input takes more of a step than it. */
static bool
input_is_largest(const struct tp_steps *s)
{
	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		if (c != TP_CLASS_INPUT_WAIT && tp_class_share(s, (enum tp_class)c) > s->input_share)
			return false;
	}
	return true;
}

static struct tp_verdict_text
input_bound_high(struct tp_doc *doc, const struct tp_steps *s)
{
	double rest = s->time.mean * (1 - s->input_share);
	struct tp_text because = TP_SAY(doc,
		s->tpu ? "Because the core that waits longest works {} of a {} step."
			   : "Because only {} of a {} step is not waiting.",
		tp_ps_in_ms(rest), tp_ps_in_ms(s->time.mean));
	struct tp_text therefore = input_is_largest(s)
		? TP_SAY0(doc,
			  " Therefore *speed up the input pipeline first*: [Input pipeline](#input-pipeline) "
			  "has its slow parts.")
		: TP_SAY0(doc,
			  " Therefore *speed up the input pipeline*: see [Input pipeline](#input-pipeline), "
			  "then [Steps](#steps).");

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Input-bound (high):"),
		.verdict.saw = TP_SAY0(doc, "{input.wait_share} of each step waits for input;"),
		.verdict.consequence = tp_say_faster(doc, "hiding it would make steps",
			tp_without_class_ps(s, TP_CLASS_INPUT_WAIT) / s->time.mean),
		.because = tp_doc_join(doc, because, therefore),
	};
}

static struct tp_verdict_text
input_bound_moderate(struct tp_doc *doc, const struct tp_steps *s)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_WARN,
		.verdict.name = TP_SAY0(doc, "Input-bound (moderate):"),
		.verdict.saw = TP_SAY0(doc, "{input.wait_share} of each step waits for input;"),
		.verdict.consequence = tp_say_faster(doc, "hiding it would make steps",
			tp_without_class_ps(s, TP_CLASS_INPUT_WAIT) / s->time.mean),
		.because = TP_SAY(doc,
			"Because {} of a {} step is waiting for input. Therefore *reduce input time and "
			"the rest both*: see [Input pipeline](#input-pipeline), then [Steps](#steps).",
			tp_ps_in_ms(s->input_share * s->time.mean), tp_ps_in_ms(s->time.mean)),
	};
}

/* Time without an event may be input, unless each call for a batch is recorded. On a GPU the host may well have done something
 * then: it is not recorded why the GPU did nothing. */
static struct tp_verdict_text
not_recorded(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	bool traced = tp_steps_python_traced(ctx->profile);
	struct tp_text because = TP_SAY(doc,
		s->gpu ? "Because for {} of a {} step no kernel, copy or launch was recorded. "
			   : "Because the profiler recorded nothing for {} of a {} step. ",
		tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER]), tp_ps_in_ms(s->time.mean));
	struct tp_text therefore = traced
		? TP_SAY0(doc,
			  "The Python tracer was on: therefore *name the parts of the loop* and capture again; "
			  "[Input pipeline](#input-pipeline) has what was recorded.")
		: TP_SAY0(doc,
			  "Therefore *capture again with the Python tracer*; [Input pipeline](#input-pipeline) "
			  "has what was recorded.");

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = s->input_asked ? TP_SAY0(doc, "Time not recorded:")
									   : TP_SAY0(doc, "Possibly input-bound:"),
		.verdict.saw = TP_SAY(doc,
			s->gpu ? "for {} of each step nothing shows why the GPU does not work;"
				   : "{} of each step is covered by no event;",
			share(tp_class_share(s, TP_CLASS_OTHER))),
		.verdict.consequence = s->input_asked
			? TP_SAY0(doc, "only {input.wait_share} is waiting for input.")
			: TP_SAY0(doc, "it may be input, Python, or waiting."),
		.because = tp_doc_join(doc, because, therefore),
	};
}

/* The device works, but mostly on moving data. */
static struct tp_verdict_text
copy_bound(struct tp_doc *doc, const struct tp_steps *s, const struct tp_ops *o)
{
	struct tp_value part = tp_share((double)o->copy_ps, (double)o->busy_ps, TP_S("no time"));
	struct tp_value rest = tp_share((double)o->compute_ps, (double)o->busy_ps, TP_S("no time"));

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Bound by copies:"),
		.verdict.saw = TP_SAY(doc, "copies and waits for them take {} of busy time;", part),
		.verdict.consequence = TP_SAY(doc, "arithmetic gets {} of it.", rest),
		.because = TP_SAY(doc,
			"Because `{}` and the like take most of a {} step. Therefore *find what these copies "
			"move*, and keep data in place: see [Operations](#operations).",
			tp_text_value(o->categories[0].name), tp_ps_in_ms(s->time.mean)),
	};
}

/* What is known of a host that works: how long operations of XLA run. What else is recorded there may be Python, the dispatch of
 * operations or a wait: profiles do not tell these apart. */
static void
say_host_work(struct tp_doc *doc, const struct tp_steps *s, struct tp_verdict *v)
{
	double host = tp_class_share(s, TP_CLASS_HOST_COMPUTE), operations = 1 - s->idle_share;

	if (!(operations > 0)) {
		v->saw = TP_SAY(doc, "events of the host cover {} of each step;", share(host));
		v->consequence = TP_SAY0(doc, "how much of that is waiting the profiler does not tell.");
		return;
	}
	v->saw = TP_SAY(doc, "operations of XLA run for {} of each step;", share(operations));
	v->consequence = host - operations < LITTLE_SHARE
		? TP_SAY0(doc, "hardly anything else does.")
		: TP_SAY(doc, "for {} only other events of the host do: Python, dispatch or waits.",
			  share(host - operations));
}

/* Steps are spent on work: say on what, and how well the device is used. */
static struct tp_verdict_text
busy(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	bool on_host = tp_class_share(s, TP_CLASS_HOST_COMPUTE) > tp_class_share(s, TP_CLASS_COMPUTE);
	double part = tp_class_share(s, on_host ? TP_CLASS_HOST_COMPUTE : TP_CLASS_COMPUTE);
	bool rated = !on_host && o != NULL && isfinite(o->flops_busy_share);
	bool low = rated && o->flops_busy_share < TP_FLOPS_LOW_SHARE;
	struct tp_verdict_text v = {
		.verdict =
			{
				.judge = low ? TP_JUDGE_WARN : TP_JUDGE_GOOD,
				.name = on_host ? TP_SAY0(doc, "CPU-bound:") : TP_SAY0(doc, "Device-bound:"),
				.saw = TP_SAY(doc, "{} of each step is device work;", share(part)),
				.consequence = rated
					? TP_SAY0(doc,
						  "while busy it reaches {flops.busy_utilization_share} of peak FLOP/s.")
					: TP_SAY0(doc, "little of it is waiting that the profiler recorded."),
			},
	};

	if (on_host)
		say_host_work(doc, s, &v.verdict);
	if (on_host && s->idle_share < 1)
		part = 1 - s->idle_share;
	if (o == NULL) {
		const struct tp_metric *top = tp_doc_find_metric(doc, TP_S("op.top.name"));

		v.because = top != NULL && tp_known(top->value)
			? TP_SAY(doc,
				  "Because in a {} step {} is work. Therefore *make [operations](#operations) "
				  "faster*, beginning with `{}`.",
				  tp_ps_in_ms(s->time.mean), tp_ps_in_ms(part * s->time.mean), top->value)
			: TP_SAY(doc,
				  "Because in a {} step {} is work. Therefore *make its work faster*; the profile "
				  "does not show single operations.",
				  tp_ps_in_ms(s->time.mean), tp_ps_in_ms(part * s->time.mean));
		return v;
	}
	v.because = TP_SAY(doc,
		"Because {} of a {} step is work. Therefore *make [operations](#operations) "
		"faster*, beginning with {} ({} of busy time).",
		tp_ps_in_ms(part * s->time.mean), tp_ps_in_ms(s->time.mean),
		tp_text_value(o->categories[0].name),
		tp_share((double)o->categories[0].self_ps, (double)o->busy_ps, TP_S("no time")));
	return v;
}

static struct tp_verdict_text
of_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	enum tp_input_verdict input = tp_input_verdict(s);

	if (input == TP_INPUT_HIGH)
		return input_bound_high(doc, s);
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	if (high_finding(ctx, "TPR-POD-001") != NULL && tp_pod_has_straggler(pod))
		return tp_verdict_held_up(ctx, doc, s, pod);
	/* A moderate wait for input is the verdict only when nothing else costs more. */
	const struct tp_class_verdict *class =
		tp_class_that_decides(s, input == TP_INPUT_MODERATE ? s->input_share : 0);

	if (class != NULL)
		return tp_verdict_of_class(ctx, doc, s, class);
	if (input == TP_INPUT_MODERATE)
		return input_bound_moderate(doc, s);
	if (input == TP_INPUT_POTENTIAL ||
		(!s->tpu && tp_class_share(s, TP_CLASS_OTHER) >= TP_UNRECORDED_SHARE))
		return not_recorded(ctx, doc, s);
	if (o != NULL && !o->on_host && o->copy_ps > o->busy_ps / 2)
		return copy_bound(doc, s, o);
	return busy(ctx, doc, s);
}

static bool
is_capital(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "Input-bound (high):" → "Likely input-bound (high):", "CPU-bound:" → "Likely CPU-bound:" */
static struct tp_text
likely(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text name)
{
	struct tp_slice text = tp_text_shown(name, ctx->keep);

	if (text.len < 2 || !is_capital(text.ptr[0]))
		return name;
	if (is_capital(text.ptr[1]))
		return TP_SAY(doc, "Likely {}", tp_text_value(text));
	return TP_SAY(doc, "Likely {}",
		tp_text_value(tp_arena_printf(
			ctx->keep, "%c%.*s", text.ptr[0] - 'A' + 'a', TP_ARG(tp_slice_from(text, 1)))));
}

/* "… waits for launches;" → "… waits for launches, judged by one step and 3 of 8 GPUs;" */
static struct tp_text
judged_by(struct tp_doc *doc, struct tp_text saw, struct tp_text what)
{
	struct tp_span *spans = tp_new_array(doc->arena, struct tp_span, saw.count);
	struct tp_span *last = spans + saw.count - 1;

	memcpy(spans, saw.spans, saw.count * sizeof *spans);
	if (last->text.len == 0 || last->text.ptr[last->text.len - 1] != ';')
		return saw;
	last->text.len--;
	return tp_doc_join(doc, (struct tp_text){spans, saw.count},
		tp_doc_join(doc, TP_SAY0(doc, ", judged by "), tp_doc_join(doc, what, TP_SAY0(doc, ";"))));
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

/* One step may be unlike the others, and devices that ran nothing are not judged: both belong beside the verdict. */
static void
say_what_it_rests_on(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, bool one_step, struct tp_verdict *v)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	bool some = d != NULL && d->count != 0 && d->without_work != 0;

	if (v->saw.count == 0 || (!one_step && !some))
		return;
	struct tp_text what = TP_SAY0(doc,
		one_step && some ? "one step and "
			: one_step   ? "one step"
						 : "");

	v->saw =
		judged_by(doc, v->saw, some ? tp_doc_join(doc, what, devices_at_work(ctx, doc, d)) : what);
}

/* Of what GPUs did, or whether they waited, the profile holds nothing. */
static struct tp_verdict_text
kernels_unrecorded(struct tp_doc *doc, struct tp_unrecorded u)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Kernels not recorded:"),
		.verdict.saw = TP_SAY(doc, "{};", tp_text_value(u.reason)),
		.verdict.consequence = TP_SAY0(doc, "what the GPU does in a step cannot be said."),
		.because = TP_SAY0(doc,
			u.launched
				? "Because CUPTI (on AMD roctracer) gave it none: most often because only "
				  "administrators may profile here (`NVreg_RestrictProfilingToAdminUsers`), or "
				  "because another profiler holds the GPU. "
				  "Therefore *capture again*: [Findings](#findings) has the ways. What is said of "
				  "the host holds."
				: "Because nothing ran on them while it was captured, or CUPTI (on AMD roctracer) "
				  "gave it none: only administrators may profile here "
				  "(`NVreg_RestrictProfilingToAdminUsers`), or another profiler holds the GPU. "
				  "Therefore *capture again* while steps run. "
				  "What is said of the host holds."),
	};
}

struct tp_verdict_text
tp_verdict_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	struct tp_unrecorded u = tp_kernels_not_recorded(ctx);

	if (u.reason.len != 0 && (s == NULL || s->given_from.len == 0))
		return kernels_unrecorded(doc, u);
	if (s == NULL)
		return ctx->profile->torch != NULL ? tp_verdict_without_torch_steps(ctx, doc)
										   : tp_verdict_without_steps(ctx, doc);
	struct tp_verdict_text v = s->torch ? tp_verdict_of_torch(ctx, doc, s) : of_steps(ctx, doc, s);

	/* What is judged by inferred steps or by a single one is not certain. */
	if ((s->inferred || s->count == 1) && v.verdict.judge != TP_JUDGE_UNDECIDED)
		v.verdict.name = likely(ctx, doc, v.verdict.name);
	say_what_it_rests_on(ctx, doc, s->count == 1, &v.verdict);
	return v;
}
