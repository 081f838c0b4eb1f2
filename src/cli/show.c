/* tpreport show PATH [SECTION]: one section of the report as text, or the list of sections. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/options.h"
#include "cli/pass_options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "io/sink.h"
#include "render/show.h"

#include <unistd.h>

enum { USUAL_BYTES = 4 * 1024, LEAST_BYTES = 1024, USUAL_ROWS = 10 };
enum { LEAST_WIDTH = 40, MOST_WIDTH = 1000 };

/* False, with a message printed, where the options make no sense. */
static bool
read_options(const struct tp_args *args, struct tp_show *how)
{
	uint64_t most_bytes = USUAL_BYTES;
	size_t width = tp_terminal_columns(STDOUT_FILENO);

	if (args->size != NULL &&
		(!tp_parse_bytes(args->size, &most_bytes) || most_bytes < LEAST_BYTES)) {
		tp_say("--size %s: give a size from 1K, e.g. 16K", args->size);
		return false;
	}
	if (args->width != NULL &&
		(!tp_plain_number(args->width, &width) || width < LEAST_WIDTH || width > MOST_WIDTH)) {
		tp_say("--width %s: give a number from %d to %d", args->width, LEAST_WIDTH, MOST_WIDTH);
		return false;
	}
	*how = (struct tp_show){
		.columns = (unsigned)width,
		.exact = args->width != NULL,
		.colour = tp_terminal_colour(STDOUT_FILENO),
		.most_bytes = most_bytes,
		.most_rows = USUAL_ROWS,
		.filter = args->filter != NULL ? tp_slice_of(args->filter) : TP_S(""),
	};
	return true;
}

static int
show(const struct tp_doc *doc, const char *wish, const struct tp_show *how)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_slice message = TP_S("");
	const struct tp_block *block =
		wish != NULL ? tp_show_find(doc, tp_slice_of(wish), arena, &message) : NULL;
	struct tp_err err = {.status = TP_OK};
	int status = TP_EXIT_OK;

	if (wish != NULL && block == NULL) {
		tp_say("%.*s", TP_ARG(message));
		status = TP_EXIT_USAGE;
	} else {
		struct tp_sink *out = tp_sink_open("-", &err);

		if (out != NULL && block != NULL)
			tp_show_block(block, how, out);
		else if (out != NULL)
			tp_show_list(doc, how, out);
		if (out == NULL || tp_sink_commit(out, &err) != TP_OK) {
			tp_say_err(&err);
			status = TP_EXIT_CANNOT_WRITE;
		}
		tp_sink_close(out);
	}
	tp_arena_free(arena);
	return status;
}

int
tp_command_show(const struct tp_args *args)
{
	const char *const *words = tp_args_strings(&args->paths);
	int status = TP_EXIT_OK;
	struct tp_show how;

	if (args->paths.count < 1 || args->paths.count > 2) {
		tp_say("show needs a path and optionally a section: tpreport show logdir operations");
		return TP_EXIT_USAGE;
	}
	if (args->run != NULL && strcmp(args->run, "all") == 0) {
		tp_say("show --run all: a section belongs to one run; give its name or number");
		return TP_EXIT_USAGE;
	}
	if (!read_options(args, &how))
		return TP_EXIT_USAGE;
	struct tp_session *s = tp_session_open(args, words, 1, &status);

	if (s == NULL)
		return status;
	if (args->top != NULL && !tp_plain_number(args->top, &how.most_rows))
		how.most_rows = SIZE_MAX; /* "all", as the session saw */
	status = show(
		tp_session_doc(s, tp_session_count(s) - 1), args->paths.count == 2 ? words[1] : NULL, &how);
	if (status == TP_EXIT_OK && args->strict && tp_session_partial(s))
		status = TP_EXIT_DAMAGED;
	tp_session_close(s);
	return status;
}
