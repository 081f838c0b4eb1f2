/* Runs of programs on a host itself (XLA on the CPU): when each ran, and which events belong to it. */
#ifndef TP_ANALYZE_STEP_RUNS_H
#define TP_ANALYZE_STEP_RUNS_H

#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_run;

struct tp_host_runs {
	struct tp_run *runs; /* from the first operation to the last; kind: index into program_ids */
	uint32_t count;
	uint64_t *program_ids;
	uint32_t program_count;
	/* by line, then by event: its own run, or that of the first operation nested in it; TP_NONE: none; NULL: no operation of
	 * the line says its run */
	uint32_t **of_event;
};

/* Operations with the same program and run id are one run. Memory from scratch. */
struct tp_host_runs tp_host_runs_of(
	const struct tp_profile *p, uint32_t host, struct tp_arena *scratch);

#endif
