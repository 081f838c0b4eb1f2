/* What ran while a step lasted, whatever step it was for. */
#ifndef TP_ANALYZE_STEP_ELSEWHERE_H
#define TP_ANALYZE_STEP_ELSEWHERE_H

#include "analyze/core/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_host_op;
struct tp_profile;
struct tp_windows;

struct tp_elsewhere {
	struct tp_cover any; /* by any event that says that something runs */
	/* by work of the device: streams of GPUs; without these, operations of XLA */
	struct tp_cover work;
};

/* Of a host whose steps last from each start to its end. An event that spans a whole step wraps it (a loop, a thread that
 * waits), the call that a window begins with stands for it, and a Python function says where a thread is: none of these
 * covers anything. On a host with GPUs only their work does. windows: NULL when steps are marked. Memory from scratch. */
struct tp_elsewhere tp_what_ran(const struct tp_profile *p, uint32_t host, bool has_device,
	const struct tp_host_op *ops, const struct tp_windows *windows, struct tp_interval *steps,
	size_t count, struct tp_arena *scratch);

/* Unites the intervals in place; the cover points to them. The rest is from scratch. */
struct tp_cover tp_cover_united(
	struct tp_interval *intervals, size_t count, struct tp_arena *scratch);

#endif
