/* Events of a lane in order. */
#ifndef TP_INGEST_TORCH_SORT_H
#define TP_INGEST_TORCH_SORT_H

#include <stdint.h>

/* Columns of events, as those of struct tp_torch_trace. */
struct tp_torch_order {
	int64_t *start_ps, *duration_ps;
	uint32_t *op, *detail;
	uint8_t *kind;
};

/* Puts `count` events from `first` on in order of start, the longer first; equal ones stay as they are. */
void tp_torch_sort(struct tp_torch_order c, uint32_t first, uint32_t count);

#endif
