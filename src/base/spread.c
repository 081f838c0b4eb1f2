#include "base/spread.h"

#include "base/memory.h"

#include <stdlib.h>

enum { RANGES_OF_THREAD = 4 };

struct spread {
	void (*run)(void *with, size_t from, size_t to, struct tp_arena *keep);
	void *with;
	size_t count, ranges;
	struct tp_arena **arenas; /* of each range */
};

static void
run_range(void *with, size_t index)
{
	struct spread *s = with;

	s->arenas[index] = tp_arena_new();
	s->run(s->with, s->count * index / s->ranges, s->count * (index + 1) / s->ranges,
		s->arenas[index]);
}

void
tp_spread(struct tp_pool *pool, struct tp_arena *arena, size_t count,
	void (*run)(void *with, size_t from, size_t to, struct tp_arena *keep), void *with)
{
	size_t ranges = RANGES_OF_THREAD * (size_t)tp_pool_threads(pool);
	struct spread s = {run, with, count, ranges, NULL};

	if (ranges == RANGES_OF_THREAD || count < 2) {
		run(with, 0, count, arena);
		return;
	}
	s.arenas = tp_memory_take(ranges * sizeof *s.arenas);
	tp_pool_each(pool, ranges, run_range, &s);
	for (size_t i = 0; i < ranges; i++)
		tp_arena_join(arena, s.arenas[i]);
	free(s.arenas);
}
