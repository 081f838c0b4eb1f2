/* Scopes: a figure for one host, device … has the id of the figure over all of them and then what it is narrowed to:
 * "step.time.mean_ms@host=host0", "device.busy_share@host=host0,device=TPU:1". */
#ifndef TP_REPORT_SCOPE_H
#define TP_REPORT_SCOPE_H

#include "base/slice.h"

struct tp_arena;

/* In the order in which pairs stand in an id; ptr NULL: not narrowed by it. */
struct tp_scope {
	struct tp_slice run, host, worker, span, device, program, module, step;
};

/* The id with its scope; within values %, comma, = and @ are percent-encoded, and control characters, which would break
 * a line. */
struct tp_slice tp_scope_id(struct tp_arena *a, const char *id, struct tp_scope scope);

/* The id without its scope: what stands before the first @. */
struct tp_slice tp_scope_base(struct tp_slice id);

#endif
