/* A tree over the ends of lanes; a lane without a run has ended for ever. */
#include "tfprof/lanes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Room for twice as many, the ends there are in their places. */
static void
grow(struct tp_tfprof_lanes *l)
{
	uint32_t size = l->size != 0 ? 2 * l->size : 16;
	int64_t *until = tp_memory_take(2 * (size_t)size * sizeof *until);

	for (uint32_t i = 0; i < size; i++)
		until[size + i] = i < l->count ? l->until[l->size + i] : INT64_MIN;
	for (uint32_t i = size - 1; i != 0; i--)
		until[i] = until[2 * i] < until[2 * i + 1] ? until[2 * i] : until[2 * i + 1];
	free(l->until);
	l->until = until;
	l->size = size;
}

uint32_t
tp_tfprof_lanes_take(struct tp_tfprof_lanes *l, int64_t start, int64_t end)
{
	if (l->count == l->size)
		grow(l);
	uint32_t at = 1;

	/* A lane that has no run is always there, so one is free. */
	while (at < l->size)
		at = l->until[2 * at] <= start ? 2 * at : 2 * at + 1;
	uint32_t lane = at - l->size;

	l->until[at] = end;
	for (at /= 2; at != 0; at /= 2)
		l->until[at] =
			l->until[2 * at] < l->until[2 * at + 1] ? l->until[2 * at] : l->until[2 * at + 1];
	if (lane >= l->count)
		l->count = lane + 1;
	return lane;
}

void
tp_tfprof_lanes_clear(struct tp_tfprof_lanes *l)
{
	tp_tfprof_lanes_free(l);
}

void
tp_tfprof_lanes_free(struct tp_tfprof_lanes *l)
{
	free(l->until);
	*l = (struct tp_tfprof_lanes){0};
}
