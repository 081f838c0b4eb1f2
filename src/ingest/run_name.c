/* How runs of a log directory are called: by the name of their folder, and by the path to it where several folders have one name. */
#include "ingest/run_name.h"

#include "base/arena.h"
#include "base/order.h"
#include "base/path.h"
#include "ingest/discover.h"

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
