/* The report of ranks whose summaries were merged. */
#ifndef TP_CLI_MERGED_H
#define TP_CLI_MERGED_H

#include "base/err.h"
#include "stored/rank_set.h"

struct tp_arena;
struct tp_merge_wish;
struct tp_pass_options;
struct tp_pool;
struct tp_profile;

/* Collectives that a report is made of, if nothing else is asked for: some 400 bytes of memory each, with the steps that they are in. Of very
 * many ranks fewer, so that their report takes seconds as well. */
static inline size_t
tp_merged_calls(size_t ranks)
{
	return ranks > 1024 ? 1000000 : 4000000;
}

/* The ranks of a settled set that is not empty, as a profile; NULL: none can be used, or not together. It lives in the arena, and needs the
 * set no more. wish: what is said of ranks that are missing; filled in further. damaged: how many were left out, may be NULL. */
struct tp_profile *tp_merged_profile(const struct tp_rank_set *set, struct tp_pool *pool,
	struct tp_merge_wish *wish, size_t *damaged, struct tp_arena *arena, struct tp_err *err);

/* The report of such a profile. */
struct tp_doc *tp_merged_report(struct tp_profile *profile, const struct tp_pass_options *options,
	const struct tp_merge_wish *wish, struct tp_arena *arena, struct tp_err *err);

/* Both. */
struct tp_doc *tp_merged_doc(const struct tp_rank_set *set, const struct tp_pass_options *options,
	struct tp_merge_wish *wish, struct tp_arena *arena, struct tp_err *err);

/* Of the bytes of a file that tpreport merge wrote. */
struct tp_doc *tp_merged_read(
	struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err);

#endif
