/* Kernels of an inference engine's iterations: by family and kind of iteration; those that take most, how much of their time nothing
 * runs beside them, and which follow each other so often that one kernel could do the work of both. */
#ifndef TP_ANALYZE_SERVING_KERNELS_H
#define TP_ANALYZE_SERVING_KERNELS_H

#include "analyze/llm/serving.h"

/* The largest number of families. */
enum { TP_SERVING_FAMILIES = 48, TP_SERVING_PAIRS = 16 };

struct tp_serving_family {
	struct tp_slice name;    /* "Attention" */
	struct tp_slice example; /* the kernel of it that takes most */
	double example_ps;
	double ps[TP_SERVING_KINDS], all_ps;
	uint64_t launches;
};

struct tp_serving_kernel {
	struct tp_slice name, family;
	uint32_t op;
	double ps[TP_SERVING_KINDS], all_ps;
	double alone_ps; /* of that while nothing else runs on its GPU */
	uint64_t launches;
};

/* Two kernels of which the second follows the first on its stream nearly always. */
struct tp_serving_pair {
	uint32_t first, second; /* kernels */
	uint64_t runs;
	double ps, bound_ps; /* of both; of the shorter one, which is what fusing saves at most */
	const char *how;     /* a kernel that does both; NULL: none is known */
};

struct tp_serving_kernels {
	struct tp_serving_family *families; /* by time, descending */
	uint32_t family_count;
	struct tp_serving_kernel *kernels; /* likewise */
	uint32_t kernel_count;
	struct tp_serving_pair *pairs; /* by what they save, descending */
	uint32_t pair_count;
	double all_ps;
	uint64_t launches, unknown; /* unknown: names of no family */
};

/* NULL: no iteration holds device work. */
const struct tp_serving_kernels *tp_serving_kernels_of(
	const struct tp_pass_ctx *ctx, const struct tp_serving *s);

#endif
