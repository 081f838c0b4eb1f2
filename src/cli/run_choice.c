/* Which of the runs that were found are reported. Lists on the terminal hold a few runs and the number of the others: a log
 * directory can hold thousands. */
#include "cli/run_choice.h"

#include "analyze/page/other_runs.h"
#include "base/arena.h"
#include "base/number.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "ingest/discover.h"
#include "ingest/reader.h"

#include <stdio.h>
#include <string.h>

/* On the terminal by line and by name; in a page. */
enum { MOST_LISTED = 20, MOST_NAMED = 8, MOST_IN_PAGE = 100 };

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

/* The runs that a wish means: those of that name, else those whose path ends so, else the one of that number, counted from the
 * newest. Puts their indices into `out`, which has room for all runs, oldest first; returns how many there are. */
static size_t
runs_meant(const struct tp_found *found, const char *wish, size_t *out)
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
	{&tp_reader_chrome_trace, "trace of another program", "traces of other programs"},
	{&tp_reader_perfetto, "Perfetto trace", "Perfetto traces"},
	{&tp_reader_pprof, "memory profile", "memory profiles"},
	{&tp_reader_hlo_proto, "compiled program", "compiled programs"},
	{&tp_reader_phases, "file of a profile logger", "files of profile loggers"},
	{&tp_reader_events, "event file", "event files"},
	{&tp_reader_graph, "TensorFlow graph", "TensorFlow graphs"},
	{&tp_reader_tfprof, "dump of tfprof", "tfprof dumps"},
	{&tp_reader_tfprof_log, "tfprof op log", "tfprof op logs"},
	{NULL, "tool file", "tool files"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* "2 XLA profiles, 1 event file": what it was made of. */
static struct tp_slice
run_kinds(struct tp_arena *arena, const struct tp_run *run)
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

/* Runs by number and name, newest first. */
static void
list(const struct tp_found *found, const size_t *runs, size_t count)
{
	for (size_t i = 0; i < count && i < MOST_LISTED; i++) {
		size_t run = runs[count - 1 - i];

		tp_tell("  %zu  %.*s", found->run_count - run, TP_ARG(found->runs[run].shown));
	}
	if (count > MOST_LISTED)
		tp_tell("  and %zu more", count - MOST_LISTED);
}

bool
tp_choose_runs(const struct tp_args *args, const struct tp_found *found, struct tp_arena *arena,
	size_t *first, size_t *last)
{
	size_t *runs = tp_new_array(arena, size_t, found->run_count);

	*first = *last = found->run_count - 1;
	if (args->run == NULL)
		return true;
	if (strcmp(args->run, "all") == 0) {
		*first = 0;
		return true;
	}
	size_t meant = runs_meant(found, args->run, runs);

	if (meant == 1) {
		*first = *last = runs[0];
		return true;
	}
	if (meant > 1) {
		tp_say("several runs are named %s; give the number or path of one:", args->run);
		list(found, runs, meant);
		return false;
	}
	for (size_t i = 0; i < found->run_count; i++)
		runs[i] = i;
	tp_say("no run %s; there are:", args->run);
	list(found, runs, found->run_count);
	return false;
}

void
tp_tell_other_runs(const struct tp_args *args, const struct tp_found *found, size_t chosen)
{
	size_t told = 0;

	if (args->quiet || args->run != NULL || found->run_count < 2)
		return;
	fprintf(stderr, "tpreport: %zu runs found; this is the newest, ", found->run_count);
	tp_say_safe(found->runs[chosen].shown);
	fputs(". Others, with --run NAME or --run all:", stderr);
	for (size_t i = found->run_count; i-- > 0 && told < MOST_NAMED;) {
		if (i == chosen)
			continue;
		fputc(' ', stderr);
		tp_say_safe(found->runs[i].shown);
		told++;
	}
	if (found->run_count - 1 > told)
		fprintf(stderr, " and %zu more", found->run_count - 1 - told);
	fputc('\n', stderr);
}

const struct tp_other_runs *
tp_runs_beside(const struct tp_found *found, size_t chosen, struct tp_arena *arena)
{
	if (found->run_count < 2)
		return NULL;
	struct tp_other_run *runs = tp_new_array(arena, struct tp_other_run, MOST_IN_PAGE);
	struct tp_other_runs *beside = tp_new(arena, struct tp_other_runs);

	*beside = (struct tp_other_runs){
		.runs = runs, .all = found->run_count, .number = found->run_count - chosen};
	for (size_t i = found->run_count; i-- > 0 && beside->count < MOST_IN_PAGE;) {
		if (i == chosen)
			continue;
		runs[beside->count++] = (struct tp_other_run){
			.name = tp_utf8_clean(arena, found->runs[i].shown),
			.holds = run_kinds(arena, &found->runs[i]),
			.number = found->run_count - i,
		};
	}
	return beside;
}
