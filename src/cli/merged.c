/* Ranks as a profile, and the passes that need no events over it. */
#include "cli/merged.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "cli/commands.h"
#include "cli/merged_unpack.h"
#include "ingest/ranks.h"
#include "model/build.h"
#include "model/profile.h"
#include "model/rank.h"
#include "rank.pb-c.h"
#include "report/doc.h"

#include <stdlib.h>

enum { ROWS = 10 }; /* of tables of a file that is read back */

/* Folders of event files of the same name: "logs/train", "logs/train (2)". They are neighbours. */
static void
name_apart(struct tp_merged_ranks *u, struct tp_arena *arena)
{
	unsigned times = 1;

	for (size_t i = 1; i < u->count; i++) {
		bool same = u->ranks[i]->events != NULL && tp_merged_is_same(u->parts[i - 1], u->parts[i]);

		times = same ? times + 1 : 1;
		if (same)
			u->ranks[i]->worker =
				(char *)tp_arena_printf(arena, "%s (%u)", u->ranks[i]->worker, times).ptr;
	}
}

static struct tp_profile *
profile_of(struct tp_merged_ranks *u, const struct tp_merge_wish *wish, struct tp_arena *arena)
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

struct tp_profile *
tp_merged_profile(const struct tp_rank_set *set, struct tp_pool *pool, struct tp_merge_wish *wish,
	size_t *damaged, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_merged_ranks u = tp_merged_unpack(set, wish, pool, arena);

	if (damaged != NULL)
		*damaged = u.damaged;
	if (u.count == 0) {
		tp_fail(err, TP_ERR_FORMAT, "no rank of the summaries can be used: they are damaged");
		return NULL;
	}
	struct tp_profile *profile = profile_of(&u, wish, arena);

	if (!are_mixed(profile))
		return profile;
	tp_fail(err, TP_ERR_FORMAT,
		"PyTorch traces and hosts of XLA's profiler are among the summaries: only ranks of one kind "
		"can be used in a report");
	return NULL;
}

struct tp_doc *
tp_merged_report(struct tp_profile *profile, const struct tp_pass_options *options,
	const struct tp_merge_wish *wish, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_pass_options with = *options;
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
tp_merged_doc(const struct tp_rank_set *set, const struct tp_pass_options *options,
	struct tp_merge_wish *wish, struct tp_arena *arena, struct tp_err *err)
{
	struct tp_profile *profile = tp_merged_profile(set, options->pool, wish, NULL, arena, err);

	return profile != NULL ? tp_merged_report(profile, options, wish, arena, err) : NULL;
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
			doc = tp_merged_doc(&set, &options, &wish, arena, err);
	}
	tp_rank_set_free(&set);
	return doc;
}
