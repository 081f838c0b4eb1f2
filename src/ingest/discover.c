/* Grouping the files under some paths into runs: a run is a folder of profile files, or several folders side by side whose
 * names are times at most two seconds apart, because hosts name them by their own clocks. */
#include "ingest/discover.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "base/path.h"
#include "base/texts.h"
#include "ingest/foreign.h"
#include "ingest/others.h"
#include "ingest/reader.h"
#include "ingest/run_name.h"
#include "ingest/run_time.h"
#include "io/list.h"
#include "io/peek.h"

#include <stdio.h>
#include <stdlib.h>

enum { SAME_RUN_SECONDS = 2 };

struct found_file {
	struct tp_slice path, folder, root; /* root: the directory that was given */
	const struct tp_reader *reader;
	bool named;   /* given by itself, not found in a directory */
	bool guessed; /* neither name nor content told the reader */
	bool answer;  /* of the profiler's page, saved under any name; found in a directory */
	bool aside;   /* a trace of any program, found in a directory */
};

/* "vm" of "vm.op_profile.v_a34b1a2f.json". A file that was saved from the profiler's page names no host; several from there are
 * of one. */
static struct tp_slice
host_of_answer(const struct tp_reader *reader, struct tp_slice name)
{
	const char *at = memmem(name.ptr, name.len, reader->name, strlen(reader->name));

	return at != NULL && at - name.ptr > 1 && at[-1] == '.'
		? (struct tp_slice){name.ptr, (size_t)(at - name.ptr) - 1}
		: TP_S("not named");
}

/* "vm" of "vm.xplane.pb.gz": the name without the suffix by which the reader knows it. */
static struct tp_slice
host_of(const struct found_file *f)
{
	struct tp_slice name = tp_path_name(f->path);

	if (f->reader->host_of_name != NULL)
		return f->reader->host_of_name(name);
	for (const char *const *s = f->reader->suffixes; *s != NULL; s++) {
		const char *at = memmem(name.ptr, name.len, *s, strlen(*s));

		if (at != NULL && at != name.ptr)
			return (struct tp_slice){name.ptr, (size_t)(at - name.ptr)};
	}
	return f->reader->kind == TP_READS_PRECOMPUTED ? host_of_answer(f->reader, name) : name;
}

/* The job is named by the folder that holds plugins/profile/RUN; names that say nothing give way to the folder above. */
static struct tp_slice
job_of(struct tp_arena *arena, struct tp_slice folder)
{
	static const char *const mute[] = {"input", "logdir", "logs", "log", "profile", "plugins",
		"tensorboard", "tb", "train", ".", ".."};
	char *real = realpath(tp_arena_copy(arena, folder).ptr, NULL);
	struct tp_slice path = tp_arena_copy(arena, real != NULL ? tp_slice_of(real) : folder);

	free(real);
	if (tp_slice_eq(tp_path_name(tp_path_folder(path)), TP_S("profile")) &&
		tp_slice_eq(tp_path_name(tp_path_folder(tp_path_folder(path))), TP_S("plugins")))
		path = tp_path_folder(tp_path_folder(tp_path_folder(path)));
	for (size_t i = 0; i < sizeof mute / sizeof *mute; i++) {
		if (tp_slice_eq(tp_path_name(path), tp_slice_of(mute[i])) &&
			tp_path_name(tp_path_folder(path)).len > 1) {
			path = tp_path_folder(path);
			i = (size_t)-1;
		}
	}
	return tp_path_name(path);
}

/* "b" of "a/b", also where the folder is given from within, as "." or "..". */
static struct tp_slice
name_of(struct tp_arena *arena, struct tp_slice folder)
{
	struct tp_slice name = tp_path_name(folder);

	if (!tp_slice_eq(name, TP_S(".")) && !tp_slice_eq(name, TP_S("..")))
		return name;
	char *real = realpath(tp_arena_copy(arena, folder).ptr, NULL);

	if (real != NULL)
		name = tp_path_name(tp_arena_copy(arena, tp_slice_of(real)));
	free(real);
	return name;
}

static bool
close_by(struct tp_folder_time a, struct tp_folder_time b)
{
	return a.known && b.known && llabs((long long)(a.s - b.s)) <= SAME_RUN_SECONDS;
}

static bool
holds_host(const struct tp_run *run, struct tp_slice host)
{
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (tp_slice_eq(f->host, host))
			return true;
	}
	return false;
}

static bool
is_profile(const struct tp_reader *reader)
{
	return reader == &tp_reader_torch || reader == &tp_reader_xspace;
}

/* XLA's profiler and PyTorch's: a report is of the steps of one of them. Other files go with either. */
static bool
of_other_profiler(const struct tp_run *run, const struct found_file *f)
{
	return run->profiler != NULL && is_profile(f->reader) && f->reader != run->profiler;
}

static bool
same_run(const struct tp_run *run, struct tp_folder_time at, const struct found_file *f,
	struct tp_folder_time f_at)
{
	if (tp_slice_eq(run->folder, f->folder))
		return true;
	return tp_slice_eq(tp_path_folder(run->folder), tp_path_folder(f->folder)) &&
		close_by(at, f_at) && !holds_host(run, host_of(f));
}

static void
add_file(struct tp_arena *arena, struct tp_run *run, const struct found_file *f)
{
	struct tp_run_file *file = tp_new(arena, struct tp_run_file);
	struct tp_slice folder_name = tp_path_name(f->folder);

	*file = (struct tp_run_file){
		.path = f->path, .host = host_of(f), .reader = f->reader, .guessed = f->guessed};
	*(run->last_file != NULL ? &run->last_file->next : &run->files) = file;
	run->last_file = file;
	run->file_count++;
	if (is_profile(f->reader))
		run->profiler = f->reader;
	if (!f->named && f->reader->kind < TP_READS_OF_JOB && !tp_slice_eq(run->folder, f->folder) &&
		!tp_slice_has(run->merged, folder_name))
		run->merged = tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(run->merged),
			run->merged.len ? ", " : "", TP_ARG(folder_name));
}

TP_ORDER(by_folder, struct found_file,
	tp_slice_cmp(tp_path_name(a->folder), tp_path_name(b->folder)),
	tp_slice_cmp(a->folder, b->folder), tp_slice_cmp(a->path, b->path));

/* Whether a folder is this one or below it. */
static bool
within(struct tp_slice folder, struct tp_slice above)
{
	return tp_slice_starts(folder, above) &&
		(folder.len == above.len || folder.ptr[above.len] == '/' || tp_slice_eq(above, TP_S("/")));
}

/* The newest of the runs in the folder of the file or below it; NULL: there is none. */
static struct tp_run *
run_below(const struct tp_buf *runs, const struct found_file *f)
{
	struct tp_run *all = runs->data;

	for (size_t i = runs->count; i-- > 0;) {
		if (within(all[i].folder, f->folder))
			return &all[i];
	}
	return NULL;
}

/* The folder of the job that a run is of: above plugins/profile/RUN, and above "train", which Keras gives a folder of its own
 * beside "validation". */
static struct tp_slice
home_of(const struct tp_run *run)
{
	struct tp_slice folder = run->folder;

	if (tp_slice_eq(tp_path_name(tp_path_folder(folder)), TP_S("profile")) &&
		tp_slice_eq(tp_path_name(tp_path_folder(tp_path_folder(folder))), TP_S("plugins")))
		folder = tp_path_folder(tp_path_folder(tp_path_folder(folder)));
	else if (tp_slice_eq(tp_path_name(folder), TP_S("profile")))
		folder = tp_path_folder(folder);
	return tp_slice_eq(tp_path_name(folder), TP_S("train")) ? tp_path_folder(folder) : folder;
}

/* The newest of the runs that an event file is about: in its folder or below it, else of the nearest job above; NULL: there is
 * none. */
static struct tp_run *
run_near(const struct tp_buf *runs, const struct found_file *f)
{
	struct tp_run *all = runs->data, *best = NULL, *below = run_below(runs, f);

	if (below != NULL)
		return below;
	for (size_t i = runs->count; i-- > 0;) {
		if (within(f->folder, home_of(&all[i])) &&
			(best == NULL || home_of(&all[i]).len > home_of(best).len))
			best = &all[i];
	}
	return best;
}

/* The newest run of the job that a file is about: TPUEstimator puts its profile logger into a folder "profile" of the job's own. */
static struct tp_run *
run_of_job(const struct tp_buf *runs, const struct found_file *f)
{
	struct tp_run *run = run_below(runs, f);
	struct found_file above = *f;

	if (run != NULL || !tp_slice_eq(tp_path_name(f->folder), TP_S("profile")))
		return run;
	above.folder = tp_path_folder(f->folder);
	return run_below(runs, &above);
}

static void
begin_run(struct tp_arena *arena, struct tp_run *run, struct tp_slice folder)
{
	run->folder = folder;
	run->name = name_of(arena, folder);
	run->job = job_of(arena, folder);
}

/* Files about the job (event files and the like: of_log), after all others. One that somebody names goes with the newest run, if there
 * is any; where there is none to go with they are runs of their own, those of the log directory one together. */
static void
add_files_of_job(struct tp_arena *arena, const struct found_file *f, size_t count,
	const struct tp_buf *runs, struct tp_buf *own, bool of_log)
{
	for (size_t i = 0; i < count; i++) {
		if (f[i].reader->kind != (of_log ? TP_READS_OF_LOG : TP_READS_OF_JOB))
			continue;
		struct tp_run *run = of_log ? run_near(runs, &f[i]) : run_of_job(runs, &f[i]);

		if (run == NULL && f[i].named && runs->count != 0)
			run = (struct tp_run *)runs->data + runs->count - 1;
		if (run == NULL)
			run = of_log ? run_near(own, &f[i]) : run_below(own, &f[i]);
		if (run == NULL) {
			run = tp_buf_add(own, sizeof *run);
			begin_run(arena, run, of_log ? f[i].root : f[i].folder);
		}
		add_file(arena, run, &f[i]);
	}
}

static void
group(struct tp_arena *arena, struct tp_buf *files, struct tp_found *out)
{
	struct found_file *f = files->data;
	struct tp_buf runs = {0}, own = {0}, moments = {0};

	if (files->count != 0)
		qsort(f, files->count, sizeof *f, by_folder);
	for (size_t i = 0; i < files->count; i++) {
		if (f[i].reader->kind >= TP_READS_OF_JOB)
			continue;
		struct tp_run *run = NULL;
		bool beside = false; /* files of the other profiler, which are a run of their own */
		struct tp_folder_time f_at = tp_folder_time_of(tp_path_name(f[i].folder));

		/* Files come in order of folder names, so only the last runs can be the same: one, or those made just before. */
		for (size_t k = runs.count; k-- > 0 && run == NULL;) {
			struct tp_run *other = (struct tp_run *)runs.data + k;
			struct tp_folder_time at = ((struct tp_folder_time *)moments.data)[k];

			bool together =
				same_run(other, at, &f[i], f_at) || (f[i].named && i > 0 && f[i - 1].named);

			if (together && !of_other_profiler(other, &f[i]))
				run = other;
			else if (together)
				beside = true;
			else if (!close_by(at, f_at))
				break;
		}
		if (run == NULL) {
			*tp_buf_new(&moments, struct tp_folder_time) = f_at;
			run = tp_buf_add(&runs, sizeof *run);
			begin_run(arena, run, f[i].folder);
			if (beside)
				run->name = tp_arena_printf(arena, "%.*s-%s", TP_ARG(run->name),
					f[i].reader == &tp_reader_torch ? "pytorch" : "xla");
		}
		add_file(arena, run, &f[i]);
	}
	tp_runs_by_time(runs.data, runs.count);
	add_files_of_job(arena, f, files->count, &runs, &own, false);
	add_files_of_job(arena, f, files->count, &runs, &own, true);
	/* The last is the one that is reported. */
	out->run_count = own.count + runs.count;
	out->runs = tp_new_array(arena, struct tp_run, out->run_count);
	if (own.count != 0)
		memcpy(out->runs, own.data, own.count * sizeof *out->runs);
	if (runs.count != 0)
		memcpy(out->runs + own.count, runs.data, runs.count * sizeof *out->runs);
	tp_buf_free(&own);
	tp_buf_free(&runs);
	tp_buf_free(&moments);
}

static bool
is_json(struct tp_slice path)
{
	return tp_texts_any(path, tp_slice_ends, TP_TEXTS(".json", ".json.gz", ".json.zst"));
}

static void
sort_in(struct tp_slice path, struct tp_slice root, struct tp_buf *files, struct tp_buf *others)
{
	const struct tp_reader *reader = tp_reader_for(path.ptr, (struct tp_slice){NULL, 0});
	bool named = root.len == 0;

	bool known = reader != NULL;

	/* Traces in JSON are called anything, and so is a file that somebody names: what is in it tells. */
	if (reader == NULL ? named || is_json(path) : reader->kind == TP_READS_COPY && is_json(path)) {
		struct tp_arena *scratch = tp_arena_new();

		reader = tp_reader_for(path.ptr, tp_peek(scratch, path.ptr));
		tp_arena_free(scratch);
	}
	/* A file that somebody names is opened whatever its name is, unless that says that it cannot be read. */
	bool guessed = reader == NULL && named && tp_known_not_read(path) == NULL;

	if (guessed)
		reader = is_json(path) ? &tp_reader_trace_json : tp_readers[0];
	if (reader == NULL) {
		struct tp_slice *other = tp_buf_add(others, sizeof *other);

		*other = path;
		return;
	}
	struct found_file *f = tp_buf_add(files, sizeof *f);

	*f = (struct found_file){.path = path,
		.folder = tp_path_folder(path),
		.root = named ? tp_path_folder(path) : root,
		.reader = reader,
		.named = named,
		.guessed = guessed,
		.answer = !known && !named && reader->kind == TP_READS_PRECOMPUTED,
		.aside = !named && (reader == &tp_reader_chrome_trace || reader == &tp_reader_perfetto)};
}

/* What the profiler's page answered is nothing new beside the events that it was worked out from; and where a profiler of training
 * wrote anything, a trace of another program is not what is asked for, unless somebody names it. */
static void
drop_answers(struct tp_buf *files, struct tp_buf *others)
{
	struct tp_arena *scratch = tp_arena_new();
	struct found_file *f = files->data;
	struct tp_map folders; /* with events */
	size_t kept = 0;
	bool profiled = false;

	tp_map_init(&folders, scratch);
	for (size_t i = 0; i < files->count; i++) {
		if (!f[i].answer && f[i].reader->kind < TP_READS_PRECOMPUTED)
			tp_map_put(&folders, tp_hash_bytes(f[i].folder), 0);
		profiled |= !f[i].aside;
	}
	for (size_t i = 0; i < files->count; i++) {
		if (f[i].aside
				? profiled
				: f[i].answer && tp_map_get(&folders, tp_hash_bytes(f[i].folder)) != TP_MAP_NONE)
			*tp_buf_new(others, struct tp_slice) = f[i].path;
		else
			f[kept++] = f[i];
	}
	files->count = kept;
	tp_arena_free(scratch);
}

/* A directory as it was given, without slashes at its end. */
static struct tp_slice
root_of(const char *path)
{
	struct tp_slice root = tp_slice_of(path);

	while (root.len > 1 && root.ptr[root.len - 1] == '/')
		root.len--;
	return root;
}

/* What was not looked at may hold a newer run, or files of any of these. */
static void
tell_gaps(struct tp_found *out)
{
	for (size_t i = 0; i < out->run_count; i++) {
		out->runs[i].gaps = out->gaps;
		out->runs[i].gap_count = out->gap_count;
	}
}

enum tp_status
tp_discover(struct tp_arena *arena, const char *const *paths, size_t path_count,
	struct tp_found *out, struct tp_err *err)
{
	struct tp_buf files = {0}, others = {0}, gaps = {0};
	size_t file_count = 0, directories = 0;
	enum tp_status status = TP_OK;

	*out = (struct tp_found){0};
	for (size_t i = 0; i < path_count && status == TP_OK; i++) {
		struct tp_file_list list = {0};
		bool is_stdin = strcmp(paths[i], "-") == 0;
		enum tp_place place = is_stdin ? TP_PLACE_FILE : tp_place_of(paths[i], err);

		if (place == TP_PLACE_FILE) {
			sort_in(tp_slice_of(paths[i]), TP_S(""), &files, &others);
			file_count++;
			continue;
		}
		if (place == TP_PLACE_NONE)
			status = tp_check_local(paths[i], err) == TP_OK ? err->status : TP_ERR_UNSUPPORTED;
		else
			status = tp_list_files(arena, paths[i], &list, err);
		for (size_t k = 0; k < list.count; k++)
			sort_in(list.paths[k], root_of(paths[i]), &files, &others);
		file_count += list.count;
		directories += list.directories;
		for (size_t k = 0; k < list.gap_count; k++)
			*tp_buf_new(&gaps, struct tp_list_gap) = list.gaps[k];
	}
	out->gap_count = gaps.count;
	out->gaps = tp_buf_settle(&gaps, sizeof *out->gaps, arena);
	if (status == TP_OK) {
		drop_answers(&files, &others);
		group(arena, &files, out);
		tp_name_runs(arena, out);
		tell_gaps(out);
		tp_name_others(arena, others.data, others.count, out);
		out->searched = tp_arena_printf(arena, "%zu file%s in %zu director%s", file_count,
			file_count == 1 ? "" : "s", directories, directories == 1 ? "y" : "ies");
		if (out->run_count == 0)
			status = tp_fail(err, TP_ABSENT, "no profile found");
	}
	tp_buf_free(&files);
	tp_buf_free(&others);
	return status;
}
