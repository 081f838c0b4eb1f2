/* tpreport [report] PATH… [-o FILE…]: one analysis, every output of it; without -o the first screen as text. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/memory.h"
#include "cli/detail.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/report.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/write.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdio.h>
#include <unistd.h>

int
tp_report_write(
	const struct tp_args *args, const struct tp_session *s, const struct tp_outputs *out)
{
	struct tp_arena *arena = tp_arena_new();
	bool told = !args->quiet && (args->verbose || tp_session_count(s) > 1);
	const struct tp_slice *paths = tp_run_paths(out, s, arena);
	int worst = TP_EXIT_OK;

	for (size_t d = 0; d < tp_session_count(s); d++) {
		struct tp_slice written;
		int status = tp_write_outputs(
			args, tp_session_doc(s, d), d != 0, out, paths + d * out->count, &written, arena);

		worst = status > worst ? status : worst;
		if (written.len == 0)
			continue;
		if (isatty(STDERR_FILENO) && !args->quiet) {
			tp_say_written(tp_session_doc(s, d), written, arena);
		} else if (told) {
			tp_say("wrote %.*s", TP_ARG(written));
		}
	}
	tp_arena_free(arena);
	return worst;
}

/* What else there is, below a first screen on a terminal. */
static void
say_more(const struct tp_args *args, const struct tp_outputs *out)
{
	const char *path = tp_args_strings(&args->paths)[0];
	bool plain =
		strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:+=@%-") ==
		strlen(path);

	if (!out->asked && args->format == NULL && !args->quiet && isatty(STDOUT_FILENO))
		printf("more: tpreport %s%s -o report.html (or .pdf, .json) · tpreport show %s\n",
			plain ? path : "LOGDIR", args->paths.count > 1 ? " …" : "", plain ? path : "PATH");
}

static int
report(const struct tp_args *args, const struct tp_outputs *out)
{
	int status = TP_EXIT_OK;

	struct tp_session *s =
		tp_session_open(args, tp_args_strings(&args->paths), args->paths.count, &status);

	if (s == NULL)
		return status;
	status = tp_report_write(args, s, out);
	if (status == TP_EXIT_OK)
		say_more(args, out);
	if (status == TP_EXIT_OK && args->strict && tp_session_partial(s))
		status = TP_EXIT_DAMAGED;
	tp_session_close(s);
	return status;
}

int
tp_command_report(const struct tp_args *args)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_outputs out;
	int status = TP_EXIT_USAGE;

	if (args->paths.count == 0) {
		tp_say("give a path: tpreport LOGDIR (tpreport --help)");
	} else if (tp_outputs_plan(args, arena, &out)) {
		struct tp_args with = *args;

		with.again = tp_detail_less(args, arena);
		with.parts = tp_detail_parts(args, &out, arena);
		with.alone = tp_detail_alone(args, &out, arena);
		status = report(&with, &out);
		tp_memory_start_again(NULL);
	}
	tp_arena_free(arena);
	return status;
}

/* tpreport summarize PATH… -o FILE.tps: a report in the one format that is for keeping. */
int
tp_command_summarize(const struct tp_args *args)
{
	const char *const *paths = tp_args_strings(&args->outputs);

	for (size_t i = 0; i < args->outputs.count; i++) {
		if (tp_renderer_for_path(paths[i]) != &tp_render_summary && strcmp(paths[i], "-") != 0) {
			tp_say("%s: summarize writes .tps; for other formats: tpreport PATH -o %s", paths[i],
				paths[i]);
			return TP_EXIT_USAGE;
		}
	}
	if (args->outputs.count == 0) {
		tp_say("give an output: tpreport summarize PATH -o FILE.tps");
		return TP_EXIT_USAGE;
	}
	struct tp_args with = *args;

	with.format = tp_render_summary.name;
	return tp_command_report(&with);
}
