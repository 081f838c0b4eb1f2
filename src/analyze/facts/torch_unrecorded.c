#include "analyze/facts/torch_unrecorded.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* cudaLaunchKernel, cuLaunchKernelEx, cudaGraphLaunch, hipExtModuleLaunchKernel, urEnqueueKernelLaunch …: every library says
 * so. What a cudaLaunchHostFunc launches runs on the host. */
static bool
launches_kernel(struct tp_slice name)
{
	return tp_slice_has(name, TP_S("Launch")) && !tp_slice_has(name, TP_S("HostFunc"));
}

/* A launch of the runtime calls the driver's: within one another they are one. */
static uint32_t
launches_of_lane(
	const struct tp_profile *p, const struct tp_torch_trace *t, const struct tp_torch_lane *lane)
{
	int64_t until = INT64_MIN;
	uint32_t launches = 0;

	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		if (!tp_torch_is_call(t->kind[e]) || tp_torch_start_ps(t, e) < until ||
			!launches_kernel(tp_torch_name(p, t, e)))
			continue;
		until = tp_torch_start_ps(t, e) + tp_torch_duration_ps(t, e);
		launches++;
	}
	return launches;
}

uint32_t
tp_torch_unrecorded_launches(const struct tp_profile *p, const struct tp_torch_trace *t)
{
	uint32_t launches = 0;

	if (t->kind_count[TP_TORCH_KERNEL] != 0 ||
		t->kind_count[TP_TORCH_RUNTIME] + t->kind_count[TP_TORCH_DRIVER] == 0)
		return 0;
	for (uint32_t l = 0; l < t->lane_count; l++)
		launches += launches_of_lane(p, t, &t->lanes[l]);
	return launches;
}

struct tp_torch_unrecorded
tp_torch_unrecorded(const struct tp_profile *p)
{
	struct tp_torch_unrecorded u = {.all = true};

	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		uint32_t launches = tp_torch_unrecorded_launches(p, p->torch->traces[i]);

		u.launches += launches;
		u.traces += launches != 0;
		u.all &= p->torch->traces[i]->kind_count[TP_TORCH_KERNEL] == 0;
	}
	return u;
}

struct tp_slice
tp_torch_unrecorded_reason(const struct tp_pass_ctx *ctx)
{
	struct tp_torch_unrecorded u = tp_torch_unrecorded(ctx->profile);

	if (!u.all || u.launches == 0)
		return TP_S("");
	return tp_arena_printf(ctx->keep, "the program launched %.*s; the profiler recorded none",
		TP_ARG(tp_say_number(ctx, u.launches, "kernel", "kernels").text));
}

struct tp_slice
tp_torch_unrecorded_gpu(const struct tp_profile *p)
{
	struct tp_torch_unrecorded u =
		p->torch != NULL ? tp_torch_unrecorded(p) : (struct tp_torch_unrecorded){.all = false};

	if (!u.all || u.launches == 0)
		return TP_S("");
	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		if (t->gpu_count != 0 && t->gpus[0].name.len != 0)
			return t->gpus[0].name;
	}
	return TP_S("GPU");
}
