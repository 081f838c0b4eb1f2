/* tpreport monitor HOST:PORT|LOGDIR: a few lines about a running job, again and again: what its profiler says, or what its profiles say. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/landed.h"
#include "cli/levels.h"
#include "cli/live_options.h"
#include "cli/options.h"
#include "cli/pass_options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "io/list.h"
#include "io/watch.h"
#include "live/profiler.h"
#include "live/run_folder.h"

#include <stdio.h>
#include <string.h>

enum { USUAL_DURATION_MS = 1000 };

/* An exit status of the process that reads, for us alone. */
enum { IN_PART = 100 };

struct monitor {
	const struct tp_args *args;
	struct tp_capture_wish wish;
	int level;
	size_t queries; /* SIZE_MAX: without end */
};

struct reading {
	const struct monitor *monitor;
	const char *const *files;
	size_t count;
};

static bool
read_options(const struct tp_args *args, struct monitor *m)
{
	*m = (struct monitor){.args = args, .level = 1, .queries = SIZE_MAX};
	if (args->level != NULL && strcmp(args->level, "1") != 0 && strcmp(args->level, "2") != 0) {
		tp_say("--level %s: give 1 or 2", args->level);
		return false;
	}
	if (args->level != NULL)
		m->level = args->level[0] - '0';
	if (args->queries != NULL &&
		(!tp_plain_number(args->queries, &m->queries) || m->queries == 0)) {
		tp_say("--queries %s: give a number of at least 1", args->queries);
		return false;
	}
	return tp_capture_wish_read(args, USUAL_DURATION_MS, &m->wish);
}

static int
print_lines(const struct monitor *m, const char *const *paths, size_t count, bool whole)
{
	struct tp_args with = *m->args;
	int status = TP_EXIT_OK;

	with.quiet = true;
	struct tp_session *s = tp_session_open(&with, paths, count, &status);

	if (s == NULL)
		return status;
	size_t newest = tp_session_count(s) - 1;

	if (whole && tp_landed_in_part(s))
		status = IN_PART;
	else
		tp_levels_print(tp_session_doc(s, newest), tp_session_profile(s, newest), m->level, stdout);
	tp_session_close(s);
	fflush(stdout);
	return status;
}

/* Profilers of CPUs and GPUs say nothing about themselves: what a short profile says of them. */
static int
query_by_profile(const struct monitor *m, struct tp_captured_host *host)
{
	struct tp_err err;
	struct tp_run_folder *folder = tp_run_folder_open(NULL, &err);
	int status = TP_EXIT_NO_PROFILE;

	if (folder == NULL) {
		tp_say_err(&err);
		return TP_EXIT_CANNOT_WRITE;
	}
	tp_capture(&m->wish, host, 1, folder);
	if (host->state == TP_CAPTURE_EMPTY)
		tp_say("%s: nothing was recorded: the program was idle, or a longer --duration is needed",
			host->address);
	else if (host->state == TP_CAPTURE_FAILED)
		tp_say_err(&host->err);
	else {
		const char *run = tp_run_folder_commit(folder, &err);

		if (run == NULL)
			tp_say_err(&err);
		else
			status = print_lines(m, &run, 1, false);
	}
	if (host->state == TP_CAPTURE_EMPTY)
		status = TP_EXIT_OK;
	tp_run_folder_close(folder);
	return status;
}

/* What a profiler says, of several lines. */
static void
put_lines(struct tp_slice text)
{
	while (text.len != 0) {
		const char *end = memchr(text.ptr, '\n', text.len);
		struct tp_slice line = {text.ptr, end != NULL ? (size_t)(end - text.ptr) : text.len};

		tp_put_safe(stdout, line, "?");
		putchar('\n');
		text = tp_slice_from(text, line.len + 1);
	}
	fflush(stdout);
}

static int
query(const struct monitor *m, struct tp_captured_host *host, bool *by_profile)
{
	struct tp_buf text = {0};
	struct tp_err err;
	enum tp_status status = *by_profile
		? TP_ABSENT
		: tp_monitor(host->address, m->wish.duration_ms, m->level, &text, &err);

	if (status == TP_OK) {
		put_lines((struct tp_slice){text.data, text.count});
	} else if (status != TP_ABSENT) {
		tp_say_err(&err);
	} else if (!*by_profile && !m->args->quiet) {
		tp_say("%s: this profiler does not compute these figures itself, as TPU profilers do: each "
			   "block comes from a profile, which slows the program more",
			host->address);
	}
	tp_buf_free(&text);
	*by_profile |= status == TP_ABSENT;
	if (*by_profile)
		return query_by_profile(m, host);
	return status == TP_OK ? TP_EXIT_OK : TP_EXIT_NO_PROFILE;
}

static int
monitor_address(const struct monitor *m, const char *word)
{
	struct tp_arena *arena = tp_arena_new();
	size_t count;
	struct tp_captured_host *host = tp_addresses_read(&word, 1, &count, arena);
	int status = host == NULL ? TP_EXIT_USAGE : TP_EXIT_OK;
	bool by_profile = false;

	if (host != NULL && count != 1) {
		tp_say("%s: give one address", word);
		status = TP_EXIT_USAGE;
	}
	for (size_t i = 0; i < m->queries && status == TP_EXIT_OK; i++) {
		if (i != 0)
			putchar('\n');
		status = query(m, host, &by_profile);
	}
	tp_arena_free(arena);
	return status;
}

static int
read_run(void *with)
{
	const struct reading *r = with;

	return print_lines(r->monitor, r->files, r->count, true);
}

/* How many were printed. */
static size_t
take(const struct monitor *m, struct tp_watch *w, const struct tp_landed_run *run, bool further)
{
	struct reading reading = {m, run->files, run->file_count};

	if (further)
		putchar('\n');
	int status = tp_watch_apart(w, read_run, &reading);

	if (status == IN_PART && !tp_watch_is_over(w))
		tp_say("%s: incomplete: waiting for the rest", run->name);
	return status == TP_EXIT_OK;
}

static int
monitor_folder(const struct monitor *m, const char *path)
{
	struct tp_landed landed = {0};
	struct tp_err err;
	unsigned settle_ms;
	size_t printed = 0;
	bool by_clock;

	if (!tp_settle_read(m->args, &settle_ms))
		return TP_EXIT_USAGE;
	struct tp_watch *w = tp_watch_open(path, settle_ms, &err);

	if (w == NULL) {
		tp_say_err(&err);
		return TP_EXIT_NO_PROFILE;
	}
	while (printed < m->queries && tp_watch_wait(w, &by_clock)) {
		struct tp_arena *arena = tp_arena_new();
		struct tp_landed_run *runs;
		size_t count = tp_landed_look(&landed, path, by_clock, &runs, arena);

		for (size_t i = 0; i < count && printed < m->queries && !tp_watch_is_over(w); i++)
			printed += take(m, w, &runs[i], printed != 0);
		tp_arena_free(arena);
	}
	tp_watch_close(w);
	tp_landed_free(&landed);
	return TP_EXIT_OK;
}

int
tp_command_monitor(const struct tp_args *args)
{
	struct monitor m;

	if (args->paths.count != 1) {
		tp_say("give an address or a log directory: tpreport monitor HOST:PORT");
		return TP_EXIT_USAGE;
	}
	if (!read_options(args, &m))
		return TP_EXIT_USAGE;
	const char *word = tp_args_strings(&args->paths)[0];

	return tp_place_of(word, NULL) != TP_PLACE_NONE ? monitor_folder(&m, word)
													: monitor_address(&m, word);
}
