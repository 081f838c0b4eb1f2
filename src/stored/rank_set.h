/* Ranks of many summaries as one set: in order, each once. A union of sets is the same whatever was put together first, and how often, so
 * that merged files merge again; nothing is unpacked for it. */
#ifndef TP_STORED_RANK_SET_H
#define TP_STORED_RANK_SET_H

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Tp__Rank;
struct tp_arena;
struct tp_sink;

/* A rank, and what it is found by. Slices point into the bytes that were added. */
struct tp_rank_part {
	struct tp_slice worker, span, host;
	int64_t number;         /* -1: not recorded */
	struct tp_slice packed; /* a Rank, deflated */
	struct tp_slice bytes;  /* the part as it stands in files */
};

/* From its bytes in a file; false: they are damaged (rank_part.c). */
bool tp_rank_part_read(struct tp_slice bytes, struct tp_rank_part *out);

struct tp_rank_set {
	struct tp_buf parts; /* of struct tp_rank_part */
};

/* Whether a file begins as tp_rank_set_write writes it. */
bool tp_is_rank_set(struct tp_slice head);

/* Adds the ranks of a summary or a set, whose bytes live as long as the set. TP_ABSENT: a summary without ranks. Nothing is added of what is
 * damaged. */
enum tp_status tp_rank_set_add(
	struct tp_rank_set *set, struct tp_slice bytes, const char *name, struct tp_err *err);

/* Puts them in order, each once. */
void tp_rank_set_settle(struct tp_rank_set *set);

void tp_rank_set_write(const struct tp_rank_set *set, struct tp_sink *out);

/* The bytes of the rank itself, in the arena; false: damaged. */
bool tp_rank_part_unpack(
	const struct tp_rank_part *part, struct tp_arena *arena, struct tp_slice *bytes);

/* A rank of its bytes, which it does not need any more; NULL: damaged. */
struct Tp__Rank *tp_rank_read(struct tp_slice bytes, struct tp_arena *arena);

/* A rank once more, in another arena. */
struct Tp__Rank *tp_rank_copy(
	const struct Tp__Rank *r, struct tp_arena *scratch, struct tp_arena *arena);

static inline const struct tp_rank_part *
tp_rank_set_parts(const struct tp_rank_set *set)
{
	return set->parts.data;
}

void tp_rank_set_free(struct tp_rank_set *set);

#endif
