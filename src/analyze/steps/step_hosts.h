/* Steps of single hosts, before they are joined. */
#ifndef TP_ANALYZE_STEP_HOSTS_H
#define TP_ANALYZE_STEP_HOSTS_H

#include "analyze/core/sweep.h"
#include "analyze/core/time_class.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_buf;
struct tp_followed;
struct tp_profile;
struct tp_windows;

struct tp_host_step {
	struct tp_slice name;
	int64_t number, start_ps, end_ps;
	bool numbered;
	bool asks_input; /* some event of it asks for a batch */
	/* some event of it fetches input or sends it to a device, even if other work hides it */
	bool has_input;
	int32_t group;
	uint32_t host;
	double time_ps, class_ps[TP_CLASS_COUNT];
	double to_device_ps; /* of class input wait: copies to the device */
	double work_ps;      /* while the device worked, for whatever step: GPUs, or XLA on the CPU */
};

/* What operations' names say, worked out once an operation instead of once an event. */
struct tp_host_op {
	bool marker, wrapper;
	enum tp_event_type type, type_correlated;
};
const struct tp_host_op *tp_read_host_names(
	const struct tp_profile *p, bool has_device, struct tp_arena *scratch);

/* Add the steps of a host to a buffer of struct tp_host_step, in order of start: those that it marks, or those that its
 * windows are taken for (both may be moved to where the work is). Return how many had a mark; those without any work in them
 * are not added. */
size_t tp_marked_steps_of_host(const struct tp_profile *p, uint32_t host, bool has_device,
	const struct tp_host_op *ops, struct tp_followed *followed, struct tp_buf *steps,
	struct tp_arena *scratch);
size_t tp_inferred_steps_of_host(const struct tp_profile *p, uint32_t host, bool has_device,
	const struct tp_host_op *ops, struct tp_windows *windows, struct tp_buf *steps,
	struct tp_arena *scratch);

/* Those that the host of a TPU marks, also without work. */
void tp_steps_of_tpu_host(const struct tp_profile *p, uint32_t host, const struct tp_host_op *ops,
	struct tp_buf *steps, struct tp_arena *scratch);

#endif
