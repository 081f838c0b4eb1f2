/* The ranks of a set, as many of their steps as fit into memory; several threads unpack them. */
#include "cli/merged_unpack.h"

#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "base/spread.h"
#include "cli/merged.h"
#include "model/rank.h"
#include "rank.pb-c.h"
#include "stored/rank_set.h"

struct unpacking {
	const struct tp_rank_part *parts;
	size_t count, first;           /* of parts; those before are unpacked already */
	size_t most_calls, most_steps; /* most_steps: 0 until a rank has told */
	Tp__Rank **ranks;              /* of each part; NULL: it is damaged */
};

bool
tp_merged_is_same(const struct tp_rank_part *a, const struct tp_rank_part *b)
{
	return tp_slice_eq(a->worker, b->worker) && tp_slice_eq(a->span, b->span) &&
		tp_slice_eq(a->host, b->host) && a->number == b->number;
}

/* What its steps take of memory, in calls. */
static size_t
weight(const Tp__Rank *r)
{
	size_t calls = r->n_call_orders;

	for (size_t i = 0; r->xla != NULL && i < r->xla->n_devices; i++)
		calls += r->xla->devices[i]->n_call_meetings + r->xla->devices[i]->n_mark_steps;
	return calls;
}

/* Of a rank that is much like the others: how many of its steps all ranks may have, so that their calls fit into memory. */
static size_t
steps_that_fit(const Tp__Rank *r, size_t ranks, size_t most_calls)
{
	size_t calls = weight(r) * ranks;

	return calls <= most_calls
		? SIZE_MAX
		: (size_t)((double)r->n_step_names * (double)most_calls / (double)calls) + 1;
}

/* A rank of which steps are left out is copied, so that no memory is kept for them; of a trace they are not even read. */
static Tp__Rank *
unpack_cut(struct tp_slice bytes, size_t steps, struct tp_arena *scratch, struct tp_arena *arena)
{
	struct tp_slice first = tp_rank_first_steps(bytes, steps, scratch);
	bool is_cut = first.ptr != bytes.ptr;
	Tp__Rank *r = tp_rank_read(first, is_cut ? arena : scratch);

	if (r == NULL || !tp_rank_is_sound(r))
		return NULL;
	tp_rank_cut(r, steps);
	return is_cut ? r : tp_rank_copy(r, scratch, arena);
}

static Tp__Rank *
unpack_whole(struct tp_slice bytes, struct tp_arena *arena)
{
	Tp__Rank *r = tp_rank_read(bytes, arena);

	return r != NULL && tp_rank_is_sound(r) ? r : NULL;
}

/* Those behind the first, which are unpacked already. */
static void
unpack_some(void *with, size_t from, size_t to, struct tp_arena *arena)
{
	struct unpacking *u = with;
	struct tp_arena *scratch = tp_arena_new();
	struct tp_slice bytes;

	for (size_t i = u->first + from; i < u->first + to; i++) {
		if (tp_rank_part_unpack(&u->parts[i], scratch, &bytes))
			u->ranks[i] = u->most_steps == SIZE_MAX
				? unpack_whole(bytes, arena)
				: unpack_cut(bytes, u->most_steps, scratch, arena);
		tp_arena_reset(scratch);
	}
	tp_arena_free(scratch);
}

/* How many steps each may have is told by the first that is no event files. */
static Tp__Rank *
unpack_first(struct unpacking *u, const struct tp_rank_part *part, struct tp_arena *scratch,
	struct tp_arena *arena)
{
	struct tp_slice bytes;
	Tp__Rank *r = tp_rank_part_unpack(part, scratch, &bytes) ? unpack_whole(bytes, scratch) : NULL;

	if (r == NULL)
		return NULL;
	if (r->events == NULL)
		u->most_steps = steps_that_fit(r, u->count, u->most_calls);
	tp_rank_cut(r, u->most_steps);
	return tp_rank_copy(r, scratch, arena);
}

static void
unpack_all(struct unpacking *u, struct tp_pool *pool, struct tp_arena *arena)
{
	struct tp_arena *scratch = tp_arena_new();

	for (; u->first < u->count && u->most_steps == 0; u->first++) {
		u->ranks[u->first] = unpack_first(u, &u->parts[u->first], scratch, arena);
		tp_arena_reset(scratch);
	}
	tp_arena_free(scratch);
	tp_spread(pool, arena, u->count - u->first, unpack_some, u);
}

/* Of event files, points. */
static size_t
steps_in_all(const Tp__Rank *r)
{
	return r->events != NULL ? r->events->points : r->n_step_names + r->steps_left_out;
}

/* The same rank in several summaries, which differ: the one with most steps counts, else the last. Folders of event files of several machines
 * may have the same name. */
static void
take(struct tp_merged_ranks *m, Tp__Rank *r, const struct tp_rank_part *part,
	struct tp_merge_wish *wish)
{
	if (m->count != 0 && r->events == NULL && tp_merged_is_same(m->parts[m->count - 1], part)) {
		wish->again++;
		if (steps_in_all(r) < steps_in_all(m->ranks[m->count - 1]))
			return;
		m->count--;
	}
	m->ranks[m->count] = r;
	m->parts[m->count++] = part;
}

struct tp_merged_ranks
tp_merged_unpack(const struct tp_rank_set *set, struct tp_merge_wish *wish, struct tp_pool *pool,
	struct tp_arena *arena)
{
	struct unpacking u = {.parts = tp_rank_set_parts(set),
		.count = set->parts.count,
		.most_calls = wish->most_calls != 0 ? wish->most_calls : tp_merged_calls(set->parts.count),
		.ranks = tp_new_array(arena, Tp__Rank *, set->parts.count)};
	struct tp_merged_ranks m = {
		u.ranks, tp_new_array(arena, const struct tp_rank_part *, u.count), 0, 0};

	unpack_all(&u, pool, arena);
	for (size_t i = 0; i < u.count; i++) {
		if (u.ranks[i] != NULL)
			take(&m, u.ranks[i], &u.parts[i], wish);
		else
			m.damaged++;
	}
	return m;
}
