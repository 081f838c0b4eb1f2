/* Lanes for runs that overlap: each run in the first lane that is free when it starts, found in logarithmic time. */
#ifndef TP_TFPROF_LANES_H
#define TP_TFPROF_LANES_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed: none. */
struct tp_tfprof_lanes {
	int64_t *
		until; /* a tree of least ends: of lane i at size + i, of a pair of nodes at half their index */
	uint32_t size; /* lanes that there is room for, a power of two, or 0 */
	uint32_t count;
};

/* The lane of a run; runs come by their starts. */
uint32_t tp_tfprof_lanes_take(struct tp_tfprof_lanes *lanes, int64_t start, int64_t end);
void tp_tfprof_lanes_clear(struct tp_tfprof_lanes *lanes);
void tp_tfprof_lanes_free(struct tp_tfprof_lanes *lanes);

#endif
