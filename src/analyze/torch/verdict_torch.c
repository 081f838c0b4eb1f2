#include "analyze/torch/verdict_torch.h"

#include "analyze/findings/verdict_class.h"
#include "analyze/findings/what_if.h"
#include "analyze/kernels/kernels.h"
#include "analyze/say.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "model/profile.h"
#include "model/torch.h"

/* From these shares of a step on it is bound by what takes it. Input: the thresholds of all other profiles. */
#define COMMUNICATION_SHARE 0.15
#define HOST_SHARE 0.20
#define COPY_SHARE 0.15

enum { FITS = 48 }; /* of a kernel's name in a sentence */

/* What a step can be bound by, apart from its kernels. */
enum bound {
	BOUND_INPUT,
	BOUND_WORKER,
	BOUND_COMMUNICATION,
	BOUND_HOST,
	BOUND_COPIES,
	BOUND_COUNT,
	BOUND_NONE
};

static struct tp_value
share(double number)
{
	return tp_number(number, TP_UNIT_SHARE);
}

/* Whether any trace could show what a device does. */
static bool
has_device(const struct tp_steps *s)
{
	return (s->given_classes & 1u << TP_CLASS_COMPUTE) != 0;
}

/* No kernel, copy or collective runs, and the program does not wait for a batch: the device waits for the host. */
static double
host_ps(const struct tp_steps *s)
{
	return s->class_mean_ps[TP_CLASS_LAUNCH] + s->class_mean_ps[TP_CLASS_HOST_COMPUTE] +
		s->class_mean_ps[TP_CLASS_OTHER];
}

/* What takes most of the step among that which takes enough of it to bound it. */
static enum bound
most_binding(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	double mean = s->time.mean;
	const struct {
		double share, from;
	} all[BOUND_COUNT] = {
		[BOUND_INPUT] = {tp_class_share(s, TP_CLASS_INPUT_WAIT), TP_INPUT_MODERATE_SHARE},
		[BOUND_WORKER] = {tp_torch_comm_late_share(ctx), TP_TORCH_LATE_HIGH_SHARE},
		[BOUND_COMMUNICATION] = {tp_torch_comm_exposed_share(ctx), COMMUNICATION_SHARE},
		[BOUND_HOST] = {has_device(s) ? host_ps(s) / mean : 0, HOST_SHARE},
		[BOUND_COPIES] = {s->copy_mean_ps / mean, COPY_SHARE},
	};
	enum bound most = BOUND_NONE;

	if (all[BOUND_INPUT].share >= TP_INPUT_HIGH_SHARE)
		return BOUND_INPUT;
	for (int b = 0; b < BOUND_COUNT; b++) {
		if (all[b].share >= all[b].from && (most == BOUND_NONE || all[b].share > all[most].share))
			most = (enum bound)b;
	}
	return most;
}

static struct tp_verdict_text
input_bound(struct tp_doc *doc, const struct tp_steps *s)
{
	bool high = tp_input_verdict(s) == TP_INPUT_HIGH;

	return (struct tp_verdict_text){
		.verdict.judge = high ? TP_JUDGE_BAD : TP_JUDGE_WARN,
		.verdict.name =
			high ? TP_SAY0(doc, "Input-bound (high):") : TP_SAY0(doc, "Input-bound (moderate):"),
		.verdict.saw = TP_SAY0(doc, "{input.wait_share} of each step waits for the DataLoader;"),
		.verdict.consequence = TP_SAY(doc, "hiding it would make steps at most {} faster.",
			tp_times_faster(tp_without_class_ps(s, TP_CLASS_INPUT_WAIT) / s->time.mean)),
		.because = TP_SAY(doc,
			"Because for {} of a {} step the program waits for its next batch and no device works. "
			"Therefore *load batches in other processes*: `num_workers` of the DataLoader; see "
			"[Findings](#findings).",
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_INPUT_WAIT]), tp_ps_in_ms(s->time.mean)),
	};
}

static struct tp_verdict_text
communication_bound(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	double exposed = tp_torch_comm_exposed_share(ctx);

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Communication-bound:"),
		.verdict.saw = TP_SAY(
			doc, "{} of each step is communication that no computation hides;", share(exposed)),
		.verdict.consequence =
			TP_SAY(doc, "hiding it would make steps at most {} faster.", tp_times_faster(exposed)),
		.because = TP_SAY(doc,
			"Because for {} of a {} step a collective runs and no computation does. Therefore "
			"*overlap it with the backward pass or send less*; see [Findings](#findings).",
			tp_ps_in_ms(tp_torch_comm_exposed_ps(ctx)),
			tp_ps_in_ms(tp_torch_comm_exposed_ps(ctx) / exposed)),
	};
}

static struct tp_verdict_text
held_up(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	double share = tp_torch_comm_late_share(ctx);

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Held up by a worker:"),
		.verdict.saw = TP_SAY0(doc,
			"{torch.comm.straggler.name} comes last to {torch.comm.last_share} of collectives;"),
		.verdict.consequence =
			TP_SAY(doc, "were it as early as the next, steps would be at most {} faster.",
				tp_times_faster(share)),
		.because = TP_SAY0(doc,
			"Because the others wait for it {torch.comm.straggler.wait_us} a step, of which they "
			"do "
			"not hide {torch.comm.straggler.cost_us}. Therefore *find out what it does longer*; "
			"see "
			"[Distributed](#distributed)."),
	};
}

static struct tp_verdict_text
host_bound(struct tp_doc *doc, const struct tp_steps *s)
{
	bool launches = s->class_mean_ps[TP_CLASS_LAUNCH] > host_ps(s) / 2;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = launches ? TP_SAY0(doc, "Launch-bound:") : TP_SAY0(doc, "Host-bound:"),
		.verdict.saw = TP_SAY(doc, "for {} of each step the GPU waits for the host;",
			share(host_ps(s) / s->time.mean)),
		.verdict.consequence = TP_SAY(doc,
			"a GPU that never waits would make steps at most {} "
			"faster.",
			tp_times_faster(host_ps(s) / s->time.mean)),
		.because = TP_SAY(doc,
			"Because in a {} step the host spends {} in calls of the runtime and {} in operators "
			"and Python, while no device works; {} more is not recorded. Therefore *give each "
			"launch more to do*: `torch.compile`, CUDA graphs, larger batches.",
			tp_ps_in_ms(s->time.mean), tp_ps_in_ms(s->class_mean_ps[TP_CLASS_LAUNCH]),
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_HOST_COMPUTE]),
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER])),
	};
}

static struct tp_verdict_text
copy_bound(struct tp_doc *doc, const struct tp_steps *s)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_BAD,
		.verdict.name = TP_SAY0(doc, "Bound by copies:"),
		.verdict.saw = TP_SAY(doc, "for {} of each step the device only copies or fills memory;",
			share(s->copy_mean_ps / s->time.mean)),
		.verdict.consequence = TP_SAY(doc, "without that steps would be at most {} faster.",
			tp_times_faster(s->copy_mean_ps / s->time.mean)),
		.because = TP_SAY(doc,
			"Because for {} of a {} step a copy runs and no kernel does. Therefore *copy beside "
			"the kernels*: `pin_memory=True`, `.to(device, non_blocking=True)`; see "
			"[Findings](#findings).",
			tp_ps_in_ms(s->copy_mean_ps), tp_ps_in_ms(s->time.mean)),
	};
}

/* "beginning with `ampere_sgemm` (13 % of kernel time)" */
static struct tp_text
first_kernel(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_kernels *k = tp_result(ctx, &tp_pass_kernels);

	if (k == NULL || k->sum_count == 0 || k->sums[0].short_name.len > FITS)
		return TP_SAY0(doc, "make kernels faster.");
	return TP_SAY(doc, "make [kernels](#kernels) faster, beginning with `{}` ({} of kernel time).",
		tp_text_value(k->sums[0].short_name),
		tp_share((double)k->sums[0].total_ps, (double)k->total_ps, TP_S("kernels take no time")));
}

static struct tp_verdict_text
compute_bound(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	double kernel_ps = s->class_mean_ps[TP_CLASS_COMPUTE] - s->copy_mean_ps;

	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_GOOD,
		.verdict.name = TP_SAY0(doc, "Compute-bound:"),
		.verdict.saw =
			TP_SAY(doc, "kernels run for {} of each step;", share(kernel_ps / s->time.mean)),
		.verdict.consequence =
			TP_SAY(doc, "the GPU waits for the host {} of it.", share(host_ps(s) / s->time.mean)),
		.because = tp_doc_join(doc,
			TP_SAY(doc, "Because {} of a {} step is kernels. Therefore ", tp_ps_in_ms(kernel_ps),
				tp_ps_in_ms(s->time.mean)),
			first_kernel(ctx, doc)),
	};
}

/* What takes most of the host's time is in the section on operators; of a device nothing is known. */
static struct tp_verdict_text
cpu_run(struct tp_doc *doc, const struct tp_steps *s)
{
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "CPU run:"),
		.verdict.saw = TP_SAY(doc, "{} of each step computes on the host;",
			share(tp_class_share(s, TP_CLASS_HOST_COMPUTE))),
		.verdict.consequence = TP_SAY0(doc, "no GPU was recorded, so nothing is said of one."),
		.because = TP_SAY(doc,
			"Because in a {} step {} is in operators and Python, {} waits for the DataLoader and "
			"{} is not recorded. Therefore *make operators faster*; if a GPU was in use, capture "
			"again with `activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`.",
			tp_ps_in_ms(s->time.mean), tp_ps_in_ms(s->class_mean_ps[TP_CLASS_HOST_COMPUTE]),
			s->input_recorded ? tp_ps_in_ms(s->class_mean_ps[TP_CLASS_INPUT_WAIT])
							  : tp_missing(tp_steps_input_unseen(s)),
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_OTHER])),
	};
}

struct tp_verdict_text
tp_verdict_of_torch(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	switch (most_binding(ctx, s)) {
	case BOUND_INPUT:
		return input_bound(doc, s);
	case BOUND_WORKER:
		return held_up(ctx, doc);
	case BOUND_COMMUNICATION:
		return communication_bound(ctx, doc);
	case BOUND_HOST:
		return host_bound(doc, s);
	case BOUND_COPIES:
		return copy_bound(doc, s);
	case BOUND_COUNT:
	case BOUND_NONE:
		break;
	}
	return has_device(s) ? compute_bound(ctx, doc, s) : cpu_run(doc, s);
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
			? TP_SAY0(doc, "the traces hold no event;")
			: TP_SAY(doc, "{} and no operator of the host were recorded;",
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
