/* tpreport [report] PATH… [-o FILE…]: one analysis, every output of it; without -o the first screen as text. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "io/folder.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_PAGES = 15 }; /* of a PDF, where nobody asked for a number of rows */

static enum tp_status
write_folder(
	const struct tp_renderer *r, const struct tp_doc *doc, const char *path, struct tp_err *err)
{
	struct tp_folder *folder = tp_folder_open(path, err);

	if (folder == NULL)
		return err->status;
	enum tp_status status = r->render_folder(doc, folder, err);

	if (status == TP_OK)
		status = tp_folder_commit(folder, err);
	tp_folder_close(folder);
	return status;
}

static enum tp_status
write_one(const struct tp_renderer *r, const struct tp_doc *doc,
	const struct tp_render_options *options, const char *path, struct tp_err *err)
{
	if (r->render_folder != NULL)
		return write_folder(r, doc, path, err);
	struct tp_sink *sink = tp_sink_open(path, err);

	if (sink == NULL)
		return err->status;
	enum tp_status status = r->render(doc, options, sink, err);

	if (status == TP_OK)
		status = tp_sink_commit(sink, err);
	tp_sink_close(sink);
	return status;
}

static unsigned
count_findings(const struct tp_doc *doc)
{
	unsigned count = 0;

	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		const struct tp_block *b = walk.block;

		count += walk.event == TP_WALK_ENTER && b->kind == TP_BLOCK_FINDING && !b->finding.brief &&
			b->finding.finding->status == TP_FINDING_OPEN;
	}
	return count;
}

/* On a terminal: "report.html, report.pdf: ▲ Input-bound (high) · 1 finding". */
static void
say_result(const struct tp_doc *doc, struct tp_slice written, struct tp_arena *arena)
{
	const struct tp_verdict *verdict = tp_doc_verdict(doc);
	struct tp_slice name = verdict != NULL ? tp_text_shown(verdict->name, arena) : TP_S("");
	unsigned findings = count_findings(doc);

	tp_say_safe(written);
	fputs(": ", stderr);
	if (name.len != 0) {
		struct tp_slice glyph = tp_judge_glyph(verdict->judge);

		name.len -= name.ptr[name.len - 1] == ':';
		fprintf(stderr, "%.*s%s", TP_ARG(glyph), glyph.len != 0 ? " " : "");
		tp_say_safe(name);
		fputs(" · ", stderr);
	}
	fprintf(stderr, "%u %s\n", findings, tp_plural(findings, "finding", "findings"));
}

/* Writes every output of one run; those that succeeded are added to *written, with ", " between. */
static int
write_run(const struct tp_args *args, const struct tp_session *s, size_t index,
	const struct tp_outputs *out, const struct tp_slice *paths, struct tp_slice *written,
	struct tp_arena *arena)
{
	struct tp_render_options options = {
		.template_dir = args->template_dir,
		.letter = args->paper != NULL && strcmp(args->paper, "letter") == 0,
		.most_pages = args->top == NULL ? MOST_PAGES : 0,
		.all_rows = args->top != NULL && strcmp(args->top, "all") == 0,
	};
	uint64_t most_bytes = 0;
	int worst = TP_EXIT_OK;

	if (args->size != NULL && tp_parse_bytes(args->size, &most_bytes))
		options.most_bytes = most_bytes;
	*written = TP_S("");
	for (size_t i = 0; i < out->count; i++) {
		const char *slash = strrchr(paths[i].ptr, '/');

		if (out->at[i].renderer == &tp_render_css)
			options.css_file = slash != NULL ? tp_slice_of(slash + 1) : paths[i];
	}
	for (size_t i = 0; i < out->count; i++) {
		struct tp_err err = {.status = TP_OK};
		struct tp_slice path = paths[i];
		bool to_stdout = strcmp(path.ptr, "-") == 0;

		if (index > 0 && to_stdout && out->at[i].renderer == &tp_render_text) {
			putchar('\n');
			fflush(stdout);
		}
		options.columns = to_stdout ? tp_terminal_columns(STDOUT_FILENO) : 0;
		options.colour = to_stdout && tp_terminal_colour(STDOUT_FILENO);
		if (write_one(out->at[i].renderer, tp_session_doc(s, index), &options, path.ptr, &err) !=
			TP_OK) {
			int status = err.status == TP_ERR_USAGE ? TP_EXIT_USAGE : TP_EXIT_CANNOT_WRITE;

			tp_say_err(&err);
			worst = status > worst ? status : worst;
		} else if (!to_stdout) {
			*written = tp_arena_printf(
				arena, "%.*s%s%.*s", TP_ARG(*written), written->len != 0 ? ", " : "", TP_ARG(path));
		}
	}
	return worst;
}

/* One that cannot be written does not stop the others. */
static int
write_all(const struct tp_args *args, const struct tp_session *s, const struct tp_outputs *out)
{
	struct tp_arena *arena = tp_arena_new();
	bool told = !args->quiet && (args->verbose || tp_session_count(s) > 1);
	const struct tp_slice *paths = tp_run_paths(out, s, arena);
	int worst = TP_EXIT_OK;

	for (size_t d = 0; d < tp_session_count(s); d++) {
		struct tp_slice written;
		int status = write_run(args, s, d, out, paths + d * out->count, &written, arena);

		worst = status > worst ? status : worst;
		if (written.len == 0)
			continue;
		if (isatty(STDERR_FILENO) && !args->quiet) {
			say_result(tp_session_doc(s, d), written, arena);
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
	status = write_all(args, s, out);
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

	if (args->paths.count == 0)
		tp_say("say what to read: tpreport LOGDIR (tpreport --help)");
	else if (tp_outputs_plan(args, arena, &out))
		status = report(args, &out);
	tp_arena_free(arena);
	return status;
}
