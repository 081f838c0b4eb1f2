/* Events in the order of the file, until it is known how many each lane has. */
#ifndef TP_INGEST_TORCH_CHUNK_H
#define TP_INGEST_TORCH_CHUNK_H

#include "base/pages.h"

#include <stdint.h>

struct tp_torch_slot {
	int64_t start_ns, duration_ns; /* from the file's own zero */
	uint32_t name, lane, detail;
	uint8_t kind;
};

enum { TP_TORCH_CHUNK_EVENTS = (TP_PAGES_LARGE - 16) / sizeof(struct tp_torch_slot) };

struct tp_torch_chunk {
	struct tp_torch_chunk *next;
	uint32_t count;
	struct tp_torch_slot slots[TP_TORCH_CHUNK_EVENTS];
};

_Static_assert(sizeof(struct tp_torch_chunk) <= TP_PAGES_LARGE, "a chunk is one block of tp_pages");

#endif
