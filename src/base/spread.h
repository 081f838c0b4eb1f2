/* Many small pieces of work over threads, where each piece makes something that stays. */
#ifndef TP_BASE_SPREAD_H
#define TP_BASE_SPREAD_H

#include "base/arena.h"
#include "base/pool.h"

/* run(with, from, to, keep) for some ranges side by side that make 0 … count - 1 together, each with an arena of its own: a few for each
 * thread, as the last chunk of an arena is not full. What they were given is of `arena` afterwards. */
void tp_spread(struct tp_pool *pool, struct tp_arena *arena, size_t count,
	void (*run)(void *with, size_t from, size_t to, struct tp_arena *keep), void *with);

#endif
