/* Figures of launches, as recorded or worked out. */
#include "analyze/torch/gpus/torch_occupancy.h"

#include "analyze/core/stats.h"
#include "model/torch.h"

#include <math.h>

double
tp_torch_blocks_per_sm(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *l)
{
	if (isfinite(l->blocks_per_sm))
		return l->blocks_per_sm;
	if (l->grid[0] == 0 || gpu == NULL || gpu->sm_count == 0)
		return NAN;
	return (double)l->grid[0] * l->grid[1] * l->grid[2] / gpu->sm_count;
}

double
tp_torch_occupancy(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *l)
{
	double threads = (double)l->block[0] * l->block[1] * l->block[2];
	double blocks = tp_torch_blocks_per_sm(gpu, l);

	if (isfinite(l->occupancy))
		return l->occupancy;
	if (l->has_registers || gpu == NULL || gpu->threads_per_sm == 0 || !(threads > 0) ||
		!(blocks > 0))
		return NAN;
	double fit = floor(gpu->threads_per_sm / threads);

	if (l->has_shared && l->shared_bytes != 0 && gpu->shared_per_sm != 0)
		fit = tp_smaller(fit, floor((double)gpu->shared_per_sm / l->shared_bytes));
	return tp_smaller(blocks, fit) * threads / gpu->threads_per_sm;
}
