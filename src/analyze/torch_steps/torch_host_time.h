/* The time of PyTorch steps in which no device works and the host is not waiting for a batch: what keeps devices without work. */
#ifndef TP_ANALYZE_TORCH_HOST_TIME_H
#define TP_ANALYZE_TORCH_HOST_TIME_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_interval;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;
struct tp_torch_trace_steps;

/* Device work that has been launched and does not begin: from 0.1 ms after its call has returned up to its start. Intervals as they
 * come, not united, into out, which has room for all work of the trace; their number. */
size_t tp_torch_queued(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	struct tp_interval *out);

/* Whether an event is a call of a millisecond or more by which the host makes contexts, streams, events and modules, or takes and
 * returns memory, or a launch of 0.1 s or more, which loads a module; by its name and length, or the event of a trace. They belong before
 * the first step that is measured. */
bool tp_torch_name_sets_up(struct tp_slice name, int64_t duration_ps);
bool tp_torch_sets_up(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event);

/* Fills in host_ps of each step, whose roles are known; says so in host_divided. */
void tp_torch_find_host_time(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_trace_steps *s,
	struct tp_arena *scratch);

/* Where nothing is known but roles. */
void tp_torch_host_time_of_roles(struct tp_torch_trace_steps *s);

#endif
