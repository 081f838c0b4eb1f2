/* distributedInfo: rank, world and process groups of a trace. */
#ifndef TP_INGEST_TORCH_DISTRIBUTED_H
#define TP_INGEST_TORCH_DISTRIBUTED_H

#include <stdbool.h>

struct tp_arena;
struct tp_pull;
struct tp_torch_distributed;

/* At the value. False when the text ends inside. */
bool tp_torch_distributed_take(
	struct tp_torch_distributed *d, struct tp_arena *arena, struct tp_pull *j);

#endif
