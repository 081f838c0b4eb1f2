/* The roles that a PyTorch step's time is broken into, by priority: each instant counts for the first that is running.
 * Formula: torch-tb-profiler's breakdown (role.py, overall_parser.py), whose priority this is, with three differences:
 * - Communication is the device time of all collective kernels, whatever their names; torch-tb-profiler knew five operations
 *   and counted the host's span of them. Where a trace has no such kernel (gloo, CPU) it is the host's spans.
 * - Launches through the driver (cuLaunchKernel) count as calls of the runtime.
 * - A step that is covered completely is not counted again, so that the parts always sum to the step. */
#ifndef TP_ANALYZE_TORCH_ROLE_H
#define TP_ANALYZE_TORCH_ROLE_H

#include "analyze/core/intervals.h"
#include "analyze/core/time_class.h"
#include "analyze/facts/tensor_core.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_trace;

enum tp_torch_role {
	TP_TORCH_ROLE_KERNEL,
	TP_TORCH_ROLE_MEMCPY,
	TP_TORCH_ROLE_MEMSET,
	TP_TORCH_ROLE_COMMUNICATION,
	TP_TORCH_ROLE_RUNTIME,
	TP_TORCH_ROLE_DATALOADER,
	TP_TORCH_ROLE_CPU,
	TP_TORCH_ROLE_OTHER,
	TP_TORCH_ROLE_COUNT
};

struct tp_torch_role_info {
	const char *key;     /* in metric ids: torch.step.<key>_us */
	const char *label;   /* "CPU Exec" */
	enum tp_class class; /* in the classes of time of the Steps section */
	const char *how;
};
const struct tp_torch_role_info *tp_torch_role_info(enum tp_torch_role role);

/* What roles Runtime, CPU Exec and Other consist of (torch_host_time.h): each instant counts for the first that it is. */
enum tp_torch_host_part {
	TP_TORCH_HOST_QUEUED, /* device work has been launched and does not begin */
	TP_TORCH_HOST_SETUP,  /* the host is in a long call that sets a device up */
	TP_TORCH_HOST_CALLS,
	TP_TORCH_HOST_OPERATORS,
	TP_TORCH_HOST_NEITHER,
	TP_TORCH_HOST_PARTS
};

/* In the classes of time of the Steps section. */
enum tp_class tp_torch_class_of_host(enum tp_torch_host_part part);

/* Whether a role is made of such parts. */
bool tp_torch_role_is_of_host(enum tp_torch_role role);

/* Whether a kernel moves data between devices for a collective or a send: by the arguments of the collective that the trace
 * gives it, else by its name (NCCL, RCCL, oneCCL and symmetric memory). */
bool tp_torch_is_collective(
	const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event);

/* Whether a range of the host is a collective of the process group: "nccl:all_reduce", "gloo:broadcast". */
bool tp_torch_is_collective_range(struct tp_slice name);

/* An operator of torch.distributed, or a range of a collective. */
bool tp_torch_op_communicates(struct tp_slice name);

/* Whether a range is the wait for the next batch of a DataLoader or DataPipe. */
bool tp_torch_is_dataloader(struct tp_slice name);

/* What names of kernels tell, each asked for once: there are few names and many kernels. */
struct tp_torch_kernel_names {
	const struct tp_profile *profile;
	uint8_t *tensor_cores; /* by op of the profile: enum tp_tensor_core + 1; 0: not asked for yet */
	uint8_t *collective;   /* likewise: 1 + whether */
};

struct tp_torch_kernel_names tp_torch_kernel_names_new(
	const struct tp_profile *p, struct tp_arena *scratch);

/* Of a kernel. */
enum tp_tensor_core tp_torch_kernel_cores(
	struct tp_torch_kernel_names *n, const struct tp_torch_trace *t, uint32_t event);
bool tp_torch_kernel_is_collective(
	struct tp_torch_kernel_names *n, const struct tp_torch_trace *t, uint32_t event);

/* When each role but Other is running: united intervals. */
struct tp_torch_roles {
	struct tp_interval *intervals[TP_TORCH_ROLE_COUNT];
	size_t count[TP_TORCH_ROLE_COUNT];
	/* Of CPU Exec the operators alone, in a trace with collectives and without kernels: a range that the program named may only
	 * be waiting. */
	struct tp_interval *operators;
	size_t operator_count;
	bool collective_kernels; /* communication is that of the device */
};
struct tp_torch_roles tp_torch_roles_of(const struct tp_profile *p, const struct tp_torch_trace *t,
	struct tp_arena *keep, struct tp_arena *scratch);

#endif
