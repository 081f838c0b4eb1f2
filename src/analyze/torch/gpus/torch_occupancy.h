/* How well a kernel of a PyTorch trace fills a device. */
#ifndef TP_ANALYZE_TORCH_OCCUPANCY_H
#define TP_ANALYZE_TORCH_OCCUPANCY_H

struct tp_torch_gpu;
struct tp_torch_launch;
struct tp_torch_trace;

/* Blocks of the grid over multiprocessors: as the trace says, else worked out (ROCm writes the grid alone); NaN: not known. */
double tp_torch_blocks_per_sm(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *launch);

/* Achieved occupancy, 0…1, as the trace has it; where it has none (ROCm), kineto's estimate (kernel occupancy of CuptiActivity):
 * threads of the blocks that a multiprocessor gets, at most those that fit, over the threads it has room for. ROCm records no
 * registers, so what fits is bounded by threads and shared memory alone, and the estimate is an upper bound. gpu may be NULL.
 * NaN: not known. */
double tp_torch_occupancy(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *launch);

#endif
