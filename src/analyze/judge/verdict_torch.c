#include "analyze/judge/verdict_torch.h"

#include "analyze/core/say.h"
#include "analyze/judge/rule.h"
#include "analyze/judge/verdict.h"
#include "analyze/judge/what_if.h"
#include "analyze/kernels/kernels.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_role.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

/* From these shares of a step on it matters that the device copies, or that it is not known why it waits. */
#define COPY_SHARE 0.15
#define UNKNOWN_SHARE 0.20

enum { FITS = 48 }; /* of a kernel's name in a sentence */

static struct tp_value
share(double number)
{
	return tp_number(number, TP_UNIT_SHARE);
}

static bool
shows_device(const struct tp_steps *s)
{
	return tp_steps_tell(s, TP_CLASS_COMPUTE);
}

/* More than all that was recorded together. */
#define MOST_SHARE 0.5

bool
tp_torch_mostly_unrecorded(const struct tp_steps *s)
{
	return tp_class_share(s, TP_CLASS_OTHER) > MOST_SHARE;
}

bool
tp_torch_python_recorded(const struct tp_torch *torch)
{
	for (uint32_t i = 0; i < torch->trace_count; i++) {
		if (torch->traces[i]->kind_count[TP_TORCH_PYTHON] != 0)
			return true;
	}
	return false;
}

struct tp_verdict_text
tp_verdict_torch_unrecorded(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	bool device = shows_device(s);

	if (!tp_torch_mostly_unrecorded(s))
		return (struct tp_verdict_text){0};
	bool python = tp_torch_python_recorded(ctx->profile->torch);
	struct tp_text because = TP_SAY(doc,
		"Because in the {} step only {} is covered by operators, calls or device work. ",
		tp_ps_in_ms(s->time.mean), tp_ps_in_ms(s->time.mean - s->class_mean_ps[TP_CLASS_OTHER]));

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Time not recorded:"),
		.verdict.saw = TP_SAY(doc,
			device ? "{} of step time is outside any operator, call or kernel"
				   : "{} of step time is outside any operator",
			tp_number(tp_class_share(s, TP_CLASS_OTHER), TP_UNIT_SHARE)),
		.verdict.consequence = device
			? TP_SAY0(doc, "the trace does not show what the host and the GPU do then.")
			: TP_SAY0(doc, "the trace does not show what the program does then."),
		.because = tp_doc_join(doc, because,
			python
				? TP_SAY0(doc,
					  "Therefore *see what Python does then*: the timeline shows its functions; name "
					  "the parts of the loop with `torch.profiler.record_function(\"part\")`.")
				: TP_SAY0(doc,
					  "Therefore *record the rest*: capture whole steps with `with_stack=True`, "
					  "and name the parts of the loop with "
					  "`torch.profiler.record_function(\"part\")`.")),
	};
}

/* Share of steps in which the device waits for the host, as the finding has it. */
static double
host_share(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	return c != NULL ? tp_torch_step_share(c, c->bound_ps) : NAN;
}

/* Copies of pinned memory are no finding; they are watched. */
static struct tp_verdict_text
copy_bound(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	const struct tp_finding_result *pageable)
{
	bool open = pageable != NULL && pageable->status == TP_FINDING_OPEN;

	return (struct tp_verdict_text){
		.verdict.judge = open ? pageable->severity : TP_JUDGE_WARN,
		.verdict.finding = open ? TP_S("TPR-PIN-001") : TP_S(""),
		.steps_are = "bound by copies",
		.verdict.saw = TP_SAY(doc, "for {} of step time the device only copies or fills memory",
			share(s->copy_mean_ps / s->time.mean)),
		.verdict.consequence =
			tp_say_speedup(doc, "without that, steps would be", s->copy_mean_ps / s->time.mean),
		.because = TP_SAY(doc,
			"Because for {} of the {} step a copy runs and no kernel does. Therefore *overlap copies "
			"with kernels*: `pin_memory=True`, `.to(device, non_blocking=True)`; see "
			"[Findings](#findings).",
			tp_ps_in_ms(s->copy_mean_ps), tp_say_step(ctx, s)),
	};
}

/* The kernel with most time that is no collective: those wait for others, and no work on them makes them faster. */
static const struct tp_kernel_sum *
longest_computing(const struct tp_kernels *k)
{
	for (size_t i = 0; i < k->sum_count; i++) {
		if (!tp_kernel_is_collective(k->sums[i].short_name))
			return &k->sums[i];
	}
	return NULL;
}

/* "make kernels faster, beginning with `ampere_sgemm` (13 % of kernel time)"; what tensor cores could do comes first. */
static struct tp_text
faster_kernels(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_kernels *k = tp_result(ctx, &tp_pass_kernels);
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	if (c != NULL && c->kernel_ps > 0 &&
		(double)c->unused_ps >= TP_TORCH_UNUSED_SHARE * (double)c->kernel_ps)
		return TP_SAY(doc,
			"*use mixed precision*: {} of kernel time is matmuls and convolutions without tensor "
			"cores; see [Findings](#findings).",
			share((double)c->unused_ps / (double)c->kernel_ps));
	const struct tp_kernel_sum *first = k != NULL ? longest_computing(k) : NULL;

	if (first == NULL)
		return TP_SAY0(doc, "make kernels faster.");
	return TP_SAY(doc, "make [kernels](#kernels) faster, starting with `{}` ({} of kernel time).",
		tp_text_value(tp_utf8_shorten(ctx->keep, first->short_name, FITS)),
		tp_share((double)first->total_ps, (double)k->total_ps, TP_S("kernels take no time")));
}

/* What the bar draws as computation, and beside it the kernels of collectives: GPUs are busy with both. */
static struct tp_text
kernels_run(struct tp_doc *doc, const struct tp_steps *s, double kernel_ps)
{
	double talk_ps = s->class_mean_ps[TP_CLASS_COLLECTIVE] + s->class_mean_ps[TP_CLASS_SEND_RECV];

	return talk_ps > 0
		? TP_SAY(doc, "kernels compute for {} of step time, collectives run for {}",
			  share(kernel_ps / s->time.mean), share(talk_ps / s->time.mean))
		: TP_SAY(doc, "kernels run for {} of step time", share(kernel_ps / s->time.mean));
}

/* Kernels are there, but no call in a step launched one: how long the GPU waits for the host is unknown, and may be what the
 * step is bound by. */
static struct tp_verdict_text
launches_unknown(struct tp_doc *doc, const struct tp_steps *s, double kernel_ps)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "GPU waits unknown:"),
		.verdict.saw = kernels_run(doc, s, kernel_ps),
		.verdict.consequence =
			TP_SAY0(doc, "whether the GPU waits for the host in the rest is unknown."),
		.because = TP_SAY0(doc,
			"Because no call within a step launched device work. Therefore *capture again* with "
			"both `ProfilerActivity.CPU` and `ProfilerActivity.CUDA`, after a warm-up: "
			"`schedule(wait=1, warmup=1, active=3)`."),
	};
}

/* Between two shares that are told beside each other. */
#define WORTH_TELLING_SHARE 0.005

static struct tp_verdict_text
compute_bound(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	double kernel_ps = s->class_mean_ps[TP_CLASS_COMPUTE] - s->copy_mean_ps;
	double waits = host_share(ctx);
	/* As the bar of classes draws it. */
	double idle = 1 -
		(s->class_mean_ps[TP_CLASS_COMPUTE] + s->class_mean_ps[TP_CLASS_COLLECTIVE] +
			s->class_mean_ps[TP_CLASS_SEND_RECV]) /
			s->time.mean;

	if (isnan(waits) && 1 - kernel_ps / s->time.mean >= UNKNOWN_SHARE)
		return launches_unknown(doc, s, kernel_ps);
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_GOOD,
		.steps_are = "compute-bound",
		.verdict.saw = kernels_run(doc, s, kernel_ps),
		.verdict.consequence = isnan(waits)
			? TP_SAY0(doc, "how long the GPU waits for the host is unknown.")
			: idle - waits >= WORTH_TELLING_SHARE
			? TP_SAY(doc, "the GPU is idle for {}, for {} because it waits for the host.",
				  share(idle), share(waits))
			: TP_SAY(doc, "the GPU waits for the host for {}.", share(waits)),
		.because = tp_doc_join(doc,
			TP_SAY(doc, "Because kernels take {} of the {} step. Therefore ",
				tp_ps_in_ms(kernel_ps), tp_say_step(ctx, s)),
			faster_kernels(ctx, doc)),
	};
}

/* "make operators faster, beginning with `aten::mm` (13 % of their host time);" */
static struct tp_text
first_operator(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_torch_ops *o = tp_result(ctx, &tp_pass_torch_ops);
	uint32_t i = 0;

	/* What a collective takes is mostly waiting, and the next part of the sentence is about it. */
	while (o != NULL && i < o->name_count && tp_torch_op_communicates(o->by_name[i].name))
		i++;
	if (o == NULL || i == o->name_count || o->by_name[i].name.len > FITS)
		return TP_SAY0(doc, "*make [operators](#operations) faster*;");
	return TP_SAY(doc,
		"*make operators faster*, starting with `{}` ({} of their time, see "
		"[Operators](#operations));",
		tp_text_value(o->by_name[i].name),
		tp_share((double)o->by_name[i].sums.host_self_ps, (double)tp_torch_op_whole_ps(o),
			TP_S("operators take no time")));
}

/* "Because 31.6 ms of a 257 ms step is in operators and named ranges, 221 ms in collectives, and 4.82 ms in none of these. …" */
static struct tp_text
parts_of_cpu_step(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	bool launched = c != NULL && tp_torch_comm_unmeasured(c);
	const struct {
		enum tp_class class;
		const char *said;
	} parts[] = {
		{TP_CLASS_COLLECTIVE, launched ? "{} launching collectives, " : "{} in collectives, "},
		{TP_CLASS_INPUT_WAIT, "{} waiting for the DataLoader, "}};
	struct tp_text said =
		TP_SAY(doc, "Because {} of the {} step is in operators and named ranges, ",
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_HOST_COMPUTE]), tp_say_step(ctx, s));

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (s->class_mean_ps[parts[i].class] > 0)
			TP_SAY_MORE(doc, said, parts[i].said, tp_ps_in_ms(s->class_mean_ps[parts[i].class]));
	}
	return tp_doc_join(doc, said,
		TP_SAY(doc, "and {} in none of these. Therefore ",
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER])));
}

/* Of a device nothing is known. */
static struct tp_verdict_text
cpu_run(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "CPU run:"),
		.verdict.saw = TP_SAY(doc, "{} of step time is in operators and named ranges",
			share(tp_class_share(s, TP_CLASS_HOST_COMPUTE))),
		.verdict.consequence = TP_SAY0(doc, "no GPU was recorded."),
		.because = tp_doc_join(doc,
			tp_doc_join(doc, parts_of_cpu_step(ctx, doc, s), first_operator(ctx, doc)),
			TP_SAY0(doc, " if a GPU was in use, capture again with `ProfilerActivity.CUDA`, too.")),
	};
}

struct tp_verdict_text
tp_verdict_of_torch(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	const struct tp_finding_result *pageable)
{
	if (!shows_device(s))
		return cpu_run(ctx, doc, s);
	return s->copy_mean_ps >= COPY_SHARE * s->time.mean ? copy_bound(ctx, doc, s, pageable)
														: compute_bound(ctx, doc, s);
}

struct tp_verdict_text
tp_verdict_without_torch_steps(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_torch *torch = ctx->profile->torch;
	uint64_t events = 0, work = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];

		events += t->count;
		work += (uint64_t)t->kind_count[TP_TORCH_KERNEL] + t->kind_count[TP_TORCH_MEMCPY] +
			t->kind_count[TP_TORCH_MEMSET];
	}
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Step time unknown:"),
		.verdict.saw = events == 0
			? TP_SAY0(doc, "the traces hold no events")
			: TP_SAY(doc, "{} but no host operators were recorded",
				  work != 0
					  ? tp_say_number(ctx, work, "piece of device work", "pieces of device work")
					  : tp_say_number(ctx, events, "event", "events")),
		.verdict.consequence = TP_SAY0(doc, "what bounds a step is unknown."),
		.because = TP_SAY(doc,
			"Because {}. Therefore *capture again* with `ProfilerActivity.CPU` among the "
			"activities, and call `p.step()` after each step.",
			tp_text_value(tp_skipped(ctx, &tp_pass_steps))),
	};
}
