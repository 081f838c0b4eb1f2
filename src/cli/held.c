/* Holding outputs in memory, folders beside their place. */
#include "cli/held.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/number.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "io/folder.h"
#include "io/sink.h"
#include "redact/leak.h"
#include "render/renderer.h"
#include "stored/stored.h"
#include "stored/summary.h"

struct output {
	const char *path;
	struct tp_sink *sink;     /* NULL: it is a folder */
	struct tp_folder *folder; /* NULL: it is a file */
};

struct tp_held {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_buf outputs; /* struct output */
	const struct tp_doc *doc;
	const struct tp_search *search;
	bool leaks;
};

struct tp_held *
tp_held_new(const struct tp_args *args)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_held *h = tp_new(arena, struct tp_held);

	h->args = args;
	h->arena = arena;
	return h;
}

struct tp_sink *
tp_held_sink(struct tp_held *h, const char *path)
{
	struct tp_sink *sink = tp_sink_memory();

	TP_PUSH(&h->outputs, struct output, path, .sink = sink);
	return sink;
}

struct tp_folder *
tp_held_folder(struct tp_held *h, const char *path, struct tp_err *err)
{
	struct tp_folder *folder = tp_folder_open(path, err);

	if (folder != NULL)
		TP_PUSH(&h->outputs, struct output, path, .folder = folder);
	return folder;
}

void
tp_held_doc(struct tp_held *h, const struct tp_doc *doc)
{
	h->doc = doc;
}

/* The name itself is for who asks for it: messages go to logs, too. */
static void
say_leak(struct tp_held *h, const char *path, const char *part, struct tp_leak leak)
{
	const char *kind = tp_redact_kind_names[tp_redaction_kind_of(h->args->redaction, leak.name)];
	struct tp_slice name = h->args->verbose ? tp_arena_printf(h->arena, ": %.*s", TP_ARG(leak.name))
											: TP_S(" (-v says which)");

	h->leaks = true;
	tp_say("%s%s: one of the %s to be replaced is still there, at byte %zu%.*s", path, part, kind,
		leak.at, TP_ARG(name));
}

static void
look(struct tp_held *h, const char *path, const char *part, struct tp_slice text)
{
	struct tp_leak leak;

	if (tp_search_finds_in_file(h->search, text, &leak))
		say_leak(h, path, part, leak);
}

static void
look_at_doc(struct tp_held *h, const char *path, const struct tp_doc *doc)
{
	struct tp_sink *json = tp_sink_memory();

	if (tp_render_json.render(doc, &(struct tp_render_options){0}, json, NULL) == TP_OK)
		look(h, path, " (the report in it)", tp_sink_bytes(json));
	tp_sink_close(json);
}

static bool
is_database(struct tp_slice bytes)
{
	return tp_slice_starts(bytes, TP_S("SQLite format 3"));
}

/* A database and a summary have no borders between texts: they are searched as their readers see them. */
static enum tp_status
look_at_binary(struct tp_held *h, const char *path, struct tp_slice bytes, struct tp_arena *arena,
	struct tp_err *err)
{
	if (!is_database(bytes)) {
		const struct tp_doc *doc = tp_summary_read(bytes, path, arena, err);

		if (doc != NULL)
			look_at_doc(h, path, doc);
		return doc != NULL ? TP_OK : err->status;
	}
	struct tp_sink *texts = tp_sink_memory();
	enum tp_status status = tp_sqlite_texts(bytes, texts, err);

	look(h, path, " (its texts)", tp_sink_bytes(texts));
	tp_sink_close(texts);
	return status;
}

/* The bytes, and what is packed in a page or a PDF. */
static enum tp_status
look_at_text(struct tp_held *h, const char *path, struct tp_slice bytes, struct tp_arena *arena,
	struct tp_err *err)
{
	look(h, path, "", bytes);
	if (!tp_stored_begins(bytes))
		return TP_OK;
	struct tp_slice json = tp_stored_json(bytes, path, arena, err);

	if (json.ptr != bytes.ptr)
		look(h, path, " (the report packed in it)", json);
	return json.len != 0 ? TP_OK : err->status;
}

static void
look_at_output(struct tp_held *h, const char *path, struct tp_slice bytes)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err;
	enum tp_status status = is_database(bytes) || tp_is_summary(bytes)
		? look_at_binary(h, path, bytes, arena, &err)
		: look_at_text(h, path, bytes, arena, &err);

	/* What cannot be searched is not proven. */
	if (status != TP_OK) {
		tp_say_err(&err);
		h->leaks = true;
	}
	tp_arena_free(arena);
}

static void
see(void *held, const char *name, struct tp_slice bytes)
{
	look(held, name, "", bytes);
}

/* What stands at the head of pages is the user's own text. */
static void
look_at_header(struct tp_held *h)
{
	struct tp_slice text = TP_S("");
	struct tp_err err;

	if (tp_render_header(h->args->template_dir, h->doc, h->arena, &text, &err) == TP_OK)
		look(h, "header.html", "", text);
}

bool
tp_held_prove(struct tp_held *h)
{
	const struct output *outputs = h->outputs.data;
	struct tp_err err;

	h->search = tp_search_new(h->args->redaction, h->arena);
	h->leaks = false;
	if (h->doc != NULL) {
		look_at_doc(h, "the report", h->doc);
		look_at_header(h);
	}
	for (size_t i = 0; i < h->outputs.count; i++) {
		if (outputs[i].folder != NULL) {
			if (tp_folder_each(outputs[i].folder, see, h, &err) != TP_OK) {
				tp_say_err(&err);
				h->leaks = true;
			}
			continue;
		}
		look_at_output(h, outputs[i].path, tp_sink_bytes(outputs[i].sink));
	}
	if (h->leaks)
		tp_say("nothing is written");
	return !h->leaks;
}

enum tp_status
tp_held_write(struct tp_held *h, const char *path, struct tp_err *err)
{
	const struct output *outputs = h->outputs.data;
	size_t i = 0;

	while (i < h->outputs.count && strcmp(outputs[i].path, path) != 0)
		i++;
	if (i == h->outputs.count)
		return tp_fail(err, TP_ERR_IO, "%s: the output was not made", path);
	if (outputs[i].folder != NULL)
		return tp_folder_commit(outputs[i].folder, err);
	struct tp_sink *file = tp_sink_open(path, err);

	if (file == NULL)
		return err->status;
	tp_sink_put(file, tp_sink_bytes(outputs[i].sink));
	enum tp_status status = tp_sink_commit(file, err);

	tp_sink_close(file);
	return status;
}

void
tp_held_free(struct tp_held *h)
{
	if (h == NULL)
		return;
	const struct output *outputs = h->outputs.data;

	for (size_t i = 0; i < h->outputs.count; i++) {
		tp_sink_close(outputs[i].sink);
		tp_folder_close(outputs[i].folder);
	}
	tp_buf_free(&h->outputs);
	tp_arena_free(h->arena);
}
