/* The report of ranks whose summaries were merged. */
#ifndef TP_CLI_MERGED_H
#define TP_CLI_MERGED_H

#include "base/err.h"
#include "stored/rank_set.h"

struct tp_arena;
struct tp_merge_wish;
struct tp_pass_options;

/* Collectives that a report is made of, if nothing else is asked for: some 250 bytes of memory each. */
enum { TP_MERGED_CALLS = 4000000 };

/* The report of a settled set that is not empty; NULL: no rank of it can be used. Everything lives in the arena, the bytes of the set excepted.
 * wish: what is said of those that are missing; filled in further. damaged: how many ranks were left out, may be NULL. */
struct tp_doc *tp_merged_doc(const struct tp_rank_set *set, const struct tp_pass_options *options,
	struct tp_merge_wish *wish, size_t *damaged, struct tp_arena *arena, struct tp_err *err);

/* Of the bytes of a file that tpreport merge wrote. */
struct tp_doc *tp_merged_read(
	struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err);

#endif
