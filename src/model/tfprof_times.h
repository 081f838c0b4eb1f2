/* When nodes of a dump ran, where, and what memory they held then. */
#ifndef TP_MODEL_TFPROF_TIMES_H
#define TP_MODEL_TFPROF_TIMES_H

#include "model/tfprof.h"

/* A run on a device. */
struct tp_tfprof_time {
	struct tp_slice device;
	int64_t start_us, us;
	bool on_cpu; /* tfprof counts it as CPU time: that of a CPU, or that of a GPU's host */
	uint32_t place;
	int64_t step;
};

/* All of a step in the buf, by device, those of a device as they were recorded. */
void tp_tfprof_times(const struct tp_tfprof_node *node, int64_t step, struct tp_buf *times);

/* Those of all steps, in the order of the record. */
void tp_tfprof_all_times(const struct tp_tfprof_node *node, struct tp_buf *times);

/* Whether a node has times in this step, and a place where it ran. */
bool tp_tfprof_is_timed(const struct tp_tfprof_node *node, int64_t step);

/* From when to when it ran in its last step, and how long on an accelerator; false: in none. */
bool tp_tfprof_last_span(
	const struct tp_tfprof_node *node, int64_t *start_us, int64_t *end_us, int64_t *accelerator_us);

struct tp_tfprof_bytes {
	int64_t at_us, bytes;
};
/* What an accelerator's allocator gave and took back in a step; and what it had given in all when the node ended. */
void tp_tfprof_allocations(const struct tp_tfprof_node *node, int64_t step, struct tp_buf *bytes);
void tp_tfprof_in_use(const struct tp_tfprof_node *node, int64_t step, struct tp_buf *bytes);

/* That it keeps on an accelerator: of the step with most. */
int64_t tp_tfprof_persistent_bytes(const struct tp_tfprof_node *node);

/* "…/device:gpu:0", and no stream of it. */
bool tp_tfprof_is_whole_device(struct tp_slice device);
/* "…/device:tpu:0", "…/device:xla_gpu:0", of any kind that tfprof knows nothing of. */
bool tp_tfprof_is_other_device(struct tp_slice device);

/* The other devices on which a node ran without a time of its own there. */
struct tp_tfprof_devices {
	struct tp_pb message, exec;
	bool timed;
};
struct tp_tfprof_devices tp_tfprof_devices(const struct tp_tfprof_node *node);
bool tp_tfprof_next_untimed(struct tp_tfprof_devices *devices, struct tp_slice *device);

#endif
