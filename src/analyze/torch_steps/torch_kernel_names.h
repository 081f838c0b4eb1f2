/* What names of kernels tell, each asked for once: there are few names and many kernels. */
#ifndef TP_ANALYZE_TORCH_KERNEL_NAMES_H
#define TP_ANALYZE_TORCH_KERNEL_NAMES_H

#include "analyze/facts/tensor_core.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_trace;

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

#endif
