/* Device work of a trace as units, and the segments in which they repeat. */
#ifndef TP_ANALYZE_TORCH_KERNEL_UNITS_H
#define TP_ANALYZE_TORCH_KERNEL_UNITS_H

#include "analyze/torch_steps/torch_repeats.h"

/* A trace, with the calls that launched its device work. */
struct tp_kernel_search {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	struct tp_arena *keep, *scratch;
};

struct tp_kernel_work {
	uint32_t event;
	int64_t start_ps;
};

/* What iterations are found in: device work of one GPU, or of that what one thread launched. */
struct tp_kernel_stream {
	const struct tp_kernel_work *works; /* by start */
	const uint32_t *unit_of;            /* by work */
	uint32_t work_count;
	const struct tp_launch_unit *units;
	struct tp_repeats repeats;
};

/* thread: TP_NONE for all of the GPU. In scratch, repeats in keep. */
struct tp_kernel_stream tp_kernel_stream_of(
	const struct tp_kernel_search *m, uint32_t gpu, uint32_t thread);

/* The segment that a work is in; TP_NONE: none. */
uint32_t tp_kernel_segment(const struct tp_kernel_stream *s, uint32_t work);

#endif
