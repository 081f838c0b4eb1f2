/* Rendering a document into every output that was asked for. */
#include "cli/write.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/number.h"
#include "cli/commands.h"
#include "cli/held.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/redact.h"
#include "cli/terminal.h"
#include "io/folder.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"
#include "report/run_events.h"

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

static enum tp_status
hold_one(struct tp_held *held, const struct tp_renderer *r, const struct tp_doc *doc,
	const struct tp_render_options *options, const char *path, struct tp_err *err)
{
	if (r->render_folder == NULL)
		return r->render(doc, options, tp_held_sink(held, path), err);
	struct tp_folder *folder = tp_held_folder(held, path, err);

	return folder != NULL ? r->render_folder(doc, folder, err) : err->status;
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

void
tp_say_written(const struct tp_doc *doc, struct tp_slice written, struct tp_arena *arena)
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

struct writing {
	const struct tp_args *args;
	const struct tp_doc *doc;
	const struct tp_outputs *out;
	const struct tp_slice *paths;
	struct tp_render_options options;
	bool further;
	struct tp_held *held; /* NULL: each output is written at once */
};

static struct tp_render_options
options_of(const struct tp_args *args, const struct tp_outputs *out, const struct tp_slice *paths)
{
	struct tp_render_options options = {
		.template_dir = args->template_dir,
		.letter = args->paper != NULL && strcmp(args->paper, "letter") == 0,
		.most_pages = args->top == NULL ? MOST_PAGES : 0,
		.all_rows = args->top != NULL && strcmp(args->top, "all") == 0,
		.pool = args->pool,
	};
	uint64_t most_bytes = 0;

	if (args->size != NULL && tp_parse_bytes(args->size, &most_bytes))
		options.most_bytes = most_bytes;
	for (size_t i = 0; i < out->count; i++) {
		const char *slash = strrchr(paths[i].ptr, '/');

		if (out->at[i].renderer == &tp_render_css)
			options.css_file = slash != NULL ? tp_slice_of(slash + 1) : paths[i];
	}
	return options;
}

static bool
is_stdout(struct tp_slice path)
{
	return strcmp(path.ptr, "-") == 0;
}

/* Before output number i is written. What is printed cannot be taken back: memory may run out, but the program does not start again. */
static void
begin(const struct writing *w, size_t i)
{
	if (!is_stdout(w->paths[i]))
		return;
	tp_memory_start_again(NULL);
	if (!w->further || w->out->at[i].renderer != &tp_render_text)
		return;
	/* Between the first screens of several runs. */
	putchar('\n');
	fflush(stdout);
}

static int
say_failed(const struct tp_err *err)
{
	tp_say_err(err);
	return err->status == TP_ERR_USAGE ? TP_EXIT_USAGE : TP_EXIT_CANNOT_WRITE;
}

/* Renders output number i, and writes it unless it is held; the exit status. */
static int
put(struct writing *w, size_t i)
{
	const struct tp_renderer *r = w->out->at[i].renderer;
	const char *path = w->paths[i].ptr;
	bool to_stdout = is_stdout(w->paths[i]);
	struct tp_err err = {.status = TP_OK};

	w->options.columns = to_stdout ? tp_terminal_columns(STDOUT_FILENO) : 0;
	w->options.colour = to_stdout && tp_terminal_colour(STDOUT_FILENO);
	if (w->held == NULL)
		begin(w, i);
	enum tp_status status = w->held != NULL ? hold_one(w->held, r, w->doc, &w->options, path, &err)
											: write_one(r, w->doc, &w->options, path, &err);

	if (status == TP_OK && r->of_events && w->doc->events->clocks.len != 0 && !w->args->quiet)
		tp_say("%s: %.*s", path, TP_ARG(w->doc->events->clocks));
	return status == TP_OK ? TP_EXIT_OK : say_failed(&err);
}

/* Writes what was held; all is proven. */
static int
release(struct writing *w, size_t i)
{
	struct tp_err err = {.status = TP_OK};

	begin(w, i);
	return tp_held_write(w->held, w->paths[i].ptr, &err) == TP_OK ? TP_EXIT_OK : say_failed(&err);
}

/* The exit status of each output. One that cannot be written does not stop the others; one that still has a name does. */
static void
put_all(struct writing *w, int *statuses)
{
	for (size_t i = 0; i < w->out->count; i++)
		statuses[i] = put(w, i);
	if (w->held == NULL)
		return;
	bool proven = tp_held_prove(w->held);

	for (size_t i = 0; i < w->out->count; i++) {
		if (!proven)
			statuses[i] = TP_EXIT_CANNOT_WRITE;
		else if (statuses[i] == TP_EXIT_OK)
			statuses[i] = release(w, i);
	}
}

static bool
redact(struct writing *w, struct tp_arena *arena)
{
	struct tp_err err;

	w->doc = tp_redacted(w->args->redaction, w->doc, arena, &err);
	if (w->doc == NULL) {
		tp_say_err(&err);
		return false;
	}
	w->held = tp_held_new(w->args);
	tp_held_doc(w->held, w->doc);
	return true;
}

int
tp_write_outputs(const struct tp_args *args, const struct tp_doc *doc, bool further,
	const struct tp_outputs *out, const struct tp_slice *paths, struct tp_slice *written,
	struct tp_arena *arena)
{
	struct writing w = {args, doc, out, paths, options_of(args, out, paths), further, NULL};
	int *statuses = tp_new_array(arena, int, out->count), worst = TP_EXIT_OK;

	*written = TP_S("");
	if (args->redaction != NULL && !redact(&w, arena))
		return TP_EXIT_CANNOT_WRITE;
	put_all(&w, statuses);
	for (size_t i = 0; i < out->count; i++) {
		worst = statuses[i] > worst ? statuses[i] : worst;
		if (statuses[i] == TP_EXIT_OK && !is_stdout(paths[i]))
			*written = tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(*written),
				written->len != 0 ? ", " : "", TP_ARG(paths[i]));
	}
	tp_held_free(w.held);
	return worst;
}
