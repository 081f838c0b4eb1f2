/* tpreport history FILE… -o trend.html: headline figures over runs, oldest first, with the places where a level changes. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/write.h"
#include "compare/trend.h"
#include "report/doc.h"

#include <stdlib.h>
#include <unistd.h>

struct history {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_buf sessions; /* struct tp_session * */
	struct tp_trend_run *runs;
	size_t count;
};

/* Of equal times as they were given. */
TP_ORDER(
	oldest_first, struct tp_trend_run, TP_UP(doc->made_unix_s), tp_slice_cmp(a->path, b->path));

/* What cannot be read is said and left out: one broken report does not hide the others. */
static int
open_all(struct history *h)
{
	const char *const *paths = tp_args_strings(&h->args->paths);
	const char *const *labels = tp_args_strings(&h->args->labels);
	int worst = TP_EXIT_OK;

	h->runs = tp_new_array(h->arena, struct tp_trend_run, h->args->paths.count);
	for (size_t i = 0; i < h->args->paths.count; i++) {
		int status;
		struct tp_session *s = tp_session_open(h->args, &paths[i], 1, &status);

		if (s == NULL) {
			worst = status > worst ? status : worst;
			continue;
		}
		*(struct tp_session **)tp_buf_add(&h->sessions, sizeof s) = s;
		h->runs[h->count++] = (struct tp_trend_run){
			.doc = tp_session_doc(s, tp_session_count(s) - 1),
			.path = tp_slice_of(paths[i]),
			.label = i < h->args->labels.count ? tp_slice_of(labels[i]) : TP_S(""),
		};
	}
	if (!h->args->as_given)
		qsort(h->runs, h->count, sizeof *h->runs, oldest_first);
	return h->count != 0 ? (h->args->strict ? worst : TP_EXIT_OK) : worst;
}

static int
write_trend(struct history *h, const struct tp_outputs *out)
{
	struct tp_doc *doc = tp_trend(h->runs, h->count, h->arena);
	struct tp_slice *paths = tp_new_array(h->arena, struct tp_slice, out->count), written;
	struct tp_err err;

	if (tp_doc_check(doc, &err) != TP_OK) {
		tp_say_err(&err);
		return TP_EXIT_DAMAGED;
	}
	for (size_t i = 0; i < out->count; i++)
		paths[i] = tp_slice_of(out->at[i].path);
	int status = tp_write_outputs(h->args, doc, false, out, paths, &written, h->arena);

	if (written.len != 0 && isatty(STDERR_FILENO) && !h->args->quiet)
		tp_say_written(doc, written, h->arena);
	return status;
}

int
tp_command_history(const struct tp_args *args)
{
	struct history h = {.args = args, .arena = tp_arena_new()};
	struct tp_outputs out;
	int status = TP_EXIT_USAGE;

	if (args->paths.count == 0)
		tp_say(
			"say which runs: tpreport history FILE…, each a report, a summary or a log directory");
	else if (args->labels.count > args->paths.count)
		tp_say("there are more labels than runs");
	else if (tp_outputs_plan(args, h.arena, &out) && (status = open_all(&h)) == TP_EXIT_OK)
		status = write_trend(&h, &out);
	for (size_t i = 0; i < h.sessions.count; i++)
		tp_session_close(((struct tp_session **)h.sessions.data)[i]);
	tp_buf_free(&h.sessions);
	tp_arena_free(h.arena);
	return status;
}
