#include "analyze/facts/kernels_unrecorded.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"

/* Calls of the CUDA and HIP libraries as the host's threads have them: cuLaunchKernel, cudaGraphLaunch, hipModuleLaunchKernel. */
static bool
launches_kernel(struct tp_slice name)
{
	return (tp_slice_starts(name, TP_S("cu")) || tp_slice_starts(name, TP_S("hip"))) &&
		tp_slice_has(name, TP_S("Launch")) && !tp_slice_has(name, TP_S("HostFunc"));
}

static uint32_t
gpus_of(const struct tp_profile *p)
{
	uint32_t gpus = 0;

	for (uint32_t d = 0; d < p->device_count; d++)
		gpus += p->devices[d].kind == TP_DEVICE_GPU;
	return gpus;
}

/* Whether any GPU did anything: kernels and copies, or, where no stream is told, operations. */
static bool
worked(const struct tp_profile *p)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].count != 0 && p->lines[l].device != TP_NONE &&
			p->devices[p->lines[l].device].kind == TP_DEVICE_GPU)
			return true;
	}
	return false;
}

static uint64_t
launches_of(const struct tp_profile *p, struct tp_arena *scratch)
{
	bool *launches = tp_new_array(scratch, bool, p->op_count), any = false;
	uint64_t count = 0;

	for (uint32_t i = 0; i < p->op_count; i++)
		any |= launches[i] = launches_kernel(p->ops[i].label);
	for (uint32_t l = 0; any && l < p->line_count; l++) {
		for (uint32_t i = 0; p->lines[l].kind == TP_LINE_THREAD && i < p->lines[l].count; i++)
			count += launches[tp_line_op(&p->lines[l], i)];
	}
	return count;
}

struct tp_slice
tp_kernels_unrecorded_reason(const struct tp_pass_ctx *ctx, bool *launched)
{
	const struct tp_profile *p = ctx->profile;

	*launched = false;
	if (p->torch != NULL || worked(p))
		return TP_S("");
	uint64_t launches = launches_of(p, ctx->scratch);
	uint32_t gpus = gpus_of(p);

	*launched = launches != 0;
	if (launches != 0)
		return tp_arena_printf(ctx->keep, "the program launched %.*s; the profiler recorded none",
			TP_ARG(tp_say_number(ctx, launches, "kernel", "kernels").text));
	if (gpus == 0 || p->event_count == 0)
		return TP_S("");
	return tp_arena_printf(ctx->keep, "the profile names %.*s but holds no work on %s",
		TP_ARG(tp_say_number(ctx, gpus, "GPU", "GPUs").text), gpus == 1 ? "it" : "them");
}
