/* The memory of accelerators in a step: what the allocator had given, and which nodes held most of it. */
#ifndef TP_TFPROF_TIMELINE_MEMORY_H
#define TP_TFPROF_TIMELINE_MEMORY_H

#include "analyze/tfprof/tfprof_view.h"

struct tp_sink;
struct tp_tfprof_memory;
struct tp_tfprof_trace;

/* Of the nodes of a view; processes get numbers from first_pid on. Lives in the arena. */
struct tp_tfprof_memory *tp_tfprof_memory(const struct tp_tfprof *t,
	const struct tp_tfprof_view *view, int64_t step, uint32_t first_pid, struct tp_arena *arena);

void tp_tfprof_put_memory_processes(
	const struct tp_tfprof_memory *memory, struct tp_tfprof_trace *trace);
/* Peaks go to `said`. */
void tp_tfprof_put_memory(
	const struct tp_tfprof_memory *memory, struct tp_tfprof_trace *trace, struct tp_sink *said);

#endif
