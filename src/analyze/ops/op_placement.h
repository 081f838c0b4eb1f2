/* How the framework's operations ran: one by one (eagerly) or within a compiled function, and what a compiled program left
 * to the host. */
#ifndef TP_ANALYZE_OP_PLACEMENT_H
#define TP_ANALYZE_OP_PLACEMENT_H

#include "analyze/core/ctx.h"

#include <stdint.h>

struct tp_op_placement {
	int64_t host_ps,
		host_eager_ps; /* Σ self times of operations on the host, and of those run eagerly */
	int64_t device_ps,
		device_eager_ps; /* of kernels that name their operation, and of those launched eagerly */
	int64_t device_op_ps,
		outside_ps; /* of device operations, and of those that send to the host and wait for it */
};

/* Of time: beyond these xprof advises against it (op_stats_to_overview_page.h). */
#define TP_EAGER_SHARE 0.10
#define TP_OUTSIDE_COMPILATION_SHARE 0.05

/* struct tp_op_placement; never skipped */
extern const struct tp_pass tp_pass_op_placement;

/* Whether a device operation hands work to the host in the middle of a program. */
bool tp_is_outside_compilation(struct tp_slice framework, struct tp_slice hlo);

#endif
