/* Which of the runs that were found are reported. Lists on the terminal hold a few runs and the number of the others: a log
 * directory can hold thousands. */
#include "cli/run_choice.h"

#include "analyze/page/other_runs.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "ingest/discover.h"
#include "ingest/run_name.h"

#include <stdio.h>
#include <string.h>

/* On the terminal by line and by name; in a page. */
enum { MOST_LISTED = 20, MOST_NAMED = 8, MOST_IN_PAGE = 100 };

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
	size_t meant = tp_runs_meant(found, args->run, runs);

	if (meant == 1) {
		*first = *last = runs[0];
		return true;
	}
	if (meant > 1) {
		tp_say("several runs are called %s; give the number or the path of one:", args->run);
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
			.holds = tp_run_kinds(arena, &found->runs[i]),
			.number = found->run_count - i,
		};
	}
	return beside;
}
