/* What is read for a view is given back once its excerpt is taken: however many there are, no more are in memory than threads look at. */
#include "cli/views.h"

#include "analyze/core/pass.h"
#include "analyze/page/passes.h"
#include "analyze/page/views.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/pool.h"
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
#include <string.h>

/* Of views in a page, so that it stays small; of those with memory over time, and of those with charts. */
enum { MOST_PARTS = 64, MOST_RUNS = 20, MOST_HOSTS = 16, MOST_WHOLE = 8, MOST_MEDIUM = 24 };

/* Of the files of views that are looked at side by side. */
static const uint64_t most_bytes_at_a_time = (uint64_t)2 << 30;

/* Of all files of a run whose hosts are read a second time: beyond, that takes too long. */
static const int64_t most_host_bytes = 64 << 20;

struct tp_viewing {
	const struct tp_args *args;
	struct tp_pass_options options;
	struct tp_progress *progress;
	struct tp_arena *arena;
	struct tp_views *views;
	enum tp_view_size size;
	struct tp_buf planned; /* struct looking *: to be looked at */
};

/* A place for a view of this name, or of the name with a number where another has it: runs in different folders, or bytes
 * that are no text. */
static struct tp_view *
add(struct tp_viewing *v, struct tp_slice title, struct tp_scope scope)
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
add_host(struct tp_viewing *v, const struct tp_loaded *loaded, struct tp_slice name)
{
	const struct tp_profile *p = loaded != NULL ? tp_loaded_profile(loaded) : NULL;

	if (p != NULL && p->host_count != 0)
		name = p->hosts[0].name;
	name = tp_arena_copy(v->arena, name);
	return add(v, name, (struct tp_scope){.host = name});
}

/* A view on its way: read and analysed beside others. */
struct looking {
	struct tp_task task;
	const struct tp_viewing *v;
	struct tp_view *view; /* NULL for a host, whose name the profile tells once it is read */
	const struct tp_run *run;
	struct tp_choice choice;
	const char *chosen; /* the worker or host that choice names */
	struct tp_slice title;
	uint64_t bytes;    /* of the files */
	const char *alone; /* the path of its file, where there is only one; else NULL */
	bool looked;
	struct tp_arena *keep; /* of the excerpt, when it has its view by then */
	/* Of one that gets its view later. */
	struct tp_arena *arena;
	struct tp_loaded *loaded;
	struct tp_doc *doc; /* NULL: err says why */
	struct tp_err err;
};

static void
read_and_analyse(struct looking *l, const struct tp_coming *coming)
{
	struct tp_pool *pool = l->v->args->pool;

	l->arena = tp_arena_new();
	tp_progress_say(l->v->progress, "reading ", tp_arena_copy(l->arena, l->title).ptr);
	l->loaded = coming != NULL ? tp_load_coming(coming, l->run, &l->choice, pool, l->arena, &l->err)
							   : tp_load_run(l->run, &l->choice, NULL, pool, l->arena, &l->err);
	if (l->loaded == NULL)
		return;
	struct tp_doc *doc = tp_doc_new(l->arena);

	if (tp_analyze(tp_passes, tp_loaded_profile(l->loaded), &l->v->options, l->arena, doc,
			&l->err) == TP_OK)
		l->doc = doc;
}

/* What came of it into the view; the rest goes. */
static void
show(struct looking *l, struct tp_view *view, struct tp_arena *arena)
{
	if (l->loaded != NULL)
		view->partial = tp_loaded_profile(l->loaded)->diags.warnings != 0;
	if (l->doc != NULL)
		tp_view_take(view, l->doc, arena);
	if (view->excerpt == NULL)
		view->why = tp_utf8_clean(arena, tp_arena_copy(arena, tp_slice_of(l->err.text)));
	tp_loaded_close(l->loaded);
	tp_arena_free(l->arena);
}

/* coming: its file, where that was read; else NULL. */
static void
look_at(struct looking *l, const struct tp_coming *coming)
{
	l->looked = true;
	read_and_analyse(l, coming);
	if (l->view == NULL)
		return;
	l->keep = tp_arena_new();
	show(l, l->view, l->keep);
}

static void
look(void *with)
{
	look_at(with, NULL);
}

static void
take_look(struct tp_viewing *v, struct looking *l)
{
	if (l->keep != NULL)
		tp_arena_join(v->arena, l->keep);
	else
		show(l, add_host(v, l->loaded, l->title), v->arena);
}

/* How many bytes there are to read, and whether in one file alone that needs no profile to be read. */
static void
measure(struct looking *l)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_run taken = {0};
	struct tp_err err;

	if (tp_choose_files(l->run, &l->choice, scratch, &taken, &err) != TP_OK)
		taken.files = NULL;
	for (const struct tp_run_file *f = taken.files; f != NULL; f = f->next) {
		struct tp_file_facts file;

		if (tp_file_facts(f->path.ptr, &file))
			l->bytes += file.size_bytes;
	}
	if (taken.files != NULL && taken.files->next == NULL && taken.files->reader->take != NULL)
		l->alone = taken.files->path.ptr;
	tp_arena_free(scratch);
}

/* One more view to look at. */
static struct looking *
plan(struct tp_viewing *v, struct tp_view *view, const struct tp_run *run,
	const struct tp_choice *choice, struct tp_slice title)
{
	struct looking *l = tp_new(v->arena, struct looking);

	*l = (struct looking){
		.task = {.run = look, .with = l},
		.v = v,
		.view = view,
		.run = run,
		.choice = *choice,
		.title = title,
	};
	*tp_buf_new(&v->planned, struct looking *) = l;
	return l;
}

/* As many at a time as there are threads; of large ones fewer, for all that is looked at is in memory. */
static void
look_at_all(struct tp_viewing *v, struct looking **all, size_t count)
{
	struct tp_pool *pool = v->args->pool;
	size_t threads = tp_pool_threads(pool), started = 0;
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		while (started < count && started < i + threads &&
			(started == i || bytes + all[started]->bytes <= most_bytes_at_a_time)) {
			bytes += all[started]->bytes;
			tp_pool_start(pool, &all[started++]->task);
		}
		tp_pool_wait(pool, &all[i]->task);
		bytes -= all[i]->bytes;
	}
}

/* Those that have not been looked at and are (alone) or are not the view of one file, which the run itself reads too. */
static void
look_at_rest(struct tp_viewing *v, bool alone)
{
	struct looking **all = v->planned.data;
	struct tp_buf rest = {0};

	for (size_t i = 0; i < v->planned.count; i++) {
		if (!all[i]->looked && (all[i]->alone != NULL) == alone)
			*tp_buf_new(&rest, struct looking *) = all[i];
	}
	look_at_all(v, rest.data, rest.count);
	tp_buf_free(&rest);
}

static enum tp_view_size
size_of(size_t count)
{
	return count <= MOST_WHOLE ? TP_VIEW_WHOLE
		: count <= MOST_MEDIUM ? TP_VIEW_MEDIUM
							   : TP_VIEW_SMALL;
}

static struct tp_slice
title_of(struct tp_viewing *v, const struct tp_part *part, const struct tp_parts *parts)
{
	if (part->span_number == 0)
		return part->worker;
	if (part->worker.ptr != NULL)
		return tp_arena_printf(v->arena, "%.*s, span %u", TP_ARG(part->worker), part->span_number);
	return tp_arena_printf(
		v->arena, "%sspan %u", parts->workers > 1 ? "all workers, " : "", part->span_number);
}

static void
plan_part(struct tp_viewing *v, const struct tp_run *run, const struct tp_choice *base,
	const struct tp_part *part, const struct tp_parts *parts)
{
	struct tp_scope scope = {.worker = part->worker};

	if (part->span_number != 0)
		scope.span = tp_arena_printf(v->arena, "%u", part->span_number);
	struct tp_view *view = add(v, title_of(v, part, parts), scope);
	struct looking *l = plan(v, view, run, base, view->title);

	if (part->worker.ptr != NULL) {
		l->chosen = part->worker.ptr;
		l->choice.workers = &l->chosen;
		l->choice.worker_count = 1;
	}
	if (part->span_number != 0)
		l->choice.span_number = part->span_number;
}

static void
plan_parts(struct tp_viewing *v, const struct tp_run *run)
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
		plan_part(v, run, &base, &parts.parts[i], &parts);
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
plan_others(struct tp_viewing *v, const struct tp_found *found, size_t chosen)
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

		plan(v, view, &found->runs[i], &all, view->title);
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
plan_hosts(struct tp_viewing *v, const struct tp_run *run)
{
	size_t count = count_hosts(run);

	if (count < 2)
		return;
	v->views->of_hosts = true;
	v->options.hosts = tp_run_hosts(run);
	v->size = size_of(count);
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		static const struct tp_choice all = {0};

		if (f->reader != &tp_reader_xspace)
			continue;
		if (v->planned.count >= MOST_HOSTS) {
			v->views->left_out++;
			continue;
		}
		struct looking *l = plan(v, NULL, run, &all, f->host);

		l->chosen = tp_arena_copy(v->arena, f->host).ptr;
		l->choice.hosts = &l->chosen;
		l->choice.host_count = 1;
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

struct tp_viewing *
tp_views_plan(const struct tp_args *args, const struct tp_found *found, size_t chosen,
	struct tp_progress *progress, struct tp_arena *arena, const struct tp_pass_options *options)
{
	struct tp_viewing *v = tp_new(arena, struct tp_viewing);

	*v = (struct tp_viewing){
		.args = args,
		.options = *options,
		.progress = progress,
		.arena = arena,
		.views = tp_new(arena, struct tp_views),
	};
	/* A view shows no timeline; windows are of all of the run. */
	v->options.no_timeline = true;
	v->options.ranks = false; /* they are kept once, of all of the run */
	if (args->hosts.count != 0 || !wanted(args))
		return NULL;
	v->views->views = tp_new_array(arena, struct tp_view, MOST_PARTS + MOST_RUNS);
	if (!is_torch(&found->runs[chosen])) {
		plan_hosts(v, &found->runs[chosen]);
	} else {
		plan_parts(v, &found->runs[chosen]);
		if (args->run == NULL && args->workers.count == 0 && args->span == NULL)
			plan_others(v, found, chosen);
	}
	struct looking **all = v->planned.data;

	for (size_t i = 0; i < v->planned.count; i++) {
		measure(all[i]);
		if (all[i]->run != &found->runs[chosen])
			all[i]->alone = NULL;
	}
	look_at_rest(v, false);
	return v;
}

void
tp_views_came(struct tp_viewing *v, const char *path, const struct tp_coming *coming)
{
	struct looking **all = v != NULL ? v->planned.data : NULL;

	for (size_t i = 0; v != NULL && i < v->planned.count; i++) {
		if (all[i]->alone != NULL && strcmp(all[i]->alone, path) == 0)
			look_at(all[i], coming);
	}
}

void
tp_views_finish(struct tp_viewing *v, struct tp_pass_options *options)
{
	if (v == NULL)
		return;
	struct looking **all = v->planned.data;

	look_at_rest(v, true);
	for (size_t i = 0; i < v->planned.count; i++)
		take_look(v, all[i]);
	tp_buf_free(&v->planned);
	options->views = v->views;
}
