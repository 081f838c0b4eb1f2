/* Overlapping intervals of classes of events, resolved by priority: each instant counts for the highest only. */
#ifndef TP_ANALYZE_SWEEP_H
#define TP_ANALYZE_SWEEP_H

#include "base/slice.h"

#include <stdint.h>

struct tp_arena;

/* What an event of a step is, lowest priority first (xprof's event_span.cc; numbers there in steps of ten). */
enum tp_event_type {
	TP_EVENT_UNKNOWN,
	TP_EVENT_HOST_COMPUTE,
	TP_EVENT_COMPILE,
	TP_EVENT_HOST_TO_HOST,
	TP_EVENT_HOST_TO_DEVICE,
	TP_EVENT_PREPARE,
	TP_EVENT_COLLECTIVE,
	TP_EVENT_WAIT_INPUT,
	TP_EVENT_DEVICE_TO_DEVICE,
	TP_EVENT_DEVICE_TO_HOST,
	TP_EVENT_HOST_XLA, /* ours: an operation of XLA on the CPU, which is the device then */
	TP_EVENT_COMPUTE_32,
	TP_EVENT_COMPUTE_16,
	TP_EVENT_TYPE_COUNT
};

struct tp_class_interval {
	int64_t start_ps, end_ps;
	enum tp_event_type type;
};

/* Picoseconds of [start, end) in which each type is the highest one running; UNKNOWN: none is. Sorts in scratch. */
void tp_sweep(const struct tp_class_interval *intervals, size_t count, int64_t start_ps,
	int64_t end_ps, int64_t out[static TP_EVENT_TYPE_COUNT], struct tp_arena *scratch);

/* The type of a host event by its name; of an event on a GPU stream by its name and operand shapes. */
enum tp_event_type tp_type_of_host_event(struct tp_slice name, bool has_device, bool correlated);
enum tp_event_type tp_type_of_gpu_event(struct tp_slice name, struct tp_slice shapes);

/* Whether an event of the host marks a step by its name. */
bool tp_name_marks_step(struct tp_slice name);

/* Whether a host event is left out of the sweep because it only wraps others. */
bool tp_is_wrapper_event(struct tp_slice name);

#endif
