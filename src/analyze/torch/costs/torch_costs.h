/* What PyTorch steps lose by how they are run: what the findings are judged by. */
#ifndef TP_ANALYZE_TORCH_COSTS_H
#define TP_ANALYZE_TORCH_COSTS_H

#include "analyze/core/ctx.h"
#include "analyze/facts/occupancy.h"

#include <math.h>
#include <stdint.h>

/* Sums over all traces; steps: those that count. Times in double are parts of step_ps: means over the workers of each step
 * (steps/step_counted.h). */
struct tp_torch_costs {
	double step_ps; /* Σ lengths of steps with device work in them, until the slowest worker ends */
	uint32_t step_count;        /* of single workers */
	struct tp_slice unrecorded; /* why no kernel is known (torch_unrecorded.h); empty: some are */
	double host_ps;             /* of them, in roles Runtime, CPU Exec and Other … */
	double queued_ps;           /* … while launched work stands still (torch_host_bound.c) */
	double setup_ps;            /* … in long calls that set a device up */
	double bound_ps;            /* … in none of these: devices wait for the host */
	double calls_ps;            /* … of what is left, in calls of the runtime … */
	double operators_ps;        /* … and of what is left then, in operators and named ranges */
	struct tp_slice setup_most; /* the call that took most of it; may be empty */
	int64_t setup_most_ps;
	bool data_parallel;      /* DataParallel.forward ran */
	bool ddp;                /* DistributedDataParallel.forward ran */
	double data_parallel_ps; /* of it, on the host, where it begins in a step */
	uint32_t devices;        /* most that one trace's work ran on */
	bool nccl;               /* a collective of NCCL or RCCL ran */
	bool nccl_capable;       /* a device that ran something could use it */
	unsigned
		newest_major; /* highest compute capability of a device that ran something; 0: unknown */
	bool collectives; /* any collective, of whatever library */
	enum tp_tensor_cores tensor_cores; /* of all devices */
	int64_t kernel_ps;        /* Σ durations of kernels on devices that have tensor cores */
	int64_t eligible_ps;      /* of it: asked for by operators that could use them */
	int64_t unused_ps;        /* … of which no kernel did, nor may have … */
	double core_gain_ps;      /* … and what of that tensor cores save at their peak rate */
	uint64_t kernels;         /* that begin in steps */
	uint64_t graph_kernels;   /* … launched with others by one call: of a CUDA graph */
	uint64_t short_kernels;   /* … launched alone, and shorter than the median launch */
	int64_t launch_ps;        /* that median, of calls that launched one kernel; 0: none */
	uint64_t host_copies;     /* between host and device, that begin in steps … */
	uint64_t told_copies;     /* … of these, by name of pageable or pinned memory */
	uint64_t pageable_copies; /* … of pageable memory */
	double pageable_ps;       /* … of that */
	int64_t pageable_bytes;   /* likewise */
	uint64_t waits;           /* calls in steps by which the host waits for a device … */
	int64_t wait_ps;          /* … the time in them … */
	/* … and that in which no device works after them, up to the next work, but for what is queued */
	double drained_ps;
	/* Gradients set to 0 (torch_zero_grad.c). */
	bool zero_grad_recorded; /* some trace holds a call of Optimizer.zero_grad */
	uint64_t zero_grads;     /* those in steps … */
	uint64_t zero_fills;     /* … operators of them that fill memory … */
	double zero_ps;      /* … what devices do for them, and their time while no device works */
	double zero_step_ps; /* as step_ps, with or without device work */
	struct tp_slice waits_most; /* operator that asked for most of the last; may be empty */
};

/* From this share of kernel time on, products and convolutions without tensor cores are a finding. */
#define TP_TORCH_UNUSED_SHARE 0.10

/* A part of the time of steps with device work, as a share of it; NaN: no such step. */
static inline double
tp_torch_step_share(const struct tp_torch_costs *c, double ps)
{
	return c->step_ps > 0 ? ps / c->step_ps : (double)NAN;
}

/* struct tp_torch_costs; skipped when no trace has a step */
extern const struct tp_pass tp_pass_torch_costs;

struct tp_counted_steps;
struct tp_interval;
struct tp_torch_correlation;
struct tp_torch_trace;

/* Whether a call of that name makes contexts, streams, events or modules, or takes or returns memory. */
bool tp_torch_sets_up(struct tp_slice name);

/* Adds what is told of steps with device work, step_ps to operators_ps; to setup_by, by operation of the profile, how long each call
 * took in steps that sets a device up (torch_host_bound.c). */
void tp_torch_add_host_bound(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_counted_steps *counted,
	int64_t *setup_by, struct tp_torch_costs *out);

/* Device work that has been launched and does not begin: from 0.1 ms after its call has returned up to its start. Intervals as they
 * come, not united, into out, which has room for all work of the trace; their number (torch_host_bound.c). */
size_t tp_torch_queued(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	struct tp_interval *out);

/* Adds what setting gradients to 0 costs; work: when devices work, united (torch_zero_grad.c). */
void tp_torch_add_zero_grads(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const struct tp_counted_steps *counted,
	const struct tp_interval *work, size_t work_count, struct tp_torch_costs *out);

/* Their figures (torch_costs_metrics.c). */
void tp_torch_costs_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
