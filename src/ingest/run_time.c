/* What a file says counts before what anything is called: folders of PyTorch's traces have any name, and copies a new time
 * of change. */
#include "ingest/run_time.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "ingest/discover.h"
#include "ingest/reader.h"
#include "io/list.h"
#include "io/peek.h"
#include "io/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct tp_folder_time
tp_folder_time_of(struct tp_slice name)
{
	struct tm t = {0};
	char text[20];

	if (name.len != 19)
		return (struct tp_folder_time){.known = false};
	memcpy(text, name.ptr, 19);
	text[19] = '\0';
	if (sscanf(text, "%4d_%2d_%2d_%2d_%2d_%2d", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour,
			&t.tm_min, &t.tm_sec) != 6)
		return (struct tp_folder_time){.known = false};
	t.tm_year -= 1900;
	t.tm_mon -= 1;
	return (struct tp_folder_time){true, timegm(&t)};
}

static int64_t
newer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t
in_ns(int64_t s, int64_t ns)
{
	int64_t sum;

	return __builtin_mul_overflow(s, INT64_C(1000000000), &sum) ||
			__builtin_add_overflow(sum, ns, &sum)
		? 0
		: sum;
}

static int64_t
said_by(const struct tp_run_file *f)
{
	struct tp_arena *scratch;
	int64_t ns;

	if (f->reader->began_unix_ns == NULL)
		return 0;
	scratch = tp_arena_new();
	ns = f->reader->began_unix_ns(tp_peek(scratch, f->path.ptr));
	tp_arena_free(scratch);
	return ns;
}

static int64_t
changed(const struct tp_run_file *f)
{
	struct tp_file_facts facts;

	return tp_file_facts(f->path.ptr, &facts) ? facts.modified_unix_ns : 0;
}

struct dated {
	struct tp_run run;
	bool known; /* from a file or a name */
	int64_t ns;
	size_t place;
};

static struct dated
date(const struct tp_run *run, size_t place)
{
	struct tp_folder_time named = tp_folder_time_of(run->name);
	int64_t said_ns = 0, changed_ns = 0;

	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		said_ns = newer(said_ns, said_by(f));
		changed_ns = newer(changed_ns, changed(f));
	}
	if (said_ns != 0)
		return (struct dated){*run, true, said_ns, place};
	if (named.known)
		return (struct dated){*run, true, in_ns(named.s, 0), place};
	return (struct dated){*run, false, changed_ns, place};
}

/* Files that are far away are looked at together. */
static void
look_ahead(const struct tp_run *runs, size_t count)
{
	struct tp_buf paths = {0}; /* of const char * */

	for (size_t i = 0; i < count; i++) {
		for (const struct tp_run_file *f = runs[i].files; f != NULL; f = f->next) {
			if (f->reader->began_unix_ns != NULL)
				*tp_buf_new(&paths, const char *) = f->path.ptr;
		}
	}
	tp_remote_look(paths.data, paths.count);
	tp_buf_free(&paths);
}

TP_ORDER(by_time, struct dated, TP_UP(known), TP_UP(ns), TP_UP(place));

void
tp_runs_by_time(struct tp_run *runs, size_t count)
{
	/* Files are opened for it, so not where there is nothing to put in order. */
	if (count < 2)
		return;
	struct tp_arena *scratch = tp_arena_new();

	look_ahead(runs, count);
	struct dated *dated = tp_new_array(scratch, struct dated, count);

	for (size_t i = 0; i < count; i++)
		dated[i] = date(&runs[i], i);
	qsort(dated, count, sizeof *dated, by_time);
	for (size_t i = 0; i < count; i++)
		runs[i] = dated[i].run;
	tp_arena_free(scratch);
}
