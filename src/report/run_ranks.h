/* The ranks of the run that a report is of, as a summary keeps them (proto/rank.proto). They are worked out when a summary is written, and
 * never for another output. */
#ifndef TP_REPORT_RUN_RANKS_H
#define TP_REPORT_RUN_RANKS_H

#include <stddef.h>

struct Tp__Rank;
struct tp_arena;

struct tp_run_ranks {
	size_t count;
	const void *of;
	/* A rank, in the arena, with no more steps than that, or points of a scalar; the steps that it has in all are its names and those left
	 * out. What was left out once may stay so. */
	struct Tp__Rank *(*rank)(
		const struct tp_run_ranks *r, size_t number, size_t most, struct tp_arena *arena);
	size_t (*length)(const struct Tp__Rank *r); /* how many it has of these */
};

#endif
