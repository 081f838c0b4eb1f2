/* Rules on GPU kernels, on operations that the compiler did not get, and on kernels that were launched and not recorded. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/torch_unrecorded.h"
#include "analyze/kernels/kernels.h"
#include "analyze/ops/op_placement.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

static bool
has_gpu(const struct tp_profile *p)
{
	for (uint32_t d = 0; d < p->device_count; d++) {
		if (p->devices[d].kind == TP_DEVICE_GPU)
			return true;
	}
	return false;
}

static bool
has_kernels(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->kernels != NULL && e->kernels->count != 0)
		return true;
	if (has_gpu(e->ctx->profile))
		tp_rule_undecided(r, TP_S("no GPU event says how its kernel was launched"));
	else
		tp_rule_not_applicable(r, "the profile holds no GPU");
	return false;
}

static double
passed_only(double share, double limit)
{
	return share == limit ? nextafter(share, 0) : share;
}

static void
tensor_cores(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_kernels *k = e->kernels;

	if (!has_kernels(e, r))
		return;
	double share = (double)k->unused_ps / (double)k->total_ps;

	if (tp_rule_without_tensor_cores(r, k->tensor_cores))
		return;
	if (!k->ops_known)
		tp_rule_undecided(r, TP_S("the profile does not say which operations kernels belong to"));
	else
		tp_rule_decide(
			r, share, e->steps ? share * e->steps->class_mean_ps[TP_CLASS_COMPUTE] : NAN);
}

/* A launch takes some ten microseconds: a call this long waits, for a full queue or the driver. */
#define LAUNCH_WAITS_PS 1000000000 /* 1 ms */

static void
short_kernels(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_kernels *k = e->kernels;

	if (!has_kernels(e, r))
		return;
	if (k->launch_ps <= 0) {
		tp_rule_undecided(r, TP_S("the profile holds no launch calls of the host"));
	} else if (k->launch_ps >= LAUNCH_WAITS_PS) {
		tp_rule_undecided(r,
			TP_S("launch calls take 1 ms or more, so they wait for something: the cost of a launch "
				 "is unknown"));
	} else if (e->devices == NULL) {
		tp_rule_undecided(r, tp_skipped(e->ctx, &tp_pass_devices));
	} else {
		int64_t idle_ps = e->devices->total_ps - e->devices->busy_ps;
		int64_t loss_ps = k->short_loss_ps < idle_ps ? k->short_loss_ps : idle_ps;

		tp_rule_step_share(e, r, (double)loss_ps / (double)e->devices->total_ps);
	}
}

static void
eager(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_op_placement *o = e->placement;
	double host = o->host_ps > 0 ? (double)o->host_eager_ps / (double)o->host_ps : NAN;
	double device = o->device_ps > 0 ? (double)o->device_eager_ps / (double)o->device_ps : NAN;

	if (e->environment != NULL && e->environment->framework == TP_FRAMEWORK_JAX)
		tp_rule_not_applicable(r, "only TensorFlow marks operations that it runs eagerly");
	else if (isnan(host) && isnan(device))
		tp_rule_undecided(r, TP_S("the profile names no framework operation that took time"));
	else
		tp_rule_decide(r, passed_only(fmax(host, device), TP_EAGER_SHARE), NAN);
}

static void
outside_compilation(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_op_placement *o = e->placement;

	if (!tp_rule_measured(e, r))
		return;
	double share = (double)o->outside_ps / (double)o->device_op_ps;

	tp_rule_decide(r, passed_only(share, TP_OUTSIDE_COMPILATION_SHARE), NAN);
}

/* A trace of a job that lacks its kernels is one too many: the share of traces only says how many do. */
#define UNRECORDED_HIGH 0.5
#define UNRECORDED_MEDIUM 1e-6

struct tp_unrecorded
tp_kernels_not_recorded(const struct tp_pass_ctx *ctx)
{
	const struct tp_environment *env = tp_result(ctx, &tp_pass_environment);

	return ctx->profile->torch != NULL
		? (struct tp_unrecorded){tp_torch_unrecorded_reason(ctx), true}
		: (struct tp_unrecorded){env->no_kernels, env->launched};
}

/* Traces that show use of a device: those that hold kernels, and those that launched some and hold none. */
static uint32_t
with_device(const struct tp_torch *torch, uint32_t unrecorded)
{
	uint32_t count = unrecorded;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		count += torch->traces[i]->kind_count[TP_TORCH_KERNEL] != 0;
	return count;
}

static void
unrecorded_of_xla(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	struct tp_unrecorded u = tp_kernels_not_recorded(e->ctx);

	if (u.reason.len != 0 && !u.launched)
		tp_rule_undecided(r, u.reason);
	else if (u.reason.len != 0 || has_gpu(e->ctx->profile))
		tp_rule_decide(r, u.reason.len != 0, NAN);
	else
		tp_rule_not_applicable(r, "the profile holds no GPU");
}

static void
unrecorded(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	if (e->ctx->profile->torch == NULL) {
		unrecorded_of_xla(e, r);
		return;
	}
	struct tp_torch_unrecorded u = tp_torch_unrecorded(e->ctx->profile);
	uint32_t of = with_device(e->ctx->profile->torch, u.traces);

	if (of == 0)
		tp_rule_not_applicable(r, "no trace holds a kernel launch");
	else
		tp_rule_decide(r, (double)u.traces / of, NAN);
}

static void
unrecorded_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	if (ctx->profile->torch == NULL) {
		struct tp_slice reason = tp_kernels_not_recorded(ctx).reason;

		finding->title = TP_SAY(doc, "Kernels are missing: {}", tp_text_value(reason));
		finding->saw =
			TP_SAY0(doc, "Host threads call the kernel-launch library, but no GPU has kernels.");
		return;
	}
	struct tp_torch_unrecorded u = tp_torch_unrecorded(ctx->profile);
	uint32_t of = with_device(ctx->profile->torch, u.traces);
	struct tp_value kernels = tp_say_number(ctx, u.launches, "kernel", "kernels");

	finding->title = of == u.traces
		? TP_SAY(doc, "The program launched {}; the profiler recorded none", kernels)
		: TP_SAY(doc, "Of {} launched by {}, the profiler recorded none", kernels,
			  tp_say_number(ctx, u.traces, "worker and span", "workers and spans"));
	finding->saw = of == 1
		? TP_SAY(doc, "The trace holds calls that launch {}, but no kernel.", kernels)
		: TP_SAY(doc, "Of {} with a GPU, {} calls that launch {}, but no kernel.",
			  tp_say_number(ctx, of, "trace", "traces"),
			  tp_say_number(ctx, u.traces, "holds", "hold"), kernels);
}

const struct tp_finding_rule tp_rules_kernels[] = {
	{
		.info = {"TPR-TC-001", "Matmuls without tensor cores", "kernel time", 0.30, 0.10, false,
			TP_HUE_COMPUTE},
		.saves_of = TP_SAVED_ARITHMETIC,
		.evaluate = tensor_cores,
		.of_events = true,
		.title = "Matmuls and convolutions without tensor cores take {} of kernel time",
		.passed = "matmuls and convolutions without tensor cores take {} of kernel time (limit {})",
		.tensorflow.actions =
			{"`tf.keras.mixed_precision.set_global_policy(\"mixed_bfloat16\")` (`mixed_float16` on "
			 "GPUs before Ampere).",
				"Leave `tf.config.experimental.enable_tensor_float_32_execution(True)`, its "
				"default.",
				"Make batch size, channels and hidden sizes multiples of 8 (16 for 8-bit types)."},
		.any = {"Compute them in 16-bit precision, or allow TF32, and keep dimensions multiples of "
				"8.",
			{"Cast operands of matmuls and convolutions to bfloat16 (float16 before Ampere).",
				"In float32, allow TF32: `jax.default_matmul_precision(\"tensorfloat32\")`.",
				"Make batch size, channels and hidden sizes multiples of 8 (16 for 8-bit types)."}},
		.check = "`gpu.tensor_core_unused_share` below {}",
		.evidence = "[Kernels](#kernels)",
	},
	{
		.info = {"TPR-KERN-001", "Kernels shorter than their launch", "device time", 0.15, 0.03,
			false, TP_HUE_HOST},
		.saves_of = TP_SAVED_LAUNCH | TP_SAVED_UNRECORDED,
		.evaluate = short_kernels,
		.of_events = true,
		.title = "Kernels shorter than their launch may cost {} of device time",
		.passed = "kernels shorter than their launch may cost {} of device time (limit {})",
		.tensorflow = {"Fuse small kernels: compile the step with XLA.",
			{"`tf.function(jit_compile=True)` around the step.",
				"Raise the batch size so that each kernel does more.",
				"Use fused optimisers and layers."}},
		.any = {"Fuse small kernels: compile the whole step, or capture it as a graph.",
			{"Put the whole step under one `jax.jit`.",
				"Raise the batch size so that each kernel does more.",
				"Let XLA launch them as a CUDA graph (`--xla_gpu_enable_command_buffer`)."}},
		.check = "`kernels.short_share` lower",
		.evidence = "[Kernels](#kernels)",
	},
	{
		.info = {"TPR-EAGER-001", "Eager operations", "the operations' time", NAN, TP_EAGER_SHARE,
			false, TP_HUE_HOST},
		.evaluate = eager,
		.of_events = true,
		.title = "{} of the time in operations is eager execution",
		.passed = "{} of the time in operations is eager execution (limit {})",
		.any = {"Wrap the step in `tf.function`.",
			{"Wrap the training step, loss and metrics included, in one `tf.function`.",
				"With Keras, leave `run_eagerly=False` in `compile`.",
				"Remove any `tf.config.run_functions_eagerly(True)` left from debugging."}},
		.check = "`host.op_eager_share` and `device.op_eager_share` at most {}",
		.evidence = "`host.op_eager_share`, `device.op_eager_share`",
	},
	{
		.info = {"TPR-OUTC-001", "Outside compilation", "busy time", NAN,
			TP_OUTSIDE_COMPILATION_SHARE, false, TP_HUE_HOST},
		.evaluate = outside_compilation,
		.of_events = true,
		.title = "Operations left to the host take {} of device time",
		.passed = "operations left to the host take {} of device time (limit {})",
		.any = {"Keep the step on the device: avoid outside compilation.",
			{"Replace what the compiler cannot compile: string operations, `tf.print`, summaries, "
			 "`tf.py_function`.",
				"Write summaries every hundred steps, outside the compiled step.",
				"In JAX, remove `jax.debug.print`, `io_callback` and `pure_callback` from the step."}},
		.check = "`device.outside_compilation_share` at most {}",
		.evidence = "[Operations](#operations)",
	},
	{
		.info = {"TPR-REC-001", "Kernels not recorded", "traces with a GPU", UNRECORDED_HIGH,
			UNRECORDED_MEDIUM, false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_ALL,
		.of_capture = true,
		.of_events = true,
		.evaluate = unrecorded,
		.title = "Kernels are missing from {} of traces",
		.passed = "every trace with a GPU holds the kernels that were launched",
		.any = {"Capture again so that the profiler sees the GPU.",
			{"Only one profiler at a time can use the GPU: stop `nsys`, `ncu` and DCGM profiling "
			 "(`dcgmi profile --pause`), and do not ask `torch.profiler` for counters "
			 "(`profiler_metrics`), which it records instead of kernels.",
				"Let users profile: `options nvidia NVreg_RestrictProfilingToAdminUsers=0` for the "
				"kernel module, `--cap-add=SYS_ADMIN` for a container. If this is the cause, the "
				"job's log says `CUPTI_ERROR_INSUFFICIENT_PRIVILEGES`.",
				"Include `ProfilerActivity.CUDA` in the activities, and call "
				"`torch.cuda.synchronize()` before the profiler stops."}},
		.check = "`torch.step.kernel_us` has a value",
		.evidence = "[Steps](#steps) · [Method](#method)",
		.particulars = unrecorded_particulars,
		.unbounded = "The trace shows neither what the GPU does in a step nor what it waits for; "
					 "host figures are valid.",
	},
	{.evaluate = NULL},
};
