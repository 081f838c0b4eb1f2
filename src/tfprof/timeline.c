/* The file, its name, and the timeline of a tree: each level a process, each row as long as all that is in it. */
#include "tfprof/timeline.h"

#include "base/arena.h"
#include "io/sink.h"
#include "tfprof/trace.h"

#include <stdio.h>

static void
put_tree(const struct tp_tfprof_view *view, struct tp_sink *out)
{
	struct tp_arena *scratch = tp_arena_new();
	int64_t *next_us = tp_new_array(scratch, int64_t, view->count);
	bool *left_out = tp_new_array(scratch, bool, view->count);
	struct tp_tfprof_trace trace;
	uint32_t levels = 0;

	tp_tfprof_trace_open(&trace, out);
	for (uint32_t i = 0; i < view->count; i++) {
		const struct tp_tfprof_row *row = &view->rows[i];
		int64_t us = row->total.of[TP_TFPROF_US], start_us = i != 0 ? next_us[row->parent] : 0;

		left_out[i] = i != 0 && (us <= 0 || left_out[row->parent]);
		if (left_out[i])
			continue;
		if (row->depth == levels) {
			char level[16];
			int length = snprintf(level, sizeof level, "%u", levels);

			tp_tfprof_trace_process(
				&trace, "Scope:", (struct tp_slice){level, (size_t)length}, "", levels++);
		}
		tp_tfprof_trace_region(&trace,
			&(struct tp_tfprof_trace_region){.name = row->name,
				.with_op = true,
				.pid = row->depth,
				.start_us = start_us,
				.us = us});
		next_us[i] = start_us;
		if (i != 0 && __builtin_add_overflow(start_us, us, &next_us[row->parent]))
			next_us[row->parent] = INT64_MAX;
	}
	tp_tfprof_trace_close(&trace);
	tp_arena_free(scratch);
}

static enum tp_status
write(const struct tp_tfprof *t, const struct tp_tfprof_view *view, int64_t step, const char *path,
	struct tp_sink *said, struct tp_err *err)
{
	struct tp_sink *out = tp_sink_open(path, err);

	if (out == NULL)
		return err->status;
	if (view->kind == TP_TFPROF_GRAPH)
		tp_tfprof_put_graph_timeline(t, view, step, out, said);
	else
		put_tree(view, out);
	enum tp_status status = tp_sink_commit(out, err);

	tp_sink_close(out);
	if (status == TP_OK)
		tp_sink_printf(said,
			"\n******************************************************\nTimeline file is written to "
			"%s.\nOpen a Chrome browser, enter URL chrome://tracing and load the timeline file."
			"\n******************************************************\n",
			path);
	return status;
}

enum tp_status
tp_tfprof_write_timeline(const struct tp_tfprof *t, const struct tp_tfprof_view *view,
	const struct tp_tfprof_line *line, bool quiet, struct tp_err *err)
{
	struct tp_arena *scratch = tp_arena_new();
	struct tp_slice path =
		tp_arena_printf(scratch, "%s_%lld", line->outfile, (long long)line->view.step);
	struct tp_sink *said = tp_sink_memory();
	enum tp_status status = write(t, view, line->view.step, path.ptr, said, err);
	struct tp_slice text = tp_sink_bytes(said);

	if (!quiet)
		fwrite(text.ptr, 1, text.len, stdout);
	tp_sink_close(said);
	tp_arena_free(scratch);
	return status;
}
