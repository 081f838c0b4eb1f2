/* Events in the order of the file, until it is known how many each lane has. */
#ifndef TP_INGEST_TORCH_CHUNK_H
#define TP_INGEST_TORCH_CHUNK_H

#include <stdint.h>

enum { TP_TORCH_CHUNK_EVENTS = 8192 };

struct tp_torch_slot {
	int64_t start_ns, duration_ns; /* from the file's own zero */
	uint32_t name, lane, detail;
	uint8_t kind;
};

struct tp_torch_chunk {
	struct tp_torch_chunk *next;
	uint32_t count;
	struct tp_torch_slot slots[TP_TORCH_CHUNK_EVENTS];
};

/* The program ends with a message when memory is exhausted. */
struct tp_torch_chunk *tp_torch_chunk_new(void);

#endif
