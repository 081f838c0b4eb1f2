/* The order in which an HLO module is written: computations after those that they call, instructions as they are scheduled
 * or else after what they read. */
#ifndef TP_MODEL_HLO_ORDER_H
#define TP_MODEL_HLO_ORDER_H

#include "model/hlo.h"

struct tp_hlo_order {
	bool scheduled;               /* the module has a schedule, for some computations at least */
	const uint32_t *computations; /* all of them */
	const uint32_t *instructions; /* those of computation c from its `first` on, `count` of them */
};

/* In arena. A sequence of the schedule that is not one of all instructions of its computation is not used. */
struct tp_hlo_order tp_hlo_order(const struct tp_hlo_module *m, struct tp_arena *arena);

#endif
