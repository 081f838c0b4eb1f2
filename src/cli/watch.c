/* tpreport watch LOGDIR -o FILE…: reports that are written anew whenever a run is complete. */
#include "cli/commands.h"

#include "base/arena.h"
#include "cli/landed.h"
#include "cli/live_options.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/report.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "io/watch.h"

#include <stdio.h>

/* An exit status of the process that writes, for us alone. */
enum { IN_PART = 100 };

struct writing {
	const struct tp_args *args;
	const struct tp_outputs *outputs;
};

static int
write_reports(void *with)
{
	const struct writing *w = with;
	int status = TP_EXIT_OK;
	struct tp_session *s =
		tp_session_open(w->args, tp_args_strings(&w->args->paths), w->args->paths.count, &status);

	if (s == NULL)
		return status;
	status = tp_landed_in_part(s) ? IN_PART : tp_report_write(w->args, s, w->outputs);
	tp_session_close(s);
	return status;
}

/* Whether a report was written. */
static bool
take(const struct writing *writing, struct tp_watch *w, const struct tp_landed_run *run)
{
	const struct tp_args *args = writing->args;
	int status = tp_watch_apart(w, write_reports, (void *)(uintptr_t)writing);

	if (tp_watch_is_over(w))
		return false;
	if (status == IN_PART)
		tp_say("%s: incomplete: the report waits for the rest", run->name);
	else if (status != TP_EXIT_OK)
		tp_say("%s: no report was written", run->name);
	else if (!args->quiet)
		tp_say("%s: wrote %s%s", run->name, tp_args_strings(&args->outputs)[0],
			args->outputs.count > 1 ? " and the others" : "");
	return status == TP_EXIT_OK;
}

static int
watch(const struct tp_args *args, const struct tp_outputs *outputs, struct tp_watch *w)
{
	struct writing writing = {args, outputs};
	struct tp_landed landed = {0};
	bool by_clock, done = false;

	while (!done && tp_watch_wait(w, &by_clock)) {
		struct tp_arena *arena = tp_arena_new();
		struct tp_landed_run *runs;
		size_t count =
			tp_landed_look(&landed, tp_args_strings(&args->paths)[0], by_clock, &runs, arena);

		if (count != 0)
			done = take(&writing, w, &runs[count - 1]) && args->once;
		tp_arena_free(arena);
	}
	tp_landed_free(&landed);
	return TP_EXIT_OK;
}

int
tp_command_watch(const struct tp_args *args)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_outputs outputs;
	struct tp_err err;
	unsigned settle_ms;
	int status = TP_EXIT_USAGE;

	if (args->paths.count != 1 || args->outputs.count == 0)
		tp_say("give a log directory and an output: tpreport watch LOGDIR -o report.html");
	else if (tp_settle_read(args, &settle_ms) && tp_outputs_plan(args, arena, &outputs)) {
		struct tp_watch *w = tp_watch_open(tp_args_strings(&args->paths)[0], settle_ms, &err);

		if (w == NULL)
			tp_say_err(&err);
		else
			status = watch(args, &outputs, w);
		tp_watch_close(w);
	}
	tp_arena_free(arena);
	return status;
}
