/* Rendering a document into every output that was asked for. */
#include "cli/write.h"

#include "base/arena.h"
#include "base/number.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/outputs.h"
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

int
tp_write_outputs(const struct tp_args *args, const struct tp_doc *doc, bool further,
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

		if (further && to_stdout && out->at[i].renderer == &tp_render_text) {
			putchar('\n');
			fflush(stdout);
		}
		options.columns = to_stdout ? tp_terminal_columns(STDOUT_FILENO) : 0;
		options.colour = to_stdout && tp_terminal_colour(STDOUT_FILENO);
		if (write_one(out->at[i].renderer, doc, &options, path.ptr, &err) != TP_OK) {
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
