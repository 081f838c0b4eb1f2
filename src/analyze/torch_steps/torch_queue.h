/* Device work that has been launched and does not begin although no device works: what it waits for (an event, another process,
 * the upload of a graph, work that the trace lacks) is not in the trace, so that it is not the host that is late. */
#ifndef TP_ANALYZE_TORCH_QUEUE_H
#define TP_ANALYZE_TORCH_QUEUE_H

#include "analyze/core/ctx.h"

struct tp_torch_busy;
struct tp_torch_correlation;
struct tp_torch_trace;
struct tp_torch_trace_steps;

/* The time of the trace's steps in which such work is pending and nothing in busy, which has room for one interval for each piece
 * of work. A launch counts from a tenth of a millisecond after its call returned: what it takes to begin is at most some ten
 * microseconds. */
int64_t tp_torch_queued_ps(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_trace_steps *steps, struct tp_torch_busy *busy);

#endif
