/* Figures of launches, as recorded or worked out. */
#include "analyze/torch_occupancy.h"

#include "analyze/kernel_launch.h"
#include "analyze/occupancy.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>

const struct tp_torch_gpu *
tp_torch_gpu_of(const struct tp_torch_trace *t, unsigned number)
{
	for (uint32_t i = 0; i < t->gpu_count; i++) {
		if (t->gpus[i].id == number)
			return &t->gpus[i];
	}
	return NULL;
}

static struct tp_kernel_launch
launch_of(const struct tp_torch_launch *l)
{
	struct tp_kernel_launch launch = {.has_grid = l->grid[0] != 0,
		.has_block = l->block[0] != 0,
		.has_registers = l->has_registers,
		.has_shared = l->has_shared,
		.registers = l->registers,
		.dynamic_bytes = l->shared_bytes,
		.occupancy = NAN};

	memcpy(launch.grid, l->grid, sizeof launch.grid);
	memcpy(launch.block, l->block, sizeof launch.block);
	return launch;
}

double
tp_torch_blocks_per_sm(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *launch)
{
	struct tp_kernel_launch l = launch_of(launch);
	uint64_t blocks = tp_launch_blocks(&l);

	if (isfinite(launch->blocks_per_sm))
		return launch->blocks_per_sm;
	return blocks == 0 || gpu == NULL || gpu->sm_count == 0 ? NAN : (double)blocks / gpu->sm_count;
}

double
tp_torch_occupancy(const struct tp_device *device, const struct tp_torch_gpu *gpu,
	const struct tp_torch_launch *launch)
{
	struct tp_kernel_launch l = launch_of(launch);
	uint64_t threads = tp_launch_threads(&l);
	double blocks = tp_torch_blocks_per_sm(gpu, launch);

	if (isfinite(launch->occupancy))
		return launch->occupancy;
	if (threads == 0 || !isfinite(blocks) || gpu == NULL || gpu->warp_size == 0 ||
		gpu->threads_per_sm < gpu->warp_size)
		return NAN;
	/* Whole warps: the threads that a last one lacks are idle, but take their place. */
	double warps = ceil((double)threads / gpu->warp_size);
	double share = blocks * warps / (gpu->threads_per_sm / gpu->warp_size);
	double limit = device == NULL ? NAN : tp_occupancy_of(device, &l).share;

	return fmin(fmin(share, 1), isfinite(limit) ? limit : 1);
}
