/* The rule on kernels that were launched and not recorded. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/kernels_unrecorded.h"
#include "analyze/facts/torch_unrecorded.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

struct tp_unrecorded
tp_kernels_not_recorded(const struct tp_pass_ctx *ctx)
{
	struct tp_unrecorded u = {.launched = true};

	u.reason = ctx->profile->torch != NULL ? tp_torch_unrecorded_reason(ctx)
										   : tp_kernels_unrecorded_reason(ctx, &u.launched);
	return u;
}

/* A trace of a job that lacks its kernels is one too many: the share of traces only says how many do. */
#define HIGH_SHARE 0.5
#define MEDIUM_SHARE 1e-6

/* Traces that show use of a device: those that hold kernels, and those that launched some and hold none. */
static uint32_t
with_device(const struct tp_torch *torch, uint32_t unrecorded)
{
	uint32_t count = unrecorded;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		count += torch->traces[i]->kind_count[TP_TORCH_KERNEL] != 0;
	return count;
}

static bool
has_gpu(const struct tp_profile *p)
{
	for (uint32_t d = 0; d < p->device_count; d++) {
		if (p->devices[d].kind == TP_DEVICE_GPU)
			return true;
	}
	return false;
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
		tp_rule_not_applicable(r, "no trace holds a launch of a kernel");
	else
		tp_rule_decide(r, (double)u.traces / of, NAN);
}

static void
particulars(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	if (ctx->profile->torch == NULL) {
		struct tp_slice reason = tp_kernels_not_recorded(ctx).reason;

		finding->title = TP_SAY(doc, "Kernels are missing: {}", tp_text_value(reason));
		finding->saw = TP_SAY0(
			doc, "Threads of the host call the library that launches kernels; no GPU has any.");
		return;
	}
	struct tp_torch_unrecorded u = tp_torch_unrecorded(ctx->profile);
	uint32_t of = with_device(ctx->profile->torch, u.traces);
	struct tp_value kernels = tp_say_number(ctx, u.launches, "kernel", "kernels");

	finding->title = of == u.traces
		? TP_SAY(doc, "The program launched {} and the profiler recorded none", kernels)
		: TP_SAY(doc, "Of {} that {} launched the profiler recorded none", kernels,
			  tp_say_number(ctx, u.traces, "worker and span", "workers and spans"));
	finding->saw = of == 1
		? TP_SAY(doc, "The trace holds calls that launch {} and no kernel.", kernels)
		: TP_SAY(doc, "Of {} with a GPU, {} calls that launch {} and no kernel.",
			  tp_say_number(ctx, of, "trace", "traces"),
			  tp_say_number(ctx, u.traces, "holds", "hold"), kernels);
}

const struct tp_finding_rule tp_rules_unrecorded[] = {
	{
		.info = {"TPR-REC-001", "Kernels not recorded", "traces with a GPU", HIGH_SHARE,
			MEDIUM_SHARE, false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_ALL,
		.of_capture = true,
		.evaluate = unrecorded,
		.title = "Kernels are missing from {} of traces",
		.passed = "no trace with a GPU lacks the kernels that were launched",
		.any = {"Capture again so that the profiler sees the device.",
			{"One profiler at a time has the GPU: end `nsys`, `ncu` and the profiling of DCGM "
			 "(`dcgmi profile --pause`), and ask `torch.profiler` for no counters "
			 "(`profiler_metrics`), which it measures instead of kernels.",
				"Let users profile: `options nvidia NVreg_RestrictProfilingToAdminUsers=0` for the "
				"kernel's module, `--cap-add=SYS_ADMIN` for a container. Where that is why, the "
				"job's log says `CUPTI_ERROR_INSUFFICIENT_PRIVILEGES`.",
				"`ProfilerActivity.CUDA` among the activities, and `torch.cuda.synchronize()` "
				"before the profiler stops."}},
		.check = "`torch.step.kernel_us` has a value",
		.evidence = "[Steps](#steps) · [Method](#method)",
		.particulars = particulars,
		.unbounded = "What the GPU does in a step, and what it waits for, nothing in the trace "
					 "tells; figures of the host hold.",
	},
	{.evaluate = NULL},
};
