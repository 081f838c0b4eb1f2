/* What tfprof's advisor says of a dump: how busy accelerators are, operations that there are better ones for, what takes longest. */
#ifndef TP_ANALYZE_TFPROF_ADVICE_H
#define TP_ANALYZE_TFPROF_ADVICE_H

#include "analyze/tfprof/tfprof_view.h"

/* An accelerator in the last step of each of its nodes. */
struct tp_tfprof_device {
	struct tp_slice name;
	int64_t start_us, end_us, busy_us;
};

struct tp_tfprof_advice {
	struct tp_tfprof_device *devices; /* by name */
	uint32_t device_count;
	/* Operations that there are better ones for, and a node of each; TP_MAP_NONE: there is none. */
	uint32_t batch_norm; /* in parts, nowhere as one operation */
	uint32_t nhwc;       /* with the channels last, on a GPU */
};

/* ours: versions 2 and 3 of the fused operation count, too, and other devices than CPU and GPU are accelerators, which they are not for
 * the original. */
void tp_tfprof_advise(
	const struct tp_tfprof *t, bool ours, struct tp_arena *arena, struct tp_tfprof_advice *out);

#endif
