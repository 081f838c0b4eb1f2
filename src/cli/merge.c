/* tpreport merge FILE.tps… -o FILE…: summaries of many ranks put together, as a summary again or as a report. */
#include "analyze/core/ctx.h"
#include "analyze/ranks/ranks.h"
#include "base/arena.h"
#include "base/memory.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/detail.h"
#include "cli/merged.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/pass_options.h"
#include "cli/terminal.h"
#include "cli/write.h"
#include "io/blob.h"
#include "io/list.h"
#include "io/sink.h"
#include "render/renderer.h"
#include "report/doc.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_RANK = 1 << 24 };

struct merging {
	const struct tp_args *args;
	struct tp_arena *arena;
	struct tp_rank_set set;
	struct tp_merge_wish wish;
	struct tp_buf blobs;  /* struct tp_blob *, whose bytes the set points into */
	struct tp_buf failed; /* struct tp_slice */
	bool printed;         /* a set, to standard output */
	int worst;
};

/* A number at the beginning of a text, which then begins behind it. */
static bool
take_number(const char **text, int64_t *number)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*number = strtoll(*text, &end, 10);
	*text = end;
	return *number <= MOST_RANK;
}

/* "0-511,600" */
static bool
read_ranges(struct merging *m)
{
	const char *text = m->args->ranks;
	struct tp_buf ranges = {0};
	bool good = text == NULL || *text != '\0';

	while (good && text != NULL && *text != '\0') {
		struct tp_rank_range *r = tp_buf_new(&ranges, struct tp_rank_range);

		good = take_number(&text, &r->first);
		r->last = r->first;
		if (good && *text == '-') {
			text++;
			good = take_number(&text, &r->last) && r->last >= r->first;
		}
		good = good && (*text == '\0' || (*text++ == ',' && *text != '\0'));
	}
	m->wish.range_count = ranges.count;
	m->wish.ranges = tp_buf_settle(&ranges, sizeof(struct tp_rank_range), m->arena);
	if (!good)
		tp_say(
			"--ranks %s: give numbers and ranges of ranks, e.g. 0-511 or 0-7,16", m->args->ranks);
	return good;
}

/* Says why a file cannot be used, and goes on with the others. */
static void
leave_out(struct merging *m, const char *path, const struct tp_err *err)
{
	int status =
		err->status == TP_ERR_IO || err->status == TP_ABSENT ? TP_EXIT_NO_PROFILE : TP_EXIT_DAMAGED;

	tp_say_err(err);
	*tp_buf_new(&m->failed, struct tp_slice) = tp_slice_of(path);
	m->worst = status > m->worst ? status : m->worst;
}

static void
add_file(struct merging *m, const char *path)
{
	struct tp_err err;
	struct tp_blob *blob = tp_blob_open_as(
		path, (struct tp_blob_wish){.form = TP_BLOB_WHOLE, .pool = m->args->pool}, &err);

	if (blob == NULL) {
		leave_out(m, path, &err);
		return;
	}
	*tp_buf_new(&m->blobs, struct tp_blob *) = blob;
	tp_blob_done(blob);
	if (tp_blob_damage(blob) != NULL)
		leave_out(m, path, tp_blob_damage(blob));
	else if (tp_rank_set_add(&m->set, tp_blob_bytes(blob), path, &err) != TP_OK)
		leave_out(m, path, &err);
}

/* Of a folder all summaries in it. */
static void
add_path(struct merging *m, const char *path)
{
	struct tp_file_list list;
	struct tp_err err;

	if (strcmp(path, "-") == 0) {
		add_file(m, path);
		return;
	}
	if (tp_list_files(m->arena, path, &list, &err) != TP_OK) {
		leave_out(m, path, &err);
		return;
	}
	for (size_t i = 0; i < list.count; i++) {
		if (list.directories == 0 || tp_path_has_suffix(list.paths[i], ".tps"))
			add_file(m, list.paths[i].ptr);
	}
}

static enum tp_status
write_set(const struct merging *m, const char *path, struct tp_err *err)
{
	struct tp_sink *sink = tp_sink_open(path, err);

	if (sink == NULL)
		return err->status;
	tp_rank_set_write(&m->set, sink);
	enum tp_status status = tp_sink_commit(sink, err);

	tp_sink_close(sink);
	return status;
}

/* Summaries among the outputs; the others are left in `rest`. */
static void
write_sets(struct merging *m, const struct tp_outputs *out, struct tp_outputs *rest)
{
	*rest = (struct tp_outputs){
		.at = tp_new_array(m->arena, struct tp_output, out->count), .asked = out->asked};
	for (size_t i = 0; i < out->count; i++) {
		struct tp_err err;

		if (out->at[i].renderer != &tp_render_summary) {
			rest->at[rest->count++] = out->at[i];
			continue;
		}
		m->printed |= strcmp(out->at[i].path, "-") == 0;
		if (write_set(m, out->at[i].path, &err) == TP_OK)
			continue;
		tp_say_err(&err);
		m->worst = TP_EXIT_CANNOT_WRITE;
	}
}

/* What files held, once nothing more is made of it. */
static void
forget_bytes(struct merging *m)
{
	struct tp_blob **blobs = m->blobs.data;

	for (size_t i = 0; i < m->blobs.count; i++)
		tp_blob_close(blobs[i]);
	tp_buf_free(&m->blobs);
	tp_rank_set_free(&m->set);
}

static void
write_reports(struct merging *m, const struct tp_outputs *out)
{
	struct tp_slice *paths = tp_new_array(m->arena, struct tp_slice, out->count), written;
	struct tp_pass_options options = {0};
	struct tp_err err;
	size_t damaged;

	if (!tp_pass_options_read(m->args, m->arena, &options)) {
		m->worst = TP_EXIT_USAGE;
		return;
	}
	if (!m->printed)
		tp_memory_start_again(tp_detail_less(m->args, m->arena));
	m->wish.most_calls = tp_detail_calls(tp_merged_calls(m->set.parts.count));
	struct tp_profile *profile =
		tp_merged_profile(&m->set, m->args->pool, &m->wish, &damaged, m->arena, &err);

	forget_bytes(m);
	if (damaged != 0) {
		tp_say("%zu of the ranks cannot be used: damaged", damaged);
		m->worst = TP_EXIT_DAMAGED > m->worst ? TP_EXIT_DAMAGED : m->worst;
	}
	struct tp_doc *doc =
		profile != NULL ? tp_merged_report(profile, &options, &m->wish, m->arena, &err) : NULL;

	if (doc == NULL) {
		tp_say_err(&err);
		m->worst = TP_EXIT_DAMAGED;
		return;
	}
	for (size_t i = 0; i < out->count; i++)
		paths[i] = tp_slice_of(out->at[i].path);
	int status = tp_write_outputs(m->args, doc, false, out, paths, &written, m->arena);

	if (written.len != 0 && isatty(STDERR_FILENO) && !m->args->quiet)
		tp_say_written(doc, written, m->arena);
	m->worst = status > m->worst ? status : m->worst;
}

static void
merge(struct merging *m, const struct tp_outputs *out)
{
	const char *const *paths = tp_args_strings(&m->args->paths);
	struct tp_outputs rest;

	for (size_t i = 0; i < m->args->paths.count; i++)
		add_path(m, paths[i]);
	m->wish.failed = m->failed.data;
	m->wish.failed_count = m->failed.count;
	tp_rank_set_settle(&m->set);
	if (m->set.parts.count == 0) {
		tp_say("no rank to merge: nothing is written");
		m->worst = m->worst != TP_EXIT_OK ? m->worst : TP_EXIT_NO_PROFILE;
		return;
	}
	write_sets(m, out, &rest);
	if (rest.count != 0)
		write_reports(m, &rest);
}

int
tp_command_merge(const struct tp_args *args)
{
	struct merging m = {.args = args, .arena = tp_arena_new(), .worst = TP_EXIT_OK};
	struct tp_outputs out;

	if (args->paths.count == 0) {
		tp_say("give summaries: tpreport merge FILE.tps… -o all.tps (or report.html)");
		m.worst = TP_EXIT_USAGE;
	} else if (!read_ranges(&m) || !tp_outputs_plan(args, m.arena, &out)) {
		m.worst = TP_EXIT_USAGE;
	} else {
		merge(&m, &out);
	}
	forget_bytes(&m);
	tp_buf_free(&m.failed);
	tp_arena_free(m.arena);
	return m.worst;
}
