/* Variables that an optimiser keeps beside those that are trained: Momentum, Adam and the like. */
#ifndef TP_ANALYZE_TFPROF_SLOTS_H
#define TP_ANALYZE_TFPROF_SLOTS_H

#include "model/tfprof.h"

struct tp_arena;

/* For each node the variable that it is a slot of; TP_MAP_NONE: it is none. The dump is one that was read whole. */
uint32_t *tp_tfprof_slots(const struct tp_tfprof *t, struct tp_arena *arena);

/* What a variable holds: its elements by the size of its type; 0: not known. */
int64_t tp_tfprof_held_bytes(const struct tp_tfprof_node *node);

#endif
