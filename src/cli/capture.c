/* tpreport capture HOST:PORT[,…] [-o LOGDIR|FILE…]: a profile of running programs, as a run of a log directory, as reports, or both. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/live_options.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "io/remote.h"
#include "live/profiler.h"
#include "live/run_folder.h"
#include "render/renderer.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

enum { USUAL_DURATION_MS = 2000, PAUSE_MS = 500 };

struct capture {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_capture_wish wish;
	size_t attempts;
	struct tp_captured_host *hosts;
	size_t count, taken;
	const char *logdir;    /* NULL: none was named */
	struct tp_buf reports; /* const char *: outputs that are reports */
};

static bool
is_report(const struct tp_args *args, const char *path)
{
	return strcmp(path, "-") == 0 || args->format != NULL || tp_renderer_for_path(path) != NULL;
}

static bool
split_outputs(struct capture *c)
{
	const char *const *paths = tp_args_strings(&c->args->outputs);

	for (size_t i = 0; i < c->args->outputs.count; i++) {
		if (!is_report(c->args, paths[i]) && tp_remote_is(paths[i])) {
			tp_say("%s: a log directory is made on this machine only: give a folder, and copy it",
				paths[i]);
			return false;
		}
		if (is_report(c->args, paths[i])) {
			TP_PUSH(&c->reports, const char *, paths[i]);
		} else if (c->logdir != NULL) {
			tp_say("-o %s and -o %s: give one log directory", c->logdir, paths[i]);
			return false;
		} else {
			c->logdir = paths[i];
		}
	}
	return true;
}

static void
tell_start(const struct capture *c, size_t attempt)
{
	struct tp_value duration = tp_number((double)c->wish.duration_ms, TP_UNIT_MS);
	char text[TP_VALUE_BUF];

	if (c->args->quiet)
		return;
	if (attempt != 0)
		tp_say("no profile: trying again (%zu of %zu)", attempt + 1, c->attempts);
	else
		tp_say("profiling %zu %s for %.*s", c->count, tp_plural(c->count, "program", "programs"),
			TP_ARG(tp_value_text(duration, text)));
}

/* Only where none has anything: what is taken later is not of the same time. */
static bool
may_try_again(const struct capture *c)
{
	bool again = c->taken == 0;

	for (size_t i = 0; i < c->count; i++)
		again &= c->hosts[i].again;
	return again;
}

static void
take(struct capture *c, struct tp_run_folder *folder)
{
	for (size_t attempt = 0; attempt < c->attempts; attempt++) {
		if (attempt != 0) {
			tp_run_folder_clear(folder);
			nanosleep(&(struct timespec){0, PAUSE_MS * 1000000L}, NULL);
		}
		tell_start(c, attempt);
		c->taken = tp_capture(&c->wish, c->hosts, c->count, folder);
		if (!may_try_again(c))
			break;
	}
}

static void
tell_hosts(const struct capture *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct tp_captured_host *h = &c->hosts[i];
		char text[TP_VALUE_BUF];

		switch (h->state) {
		case TP_CAPTURE_FAILED:
			tp_say_err(&h->err);
			break;
		case TP_CAPTURE_EMPTY:
			tp_say(
				"%s: nothing was recorded: the program was idle, or a longer --duration is needed",
				h->address);
			break;
		case TP_CAPTURE_TAKEN:
			if (!c->args->quiet)
				tp_say(
					"%s: %.*s", h->address, TP_ARG(tp_value_text(tp_bytes(h->size_bytes), text)));
			break;
		}
	}
}

/* Of the run alone, by the command that makes reports of any. */
static int
report(const struct capture *c, const char *run)
{
	struct tp_args with = *c->args;

	with.paths = (struct tp_buf){.data = &run, .count = 1};
	with.outputs = c->reports;
	return tp_command_report(&with);
}

static int
capture(struct capture *c)
{
	struct tp_err err;
	struct tp_run_folder *folder = tp_run_folder_open(c->logdir, &err);

	if (folder == NULL) {
		tp_say_err(&err);
		return TP_EXIT_CANNOT_WRITE;
	}
	int status = TP_EXIT_NO_PROFILE;

	take(c, folder);
	tell_hosts(c);
	if (c->taken != 0) {
		const char *run = tp_run_folder_commit(folder, &err);

		if (run == NULL) {
			tp_say_err(&err);
			status = TP_EXIT_CANNOT_WRITE;
		} else {
			if (c->logdir != NULL && !c->args->quiet)
				tp_say("wrote %s", run);
			status = c->logdir == NULL || c->reports.count != 0 ? report(c, run) : TP_EXIT_OK;
		}
	}
	tp_run_folder_close(folder);
	if (status == TP_EXIT_OK && c->args->strict && c->taken != c->count)
		status = TP_EXIT_DAMAGED;
	return status;
}

int
tp_command_capture(const struct tp_args *args)
{
	struct capture c = {.args = args, .arena = tp_arena_new()};
	int status = TP_EXIT_USAGE;

	if (args->paths.count == 0)
		tp_say("give an address: tpreport capture HOST:PORT -o report.html");
	else if (split_outputs(&c) && tp_capture_wish_read(args, USUAL_DURATION_MS, &c.wish) &&
		tp_attempts_read(args, &c.attempts)) {
		c.hosts =
			tp_addresses_read(tp_args_strings(&args->paths), args->paths.count, &c.count, c.arena);
		if (c.hosts != NULL)
			status = capture(&c);
	}
	tp_buf_free(&c.reports);
	tp_arena_free(c.arena);
	return status;
}
