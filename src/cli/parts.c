/* Traces one by one, as `tpreport summarize` of each and `tpreport merge` of all would do it. */
#include "cli/parts.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/path.h"
#include "cli/merged.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "ingest/load.h"
#include "ingest/reader.h"
#include "io/list.h"
#include "io/sink.h"
#include "model/profile.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdio.h>

/* Of a rank's summary, which is not kept: room for all of its steps. */
enum { SUMMARY_BYTES = 1 << 20 };

/* Memory that events take at least, in percent of the bytes of their file; about half of what was measured. Packed files are a tenth of what is
 * in them, or less. */
enum { PERCENT_OF_JSON = 15, PERCENT_OF_XSPACE = 50, PACKED = 8 };

static bool
is_trace(const struct tp_run_file *f)
{
	return !f->left_out && f->held == NULL &&
		(f->reader == &tp_reader_torch || f->reader == &tp_reader_xspace);
}

size_t
tp_parts_count(const struct tp_run *run)
{
	size_t count = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next)
		count += is_trace(f);
	return count;
}

bool
tp_parts_are_needed(const struct tp_run *run)
{
	uint64_t bytes = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		struct tp_file_facts file;

		if (!is_trace(f) || !tp_file_facts(f->path.ptr, &file))
			continue;
		unsigned percent = f->reader == &tp_reader_torch ? PERCENT_OF_JSON : PERCENT_OF_XSPACE;

		if (tp_path_has_suffix(f->path, ".gz") || tp_path_has_suffix(f->path, ".zst"))
			percent *= PACKED;
		bytes += file.size_bytes / 100 * percent;
	}
	return bytes > tp_memory_limit_bytes();
}

struct summing {
	const struct tp_args *args;
	struct tp_pass_options options;
	struct tp_rank_set set;
	struct tp_diags diags;
	struct tp_arena *arena;
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

/* Adds the file's ranks; what it took of memory is given back. */
static enum tp_status
sum_up(
	struct summing *s, const struct tp_run *run, const struct tp_run_file *file, struct tp_err *err)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_run_file alone = *file;
	struct tp_run one = *run;
	struct tp_choice all = {0};

	alone.next = NULL;
	one.files = one.last_file = &alone;
	one.file_count = 1;
	struct tp_loaded *loaded = tp_load_run(&one, &all, NULL, s->args->pool, scratch, err);
	enum tp_status status = loaded != NULL ? TP_OK : err->status;

	if (loaded != NULL) {
		struct tp_profile *profile = tp_loaded_profile(loaded);
		struct tp_doc *doc = tp_doc_new(scratch);

		tp_diags_join(&s->diags, &profile->diags);
		status = tp_analyze(tp_passes, profile, &s->options, scratch, doc, err);
		if (status == TP_OK)
			status = tp_rank_set_add(&s->set, summary_of(doc, s->arena), file->path.ptr, err);
	}
	tp_loaded_close(loaded);
	tp_arena_free(scratch);
	return status;
}

static void
sum_up_all(
	struct summing *s, const struct tp_run *run, struct tp_progress *progress, struct tp_err *err)
{
	size_t number = 0, count = tp_parts_count(run);

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		char line[80];
		struct tp_err why;

		if (!is_trace(f))
			continue;
		snprintf(line, sizeof line, "summing up %zu of %zu: ", ++number, count);
		tp_progress_say(progress, line, f->path.ptr);
		if (sum_up(s, run, f, &why) == TP_OK)
			continue;
		tp_diag_err(&s->diags, TP_DIAG_WARNING, &why);
		*err = why;
	}
}

struct tp_doc *
tp_parts_doc(const struct tp_run *run, const struct tp_args *args,
	const struct tp_pass_options *options, struct tp_progress *progress, struct tp_arena *arena,
	bool *partial, struct tp_err *err)
{
	struct summing s = {.args = args, .options = *options, .arena = arena};
	struct tp_merge_wish wish = {.also = &s.diags, .name = run->job, .run = run->shown};
	struct tp_doc *doc = NULL;

	s.options.ranks = s.options.no_timeline = true;
	s.options.views = NULL;
	tp_diags_init(&s.diags, arena);
	tp_diag_at(&s.diags, TP_DIAG_NOTE, NULL, TP_NO_OFFSET,
		"the traces need more memory together than there is: each was read by itself, and this report is "
		"made of their summaries, without timeline and views; give a higher --memory-limit, or report "
		"fewer files (--host, --worker, --span)");
	sum_up_all(&s, run, progress, err);
	tp_rank_set_settle(&s.set);
	if (s.set.parts.count != 0)
		doc = tp_merged_doc(&s.set, options, &wish, NULL, arena, err);
	*partial |= s.diags.warnings != 0;
	tp_rank_set_free(&s.set);
	return doc;
}
