/* Profilers of running programs: JAX, TensorFlow and Cloud TPU serve tensorflow.ProfilerService at a port. */
#ifndef TP_LIVE_PROFILER_H
#define TP_LIVE_PROFILER_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_run_folder;

struct tp_capture_wish {
	uint64_t duration_ms;
	unsigned deadline_ms; /* until the profile must be here, from when it is asked for */
	uint32_t host_level, device_level, python_level;
	bool dataset_ops; /* also events of tf.data's operations */
};

enum tp_captured { TP_CAPTURE_FAILED, TP_CAPTURE_EMPTY, TP_CAPTURE_TAKEN };

struct tp_captured_host {
	const char *address; /* "10.0.0.2:8466" */
	const char *name;    /* begins its files: "10.0.0.2" */
	/* What came: */
	enum tp_captured state;
	bool again;          /* not taken, but another try may do it */
	uint64_t size_bytes; /* of its files */
	struct tp_err err;   /* FAILED: why */
};

/* Asks all for a profile at the same time, and puts what comes into the folder. Returns how many were taken. */
size_t tp_capture(const struct tp_capture_wish *wish, struct tp_captured_host *hosts, size_t count,
	struct tp_run_folder *folder);

/* The profiler's own summary of duration_ms of its program, of level 1 or 2; text gets it, of char. TP_ABSENT: it has none, as all but those
 * of TPUs. */
enum tp_status tp_monitor(
	const char *address, uint64_t duration_ms, int level, struct tp_buf *text, struct tp_err *err);

#endif
