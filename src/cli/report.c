/* tpreport [report] PATH… -o FILE…: one analysis, every output of it. */
#include "cli/commands.h"

#include "base/arena.h"
#include "cli/options.h"
#include "cli/session.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdio.h>

static const struct tp_renderer *
renderer_for(const struct tp_args *args, const char *path)
{
	const struct tp_renderer *r = tp_renderer_for_path(path);

	if (args->format != NULL)
		r = tp_renderer_named(args->format);
	if (r == NULL && args->format != NULL)
		fprintf(stderr, "tpreport: unknown format %s; tpreport --list renderers lists them\n",
			args->format);
	else if (r == NULL)
		fprintf(stderr,
			"tpreport: %s: no format has this suffix; use .html, .pdf or .json, or --format NAME\n",
			path);
	return r;
}

static bool
check_outputs(const struct tp_args *args)
{
	const char *const *outputs = tp_args_strings(&args->outputs);

	if (args->outputs.count == 0 && args->end_to_end_json == NULL) {
		fputs("tpreport: say where to write: tpreport PATH -o report.html (also .pdf, .json; "
			  "tpreport --help)\n",
			stderr);
		return false;
	}
	for (size_t i = 0; i < args->outputs.count; i++) {
		if (renderer_for(args, outputs[i]) == NULL)
			return false;
	}
	if (args->paper != NULL && strcmp(args->paper, "a4") != 0 &&
		strcmp(args->paper, "letter") != 0) {
		fprintf(stderr, "tpreport: --paper %s: give a4 or letter\n", args->paper);
		return false;
	}
	return true;
}

/* With --run all each run gets a file: "report.html" → "report.2026_11_21_02_41_41.html", and ".2" after that for another
 * run of the same name. */
static struct tp_slice
path_for(struct tp_arena *arena, const char *path, const struct tp_session *s, size_t index)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
	struct tp_slice run = tp_session_doc(s, index)->run;
	unsigned same = 1;

	if (tp_session_count(s) == 1 || strcmp(path, "-") == 0)
		return tp_slice_of(path);
	if (dot == NULL || (slash != NULL && dot < slash))
		dot = path + strlen(path);
	for (size_t i = 0; i < index; i++)
		same += tp_slice_eq(tp_session_doc(s, i)->run, run);
	if (same > 1)
		run = tp_arena_printf(arena, "%.*s.%u", TP_ARG(run), same);
	return tp_arena_printf(arena, "%.*s.%.*s%s", (int)(dot - path), path, TP_ARG(run), dot);
}

static enum tp_status
write_one(const struct tp_renderer *r, const struct tp_doc *doc,
	const struct tp_render_options *options, const char *path, struct tp_err *err)
{
	struct tp_sink *sink = tp_sink_open(path, err);

	if (sink == NULL)
		return err->status;
	enum tp_status status = r->render(doc, options, sink, err);

	if (status == TP_OK)
		status = tp_sink_commit(sink, err);
	tp_sink_close(sink);
	return status;
}

enum { MOST_PAGES = 15 }; /* of a PDF, where nobody asked for a number of rows */

/* The output number i: those of -o first. */
static const struct tp_renderer *
output_at(const struct tp_args *args, size_t i, const char **path)
{
	bool listed = i < args->outputs.count;

	*path = listed ? tp_args_strings(&args->outputs)[i] : args->end_to_end_json;
	return listed ? renderer_for(args, *path) : &tp_render_end_to_end;
}

static int
write_all(const struct tp_args *args, const struct tp_session *s)
{
	size_t count = args->outputs.count + (args->end_to_end_json != NULL);
	struct tp_render_options options = {
		.template_dir = args->template_dir,
		.letter = args->paper != NULL && strcmp(args->paper, "letter") == 0,
		.most_pages = args->top == NULL ? MOST_PAGES : 0,
		.all_rows = args->top != NULL && strcmp(args->top, "all") == 0,
	};
	struct tp_arena *arena = tp_arena_new();
	int worst = TP_EXIT_OK;

	/* One that cannot be written does not stop the others. */
	for (size_t d = 0; d < tp_session_count(s); d++) {
		const struct tp_doc *doc = tp_session_doc(s, d);

		for (size_t i = 0; i < count; i++) {
			struct tp_err err = {.status = TP_OK};
			const char *wish;
			const struct tp_renderer *renderer = output_at(args, i, &wish);
			struct tp_slice path = path_for(arena, wish, s, d);

			if (write_one(renderer, doc, &options, path.ptr, &err) != TP_OK) {
				int status = err.status == TP_ERR_USAGE ? TP_EXIT_USAGE : TP_EXIT_CANNOT_WRITE;

				tp_say_err(&err);
				worst = status > worst ? status : worst;
			} else if (args->verbose) {
				fprintf(stderr, "tpreport: wrote %s\n", path.ptr);
			}
		}
	}
	tp_arena_free(arena);
	return worst;
}

int
tp_command_report(const struct tp_args *args)
{
	int status = TP_EXIT_OK;

	if (args->paths.count == 0) {
		fputs("tpreport: say what to read: tpreport LOGDIR -o report.html (tpreport --help)\n",
			stderr);
		return TP_EXIT_USAGE;
	}
	if (!check_outputs(args))
		return TP_EXIT_USAGE;
	struct tp_session *s =
		tp_session_open(args, tp_args_strings(&args->paths), args->paths.count, &status);

	if (s == NULL)
		return status;
	status = write_all(args, s);
	if (status == TP_EXIT_OK && args->strict && tp_session_partial(s))
		status = TP_EXIT_DAMAGED;
	tp_session_close(s);
	return status;
}
