/* How runs of a log directory are called and asked for: by the name of their folder, and by the path to it where several folders
 * have one name. */
#include "ingest/run_name.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "base/path.h"
#include "ingest/discover.h"
#include "ingest/reader.h"

#include <stdio.h>
#include <stdlib.h>

struct named_run {
	struct tp_run *run;
	struct tp_slice path;
};

/* The path without "plugins/profile", which every profiler puts between a job and its runs. */
static struct tp_slice
short_path(struct tp_arena *arena, struct tp_slice folder)
{
	static const char between[] = "/plugins/profile/";
	const char *at = memmem(folder.ptr, folder.len, between, sizeof between - 1);

	if (at == NULL)
		return folder;
	size_t before = (size_t)(at - folder.ptr) + 1;

	return tp_arena_printf(arena, "%.*s%.*s", (int)before, folder.ptr,
		TP_ARG(tp_slice_from(folder, before + sizeof between - 2)));
}

TP_ORDER(by_name_and_path, struct named_run, tp_slice_cmp(a->run->name, b->run->name),
	tp_slice_cmp(a->path, b->path));

/* Where the part of the paths begins in which runs of one name, in order, differ: behind a slash. The name alone is no such
 * part. */
static size_t
where_they_differ(const struct named_run *runs, size_t count)
{
	struct tp_slice a = runs[0].path, b = runs[count - 1].path;
	size_t same = 0, most = a.len;

	for (size_t i = 0; i < count; i++) {
		struct tp_slice above = tp_path_folder(runs[i].path);

		most = above.len < most ? above.len : most;
	}
	while (same < most && same < b.len && a.ptr[same] == b.ptr[same])
		same++;
	while (same > 0 && a.ptr[same - 1] != '/')
		same--;
	return same;
}

static void
name_alike(struct named_run *runs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		/* Two that differ by "plugins/profile" alone. */
		if (!tp_slice_eq(runs[i - 1].path, runs[i].path))
			continue;
		for (size_t k = 0; k < count; k++)
			runs[k].path = runs[k].run->folder;
		qsort(runs, count, sizeof *runs, by_name_and_path);
		break;
	}
	size_t from = where_they_differ(runs, count);

	for (size_t i = 0; i < count; i++)
		runs[i].run->shown = tp_slice_from(runs[i].path, from);
}

void
tp_name_runs(struct tp_arena *arena, struct tp_found *found)
{
	struct named_run *runs = tp_new_array(arena, struct named_run, found->run_count);

	for (size_t i = 0; i < found->run_count; i++) {
		runs[i] = (struct named_run){
			.run = &found->runs[i], .path = short_path(arena, found->runs[i].folder)};
		found->runs[i].shown = found->runs[i].name;
	}
	if (found->run_count != 0)
		qsort(runs, found->run_count, sizeof *runs, by_name_and_path);
	for (size_t i = 0, n; i < found->run_count; i += n) {
		for (n = 1;
			 i + n < found->run_count && tp_slice_eq(runs[i].run->name, runs[i + n].run->name); n++)
			;
		if (n > 1)
			name_alike(&runs[i], n);
	}
}

static bool
has_name(const struct tp_run *run, struct tp_slice wish)
{
	return tp_slice_eq(run->name, wish);
}

static bool
is_shown_so(const struct tp_run *run, struct tp_slice wish)
{
	return tp_slice_eq(run->shown, wish);
}

static bool
lies_there(const struct tp_run *run, struct tp_slice wish)
{
	return wish.len != 0 && tp_slice_ends(run->folder, wish) &&
		(run->folder.len == wish.len || wish.ptr[0] == '/' ||
			run->folder.ptr[run->folder.len - wish.len - 1] == '/');
}

/* A path as it may be typed: "./a/b/" is "a/b". */
static struct tp_slice
trimmed(struct tp_slice wish)
{
	while (tp_slice_starts(wish, TP_S("./")))
		wish = tp_slice_from(wish, 2);
	while (wish.len > 1 && wish.ptr[wish.len - 1] == '/')
		wish.len--;
	return wish;
}

/* Whether that is its number, counted from the newest. */
static bool
has_number(const struct tp_found *found, size_t run, struct tp_slice wish)
{
	char number[24];

	snprintf(number, sizeof number, "%zu", found->run_count - run);
	return tp_slice_eq(wish, tp_slice_of(number));
}

size_t
tp_runs_meant(const struct tp_found *found, const char *wish, size_t *out)
{
	static bool (*const ways[])(const struct tp_run *, struct tp_slice) = {
		has_name, is_shown_so, lies_there};
	struct tp_slice path = trimmed(tp_slice_of(wish));
	size_t count = 0;

	for (size_t w = 0; w < sizeof ways / sizeof *ways && count == 0; w++) {
		for (size_t i = 0; i < found->run_count; i++) {
			if (ways[w](&found->runs[i], path))
				out[count++] = i;
		}
	}
	for (size_t i = 0; i < found->run_count && count == 0; i++) {
		if (has_number(found, i, path))
			out[count++] = i;
	}
	return count;
}

static const struct {
	const struct tp_reader *reader; /* NULL: any that reads what a profiler worked out itself */
	const char *one, *many;
} kinds[] = {
	{&tp_reader_xspace, "XLA profile", "XLA profiles"},
	{&tp_reader_trace_json, "trace in JSON", "traces in JSON"},
	{&tp_reader_trace, "trace of an older profiler", "traces of older profilers"},
	{&tp_reader_torch, "PyTorch trace", "PyTorch traces"},
	{&tp_reader_pprof, "memory profile", "memory profiles"},
	{&tp_reader_hlo_proto, "compiled program", "compiled programs"},
	{&tp_reader_phases, "file of a profile logger", "files of profile loggers"},
	{&tp_reader_events, "event file", "event files"},
	{&tp_reader_graph, "TensorFlow graph", "TensorFlow graphs"},
	{&tp_reader_tfprof, "dump of tfprof", "dumps of tfprof"},
	{&tp_reader_tfprof_log, "op log of tfprof", "op logs of tfprof"},
	{NULL, "tool file", "tool files"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct tp_slice
tp_run_kinds(struct tp_arena *arena, const struct tp_run *run)
{
	size_t counts[KINDS] = {0};
	struct tp_slice text = TP_S("");

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		size_t k = 0;

		while (k + 1 < KINDS && kinds[k].reader != f->reader)
			k++;
		counts[k]++;
	}
	for (size_t k = 0; k < KINDS; k++) {
		if (counts[k] != 0)
			text = tp_arena_printf(arena, "%.*s%s%zu %s", TP_ARG(text), text.len != 0 ? ", " : "",
				counts[k], tp_plural(counts[k], kinds[k].one, kinds[k].many));
	}
	return text;
}
