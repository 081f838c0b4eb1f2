/* tpreport history FILE… -o trend.html: headline figures over runs, oldest first, with the places where a level changes. */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/path.h"
#include "base/utf8.h"
#include "cli/history_file.h"
#include "cli/link.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/write.h"
#include "compare/compare.h"
#include "compare/trend.h"
#include "io/peek.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdlib.h>
#include <unistd.h>

struct point {
	struct tp_trend_run run;
	bool is_row; /* of a file of history: known already */
};

struct history {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_buf sessions;      /* struct tp_session * */
	struct tp_buf points;        /* struct point */
	struct tp_history_file kept; /* of --append */
	struct tp_trend_run *runs;   /* of the points, in order */
	size_t count;
	size_t again; /* reports of runs that another report is of, too */
};

/* Of equal times as they were given. */
TP_ORDER(oldest_first, struct point, TP_UP(run.doc->made_unix_s),
	tp_slice_cmp(a->run.path, b->run.path));

static struct tp_slice
label_at(const struct history *h, size_t number)
{
	const struct tp_buf *labels = &h->args->labels;

	return number < labels->count ? tp_slice_of(tp_args_strings(labels)[number]) : TP_S("");
}

/* The same run in another form, or a row of it; NULL: there is none yet. */
static struct point *
known(const struct history *h, const struct tp_doc *doc)
{
	struct point *points = h->points.data;

	for (size_t i = 0; i < h->points.count; i++) {
		const struct tp_doc *other = points[i].run.doc;

		if (other->made_unix_s == doc->made_unix_s && tp_is_same_run(other, doc))
			return &points[i];
	}
	return NULL;
}

/* A run counts once; a report of it holds more than a row. */
static void
add_run(struct history *h, struct tp_trend_run run)
{
	struct point *same = known(h, run.doc);

	if (same == NULL) {
		*tp_buf_new(&h->points, struct point) = (struct point){.run = run};
		return;
	}
	h->again += same->is_row ? 0 : 1;
	run.label = run.label.len != 0 ? run.label : same->run.label;
	same->run = run;
}

static void
add_rows(struct history *h, const struct tp_history_file *file)
{
	for (size_t i = 0; i < file->run_count; i++) {
		if (known(h, file->runs[i].doc) == NULL)
			*tp_buf_new(&h->points, struct point) =
				(struct point){.run = file->runs[i], .is_row = true};
	}
}

/* A report or a log directory, of which the newest run counts, or with --run all each; *number: of the runs before, for labels. */
static int
open_report(struct history *h, const char *path, size_t *number)
{
	bool all = h->args->run != NULL && strcmp(h->args->run, "all") == 0;
	int status;
	struct tp_session *s = tp_session_open(h->args, &path, 1, &status);

	if (s == NULL) {
		++*number;
		return status;
	}
	*(struct tp_session **)tp_buf_add(&h->sessions, sizeof s) = s;
	for (size_t k = all ? 0 : tp_session_count(s) - 1; k < tp_session_count(s); k++)
		add_run(h,
			(struct tp_trend_run){.doc = tp_session_doc(s, k),
				.path = tp_slice_of(path),
				.label = label_at(h, (*number)++)});
	return TP_EXIT_OK;
}

static int
open_file(struct history *h, const char *path, struct tp_history_file *file)
{
	struct tp_err err = {.status = TP_OK};

	if (tp_history_read(path, h->arena, file, &err) == TP_OK) {
		add_rows(h, file);
		return TP_EXIT_OK;
	}
	tp_say_err(&err);
	return err.status == TP_ERR_IO ? TP_EXIT_NO_PROFILE : TP_EXIT_DAMAGED;
}

static bool
is_history(const char *path)
{
	struct tp_arena *scratch = tp_arena_new();
	bool is = tp_history_begins(tp_peek(scratch, path));

	tp_arena_free(scratch);
	return is;
}

/* What cannot be read is said and left out: one broken report does not hide the others. The file that is kept must be sound: it is
 * written anew. */
static int
open_all(struct history *h)
{
	const char *const *paths = tp_args_strings(&h->args->paths);
	size_t number = 0;
	int worst = h->args->append != NULL ? open_file(h, h->args->append, &h->kept) : TP_EXIT_OK;

	if (worst != TP_EXIT_OK)
		return worst;
	for (size_t i = 0; i < h->args->paths.count; i++) {
		struct tp_history_file file;
		int status = is_history(paths[i]) ? open_file(h, paths[i], &file)
										  : open_report(h, paths[i], &number);

		worst = status > worst ? status : worst;
	}
	if (h->args->labels.count > number) {
		tp_say("there are more labels than runs");
		return TP_EXIT_USAGE;
	}
	if (h->points.count == 0 && worst == TP_EXIT_OK) {
		tp_say("no run to follow: the file has no rows yet");
		return TP_EXIT_NO_PROFILE;
	}
	return h->points.count != 0 ? (h->args->strict ? worst : TP_EXIT_OK) : worst;
}

/* Where links are seen from: a page, if one is written, else the first output. */
static struct tp_slice
folder_of(const struct tp_outputs *out)
{
	size_t page = 0;

	while (page < out->count && out->at[page].renderer != &tp_render_html)
		page++;
	return tp_path_folder(tp_slice_of(out->at[page < out->count ? page : 0].path));
}

static void
put_in_order(struct history *h, const struct tp_outputs *out)
{
	struct tp_slice folder = folder_of(out);
	struct point *points = h->points.data;

	if (!h->args->as_given)
		qsort(points, h->points.count, sizeof *points, oldest_first);
	h->runs = tp_new_array(h->arena, struct tp_trend_run, h->points.count);
	for (size_t i = 0; i < h->points.count; i++) {
		h->runs[i] = points[i].run;
		h->runs[i].label = tp_utf8_clean(h->arena, h->runs[i].label);
		/* A link would say the name of the file. */
		if (h->args->redaction == NULL)
			h->runs[i].href = tp_link_from(folder, h->runs[i].path, h->arena);
	}
	h->count = h->points.count;
}

/* Runs that the file does not have yet go to its end. */
static int
append(struct history *h)
{
	const struct tp_trend_run **runs =
		tp_new_array(h->arena, const struct tp_trend_run *, h->count);
	const struct point *points = h->points.data;
	struct tp_err err = {.status = TP_OK};
	size_t count = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (!points[i].is_row)
			runs[count++] = &h->runs[i];
	}
	if (count == 0 ||
		tp_history_append(h->args->append, &h->kept, runs, count, h->arena, &err) == TP_OK)
		return TP_EXIT_OK;
	tp_say_err(&err);
	return TP_EXIT_CANNOT_WRITE;
}

static void
tell_doubts(const struct history *h)
{
	struct tp_trend_mixed mixed = tp_trend_mixed(h->runs, h->count, h->arena);

	if (h->args->quiet)
		return;
	if (h->again != 0)
		tp_say("warning: %zu of the reports count already: the same run in another file", h->again);
	if (mixed.count != 0)
		tp_say("warning: %zu of %zu runs differ from the newest in %.*s", mixed.count, h->count,
			TP_ARG(mixed.what));
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
	tell_doubts(h);
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

	if (args->paths.count == 0 && args->append == NULL)
		tp_say(
			"give the runs: tpreport history FILE…, each a report, a summary or a log directory");
	else if (args->append != NULL && strcmp(args->append, "-") == 0)
		tp_say("--append -: give a file, which is read and written");
	else if (args->append != NULL && args->redaction != NULL)
		tp_say("--append keeps the names of runs, --redact replaces them: give one of the two");
	else if (tp_outputs_plan(args, h.arena, &out) && (status = open_all(&h)) == TP_EXIT_OK) {
		put_in_order(&h, &out);
		status = args->append != NULL ? append(&h) : TP_EXIT_OK;
		int written = write_trend(&h, &out);

		status = written > status ? written : status;
	}
	for (size_t i = 0; i < h.sessions.count; i++)
		tp_session_close(((struct tp_session **)h.sessions.data)[i]);
	tp_buf_free(&h.sessions);
	tp_buf_free(&h.points);
	tp_arena_free(h.arena);
	return status;
}
