/* Traces one by one, as `tpreport summarize` of each and `tpreport merge` of all would do it. */
#include "cli/parts.h"

#include "analyze/core/only.h"
#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/ranks/rank_parts.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/pool.h"
#include "cli/detail.h"
#include "cli/merged.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "ingest/load.h"
#include "io/sink.h"
#include "model/profile.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdatomic.h>
#include <stdio.h>

/* Of a rank's summary, which is not kept: room for all of its steps. */
enum { SUMMARY_BYTES = 1 << 20 };

/* A trace, and what was made of it. */
struct part {
	const struct tp_run_file *file;
	struct tp_arena *arena; /* of the next two */
	struct tp_slice summary;
	struct tp_diags diags;
	enum tp_status status;
	struct tp_err err; /* where that is not TP_OK */
};

struct summing {
	const struct tp_run *run;
	struct tp_pass_options options;
	struct tp_progress *progress;
	struct part *parts;
	size_t count;
	unsigned threads; /* of each trace */
	atomic_size_t next;
};

/* The summary of a document, in the arena. */
static struct tp_slice
summary_of(const struct tp_doc *doc, struct tp_arena *arena)
{
	struct tp_render_options options = {.most_bytes = SUMMARY_BYTES};
	struct tp_sink *sink = tp_sink_memory();
	struct tp_err err;

	tp_render_summary.render(doc, &options, sink, &err);
	struct tp_slice bytes = tp_arena_copy(arena, tp_sink_bytes(sink));

	tp_sink_close(sink);
	return bytes;
}

/* What it took of memory beside the summary is given back. */
static void
sum_up(struct summing *s, struct part *part, struct tp_pool *pool)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_pass_options options = s->options;
	struct tp_run_file alone = *part->file;
	struct tp_run one = *s->run;
	struct tp_choice all = {0};

	options.pool = pool;
	alone.next = NULL;
	one.files = one.last_file = &alone;
	one.file_count = 1;
	struct tp_loaded *loaded = tp_load_run(&one, &all, NULL, pool, scratch, &part->err);

	part->status = loaded != NULL ? TP_OK : part->err.status;
	if (loaded != NULL) {
		struct tp_profile *profile = tp_loaded_profile(loaded);
		struct tp_doc *doc = tp_doc_new(scratch);

		tp_diags_join(&part->diags, &profile->diags);
		part->status = tp_analyze_only(
			&tp_pass_rank_parts, tp_passes, profile, &options, scratch, doc, &part->err);
		if (part->status == TP_OK)
			part->summary = summary_of(doc, part->arena);
	}
	tp_loaded_close(loaded);
	tp_arena_free(scratch);
}

/* One trace after the other, with threads of its own, until none is left. */
static void
sum_up_next(void *with, size_t index)
{
	struct summing *s = with;
	struct tp_pool *pool = tp_pool_new(s->threads);
	size_t i;

	(void)index;
	while ((i = atomic_fetch_add(&s->next, 1)) < s->count) {
		char line[80];

		snprintf(line, sizeof line, "summing up %zu of %zu: ", i + 1, s->count);
		tp_progress_say(s->progress, line, s->parts[i].file->path.ptr);
		sum_up(s, &s->parts[i], pool);
	}
	tp_pool_free(pool);
}

static void
begin(struct summing *s, struct tp_arena *arena)
{
	s->parts = tp_new_array(arena, struct part, tp_parts_count(s->run));
	for (const struct tp_run_file *f = s->run->files; f != NULL; f = f->next) {
		if (!tp_parts_is_one(f))
			continue;
		struct part *part = &s->parts[s->count++];

		*part = (struct part){.file = f, .arena = tp_arena_child(arena)};
		tp_diags_init(&part->diags, part->arena);
	}
}

/* Several traces at a time where memory suffices for that; else all threads work on one. */
static void
sum_up_all(struct summing *s, const struct tp_args *args)
{
	unsigned threads = tp_pool_threads(args->pool);
	unsigned beside = tp_detail_is_alone() ? 1 : tp_parts_beside(s->run, threads);

	s->threads = threads / beside;
	if (beside > 1)
		tp_memory_start_again(args->alone);
	tp_pool_each(args->pool, beside, sum_up_next, s);
	tp_memory_start_again(NULL);
}

/* In the order of the files, whatever was read first. */
static struct tp_rank_set
put_together(const struct summing *s, struct tp_diags *diags, struct tp_err *err)
{
	struct tp_rank_set set = {0};

	for (size_t i = 0; i < s->count; i++) {
		struct part *p = &s->parts[i];

		tp_diags_join(diags, &p->diags);
		if (p->status == TP_OK)
			p->status = tp_rank_set_add(&set, p->summary, p->file->path.ptr, &p->err);
		if (p->status == TP_OK)
			continue;
		tp_diag_err(diags, TP_DIAG_WARNING, &p->err);
		*err = p->err;
	}
	tp_rank_set_settle(&set);
	return set;
}

struct tp_doc *
tp_parts_doc(const struct tp_run *run, const struct tp_args *args,
	const struct tp_pass_options *options, struct tp_progress *progress, struct tp_arena *arena,
	bool *partial, struct tp_err *err)
{
	struct summing s = {.run = run, .options = *options, .progress = progress};
	struct tp_diags diags;
	struct tp_merge_wish wish = {.also = &diags, .name = run->job, .run = run->shown};
	struct tp_doc *doc = NULL;

	s.options.ranks = s.options.no_timeline = true;
	s.options.views = NULL;
	tp_diags_init(&diags, arena);
	tp_diag_at(&diags, TP_DIAG_NOTE, NULL, TP_NO_OFFSET,
		"the traces need more memory together than there is: each was read by itself, and this report is "
		"made of their summaries, without timeline and views; give a higher --memory-limit, or report "
		"fewer files (--host, --worker, --span)");
	begin(&s, arena);
	sum_up_all(&s, args);
	struct tp_rank_set set = put_together(&s, &diags, err);

	if (set.parts.count != 0)
		doc = tp_merged_doc(&set, options, &wish, arena, err);
	*partial |= diags.warnings != 0;
	tp_rank_set_free(&set);
	return doc;
}
