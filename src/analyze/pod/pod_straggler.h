/* Finding the core, chip or host that the others wait for. */
#ifndef TP_ANALYZE_POD_STRAGGLER_H
#define TP_ANALYZE_POD_STRAGGLER_H

#include "analyze/pod/pod.h"

/* Fills in leads, straggler and imbalance_ps from the units; own: [step × units + unit], ps. */
void tp_pod_find_straggler(
	struct tp_pod *pod, const double *own, size_t steps, struct tp_arena *scratch);

#endif
