/* Ranks as a profile, and the passes that need no events over it. */
#include "cli/merged.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "cli/commands.h"
#include "ingest/ranks.h"
#include "model/build.h"
#include "model/profile.h"
#include "model/rank.h"
#include "rank.pb-c.h"
#include "report/doc.h"

#include <stdlib.h>

enum { ROWS = 10 }; /* of tables of a file that is read back */

/* The same rank in several summaries, which differ: the one with most steps counts, else the last. */
static bool
is_same(const struct tp_rank_part *a, const struct tp_rank_part *b)
{
	return tp_slice_eq(a->worker, b->worker) && tp_slice_eq(a->span, b->span) &&
		tp_slice_eq(a->host, b->host) && a->number == b->number;
}

struct unpacked {
	Tp__Rank **ranks;
	const struct tp_rank_part **parts;
	size_t count, damaged;
};

/* What its steps take of memory, in calls. */
static size_t
weight(const Tp__Rank *r)
{
	enum { CALLS_OF_MARK = 4 };
	size_t calls = r->n_call_orders;

	for (size_t i = 0; r->xla != NULL && i < r->xla->n_devices; i++)
		calls +=
			r->xla->devices[i]->n_call_meetings + CALLS_OF_MARK * r->xla->devices[i]->n_mark_steps;
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

/* NULL: it is damaged. most_steps: 0 until a rank has told. */
static Tp__Rank *
unpack_one(const struct tp_rank_part *part, size_t ranks, size_t most_calls, size_t *most_steps,
	struct tp_arena *scratch, struct tp_arena *arena)
{
	bool cuts = *most_steps != SIZE_MAX;
	Tp__Rank *r = tp_rank_part_unpack(part, scratch, cuts ? scratch : arena);

	if (r == NULL || !tp_rank_is_sound(r))
		return NULL;
	if (*most_steps == 0 && r->events == NULL)
		*most_steps = steps_that_fit(r, ranks, most_calls);
	tp_rank_cut(r, *most_steps);
	return cuts ? tp_rank_copy(r, scratch, arena) : r;
}

/* Of event files, points. */
static size_t
steps_in_all(const Tp__Rank *r)
{
	return r->events != NULL ? r->events->points : r->n_step_names + r->steps_left_out;
}

static struct unpacked
unpack(const struct tp_rank_set *set, struct tp_merge_wish *wish, struct tp_arena *arena)
{
	const struct tp_rank_part *parts = tp_rank_set_parts(set);
	struct unpacked u = {tp_new_array(arena, Tp__Rank *, set->parts.count),
		tp_new_array(arena, const struct tp_rank_part *, set->parts.count), 0, 0};
	size_t most_calls = wish->most_calls != 0 ? wish->most_calls : TP_MERGED_CALLS, most_steps = 0;
	struct tp_arena *scratch = tp_arena_new();

	for (size_t i = 0; i < set->parts.count; i++) {
		Tp__Rank *r =
			unpack_one(&parts[i], set->parts.count, most_calls, &most_steps, scratch, arena);

		tp_arena_reset(scratch);
		if (r == NULL) {
			u.damaged++;
			continue;
		}
		/* Folders of several machines may have the same name. */
		if (u.count != 0 && r->events == NULL && is_same(u.parts[u.count - 1], &parts[i])) {
			wish->again++;
			if (steps_in_all(r) < steps_in_all(u.ranks[u.count - 1]))
				continue;
			u.count--;
		}
		u.ranks[u.count] = r;
		u.parts[u.count++] = &parts[i];
	}
	tp_arena_free(scratch);
	return u;
}

/* Folders of event files of the same name: "logs/train", "logs/train (2)". They are neighbours. */
static void
name_apart(struct unpacked *u, struct tp_arena *arena)
{
	unsigned times = 1;

	for (size_t i = 1; i < u->count; i++) {
		bool same = u->ranks[i]->events != NULL && is_same(u->parts[i - 1], u->parts[i]);

		times = same ? times + 1 : 1;
		if (same)
			u->ranks[i]->worker =
				(char *)tp_arena_printf(arena, "%s (%u)", u->ranks[i]->worker, times).ptr;
	}
}

static struct tp_profile *
profile_of(struct unpacked *u, const struct tp_merge_wish *wish, struct tp_arena *arena)
{
	struct tp_builder *b = tp_builder_new(arena);
	struct tp_profile *p = tp_builder_profile(b);

	p->name = wish->name.len != 0 ? wish->name : TP_S("ranks");
	p->run = wish->name.len != 0 ? wish->run : TP_S("merged");
	if (wish->also != NULL)
		tp_diags_join(&p->diags, wish->also);
	tp_ranks_cut_alike(u->ranks, u->count);
	name_apart(u, arena);
	for (size_t i = 0; i < u->count; i++)
		tp_rank_build(b, u->ranks[i],
			tp_arena_printf(arena, "%s%s%s", u->ranks[i]->worker,
				u->ranks[i]->span[0] != '\0' ? "." : "", u->ranks[i]->span));
	if (wish->again != 0)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, "", TP_NO_OFFSET,
			"%llu %s twice, with different figures: the summary with the most steps counts",
			(unsigned long long)wish->again, wish->again == 1 ? "rank occurs" : "ranks occur");
	if (u->damaged != 0)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, "", TP_NO_OFFSET, "%zu %s damaged and left out",
			u->damaged, u->damaged == 1 ? "rank is" : "ranks are");
	for (size_t i = 0; i < wish->failed_count; i++)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, wish->failed[i].ptr, TP_NO_OFFSET,
			"could not be used: its ranks are missing");
	return tp_builder_finish(b);
}

/* Their steps have nothing in common. Event files are of any. */
static bool
are_mixed(const struct tp_profile *p)
{
	for (uint32_t h = 0; p->torch != NULL && h < p->host_count; h++) {
		if (p->hosts[h].given != NULL)
			return true;
	}
	return false;
}

/* Those of the kind of ranks, and of event files, where there are any. */
static const struct tp_pass *const *
passes_of(const struct tp_profile *p, struct tp_arena *arena)
{
	const struct tp_pass *const *ranks = p->torch != NULL ? tp_passes_of_ranks : tp_passes_of_hosts;
	size_t count = 0, n = 0;

	while (ranks[count] != NULL)
		count++;
	while (tp_passes_of_event_files[n] != NULL)
		n++;
	const struct tp_pass **all = tp_new_array(arena, const struct tp_pass *, count + n + 1);

	n = 0;
	for (size_t i = 0; p->event_runs != NULL && tp_passes_of_event_files[i] != NULL; i++)
		all[n++] = tp_passes_of_event_files[i];
	for (size_t i = 0; i < count; i++)
		all[n++] = ranks[i];
	return all;
}

/* As of any run: the end of the capture, unless SOURCE_DATE_EPOCH says otherwise. */
static int64_t
made_at(const struct tp_profile *p)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	int64_t newest = 0;

	if (epoch != NULL && epoch[0] != '\0')
		return strtoll(epoch, NULL, 10);
	for (uint32_t i = 0; i < p->host_count; i++) {
		int64_t stop = p->hosts[i].stop_unix_ns / 1000000000;

		newest = stop > newest ? stop : newest;
	}
	return newest;
}

struct tp_doc *
tp_merged_doc(const struct tp_rank_set *set, const struct tp_pass_options *options,
	struct tp_merge_wish *wish, size_t *damaged, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_pass_options with = *options;
	struct unpacked u = unpack(set, wish, arena);

	if (damaged != NULL)
		*damaged = u.damaged;
	if (u.count == 0) {
		tp_fail(err, TP_ERR_FORMAT, "no rank of the summaries can be used: they are damaged");
		return NULL;
	}
	struct tp_profile *profile = profile_of(&u, wish, arena);

	if (are_mixed(profile)) {
		tp_fail(err, TP_ERR_FORMAT,
			"PyTorch traces and hosts of XLA's profiler are among the summaries: only ranks of one kind "
			"can be used in a report");
		return NULL;
	}
	struct tp_doc *doc = tp_doc_new(arena);
	static const char *const of_hosts[] = {"summary", "findings", "steps", "ranks", "operations",
		"distributed", "hosts", "devices", "environment", "whole-run", NULL};
	static const char *const of_traces[] = {
		"summary", "findings", "ranks", "steps", "distributed", "whole-run", NULL};

	doc->sections = profile->torch == NULL ? of_hosts : of_traces;
	with.merge = wish;
	doc->version = TP_S(TP_VERSION);
	doc->made_unix_s = made_at(profile);
	if (tp_analyze(passes_of(profile, arena), profile, &with, arena, doc, err) != TP_OK ||
		tp_doc_check(doc, err) != TP_OK)
		return NULL;
	return doc;
}

struct tp_doc *
tp_merged_read(struct tp_slice bytes, const char *name, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_rank_set set = {0};
	struct tp_merge_wish wish = {0};
	struct tp_pass_options options = {.top = ROWS};
	struct tp_doc *doc = NULL;

	if (tp_rank_set_add(&set, bytes, name, err) == TP_OK) {
		tp_rank_set_settle(&set);
		if (set.parts.count == 0)
			tp_fail_at(err, TP_ABSENT, name, TP_NO_OFFSET, "it holds no rank");
		else
			doc = tp_merged_doc(&set, &options, &wish, NULL, arena, err);
	}
	tp_rank_set_free(&set);
	return doc;
}
