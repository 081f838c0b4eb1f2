/* What is read for a view is given back before the next: however many there are, one is in memory. */
#include "cli/views.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/page/views.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "ingest/load.h"
#include "ingest/reader.h"
#include "io/list.h"
#include "model/profile.h"
#include "report/doc.h"

#include <stdio.h>

/* Of views in a page, so that it stays small; of those with memory over time, and of those with charts. */
enum { MOST_PARTS = 64, MOST_RUNS = 20, MOST_HOSTS = 16, MOST_WHOLE = 8, MOST_MEDIUM = 24 };

/* Of all files of a run whose hosts are read a second time: beyond, that takes too long. */
static const int64_t most_host_bytes = 64 << 20;

struct viewing {
	const struct tp_args *args;
	const struct tp_pass_options *options;
	struct tp_progress *progress;
	struct tp_arena *arena;
	struct tp_views *views;
	enum tp_view_size size;
};

/* A place for a view of this name, or of the name with a number where another has it: runs in different folders, or bytes
 * that are no text. */
static struct tp_view *
add(struct viewing *v, struct tp_slice title, struct tp_scope scope)
{
	struct tp_view *view = &v->views->views[v->views->count];
	struct tp_slice *name = scope.run.ptr != NULL ? &scope.run
		: scope.host.ptr != NULL                  ? &scope.host
												  : &scope.worker;
	struct tp_slice first_name = *name, first_title = title;

	for (unsigned n = 2;; n++) {
		size_t i = 0;

		*view = tp_view_named(v->arena, title, scope);
		while (i < v->views->count && !tp_slice_eq(v->views->views[i].id, view->id))
			i++;
		if (i == v->views->count)
			break;
		*name = tp_arena_printf(v->arena, "%.*s~%u", TP_ARG(first_name), n);
		title = tp_arena_printf(v->arena, "%.*s~%u", TP_ARG(first_title), n);
	}
	view->size = v->size;
	v->views->count++;
	return view;
}

/* The host's name as the profile has it, with a number where another has it, too; as its file is named where it cannot be read. */
static struct tp_view *
add_host(struct viewing *v, const struct tp_loaded *loaded, struct tp_slice name)
{
	const struct tp_profile *p = loaded != NULL ? tp_loaded_profile(loaded) : NULL;

	if (p != NULL && p->host_count != 0)
		name = p->hosts[0].name;
	name = tp_arena_copy(v->arena, name);
	return add(v, name, (struct tp_scope){.host = name});
}

/* view: NULL for a host, whose name the profile tells once it is read. */
static void
look(struct viewing *v, struct tp_view *view, const struct tp_run *run,
	const struct tp_choice *choice, struct tp_slice title)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.status = TP_OK};

	tp_progress_say(v->progress, "reading ", tp_arena_copy(arena, title).ptr);
	struct tp_loaded *loaded = tp_load_run(run, choice, NULL, arena, &err);

	if (view == NULL)
		view = add_host(v, loaded, title);
	if (loaded != NULL) {
		struct tp_doc *doc = tp_doc_new(arena);

		view->partial = tp_loaded_profile(loaded)->diags.warnings != 0;
		if (tp_analyze(tp_passes, tp_loaded_profile(loaded), v->options, arena, doc, &err) == TP_OK)
			tp_view_take(view, doc, v->arena);
	}
	if (view->excerpt == NULL)
		view->why = tp_utf8_clean(v->arena, tp_arena_copy(v->arena, tp_slice_of(err.text)));
	tp_loaded_close(loaded);
	tp_arena_free(arena);
}

static enum tp_view_size
size_of(size_t count)
{
	return count <= MOST_WHOLE ? TP_VIEW_WHOLE
		: count <= MOST_MEDIUM ? TP_VIEW_MEDIUM
							   : TP_VIEW_SMALL;
}

static struct tp_slice
title_of(struct viewing *v, const struct tp_part *part, const struct tp_parts *parts)
{
	if (part->span_number == 0)
		return part->worker;
	if (part->worker.ptr != NULL)
		return tp_arena_printf(v->arena, "%.*s, span %u", TP_ARG(part->worker), part->span_number);
	return tp_arena_printf(
		v->arena, "%sspan %u", parts->workers > 1 ? "all workers, " : "", part->span_number);
}

static void
look_at_part(struct viewing *v, const struct tp_run *run, const struct tp_choice *base,
	const struct tp_part *part, const struct tp_parts *parts)
{
	struct tp_choice choice = *base;
	struct tp_scope scope = {.worker = part->worker};

	if (part->worker.ptr != NULL) {
		choice.workers = &part->worker.ptr;
		choice.worker_count = 1;
	}
	if (part->span_number != 0) {
		choice.span_number = part->span_number;
		scope.span = tp_arena_printf(v->arena, "%u", part->span_number);
	}
	struct tp_view *view = add(v, title_of(v, part, parts), scope);

	look(v, view, run, &choice, view->title);
}

static void
look_at_parts(struct viewing *v, const struct tp_run *run)
{
	struct tp_choice base = {
		.workers = tp_args_strings(&v->args->workers),
		.worker_count = v->args->workers.count,
		.span = v->args->span,
	};
	struct tp_err err;
	struct tp_run taken;

	/* What fails here fails again, and is told, when the run itself is read. */
	if (tp_choose_files(run, &base, v->arena, &taken, &err) != TP_OK)
		return;
	struct tp_parts parts = tp_parts_of(&taken, v->arena);
	size_t count = parts.count < MOST_PARTS ? parts.count : MOST_PARTS;

	v->size = size_of(count);
	for (size_t i = 0; i < count; i++)
		look_at_part(v, run, &base, &parts.parts[i], &parts);
	v->views->left_out = parts.count - count;
}

static bool
is_torch(const struct tp_run *run)
{
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (f->reader != &tp_reader_torch)
			return false;
	}
	return run->files != NULL;
}

/* Folders of one log directory are variants of a job there. */
static void
look_at_others(struct viewing *v, const struct tp_found *found, size_t chosen)
{
	static const struct tp_choice all = {0};
	size_t looked = 0;

	v->size = size_of(found->run_count - 1);
	for (size_t i = found->run_count; i-- > 0;) {
		struct tp_slice name = found->runs[i].shown;

		if (i == chosen || !is_torch(&found->runs[i]))
			continue;
		if (looked++ >= MOST_RUNS) {
			v->views->left_out++;
			continue;
		}
		struct tp_view *view = add(
			v, tp_arena_printf(v->arena, "run %.*s", TP_ARG(name)), (struct tp_scope){.run = name});

		look(v, view, &found->runs[i], &all, view->title);
	}
}

/* How many files hold the events of a host; 0 where they are too large to be read twice, or how large they are is not known. */
static size_t
count_hosts(const struct tp_run *run)
{
	int64_t bytes = 0;
	size_t count = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		struct tp_file_facts file;

		if (f->reader != &tp_reader_xspace)
			continue;
		if (!tp_file_facts(f->path.ptr, &file))
			return 0;
		bytes += (int64_t)file.size_bytes;
		count++;
	}
	return bytes <= most_host_bytes ? count : 0;
}

static void
look_at_hosts(struct viewing *v, const struct tp_run *run)
{
	size_t count = count_hosts(run);

	if (count < 2)
		return;
	v->views->of_hosts = true;
	v->size = size_of(count);
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		const char *name = tp_arena_copy(v->arena, f->host).ptr;
		const struct tp_choice choice = {.hosts = &name, .host_count = 1};

		if (f->reader != &tp_reader_xspace)
			continue;
		if (v->views->count < MOST_HOSTS)
			look(v, NULL, run, &choice, f->host);
		else
			v->views->left_out++;
	}
}

/* Whether a figure of a view is asked for, or all are; the first screen on a terminal has none. */
static bool
wanted(const struct tp_args *args)
{
	static const char *const scopes[] = {"@run=", "@host=", "@worker=", "@span="};
	bool asked = (args->command->is & TP_FOR_REPORT) != 0 &&
		(args->outputs.count != 0 || args->format != NULL || args->end_to_end_json != NULL);

	for (size_t i = 0; i < args->paths.count; i++) {
		for (size_t k = 0; k < sizeof scopes / sizeof *scopes; k++)
			asked |= strstr(tp_args_strings(&args->paths)[i], scopes[k]) != NULL;
	}
	return asked;
}

void
tp_views_read(const struct tp_args *args, const struct tp_found *found, size_t chosen,
	struct tp_progress *progress, struct tp_arena *arena, struct tp_pass_options *options)
{
	struct tp_pass_options plain = *options;
	struct viewing v = {
		.args = args,
		.options = &plain,
		.progress = progress,
		.arena = arena,
		.views = tp_new(arena, struct tp_views),
	};

	/* A view shows no timeline; windows are of all of the run. */
	plain.no_timeline = true;
	if (args->hosts.count != 0 || !wanted(args))
		return;
	v.views->views = tp_new_array(arena, struct tp_view, MOST_PARTS + MOST_RUNS);
	if (!is_torch(&found->runs[chosen])) {
		look_at_hosts(&v, &found->runs[chosen]);
	} else {
		look_at_parts(&v, &found->runs[chosen]);
		if (args->run == NULL && args->workers.count == 0 && args->span == NULL)
			look_at_others(&v, found, chosen);
	}
	options->views = v.views;
}
