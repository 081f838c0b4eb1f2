/* Unpacking the ranks of which a report is made. */
#ifndef TP_CLI_MERGED_UNPACK_H
#define TP_CLI_MERGED_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

struct Tp__Rank;
struct tp_arena;
struct tp_merge_wish;
struct tp_pool;
struct tp_rank_part;
struct tp_rank_set;

/* Those that count, in order, and the parts that they are of. */
struct tp_merged_ranks {
	struct Tp__Rank **ranks;
	const struct tp_rank_part **parts;
	size_t count, damaged;
};

/* Of a settled set; each as long as the first of them allows, so that all have no more than wish->most_calls calls. They live in the arena.
 * Counts in wish->again those that several summaries hold. */
struct tp_merged_ranks tp_merged_unpack(const struct tp_rank_set *set, struct tp_merge_wish *wish,
	struct tp_pool *pool, struct tp_arena *arena);

/* Whether two parts are of the same rank. */
bool tp_merged_is_same(const struct tp_rank_part *a, const struct tp_rank_part *b);

#endif
