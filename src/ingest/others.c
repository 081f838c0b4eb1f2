/* Files beside a profile that no reader takes: which are known, why they are not read, and what lies there at all. */
#include "ingest/others.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "base/path.h"
#include "ingest/discover.h"
#include "ingest/foreign.h"
#include "io/blob.h"
#include "io/peek.h"
#include "io/unpack.h"

#include <stdlib.h>
#include <string.h>

/* "*.py" */
static struct tp_slice
kind_of(struct tp_arena *arena, struct tp_slice path)
{
	struct tp_slice name = tp_path_name(path);
	const char *dot = memrchr(name.ptr, '.', name.len);

	if (dot == NULL || dot == name.ptr)
		return name;
	return tp_arena_printf(arena, "*%.*s", TP_ARG(tp_slice_from(name, (size_t)(dot - name.ptr))));
}

const char *
tp_known_not_read(struct tp_slice name)
{
	static const char memory_profile[] =
		"memory over time, computed by xprof from the memory events in the same run's *.xplane.pb: "
		"give that";
	static const struct {
		const char *suffix, *why;
	} kinds[] = {
		{".tracetable",
			"the events of the streaming trace viewer of Cloud TPUs, a LevelDB table whose content "
			"was never published: only the service on the TPU could show it; of the same profile "
			"*.xplane.pb and *.trace are read with their events, and *.overview_page, "
			"*.input_pipeline, *.op_profile and others with the profiler's results"},
		{".SSTABLE",
			"a cache of xprof's trace viewer, a LevelDB table made from the *.xplane.pb of the "
			"same name: give that"},
		{".pod_viewer.pb",
			"a pod's cores in a format that no profiler is known to write: give *.pod_viewer.json "
			"or the *.xplane.pb of the hosts"},
		{".memory_viewer.pb",
			"a program's memory plan in a format that no profiler is known to write: give "
			"*.memory_viewer.json, the program's *.hlo_proto.pb or the *.xplane.pb"},
		{".memory_profile.json", memory_profile},
		{".memory_profile.json.gz", memory_profile},
		{".google_chart_demo.json", "sample charts without figures of the run"},
		{".end_2_end.json", "the phases of a job, from a tool that was never released"},
		{".end_to_end.json", "the phases of a job, from a tool that was never released"},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_slice_ends(name, tp_slice_of(kinds[i].suffix)))
			return kinds[i].why;
	}
	return NULL;
}

static bool
ends_as_table(struct tp_blob *blob)
{
	char end[TP_LEVELDB_END_BYTES];
	uint64_t size = tp_blob_size(blob);

	return size >= sizeof end &&
		tp_blob_read(blob, size - sizeof end, end, sizeof end) == sizeof end &&
		tp_is_leveldb_table((struct tp_slice){end, sizeof end});
}

/* Why a file is not read, for those of a known kind; NULL for others. A table that is none says so. */
static const char *
why_not_read(struct tp_arena *arena, struct tp_slice path)
{
	const char *why = tp_known_not_read(path);
	struct tp_err err;

	if (why == NULL ||
		!(tp_slice_ends(path, TP_S(".tracetable")) || tp_slice_ends(path, TP_S(".SSTABLE"))))
		return why;
	struct tp_blob *blob =
		tp_blob_open_as(path.ptr, (struct tp_blob_wish){.form = TP_BLOB_STORED}, &err);
	bool table = blob != NULL && ends_as_table(blob);

	tp_blob_close(blob);
	if (!table)
		why = tp_arena_printf(
			arena, "%s (this one is cut off or damaged: it lacks the end of a LevelDB table)", why)
				  .ptr;
	return why;
}

/* Why a file is not read that is of another program, by how it begins. */
static const char *
foreign(struct tp_slice path)
{
	struct tp_arena *scratch = tp_arena_new();
	const char *what = tp_foreign_file(path.ptr, tp_peek(scratch, path.ptr), true);

	tp_arena_free(scratch);
	return what;
}

/* Beside which run each of these files lies. */
static void
add_others(struct tp_arena *arena, const struct tp_slice *paths, size_t count, struct tp_found *out)
{
	for (size_t i = 0; i < count; i++) {
		const char *why = why_not_read(arena, paths[i]);

		for (size_t r = 0; why != NULL && r < out->run_count; r++) {
			struct tp_run *run = &out->runs[r];

			if (!tp_slice_eq(run->folder, tp_path_folder(paths[i])))
				continue;
			struct tp_run_other *other = tp_new(arena, struct tp_run_other);

			*other = (struct tp_run_other){.path = paths[i], .why = why};
			*(run->others == NULL ? &run->others : &run->last_other->next) = other;
			run->last_other = other;
		}
	}
}

TP_ORDER(by_slice, struct tp_slice, tp_slice_cmp(*a, *b));

/* One more file of a kind, as it is told. */
static void
count_kind(struct tp_arena *arena, struct tp_slice path, const char *why, struct tp_not_read **at)
{
	while (*at != NULL && strcmp((*at)->why, why) != 0)
		at = &(*at)->next;
	if (*at == NULL) {
		*at = tp_new(arena, struct tp_not_read);
		**at = (struct tp_not_read){.first = path, .why = why};
	}
	(*at)->count++;
}

static void
describe_others(
	struct tp_arena *arena, const struct tp_slice *paths, size_t count, struct tp_found *out)
{
	enum { MOST_OPENED = 100 };
	struct tp_slice *kinds = tp_new_array(arena, struct tp_slice, count);
	unsigned told = 0, opened = 0;

	for (size_t i = 0; i < count; i++) {
		const char *why = why_not_read(arena, paths[i]);

		kinds[i] = kind_of(arena, paths[i]);
		if (why == NULL && out->run_count == 0 && opened++ < MOST_OPENED)
			why = foreign(paths[i]);
		if (why != NULL)
			count_kind(arena, paths[i], why, &out->not_read);
	}
	if (count != 0)
		qsort(kinds, count, sizeof *kinds, by_slice);
	for (size_t i = 0, n; i < count; i += n) {
		for (n = 1; i + n < count && tp_slice_eq(kinds[i], kinds[i + n]); n++)
			;
		if (told++ < 5)
			out->saw = tp_arena_printf(arena, "%.*s%s%zu %.*s", TP_ARG(out->saw),
				out->saw.len ? ", " : "", n, TP_ARG(kinds[i]));
	}
	if (told > 5)
		out->saw = tp_arena_printf(arena, "%.*s and %u other %s", TP_ARG(out->saw), told - 5,
			tp_plural(told - 5, "kind", "kinds"));
}

void
tp_name_others(
	struct tp_arena *arena, const struct tp_slice *paths, size_t count, struct tp_found *out)
{
	add_others(arena, paths, count, out);
	describe_others(arena, paths, count, out);
}
