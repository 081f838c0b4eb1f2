/* Rules on PyTorch runs. The seven recommendations of torch-tb-profiler (overall_run… advisor of run_generator.py) are here
 * with their thresholds, but of memory: DataLoader, DataParallel, DDP without NCCL, communication, utilisation, tensor cores.
 * What devices wait for is in rules_torch_host.c. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/torch_unrecorded.h"
#include "analyze/judge/exposed_comm.h"
#include "analyze/judge/what_if.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/costs/torch_costs.h"
#include "analyze/torch/gpus/torch_gpus.h"

#include <math.h>

#define COMMUNICATION_SHARE 0.10 /* torch-tb-profiler's */
#define UTILIZATION_SHARE 0.50   /* likewise */
#define LEAST_GAIN_SHARE 0.01    /* of a step */

/* Compute capability from which tensor cores take bf16 and TF32. */
enum { AMPERE_MAJOR = 8 };

/* Where no GPU is known: whether kernels were launched and not recorded, or there is none to speak of. */
static void
without_gpu(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	struct tp_slice unrecorded = tp_torch_unrecorded_reason(e->ctx);

	if (unrecorded.len != 0)
		tp_rule_undecided(r, unrecorded);
	else
		tp_rule_not_applicable(r, "no trace holds device work");
}

bool
tp_rule_on_torch_device(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->torch == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_torch_costs));
	else if (e->torch_gpus == NULL)
		without_gpu(e, r);
	else if (!(e->torch->step_ps > 0))
		tp_rule_undecided(r, TP_S("no call inside a step launched device work"));
	else
		return true;
	return false;
}

static void
data_loader(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->steps != NULL && !e->steps->shows_input)
		tp_rule_not_applicable(r, "no trace holds a DataLoader call for the next batch");
	else
		tp_rule_step_class(e, r, TP_CLASS_INPUT_WAIT);
}

static void
data_parallel(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->torch == NULL || !e->torch->data_parallel)
		tp_rule_not_applicable(r, "DataParallel is not in use");
	else if (e->torch->devices < 2)
		tp_rule_not_applicable(r, "DataParallel uses only one device");
	else if (tp_rule_on_torch_device(e, r))
		tp_rule_decide(r, tp_torch_step_share(e->torch, e->torch->data_parallel_ps), NAN);
}

/* Measured is what collectives take now: it is a finding whatever they take. */
static void
without_nccl(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_steps *s = e->steps;

	if (e->torch == NULL || !e->torch->ddp)
		tp_rule_not_applicable(r, "DistributedDataParallel is not in use");
	else if (e->torch->nccl)
		tp_rule_not_applicable(r, "NCCL (or RCCL) is in use");
	else if (!e->torch->nccl_capable)
		tp_rule_not_applicable(r, "no trace holds work on a GPU that NCCL could use");
	else if (!e->torch->collectives || s == NULL)
		tp_rule_undecided(r, TP_S("no trace holds a collective, so the library is unknown"));
	else
		tp_rule_decide(r, s->class_mean_ps[TP_CLASS_COLLECTIVE] / s->time.mean,
			tp_without_class_ps(s, TP_CLASS_COLLECTIVE));
}

static void
communication(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_torch_comm *c = tp_result(e->ctx, &tp_pass_torch_comm);
	double exposed_ps = tp_torch_comm_exposed_ps(c);

	if (c == NULL) {
		r->status = TP_FINDING_NOT_APPLICABLE;
		r->reason = tp_skipped(e->ctx, &tp_pass_torch_comm);
	} else if (c->calls == 0)
		tp_rule_not_applicable(r, "no trace holds a collective");
	else if (tp_torch_comm_unmeasured(c))
		tp_rule_undecided(r, TP_S("the traces hold collectives, but none of their kernels"));
	else if (!isfinite(exposed_ps))
		tp_rule_undecided(r, TP_S("the traces hold no steps and no operators"));
	else
		tp_rule_decide(r, tp_torch_comm_exposed_share(e->ctx, c), exposed_ps);
}

/* The GPU that is used least decides, as any below the threshold does in torch-tb-profiler's. */
static void
utilization(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	double least = NAN;

	if (e->torch_gpus == NULL) {
		without_gpu(e, r);
		return;
	}
	for (size_t i = 0; i < e->torch_gpus->count; i++) {
		struct tp_value share = tp_torch_gpu_utilization(&e->torch_gpus->uses[i]);

		if (tp_known(share) && !(share.number >= least))
			least = share.number;
	}
	tp_rule_decide(r, least, NAN);
}

/* Where steps are mostly something else, kernels are not what to begin with. */
static void
tensor_cores(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_torch_costs *c = e->torch;

	if (!tp_rule_on_torch_device(e, r))
		return;
	if (tp_rule_without_tensor_cores(r, c->tensor_cores))
		return;
	if (c->kernel_ps == 0) {
		tp_rule_not_applicable(r, "no kernel ran on a GPU with tensor cores");
		return;
	}
	if (c->eligible_ps == 0) {
		tp_rule_not_applicable(r, "no operator that could use tensor cores launched a kernel");
		return;
	}
	double kernels_ps =
		e->steps != NULL ? e->steps->class_mean_ps[TP_CLASS_COMPUTE] - e->steps->copy_mean_ps : NAN;
	double saving_ps = c->core_gain_ps / (double)c->kernel_ps * kernels_ps;

	if (e->steps != NULL && c->unused_ps != 0 && saving_ps < LEAST_GAIN_SHARE * e->steps->time.mean)
		tp_rule_not_applicable(r, "matmuls without tensor cores take less than 1 % of a step");
	else
		tp_rule_decide(r, (double)c->unused_ps / (double)c->kernel_ps, saving_ps);
}

/* Without steps the section on them says only how to mark them. */
static void
utilization_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	if (tp_result(ctx, &tp_pass_steps) == NULL)
		finding->evidence = TP_SAY0(doc, "[GPUs](#gpus)");
}

/* The saving takes the cores' peak rates for granted. */
static void
tensor_core_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	if (tp_known(finding->saving))
		TP_SAY_MORE(doc, finding->matters,
			" That assumes peak rates, {} times those of the other cores, and no other limit: "
			"memory often is one.",
			tp_number(
				(double)c->unused_ps / ((double)c->unused_ps - c->core_gain_ps), TP_UNIT_COUNT));
	if (c->newest_major == 0 || c->newest_major >= AMPERE_MAJOR)
		return;
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"`with torch.autocast(\"cuda\", dtype=torch.float16):` around forward and loss, with "
			"`torch.amp.GradScaler`: bf16 and TF32 need a later GPU."));
	tp_rule_add_action(
		ctx, finding, TP_SAY0(doc, "Make batch size, channels and hidden sizes multiples of 8."));
}

static struct tp_verdict_text
loader_verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	bool high = r->severity == TP_JUDGE_BAD;

	return (struct tp_verdict_text){
		.steps_are = high ? "input-bound (high)" : "input-bound (medium)",
		.verdict.saw = TP_SAY(doc, "{} of step time is spent waiting for the DataLoader",
			tp_number(r->told, TP_UNIT_SHARE)),
		.verdict.consequence =
			tp_say_speedup(doc, "hiding it would make steps", tp_removable_share(r, s)),
		.because = TP_SAY(doc,
			"Because for {} of the {} step the program waits for its next batch and no device works. "
			"Therefore *load batches in worker processes* (`num_workers`); see "
			"[Findings](#findings).",
			tp_ps_in_ms(s->class_mean_ps[TP_CLASS_INPUT_WAIT]), tp_say_step(ctx, s)),
	};
}

const struct tp_finding_rule tp_rules_torch[] = {
	{
		.info = {"TPR-LOAD-001", "Waiting for the DataLoader", "step time", TP_INPUT_HIGH_SHARE,
			TP_INPUT_MODERATE_SHARE, false, TP_HUE_INPUT},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_INPUT,
		.evaluate = data_loader,
		.verdict = loader_verdict,
		.verdict_of_medium = true,
		.title = "Steps spend {} of their time waiting for the next batch",
		.passed = "{} of step time waits for the DataLoader (limit {})",
		.any = {"Load batches in worker processes, ahead of the step.",
			{"`DataLoader(num_workers=…, persistent_workers=True, prefetch_factor=4)`: start with "
			 "as many workers as cores per GPU, and raise that until the wait is gone.",
				"`pin_memory=True`, and `.to(device, non_blocking=True)`, so that the copy "
				"overlaps with the step.",
				"Decode and resize once, in advance; move augmentation to the GPU."}},
		.without_devices = {"Load batches in worker processes, ahead of the step.",
			{"`DataLoader(num_workers=…, persistent_workers=True, prefetch_factor=4)`: start with "
			 "one worker, and add workers until the wait is gone or the step slows down: they "
			 "share its cores.",
				"Decode and resize once, in advance.",
				"Leave cores to the workers: `torch.set_num_threads(…)` below the number of "
				"cores."}},
		.check = "`input.wait_share` below {}",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-DP-001", "DataParallel on several GPUs", "step time", NAN, 0, false,
			TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_ANY,
		.of_events = true,
		.evaluate = data_parallel,
		.title = "One process drives all GPUs with DataParallel: {} of step time",
		.passed = "{} of step time is in DataParallel (limit {})",
		.any = {"Use DistributedDataParallel: one process per GPU.",
			{"`torchrun --nproc_per_node=…`, `torch.distributed.init_process_group(\"nccl\")`, and "
			 "wrap the model in `DistributedDataParallel`.",
				"DataParallel copies the model to all GPUs in each step, and one GIL serves all of "
				"them; DDP avoids both."}},
		.check = "`torch.gpu.utilization_share` higher",
		.evidence = "[Steps](#steps) · [GPUs](#gpus)",
	},
	{
		.info = {"TPR-DDP-001", "DistributedDataParallel without NCCL", "step time", NAN, 0, false,
			TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COLLECTIVE,
		.of_events = true,
		.evaluate = without_nccl,
		.title = "GPU gradients are not reduced by NCCL; collectives take {} of step time",
		.passed = "collectives take {} of step time (limit {})",
		.any = {"Initialise the process group with NCCL.",
			{"`torch.distributed.init_process_group(backend=\"nccl\")` (also the name of RCCL on "
			 "AMD)."}},
		.check = "`step.class.collective_share` lower",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-COMM-002", "Exposed communication", "step time", 0.15, COMMUNICATION_SHARE,
			false, TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COLLECTIVE,
		.holds = "TPR-RANK-001", /* whom the others wait for */
		.evaluate = communication,
		.verdict = tp_exposed_comm_verdict,
		.title = "Exposed communication takes {} of step time",
		.passed = "exposed communication takes {} of step time (limit {})",
		.any = {"Overlap it with computation, or send fewer bytes.",
			{"Accumulate gradients over several batches (`model.no_sync()`), or raise the batch "
			 "size.",
				"Send 16-bit gradients: DDP's `fp16_compress_hook`, or `PowerSGD`; with FSDP a "
				"mixed-precision policy.",
				"If that time is mostly waiting for another worker, find out what that worker spends "
				"longer on."}},
		.check = "`torch.comm.communication_us` below {} of a step",
		.evidence = "[Distributed](#distributed)",
		.particulars = tp_exposed_comm_particulars,
	},
	{
		.info = {"TPR-GPU-001", "Low GPU utilisation", "the measured time", 0.25, UTILIZATION_SHARE,
			true, TP_HUE_IDLE},
		.scope = TP_RULE_OF_TORCH,
		.of_events = true,
		/* Kernels of collectives count as used. */
		.saves_of = TP_SAVED_ANY & ~(unsigned)(TP_SAVED_ARITHMETIC | TP_SAVED_COLLECTIVE),
		.evaluate = utilization,
		.general = true,
		.title = "A GPU runs kernels only {} of the time",
		.passed = "each GPU runs kernels at least {} of the time (limit {})",
		.any = {"See what the GPU waits for; then raise the batch size.",
			{"[Steps](#steps) shows whether it waits for batches, the host or collectives: fix "
			 "that first.",
				"Raise the batch size as far as memory allows: each launch then does more."}},
		.without_steps = {"Record steps to see what the GPU waits for; then raise the batch size.",
			{"Call `p.step()` after each step and capture with `ProfilerActivity.CPU`: Steps "
			 "then shows what the GPU waits for.",
				"Raise the batch size as far as memory allows: each launch then does more."}},
		.check = "`torch.gpu.utilization_share` above {}",
		.evidence = "[GPUs](#gpus) · [Steps](#steps)",
		.particulars = utilization_particulars,
		.unbounded = "The GPU could do more in the same time; findings about input, launches and "
					 "communication say what it waits for.",
	},
	{
		/* Never high: how much faster they would be depends on their shapes. */
		.info = {"TPR-AMP-001", "Matmuls without tensor cores", "kernel time", NAN,
			TP_TORCH_UNUSED_SHARE, false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_ARITHMETIC,
		.evaluate = tensor_cores,
		.title = "Matmuls and convolutions without tensor cores take {} of kernel time",
		.passed = "matmuls and convolutions without tensor cores take {} of kernel time (limit {})",
		.any = {"Use automatic mixed precision.",
			{"`with torch.autocast(\"cuda\", dtype=torch.bfloat16):` around forward and loss.",
				"Where float32 is needed, allow TF32: "
				"`torch.set_float32_matmul_precision(\"high\")`.",
				"Make batch size, channels and hidden sizes multiples of 8."}},
		.check = "`torch.tensor_core_unused_share` below {}",
		.evidence = "[Kernels](#kernels) · [GPUs](#gpus)",
		.particulars = tensor_core_particulars,
	},
	{.evaluate = NULL},
};
