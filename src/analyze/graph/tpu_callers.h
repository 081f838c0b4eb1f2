/* Functions that only the host runs. */
#ifndef TP_ANALYZE_TPU_CALLERS_H
#define TP_ANALYZE_TPU_CALLERS_H

#include <stdint.h>

struct tp_arena;
struct tp_graph;

/* by: by call of the graph, the class of the node that calls where that is the host's (TP_TPU_INPUT, TP_TPU_PLACED), else
 * TP_TPU_COMPATIBLE. Returns by function: the class of those that call it when all are the host's, one after the other; else
 * TP_TPU_COMPATIBLE, as for a function that nothing calls. Allocated in arena. */
uint8_t *tp_tpu_functions_of_host(
	const struct tp_graph *g, const uint8_t *by, struct tp_arena *arena);

#endif
