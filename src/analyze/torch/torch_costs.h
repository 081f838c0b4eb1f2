/* What PyTorch steps lose by how they are run: what the findings are judged by. */
#ifndef TP_ANALYZE_TORCH_COSTS_H
#define TP_ANALYZE_TORCH_COSTS_H

#include "analyze/pass.h"

#include <stdint.h>

/* Sums over all traces; steps: those that count. */
struct tp_torch_costs {
	int64_t step_ps;          /* Σ step times of traces with device work in them */
	uint32_t step_count;      /* of these */
	int64_t host_ps;          /* of them, in roles Runtime, CPU Exec and Other */
	bool data_parallel;       /* DataParallel.forward ran */
	bool ddp;                 /* DistributedDataParallel.forward ran */
	int64_t data_parallel_ps; /* of it, on the host, where it begins in a step */
	uint32_t devices;         /* most that one trace's work ran on */
	bool nccl;                /* a collective of NCCL or RCCL ran */
	bool nccl_capable;        /* a device that ran something could use it */
	bool collectives;         /* any collective, of whatever library */
	int64_t kernel_ps;        /* Σ durations of kernels on devices that have tensor cores */
	int64_t eligible_ps;      /* of it: asked for by operators that could use them */
	int64_t unused_ps;        /* … of which no kernel did, nor may have */
	uint64_t kernels;         /* that begin in steps */
	uint64_t short_kernels;   /* … shorter than the median launch */
	int64_t launch_ps;        /* that median, of calls that launched a kernel; 0: none */
	uint64_t pageable_copies;
	int64_t pageable_ps, pageable_bytes; /* copies from or to pageable memory that begin in steps */
	uint64_t waits;     /* calls in steps by which the host waits for a device … */
	int64_t wait_ps;    /* … the time in them … */
	int64_t drained_ps; /* … and that in which no device works after them, up to the next work */
	struct tp_slice waits_most; /* operator that asked for most of the last; may be empty */
};

/* struct tp_torch_costs; skipped when no trace has a step */
extern const struct tp_pass tp_pass_torch_costs;

/* Their figures (torch_costs_metrics.c). */
void tp_torch_costs_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
