#include "analyze/judge/verdict_torch.h"

#include "analyze/core/say.h"
#include "analyze/judge/rule.h"
#include "analyze/judge/verdict_finding.h"
#include "analyze/kernels/kernels.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch/operators/torch_ops.h"
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

/* Share of steps in which the device waits for the host, as the finding has it. */
static double
host_share(const struct tp_pass_ctx *ctx)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	return c != NULL ? tp_torch_step_share(c, c->bound_ps) : NAN;
}

struct tp_verdict_text
tp_verdict_data_loader(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	bool high = r->severity == TP_JUDGE_BAD;

	return (struct tp_verdict_text){
		.verdict.judge = r->severity,
		.verdict.name =
			high ? TP_SAY0(doc, "Input-bound (high):") : TP_SAY0(doc, "Input-bound (moderate):"),
		.likely = high ? TP_SAY0(doc, "Likely input-bound (high):")
					   : TP_SAY0(doc, "Likely input-bound (moderate):"),
		.verdict.saw = TP_SAY0(doc, "{input.wait_share} of each step waits for the DataLoader"),
		.verdict.consequence =
			tp_say_speedup(doc, "hiding it would make steps", tp_removable_share(r, s)),
		.because = TP_SAY(doc,
			"Because for {} of a {} step the program waits for its next batch and no device works. "
			"Therefore *load batches in other processes*: `num_workers` of the DataLoader; see "
			"[Findings](#findings).",
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_INPUT_WAIT]), tp_ps_in_ms(s->time.mean)),
	};
}

struct tp_verdict_text
tp_verdict_communication(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	double exposed = r->measured;

	if (r->severity != TP_JUDGE_BAD)
		return (struct tp_verdict_text){0};
	struct tp_verdict_text text = {
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Communication-bound:"),
		.likely = TP_SAY0(doc, "Likely communication-bound:"),
		.verdict.saw = TP_SAY(
			doc, "{} of each step is communication that no computation hides", share(exposed)),
		.verdict.consequence = tp_say_speedup(doc, "hiding it would make steps", exposed),
		.because = TP_SAY(doc,
			"Because for {} of a {} step a collective runs and no computation does. Therefore "
			"*overlap it with the backward pass or send less*; see [Findings](#findings).",
			tp_ps_in_ms(tp_torch_comm_exposed_ps(ctx, c)),
			tp_ps_in_ms(tp_torch_comm_exposed_ps(ctx, c) / exposed)),
	};

	if (tp_torch_comm_absent(c) != 0)
		text.because = tp_doc_join(doc, text.because,
			TP_SAY(doc, " How much of it is waiting, the traces of the other {} would tell.",
				tp_say_number(ctx, (size_t)tp_torch_comm_absent(c), "worker", "workers")));
	return text;
}

struct tp_verdict_text
tp_verdict_late_worker(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	(void)ctx;
	if (r->severity != TP_JUDGE_BAD)
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Held up by a worker:"),
		.likely = TP_SAY0(doc, "Likely held up by a worker:"),
		.verdict.saw = TP_SAY0(doc,
			"{torch.comm.straggler.name} comes last to {torch.comm.last_share} of collectives"),
		.verdict.consequence =
			tp_say_speedup(doc, "were it as early as the next, steps would be", r->measured),
		.because = TP_SAY0(doc,
			"Because the others wait for it {torch.comm.straggler.wait_us} a step, of which they "
			"do not hide {torch.comm.straggler.cost_us}. Therefore *find out what it does longer*; "
			"see [Distributed](#distributed)."),
	};
}

struct tp_verdict_text
tp_verdict_host(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (r->severity != TP_JUDGE_BAD || s == NULL)
		return (struct tp_verdict_text){0};
	if (tp_torch_mostly_unrecorded(s))
		return tp_verdict_torch_unrecorded(ctx, doc, s);
	double of_step = r->measured, step_ps = s->time.mean;
	/* What the host does while devices wait for it. */
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);
	double calls = tp_torch_step_share(c, c->calls_ps);
	double operators = tp_torch_step_share(c, c->operators_ps);
	double neither = tp_torch_step_share(c, c->bound_ps - c->calls_ps - c->operators_ps);
	bool launches = calls > of_step / 2;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = launches ? TP_SAY0(doc, "Launch-bound:") : TP_SAY0(doc, "Host-bound:"),
		.likely =
			launches ? TP_SAY0(doc, "Likely launch-bound:") : TP_SAY0(doc, "Likely host-bound:"),
		.verdict.saw =
			TP_SAY(doc, "for {} of each step the GPU waits for the host", share(of_step)),
		.verdict.consequence =
			tp_say_speedup(doc, "a GPU that never waits would make steps", of_step),
		.because = TP_SAY(doc,
			"Because it waits {} of a {} step: {} while the host is in calls of the runtime, {} in "
			"operators and named ranges, {} in none of these. Therefore *give each launch more to "
			"do*: `torch.compile`, CUDA graphs, larger batches.",
			tp_ps_in_ms(of_step * step_ps), tp_ps_in_ms(step_ps), tp_ps_in_ms(calls * step_ps),
			tp_ps_in_ms(operators * step_ps), tp_ps_in_ms(neither * step_ps)),
	};
}

/* Not what the program does in each step. */
struct tp_verdict_text
tp_verdict_setup(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);
	double of_step = r->measured;

	if (r->severity != TP_JUDGE_BAD || s == NULL)
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Bound by set-up:"),
		.likely = TP_SAY0(doc, "Likely bound by set-up:"),
		.verdict.saw =
			TP_SAY(doc, "for {} of each step the host sets the device up", share(of_step)),
		.verdict.consequence = tp_say_speedup(doc, "steps without that would be", of_step),
		.because = TP_SAY(doc,
			"Because for {} of a {} step no device works and the host is in calls like `{}`. "
			"Therefore *profile steps after a warm-up*: `schedule(wait=1, warmup=3, active=3)`.",
			tp_ps_in_ms(of_step * s->time.mean), tp_ps_in_ms(s->time.mean),
			tp_text_value(c->setup_most)),
	};
}

/* Not the host's fault, and no more is known. */
struct tp_verdict_text
tp_verdict_queued(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	double of_step = r->measured;

	if (r->severity != TP_JUDGE_BAD || s == NULL)
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Launched work stands still:"),
		.verdict.saw =
			TP_SAY(doc, "for {} of each step a launch waits, and no device works", share(of_step)),
		.verdict.consequence = TP_SAY0(doc, "for what, the trace does not hold."),
		.because = TP_SAY(doc,
			"Because for {} of a {} step the next kernel or copy was launched more than 0.1 ms "
			"before. Therefore *see what holds the device*: work of before the capture or of "
			"another process, the upload of a graph; see [Findings](#findings).",
			tp_ps_in_ms(of_step * s->time.mean), tp_ps_in_ms(s->time.mean)),
	};
}

static struct tp_verdict_text
copy_bound(struct tp_doc *doc, const struct tp_steps *s)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Bound by copies:"),
		.likely = TP_SAY0(doc, "Likely bound by copies:"),
		.verdict.saw = TP_SAY(doc, "for {} of each step the device only copies or fills memory",
			share(s->copy_mean_ps / s->time.mean)),
		.verdict.consequence =
			tp_say_speedup(doc, "without that steps would be", s->copy_mean_ps / s->time.mean),
		.because = TP_SAY(doc,
			"Because for {} of a {} step a copy runs and no kernel does. Therefore *copy beside "
			"the kernels*: `pin_memory=True`, `.to(device, non_blocking=True)`; see "
			"[Findings](#findings).",
			tp_ps_in_ms(s->copy_mean_ps), tp_ps_in_ms(s->time.mean)),
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
			"*use mixed precision*: {} of kernel time is products and convolutions without tensor "
			"cores; see [Findings](#findings).",
			share((double)c->unused_ps / (double)c->kernel_ps));
	const struct tp_kernel_sum *first = k != NULL ? longest_computing(k) : NULL;

	if (first == NULL || first->short_name.len > FITS)
		return TP_SAY0(doc, "make kernels faster.");
	return TP_SAY(doc, "make [kernels](#kernels) faster, beginning with `{}` ({} of kernel time).",
		tp_text_value(first->short_name),
		tp_share((double)first->total_ps, (double)k->total_ps, TP_S("kernels take no time")));
}

/* Kernels are there, but no call in a step launched one: how long the GPU waits for the host is unknown, and may be what the
 * step is bound by. */
static struct tp_verdict_text
launches_unknown(struct tp_doc *doc, const struct tp_steps *s, double kernel_ps)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Waits of the GPU unknown:"),
		.verdict.saw =
			TP_SAY(doc, "kernels run for {} of each step", share(kernel_ps / s->time.mean)),
		.verdict.consequence =
			TP_SAY0(doc, "whether the GPU waits for the host in the rest of it cannot be said."),
		.because = TP_SAY0(doc,
			"Because no call within a step launched work of a device. Therefore *capture again* "
			"with both `ProfilerActivity.CPU` and `ProfilerActivity.CUDA`, and a warm-up before: "
			"`schedule(wait=1, warmup=1, active=3)`."),
	};
}

static struct tp_verdict_text
compute_bound(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	double kernel_ps = s->class_mean_ps[TP_CLASS_COMPUTE] - s->copy_mean_ps;
	double waits = host_share(ctx);

	if (isnan(waits) && 1 - kernel_ps / s->time.mean >= UNKNOWN_SHARE)
		return launches_unknown(doc, s, kernel_ps);
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_GOOD,
		.verdict.name = TP_SAY0(doc, "Compute-bound:"),
		.likely = TP_SAY0(doc, "Likely compute-bound:"),
		.verdict.saw =
			TP_SAY(doc, "kernels run for {} of each step", share(kernel_ps / s->time.mean)),
		.verdict.consequence = isnan(waits)
			? TP_SAY0(doc, "how long the GPU waits for the host cannot be said.")
			: TP_SAY(doc, "the GPU waits for the host {} of it.", share(waits)),
		.because = tp_doc_join(doc,
			TP_SAY(doc, "Because {} of a {} step is kernels. Therefore ", tp_ps_in_ms(kernel_ps),
				tp_ps_in_ms(s->time.mean)),
			faster_kernels(ctx, doc)),
	};
}

/* "make operators faster, beginning with `aten::mm` (13 % of their host time);" */
static struct tp_text
first_operator(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_torch_ops *o = tp_result(ctx, &tp_pass_torch_ops);

	if (o == NULL || o->name_count == 0 || o->by_name[0].name.len > FITS)
		return TP_SAY0(doc, "*make [operators](#operations) faster*;");
	return TP_SAY(doc,
		"*make operators faster*, beginning with `{}` ({} of their time, see "
		"[Operators](#operations));",
		tp_text_value(o->by_name[0].name),
		tp_share((double)o->by_name[0].sums.host_self_ps, (double)tp_torch_op_whole_ps(o),
			TP_S("operators take no time")));
}

/* "Because of a 257 ms step 31.6 ms is in operators and named ranges, 221 ms in collectives and 4.82 ms in none of them. …" */
static struct tp_text
parts_of_cpu_step(struct tp_doc *doc, const struct tp_steps *s)
{
	static const struct {
		enum tp_class class;
		const char *said;
	} parts[] = {{TP_CLASS_COLLECTIVE, "{} in collectives, "},
		{TP_CLASS_INPUT_WAIT, "{} waiting for the DataLoader, "}};
	struct tp_text said = TP_SAY(doc, "Because of a {} step {} is in operators and named ranges, ",
		tp_ps_in_ms(s->time.mean), tp_ps_in_ms(s->class_mean_ps[TP_CLASS_HOST_COMPUTE]));

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (s->class_mean_ps[parts[i].class] > 0)
			said = tp_doc_join(doc, said,
				TP_SAY(doc, parts[i].said, tp_ps_in_ms(s->class_mean_ps[parts[i].class])));
	}
	return tp_doc_join(doc, said,
		TP_SAY(doc, "and {} in none of them. Therefore ",
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER])));
}

/* Of a device nothing is known. */
static struct tp_verdict_text
cpu_run(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "CPU run:"),
		.verdict.saw = TP_SAY(doc, "{} of each step is in operators and named ranges",
			share(tp_class_share(s, TP_CLASS_HOST_COMPUTE))),
		.verdict.consequence = TP_SAY0(doc, "no GPU was recorded, so nothing is said of one."),
		.because =
			tp_doc_join(doc, tp_doc_join(doc, parts_of_cpu_step(doc, s), first_operator(ctx, doc)),
				TP_SAY0(doc,
					" if a GPU was in use, capture again with `activities=[ProfilerActivity.CPU, "
					"ProfilerActivity.CUDA]`.")),
	};
}

struct tp_verdict_text
tp_verdict_of_torch(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	if (!tp_torch_shows_device(s))
		return cpu_run(ctx, doc, s);
	return s->copy_mean_ps >= COPY_SHARE * s->time.mean ? copy_bound(doc, s)
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
			? TP_SAY0(doc, "the traces hold no event")
			: TP_SAY(doc, "{} and no operator of the host were recorded",
				  work != 0
					  ? tp_say_number(ctx, work, "piece of device work", "pieces of device work")
					  : tp_say_number(ctx, events, "event", "events")),
		.verdict.consequence = TP_SAY0(doc, "what steps are bound by cannot be said."),
		.because = TP_SAY(doc,
			"Because {}. Therefore *capture again* with `ProfilerActivity.CPU` among the "
			"activities, and call `prof.step()` after each step.",
			tp_text_value(tp_skipped(ctx, &tp_pass_steps))),
	};
}
