/* Rules on PyTorch runs. The seven recommendations of torch-tb-profiler (overall_run… advisor of run_generator.py) are here
 * with their thresholds, but of memory: DataLoader, DataParallel, DDP without NCCL, communication, utilisation, tensor cores.
 * The others are ours: launches, pageable copies, waits for the device. */
#include "analyze/findings/rule.h"

#include "analyze/findings/what_if.h"
#include "analyze/say.h"
#include "analyze/stats.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/torch_costs.h"
#include "analyze/torch/torch_gpus.h"

#include <math.h>

#define COMMUNICATION_SHARE 0.10 /* the peer's */
#define UTILIZATION_SHARE 0.50   /* likewise */
#define LEAST_GAIN_SHARE 0.01    /* of a step */

/* Compute capability from which tensor cores take bf16 and TF32. */
enum { AMPERE_MAJOR = 8 };

/* Whether steps hold device work; else the result says why the rule does not apply. */
static bool
on_device(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->torch == NULL)
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_torch_costs));
	else if (e->torch_gpus == NULL)
		tp_rule_not_applicable(r, "no trace holds work of a device");
	else if (e->torch->step_ps == 0)
		tp_rule_undecided(r, TP_S("no call inside a step launched work of a device"));
	else
		return true;
	return false;
}

static void
data_loader(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->steps != NULL && !e->steps->input_recorded)
		tp_rule_not_applicable(r, "no trace holds a call of a DataLoader for its next batch");
	else
		tp_rule_step_class(e, r, TP_CLASS_INPUT_WAIT);
}

static void
data_parallel(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->torch == NULL || !e->torch->data_parallel)
		tp_rule_not_applicable(r, "DataParallel is not in use");
	else if (e->torch->devices < 2)
		tp_rule_not_applicable(r, "DataParallel works on one device alone");
	else if (on_device(e, r))
		tp_rule_decide(r, (double)e->torch->data_parallel_ps / (double)e->torch->step_ps, NAN);
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
		tp_rule_not_applicable(r, "no trace holds work of a GPU that NCCL could use");
	else if (!e->torch->collectives || s == NULL)
		tp_rule_undecided(r, TP_S("no trace holds a collective, so that its library is unknown"));
	else
		tp_rule_decide(r, s->class_mean_ps[TP_CLASS_COLLECTIVE] / s->time.mean,
			tp_without_class_ps(s, TP_CLASS_COLLECTIVE));
}

static void
communication(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	double exposed_ps = tp_torch_comm_exposed_ps(e->ctx);

	if (tp_result(e->ctx, &tp_pass_torch_comm) == NULL)
		tp_rule_not_applicable(r, "one process alone, without a collective");
	else if (!isfinite(exposed_ps))
		tp_rule_undecided(r, TP_S("the traces hold no step and no operator"));
	else
		tp_rule_decide(r, tp_torch_comm_exposed_share(e->ctx), exposed_ps);
}

/* The GPU that is used least decides, as any below the threshold does in the peer's. */
static void
utilization(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	double least = NAN;

	if (e->torch_gpus == NULL) {
		tp_rule_not_applicable(r, "no trace holds work of a device");
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

	if (!on_device(e, r))
		return;
	if (c->kernel_ps == 0) {
		tp_rule_not_applicable(r, "the GPU has no tensor cores that are known");
		return;
	}
	if (c->eligible_ps == 0) {
		tp_rule_not_applicable(r, "no operator that could use tensor cores asked for a kernel");
		return;
	}
	double kernels_ps =
		e->steps != NULL ? e->steps->class_mean_ps[TP_CLASS_COMPUTE] - e->steps->copy_mean_ps : NAN;
	double saving_ps = c->core_gain_ps / (double)c->kernel_ps * kernels_ps;

	if (e->steps != NULL && c->unused_ps != 0 && saving_ps < LEAST_GAIN_SHARE * e->steps->time.mean)
		tp_rule_not_applicable(r, "products without tensor cores take less than 1 % of a step");
	else
		tp_rule_decide(r, (double)c->unused_ps / (double)c->kernel_ps, saving_ps);
}

static double
of_steps(const struct tp_evaluation *e, int64_t ps)
{
	return (double)ps / (double)e->torch->step_ps;
}

static void
host_bound(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	double share;

	if (!on_device(e, r))
		return;
	share = tp_torch_host_share(e->torch);
	tp_rule_decide(r, share, tp_rule_of_a_step(e, share, e->steps ? e->steps->time.mean : 0));
}

/* It may be work that the trace lacks: then nothing is to be saved. */
static void
queued(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (on_device(e, r))
		tp_rule_decide(r, tp_torch_queued_share(e->torch), NAN);
}

/* A pinned copy runs beside kernels: at most what copies take alone is saved. */
static void
pageable(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!on_device(e, r))
		return;
	if (e->torch->host_copies == 0) {
		tp_rule_not_applicable(r, "no step copies between host and device");
		return;
	}
	if (e->torch->told_copies == 0) {
		tp_rule_undecided(
			r, TP_S("the trace does not tell which memory of the host is copied from and to"));
		return;
	}
	double share = of_steps(e, e->torch->pageable_ps);

	tp_rule_decide(
		r, share, e->steps ? tp_smaller(share * e->steps->time.mean, e->steps->copy_mean_ps) : NAN);
}

static void
setting_up(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!on_device(e, r))
		return;
	double share = tp_torch_setup_share(e->torch);

	tp_rule_decide(r, share, tp_rule_of_a_step(e, share, e->steps ? e->steps->time.mean : 0));
}

static void
setup_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " Most of it is in `{}`: {} in all steps.", tp_text_value(c->setup_most),
			tp_number((double)c->setup_most_ps / 1e9, TP_UNIT_MS)));
}

static void
waits(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (!on_device(e, r))
		return;
	double share = of_steps(e, e->torch->drained_ps);

	tp_rule_decide(r, share, tp_rule_of_a_step(e, share, e->steps ? e->steps->time.mean : 0));
}

/* The saving takes the cores' peak rates for granted. */
static void
tensor_core_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	if (tp_known(finding->saving))
		finding->matters = tp_doc_join(doc, finding->matters,
			TP_SAY(doc,
				" That is at peak rates, {} times those of the other cores, and with nothing else "
				"in the way: memory often is.",
				tp_number((double)c->unused_ps / ((double)c->unused_ps - c->core_gain_ps),
					TP_UNIT_COUNT)));
	if (c->newest_major == 0 || c->newest_major >= AMPERE_MAJOR)
		return;
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding,
		TP_SAY0(doc,
			"`with torch.autocast(\"cuda\", dtype=torch.float16):` around forward and loss, with "
			"`torch.amp.GradScaler`: bf16 and TF32 are of later GPUs."));
	tp_rule_add_action(
		ctx, finding, TP_SAY0(doc, "Make batch size, channels and hidden sizes multiples of 8."));
}

static void
host_bound_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	struct tp_value short_share =
		tp_share((double)c->short_kernels, (double)c->kernels, TP_S("no kernel is in a step"));

	if (c->step_count == 0 || c->kernels == 0)
		return;
	struct tp_value kernels = tp_number((double)c->kernels / c->step_count, TP_UNIT_COUNT);

	if (c->graph_kernels != 0)
		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY(doc, " A step has {} kernels, {} of them in graphs that one call launches.",
				kernels, tp_number((double)c->graph_kernels / c->step_count, TP_UNIT_COUNT)));
	else if (c->launch_ps != 0)
		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY(doc,
				" A step has {} kernels; {} of them run shorter than the {} that a launch takes.",
				kernels, short_share, tp_number((double)c->launch_ps / 1e6, TP_UNIT_US)));
}

static void
pageable_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " {} moved {}.", tp_say_number(ctx, c->pageable_copies, "copy", "copies"),
			tp_integer(c->pageable_bytes, TP_UNIT_BYTES)));
}

static void
waits_particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_torch_costs *c = tp_result(ctx, &tp_pass_torch_costs);

	finding->saw = tp_doc_join(doc, finding->saw,
		TP_SAY(doc, " The host waits for the device {} in steps, {} in all.",
			tp_say_number(ctx, c->waits, "time", "times"),
			tp_number((double)c->wait_ps / 1e9, TP_UNIT_MS)));
	if (c->waits_most.len != 0)
		finding->saw = tp_doc_join(doc, finding->saw,
			TP_SAY(doc, " Most of it is asked for by `{}`.", tp_text_value(c->waits_most)));
}

const struct tp_finding_rule tp_rules_torch[] = {
	{
		.info = {"TPR-LOAD-001", "Waiting for the DataLoader", "share of step time",
			TP_INPUT_HIGH_SHARE, TP_INPUT_MODERATE_SHARE, false, TP_HUE_INPUT},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_INPUT,
		.evaluate = data_loader,
		.title = "Each step waits {} of its time for the next batch",
		.passed = "{} of step time waits for the DataLoader (limit {})",
		.any = {"Load batches in worker processes, ahead of the step.",
			{"`DataLoader(num_workers=…, persistent_workers=True, prefetch_factor=4)`: begin with "
			 "as "
			 "many workers as cores for each GPU, and raise it until the wait is gone.",
				"`pin_memory=True`, and `.to(device, non_blocking=True)`, so that the copy runs "
				"beside "
				"the step.",
				"Decode and resize once, in advance; move augmentation to the GPU."}},
		.check = "`input.wait_share` below 0.05",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-DP-001", "DataParallel on several GPUs", "share of step time", NAN, 0, false,
			TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_ANY,
		.evaluate = data_parallel,
		.title = "One process drives all GPUs with DataParallel: {} of each step is in it",
		.passed = "{} of each step is in DataParallel (limit {})",
		.any = {"Use DistributedDataParallel: one process for each GPU.",
			{"`torchrun --nproc_per_node=…`, `torch.distributed.init_process_group(\"nccl\")`, and "
			 "wrap the model in `DistributedDataParallel`.",
				"DataParallel copies the model to all GPUs in each step and holds Python's lock on "
				"all; DDP does neither."}},
		.check = "`torch.gpu.utilization_share` higher",
		.evidence = "[Steps](#steps) · [GPUs](#gpus)",
	},
	{
		.info = {"TPR-DDP-001", "DistributedDataParallel without NCCL", "share of step time", NAN,
			0, false, TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COLLECTIVE,
		.evaluate = without_nccl,
		.title = "Gradients of GPUs are not summed by NCCL; collectives take {} of each step",
		.passed = "collectives take {} of each step (limit {})",
		.any = {"Initialise the process group with NCCL.",
			{"`torch.distributed.init_process_group(backend=\"nccl\")` (RCCL on AMD bears the same "
			 "name)."}},
		.check = "`step.class.collective_share` lower",
		.evidence = "[Steps](#steps)",
	},
	{
		.info = {"TPR-COMM-002", "Exposed communication", "share of step time", 0.20,
			COMMUNICATION_SHARE, false, TP_HUE_COLLECTIVE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COLLECTIVE,
		.evaluate = communication,
		.title = "Communication that no computation hides takes {} of each step",
		.passed = "communication that no computation hides takes {} of step time (limit {})",
		.any = {"Overlap it with the backward pass, or send fewer bytes.",
			{"Accumulate gradients over several batches (`model.no_sync()`), or raise the batch "
			 "size.",
				"Send gradients in 16 bit: DDP's `fp16_compress_hook`, or `PowerSGD`; with FSDP a "
				"mixed-precision policy.",
				"If most of it is waiting for another worker, find out what that one does "
				"longer."}},
		.check = "`torch.comm.communication_us` below 10 % of a step",
		.evidence = "[Distributed](#distributed)",
	},
	{
		.info = {"TPR-GPU-001", "Low GPU utilisation", "share of the time of steps", 0.25,
			UTILIZATION_SHARE, true, TP_HUE_IDLE},
		.scope = TP_RULE_OF_TORCH,
		.evaluate = utilization,
		.general = true,
		.title = "A GPU runs kernels only {} of the time",
		.passed = "each GPU runs kernels at least {} of the time (limit {})",
		.any = {"See what the GPU waits for; then raise the batch size.",
			{"[Steps](#steps) tells whether it waits for batches, for the host or for collectives: "
			 "take that first.",
				"Raise the batch size as far as memory allows: each launch then does more."}},
		.check = "`torch.gpu.utilization_share` above 0.50",
		.evidence = "[GPUs](#gpus) · [Steps](#steps)",
		.unbounded = "The GPU could do more in the same time; what it waits for, other findings "
					 "say with what they save.",
	},
	{
		/* Never high: how much faster they would be depends on their shapes. */
		.info = {"TPR-AMP-001", "Products without tensor cores", "share of kernel time", NAN,
			TP_TORCH_UNUSED_SHARE, false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_ARITHMETIC,
		.evaluate = tensor_cores,
		.title = "Products and convolutions without tensor cores take {} of kernel time",
		.passed =
			"products and convolutions without tensor cores take {} of kernel time (limit {})",
		.any = {"Use automatic mixed precision.",
			{"`with torch.autocast(\"cuda\", dtype=torch.bfloat16):` around forward and loss.",
				"Where float32 must stay, allow TF32: "
				"`torch.set_float32_matmul_precision(\"high\")`.",
				"Make batch size, channels and hidden sizes multiples of 8."}},
		.check = "`torch.tensor_core_unused_share` below 0.10",
		.evidence = "[Kernels](#kernels) · [GPUs](#gpus)",
		.particulars = tensor_core_particulars,
	},
	{
		.info = {"TPR-HOST-001", "The GPU waits for the host", "share of step time", 0.30, 0.10,
			false, TP_HUE_HOST},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED,
		.evaluate = host_bound,
		.title = "The GPU waits for the host {} of each step",
		.passed = "the GPU waits for the host {} of step time (limit {})",
		.any = {"Launch fewer, larger kernels: `torch.compile`, or CUDA graphs.",
			{"`torch.compile(model, mode=\"reduce-overhead\")` fuses kernels and replays them as a "
			 "CUDA graph.",
				"Use fused or `foreach=True` optimizers: one launch instead of one for each "
				"parameter.",
				"Raise the batch size, so that each kernel does more."}},
		.check = "`torch.host_bound_share` below 0.10",
		.evidence = "[Steps](#steps) · [GPUs](#gpus)",
		.particulars = host_bound_particulars,
	},
	{
		.info = {"TPR-QUEUE-001", "Launched work stands still", "share of step time", 0.30,
			TP_TORCH_QUEUED_SHARE, false, TP_HUE_IDLE},
		.scope = TP_RULE_OF_TORCH,
		.evaluate = queued,
		.title = "For {} of each step work is launched, and no device works",
		.passed = "for {} of step time launched work stands still (limit {})",
		.any = {"See what the device waits for: the trace does not hold it.",
			{"Other work may hold it: of before the capture, of another process "
			 "(`nvidia-smi`, `rocm-smi`), or that the trace was thinned out of. Capture with a "
			 "warm-up: `schedule(wait=1, warmup=2, active=3)`.",
				"The first replay of a CUDA graph uploads it: replay it once before.",
				"A kernel may wait for an event of another stream: look at `wait_event` and "
				"`wait_stream`."}},
		.check = "`torch.queued_share` below 0.10",
		.evidence = "[Steps](#steps) · [GPUs](#gpus)",
		.unbounded = "The host is not late then. Whether the device works unseen or waits, the "
					 "trace does not tell, nor what could be saved.",
	},
	{
		.info = {"TPR-SETUP-001", "Setting the device up", "share of step time", 0.30,
			TP_TORCH_SETUP_SHARE, false, TP_HUE_HOST},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_SETUP,
		.evaluate = setting_up,
		.title = "The host sets the device up for {} of each step",
		.passed = "the host sets the device up for {} of step time (limit {})",
		.any = {"Measure steps after a warm-up, and let no step allocate.",
			{"The first steps make the context, load kernels and take memory: leave them out, with "
			 "`schedule(wait=1, warmup=3, active=3)`.",
				"`cudaMalloc` and `cudaFree` in later steps: shapes that change make the allocator "
				"begin anew; `PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True`, and no "
				"`torch.cuda.empty_cache()` in the loop."}},
		.check = "`torch.setup_share` below 0.05",
		.evidence = "[Steps](#steps)",
		.particulars = setup_particulars,
	},
	{
		.info = {"TPR-SYNC-001", "Waits for the device", "share of step time", 0.15, 0.03, false,
			TP_HUE_HOST},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED,
		.part_of = "TPR-HOST-001",
		.evaluate = waits,
		.title = "After waits for the device it has nothing to do for {} of each step",
		.passed = "after waits for the device it has nothing to do for {} of a step (limit {})",
		.any = {"Do not ask the device for values inside the step.",
			{"`loss.item()`, `print(loss)`, `.cpu()`, `if tensor:` and indexing by a mask wait for "
			 "the device: do them every hundred steps, or keep the value on the device.",
				"Find them: `torch.cuda.set_sync_debug_mode(\"warn\")`."}},
		.check = "`torch.drained_share` below 0.03",
		.evidence = "[Steps](#steps)",
		.particulars = waits_particulars,
	},
	{
		.info = {"TPR-PIN-001", "Copies of pageable memory", "share of step time", 0.10, 0.01,
			false, TP_HUE_MEMORY},
		.scope = TP_RULE_OF_TORCH,
		.saves_of = TP_SAVED_COPY,
		.evaluate = pageable,
		.title = "Copies between pageable memory and the GPU take {} of step time",
		.passed = "copies of pageable memory take {} of step time (limit {})",
		.any = {"Pin the memory of batches, and copy beside the step.",
			{"`DataLoader(pin_memory=True)`, then `batch.to(device, non_blocking=True)`.",
				"Create what is needed on the device there: `torch.zeros(…, device=device)`."}},
		.check = "`torch.pageable_copy_share` below 0.01",
		.evidence = "[Steps](#steps)",
		.particulars = pageable_particulars,
	},
	{.evaluate = NULL},
};
