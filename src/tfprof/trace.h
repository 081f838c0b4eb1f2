/* Writing a trace for Chrome's and Perfetto's viewers event by event, in the layout of tfprof: on one line, members in order. */
#ifndef TP_TFPROF_TRACE_H
#define TP_TFPROF_TRACE_H

#include "base/slice.h"

#include <stdint.h>

struct tp_sink;

struct tp_tfprof_trace {
	struct tp_sink *out;
	bool any;
};

void tp_tfprof_trace_open(struct tp_tfprof_trace *trace, struct tp_sink *out);
void tp_tfprof_trace_close(struct tp_tfprof_trace *trace);

/* "Op scheduling threads: /device:cpu:0": prefix, name and suffix together are the name of a process. */
void tp_tfprof_trace_process(struct tp_tfprof_trace *trace, const char *prefix,
	struct tp_slice name, const char *suffix, int64_t pid);

struct tp_tfprof_trace_region {
	struct tp_slice name;
	bool with_op; /* the name once more, as that of an operation */
	int64_t pid, tid, start_us, us;
};
void tp_tfprof_trace_region(
	struct tp_tfprof_trace *trace, const struct tp_tfprof_trace_region *region);

/* One end of an arrow from an operation to another. */
void tp_tfprof_trace_flow(struct tp_tfprof_trace *trace, char phase, struct tp_slice name,
	int64_t pid, int64_t tid, int64_t at_us, int64_t id);

/* Begins a sample of memory; its values follow, "key": value, and then its end. */
void tp_tfprof_trace_sample(struct tp_tfprof_trace *trace);
void tp_tfprof_trace_sample_end(
	struct tp_tfprof_trace *trace, const char *name, int64_t pid, int64_t at_us);

#endif
