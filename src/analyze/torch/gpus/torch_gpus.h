/* GPUs of PyTorch traces: how much of the time between the first step's start and the last step's end each ran kernels, and
 * how well these filled it. Formulas: torch-tb-profiler (gpu_metrics_parser.py); what differs stands at each. */
#ifndef TP_ANALYZE_TORCH_GPUS_H
#define TP_ANALYZE_TORCH_GPUS_H

#include "analyze/core/ctx.h"
#include "analyze/core/intervals.h"
#include "analyze/facts/occupancy.h"

#include <stdint.h>

struct tp_profile;
struct tp_torch_trace;

/* One device in one trace. Shares 0…1; what they are of is 0 where nothing is known. */
struct tp_torch_gpu_use {
	uint32_t trace, gpu; /* index; number of the device */
	uint32_t device;     /* of the profile */
	int64_t window_ps; /* first step start … last step end; without steps the device's own work */
	int64_t running_ps;        /* of it: at least one kernel runs, collectives among them */
	double filled_ps;          /* ∫ min(1, Σ blocks per SM of running kernels) */
	bool filled_known;         /* any kernel says how many blocks it has */
	double occupied_ps;        /* Σ occupancy × time in the window */
	double occupied_of_ps;     /* Σ time in the window of kernels whose occupancy is known */
	bool occupancy_worked_out; /* for some kernel: an upper bound, from its launch */
	int64_t kernel_ps;         /* Σ durations of all kernels of the trace */
	int64_t collective_ps, tensor_ps, untold_ps; /* of it: collectives; on tensor cores; not told */
	enum tp_tensor_cores tensor_cores;           /* there as well where a kernel used them */
	uint64_t kernels;
};

struct tp_torch_gpus {
	struct tp_torch_gpu_use *uses; /* by trace, then device; those that did something */
	size_t count;
};

/* struct tp_torch_gpus; skipped when no trace holds work of a device */
extern const struct tp_pass tp_pass_torch_gpus;

/* Sums of what is in `uses`: all of them (trace TP_NONE) or those of one trace (torch_gpus_present.c). */
struct tp_torch_gpu_use tp_torch_gpus_sum(const struct tp_torch_gpus *g, uint32_t trace);

/* Whether the uses are of one GPU in several spans (torch_gpus_present.c). */
bool tp_torch_gpus_are_one(const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g);

/* Of one device, or of such a sum. */
struct tp_value;
struct tp_value tp_torch_gpu_utilization(const struct tp_torch_gpu_use *u);

/* The device of the profile that a trace's GPU of this number is; TP_NONE: nothing ran on it. */
uint32_t tp_torch_gpu_device(
	const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t gpu);

struct tp_torch_gpu;
struct tp_torch_launch;
/* Achieved occupancy, 0…1, as the trace has it; where it has none (ROCm), kineto's estimate (kernel occupancy of CuptiActivity):
 * threads of the blocks that a multiprocessor gets, at most those that fit, over the threads it has room for. ROCm records no
 * registers, so what fits is bounded by threads and shared memory alone, and the estimate is an upper bound. gpu may be NULL.
 * NaN: not known. */
double tp_torch_occupancy(const struct tp_torch_gpu *gpu, const struct tp_torch_launch *launch);

/* Numbers of the devices that did something in a trace, ascending; returns how many, at most one a lane. */
size_t tp_torch_gpus_of(const struct tp_torch_trace *t, uint32_t *gpus);

/* Fills in the cells of what the trace says of a device (torch_gpus_present.c). */
struct tp_cell;
void tp_torch_gpu_described(const struct tp_pass_ctx *ctx, uint32_t device, struct tp_cell *name,
	struct tp_cell *memory, struct tp_cell *capability);

void tp_torch_gpus_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_torch_gpus_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
