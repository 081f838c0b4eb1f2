/* Kernels that a program launched and the profiler did not record. It happens where CUPTI (or roctracer) refuses: the driver
 * lets only administrators count, another profiler holds the device, or the library is missing. The trace then has the calls
 * that launch and not one kernel; nothing that rests on device work can be said of it, and 0 would be wrong. */
#ifndef TP_ANALYZE_TORCH_UNRECORDED_H
#define TP_ANALYZE_TORCH_UNRECORDED_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_pass_ctx;
struct tp_profile;
struct tp_torch_trace;

/* Calls of a trace that launch kernels, where it holds no kernel; else 0. */
uint32_t tp_torch_unrecorded_launches(const struct tp_profile *p, const struct tp_torch_trace *t);

/* Over all traces. */
struct tp_torch_unrecorded {
	uint64_t launches; /* in traces without any kernel */
	uint32_t traces;   /* that have such */
	bool all;          /* no trace holds a kernel */
};
struct tp_torch_unrecorded tp_torch_unrecorded(const struct tp_profile *p);

/* "the program launched 77 kernels and the profiler recorded none"; empty: some trace holds a kernel, or none was launched. */
struct tp_slice tp_torch_unrecorded_reason(const struct tp_pass_ctx *ctx);

/* Of a run of PyTorch that launched kernels none of which was recorded: its GPU as the trace describes it, "GPU" where it does
 * not. Empty: of any other run. */
struct tp_slice tp_torch_unrecorded_gpu(const struct tp_profile *p);

#endif
