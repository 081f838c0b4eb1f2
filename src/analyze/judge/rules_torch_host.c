/* Rules on devices of PyTorch runs that wait: for launches, for work that stands still, for set-up, after the host waited for
 * them, and for pageable copies; and on gradients that are set to 0. They are ours; torch-tb-profiler has none. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/judge/verdict_torch.h"
#include "analyze/judge/what_if.h"
#include "analyze/llm/serving.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/costs/torch_costs.h"
#include "base/arena.h"
#include "model/profile.h"

#include <inttypes.h>
#include <math.h>

static void
host_bound(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (tp_rule_on_torch_device(e, r))
		tp_rule_step_share(e, r, tp_torch_step_share(e->torch, e->torch->bound_ps));
}

/* It may be work that the trace lacks: then nothing is to be saved. */
static void
queued(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (tp_rule_on_torch_device(e, r))
		tp_rule_decide(r, tp_torch_step_share(e->torch, e->torch->queued_ps), NAN);
}

/* A pinned copy runs beside kernels: at most what copies take alone is saved. */
static void
pageable(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_on_torch_device(e, r))
		return;
	if (e->torch->host_copies == 0) {
		tp_rule_not_applicable(r, "no step copies between host and device");
		return;
	}
	if (e->torch->told_copies == 0) {
		tp_rule_undecided(r, TP_S("the trace does not say whether copies use pinned host memory"));
		return;
	}
	double share = tp_torch_step_share(e->torch, e->torch->pageable_ps);

	tp_rule_decide(
		r, share, e->steps ? tp_smaller(share * e->steps->time.mean, e->steps->copy_mean_ps) : NAN);
}

static void
setting_up(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (tp_rule_on_torch_device(e, r))
		tp_rule_step_share(e, r, tp_torch_step_share(e->torch, e->torch->setup_ps));
}

static void
setup_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	TP_SAY_MORE(doc, finding->saw, " The largest part is in `{}`: {} over all steps.",
		tp_text_value(c->setup_most), tp_number((double)c->setup_most_ps / 1e9, TP_UNIT_MS));
}

/* The device may also be idle because of set-up or input, which have findings of their own: at most what it waits for the host is
 * saved. */
static void
waits(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!tp_rule_on_torch_device(e, r))
		return;
	double share = tp_torch_step_share(e->torch, e->torch->drained_ps);
	double bound = tp_torch_step_share(e->torch, e->torch->bound_ps);

	tp_rule_decide(
		r, share, e->steps != NULL ? tp_smaller(share, bound) * e->steps->time.mean : NAN);
}

/* Where the trace does not tell what the host does, launches are not what to begin with. */
static void
advise_to_record(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	finding->title = TP_SAY(doc,
		"The GPU waits for the host for {} of step time; what the host does is mostly not recorded",
		finding->measured);
	finding->brief =
		TP_SAY0(doc, "Record what the host does: most of a step is outside operators and calls.");
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		tp_torch_python_recorded(ctx->profile->torch)
			? TP_SAY0(doc,
				  "Python functions are in the trace: the timeline shows which run between "
				  "operators.")
			: TP_SAY0(doc,
				  "Capture whole steps with `with_stack=True` to record Python functions too."));
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc, "Name parts of the loop: `with torch.profiler.record_function(\"part\")`."));
}

/* " A step has 12 kernels"; fewer than one a step are counted over all. */
static struct tp_value
kernels_of_steps(const struct tp_pass_ctx *ctx, const struct tp_torch_costs *c)
{
	char steps[TP_VALUE_BUF], a_step[TP_VALUE_BUF];
	struct tp_slice of = tp_value_text(tp_count(c->step_count), steps);
	struct tp_slice mean =
		tp_value_text(tp_number((double)c->kernels / c->step_count, TP_UNIT_COUNT), a_step);

	if (c->kernels < c->step_count)
		return tp_text_value(tp_arena_printf(ctx->keep, " %.*s steps have %" PRIu64 " %s",
			TP_ARG(of), c->kernels, c->kernels == 1 ? "kernel" : "kernels"));
	return tp_text_value(tp_arena_printf(ctx->keep, " A step has %.*s %s", TP_ARG(mean),
		c->kernels == c->step_count ? "kernel" : "kernels"));
}

/* ", which is", "; all are", "; none is", "; 27.8 % are": shorter than a launch. */
static struct tp_value
how_many_are_short(const struct tp_pass_ctx *ctx, const struct tp_torch_costs *c)
{
	/* "3 steps have 1 kernel", "A step has 1 kernel" */
	bool one = c->kernels == 1 || c->kernels == c->step_count;
	struct tp_value share = tp_share((double)c->short_kernels, (double)c->kernels, TP_S(""));
	char text[TP_VALUE_BUF];

	if (c->short_kernels == c->kernels)
		return tp_text_value(one ? TP_S(", which is") : TP_S("; all are"));
	if (c->short_kernels == 0)
		return tp_text_value(one ? TP_S(", which is not") : TP_S("; none is"));
	return tp_text_value(
		tp_arena_printf(ctx->keep, "; %.*s are", TP_ARG(tp_value_text(share, text))));
}

/* What the host does while devices wait for it. */
static void
say_meanwhile(struct tp_doc *doc, const struct tp_torch_costs *c, const struct tp_steps *s,
	struct tp_finding *finding)
{
	double neither_ps = c->bound_ps - c->calls_ps - c->operators_ps;

	TP_SAY_MORE(doc, finding->saw,
		" Meanwhile the host is in runtime calls for {}, in operators and named ranges for {}",
		tp_ps_in_ms(tp_torch_step_share(c, c->calls_ps) * s->time.mean),
		tp_ps_in_ms(tp_torch_step_share(c, c->operators_ps) * s->time.mean));
	if (neither_ps > 0)
		TP_SAY_MORE(doc, finding->saw, ", in neither for {}",
			tp_ps_in_ms(tp_torch_step_share(c, neither_ps) * s->time.mean));
	finding->saw = tp_doc_join(doc, finding->saw, TP_SAY0(doc, "."));
}

/* Where requests are answered there is no optimizer. */
static void
advise_to_serve(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"Let the engine replay CUDA graphs: without `--enforce-eager` in vLLM, without "
			"`--disable-cuda-graph` in SGLang."));
	tp_rule_add_action(
		ctx, finding, TP_SAY0(doc, "Serve more requests at a time so that each kernel does more."));
}

static void
host_bound_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s != NULL && tp_torch_mostly_unrecorded(s))
		advise_to_record(ctx, doc, finding);
	else if (tp_result(ctx, &tp_pass_serving) != NULL)
		advise_to_serve(ctx, doc, finding);
	if (s != NULL && c->bound_ps > 0)
		say_meanwhile(doc, c, s, finding);
	if (c->step_count == 0 || c->kernels == 0)
		return;
	struct tp_value kernels = kernels_of_steps(ctx, c);

	if (c->graph_kernels != 0)
		TP_SAY_MORE(doc, finding->saw, "{}, {} of them in CUDA graphs.", kernels,
			tp_number((double)c->graph_kernels / c->step_count, TP_UNIT_COUNT));
	else if (c->launch_ps != 0)
		TP_SAY_MORE(doc, finding->saw, "{}{} shorter than the {} that a launch takes.", kernels,
			how_many_are_short(ctx, c), tp_number((double)c->launch_ps / 1e6, TP_UNIT_US));
}

static void
pageable_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	struct tp_value copies = tp_say_number(ctx, c->pageable_copies, "copy", "copies");

	if (c->pageable_bytes == 0)
		TP_SAY_MORE(
			doc, finding->saw, " {}; the profile does not say how many bytes they copy.", copies);
	else
		TP_SAY_MORE(doc, finding->saw, " {} moved {}.", copies,
			tp_integer(c->pageable_bytes, TP_UNIT_BYTES));
}

static void
waits_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	TP_SAY_MORE(doc, finding->saw,
		" Within steps {} for the device, {} in total; then the device has nothing to do until the "
		"next launch reaches it.",
		tp_say_number(ctx, c->waits, "host call waits", "host calls wait"),
		tp_number((double)c->wait_ps / 1e9, TP_UNIT_MS));
	if (c->waits_most.len != 0)
		TP_SAY_MORE(doc, finding->saw, " Most of that idle time follows `{}`.",
			tp_text_value(c->waits_most));
	if (c->drained_ps > c->bound_ps)
		TP_SAY_MORE(doc, finding->saw,
			" Not saved here: {} of step time that is also set-up or waiting for input.",
			tp_number(tp_torch_step_share(c, c->drained_ps - c->bound_ps), TP_UNIT_SHARE));
}

static void
zero_grad(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->torch == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_torch_costs));
	else if (!e->torch->zero_grad_recorded)
		tp_rule_not_applicable(r, "no trace holds a call of Optimizer.zero_grad");
	else if (e->torch->zero_grads == 0)
		tp_rule_undecided(r, TP_S("no step holds a call of Optimizer.zero_grad"));
	else
		tp_rule_step_share(e, r, e->torch->zero_ps / e->torch->zero_step_ps);
}

static void
zero_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	TP_SAY_MORE(doc, finding->saw, " {} in {} of `zero_grad`.",
		tp_say_number(ctx, c->zero_fills, "operator fills", "operators fill"),
		tp_say_number(ctx, c->zero_grads, "call", "calls"));
}

static struct tp_verdict_text
host_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	if (s == NULL)
		return (struct tp_verdict_text){0};
	if (tp_torch_mostly_unrecorded(s))
		return tp_verdict_torch_unrecorded(ctx, doc, s);
	double of_step = r->measured;
	/* What the host does while devices wait for it. */
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);
	double calls = tp_torch_step_share(c, c->calls_ps);
	double operators = tp_torch_step_share(c, c->operators_ps);
	double neither = tp_torch_step_share(c, c->bound_ps - c->calls_ps - c->operators_ps);
	bool launches = calls > of_step / 2;
	/* In words: the bar shows how long that is in all, whoever waits. */
	const char *mostly = calls >= operators && calls >= neither ? "is in runtime calls"
		: operators >= neither                                  ? "is in operators and named ranges"
																: "is outside operators and calls";

	return (struct tp_verdict_text){
		.steps_are = launches ? "launch-bound" : "host-bound",
		.verdict.saw = TP_SAY(doc, "the GPU waits for the host for {} of step time",
			tp_number(of_step, TP_UNIT_SHARE)),
		.verdict.consequence = tp_say_speedup(
			doc, "a GPU that never waits would make steps", tp_removable_share(r, s)),
		.because = TP_SAY(doc,
			"Because the GPU waits for {} of the {} step, mostly while the host {}. Therefore *give each "
			"launch more to do*: `torch.compile`, CUDA graphs, larger batches.",
			tp_ps_in_ms(of_step * s->time.mean), tp_say_step(ctx, s),
			tp_text_value(tp_slice_of(mostly))),
	};
}

/* Not what the program does in each step. */
static struct tp_verdict_text
setup_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);
	double of_step = r->measured;

	if (s == NULL)
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.steps_are = "bound by set-up",
		.verdict.saw = TP_SAY(doc, "for {} of step time the host sets up the device",
			tp_number(of_step, TP_UNIT_SHARE)),
		.verdict.consequence =
			tp_say_speedup(doc, "without it, steps would be", tp_removable_share(r, s)),
		.because = TP_SAY(doc,
			"Because for {} of the {} step no device works and the host is in calls like `{}`. "
			"Therefore *profile steps after a warm-up*: `schedule(wait=1, warmup=3, active=3)`.",
			tp_ps_in_ms(of_step * s->time.mean), tp_say_step(ctx, s), tp_text_value(c->setup_most)),
	};
}

/* Not the host's fault, and no more is known. */
static struct tp_verdict_text
queued_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	double of_step = r->measured;

	if (s == NULL)
		return (struct tp_verdict_text){0};
	return (struct tp_verdict_text){
		.verdict.judge = TP_JUDGE_UNDECIDED,
		.verdict.name = TP_SAY0(doc, "Device idle with work queued:"),
		.verdict.saw =
			TP_SAY(doc, "for {} of step time work is queued and no device work is recorded",
				tp_number(of_step, TP_UNIT_SHARE)),
		.verdict.consequence = TP_SAY0(doc, "the trace does not show what it waits for."),
		.because = TP_SAY(doc,
			"Because for {} of the {} step the next kernel or copy had been launched more than 0.1 "
			"ms earlier. Therefore *see what holds the device*: work from before the capture or "
			"another process, or a graph upload; see [Findings](#findings).",
			tp_ps_in_ms(of_step * s->time.mean), tp_say_step(ctx, s)),
	};
}

const struct tp_finding_rule tp_rules_torch_host[] = {
	{
		.info = {"TPR-HOST-001", "The GPU waits for the host", "step time", 0.20, 0.10, false,
			TP_HUE_HOST},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED,
		.holds = "TPR-LOAD-001", /* calls for a batch are named ranges */
		.evaluate = host_bound,
		.verdict = host_verdict,
		.title = "The GPU waits for the host for {} of step time",
		.passed = "the GPU waits for the host for {} of step time (limit {})",
		.any = {"Launch fewer, larger kernels: `torch.compile`, or CUDA graphs.",
			{"`torch.compile(model, mode=\"reduce-overhead\")` fuses kernels and replays them as a "
			 "CUDA graph.",
				"Use fused or `foreach=True` optimisers: one launch instead of one per parameter.",
				"Raise the batch size so that each kernel does more."}},
		.check = "`torch.host_bound_share` below {}",
		.evidence = "[Steps](#steps) · [GPUs](#gpus)",
		.particulars = host_bound_particulars,
	},
	{
		.info = {"TPR-QUEUE-001", "Device idle with work queued", "step time", 0.20, 0.10, false,
			TP_HUE_COMPILE},
		.scope = TP_RULE_OF_TORCH,
		.evaluate = queued,
		.verdict = queued_verdict,
		.title = "For {} of step time work is queued and no device work is recorded",
		.passed = "for {} of step time work is queued and no device work is recorded (limit {})",
		.any = {"See what the device waits for; the trace does not show it.",
			{"Other work may occupy the device: from before the capture, from another process (`nvidia-smi`, "
			 "`rocm-smi`), or filtered out of the trace. Capture with a warm-up: "
			 "`schedule(wait=1, warmup=2, active=3)`.",
				"The first replay of a CUDA graph uploads it: replay it once before the capture.",
				"A kernel may wait for an event on another stream: look at `wait_event` and "
				"`wait_stream`."}},
		.check = "`torch.queued_share` below {}",
		.evidence = "[Steps](#steps) · [GPUs](#gpus)",
		.unbounded =
			"The host launched that work in time. The trace does not show whether the device is "
			"working or waiting, nor what could be saved.",
	},
	{
		.info = {"TPR-SETUP-001", "Device set-up", "step time", 0.20, 0.05, false, TP_HUE_COMPILE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_SETUP,
		.evaluate = setting_up,
		.verdict = setup_verdict,
		.title = "Device set-up takes {} of step time",
		.passed = "device set-up takes {} of step time (limit {})",
		.any = {"Measure steps after a warm-up, and allocate nothing in them.",
			{"The first steps create the context, load kernels and allocate memory: skip them with "
			 "`schedule(wait=1, warmup=3, active=3)`.",
				"`cudaMalloc` and `cudaFree` in later steps come from changing shapes: set "
				"`PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`, and call no "
				"`torch.cuda.empty_cache()` in the loop."}},
		.check = "`torch.setup_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = setup_particulars,
	},
	{
		.info = {"TPR-SYNC-001", "Idle after host syncs", "step time", 0.15, 0.03, false,
			TP_HUE_HOST},
		.scope = TP_RULE_OF_TORCH,
		/* The host may also sync while it sets up a device. */
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED | TP_SAVED_SETUP,
		.part_of = "TPR-HOST-001",
		.evaluate = waits,
		.title = "After host syncs the device is idle for {} of step time",
		.passed = "after host syncs the device is idle for {} of a step (limit {})",
		.any = {"Do not read values from the device inside the step.",
			{"`loss.item()`, `print(loss)`, `.cpu()`, `if tensor:` and indexing by a mask "
			 "synchronise: do them every hundred steps, or keep the value on the device.",
				"Find these calls: `torch.cuda.set_sync_debug_mode(\"warn\")`."}},
		.check = "`torch.drained_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = waits_particulars,
	},
	{
		.info = {"TPR-PIN-001", "Copies from or to pageable memory", "step time", 0.10, 0.01, false,
			TP_HUE_MEMORY},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COPY,
		.evaluate = pageable,
		.title = "Copies between pageable memory and the GPU take {} of step time",
		.passed = "copies of pageable memory take {} of step time (limit {})",
		.any = {"Pin the memory of batches, and overlap copies with the step.",
			{"`DataLoader(pin_memory=True)`, then `batch.to(device, non_blocking=True)`.",
				"Create tensors directly on the device: `torch.zeros(…, device=device)`."}},
		.check = "`torch.pageable_copy_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = pageable_particulars,
	},
	{
		.info = {"TPR-ZERO-001", "Zeroing gradients", "step time", 0.05, 0.01, false,
			TP_HUE_MEMORY},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED | TP_SAVED_ARITHMETIC,
		.evaluate = zero_grad,
		.title = "Zeroing gradients takes {} of step time",
		.passed = "filling gradients with zeros takes {} of step time (limit {})",
		.any = {"Set gradients to `None` instead of zeroing them.",
			{"`optimizer.zero_grad(set_to_none=True)`, the default from torch 2.0 on: the next "
			 "backward pass then writes gradients instead of adding to zeros.",
				"Code that reads `.grad` before the backward pass must expect `None`."}},
		.check = "`torch.zero_grad_share` below {}",
		.evidence = "[Steps](#steps)",
		.particulars = zero_particulars,
	},
	{.evaluate = NULL},
};
