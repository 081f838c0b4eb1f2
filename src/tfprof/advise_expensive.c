/* The first rows of three views, each ordered by time. */
#include "tfprof/advise_expensive.h"

#include "base/arena.h"
#include "base/buf.h"
#include "io/sink.h"
#include "tfprof/run.h"
#include "tfprof/words.h"

enum { DEEPEST = 3 };

struct checking {
	const struct tp_tfprof_run *run;
	const struct tp_tfprof_advice_options *options;
	struct tp_arena *arena;
	struct tp_buf *reports;
};

static void
put_times(struct tp_sink *out, const struct tp_tfprof_figures *f)
{
	tp_sink_puts(out, ", cpu: ");
	tp_tfprof_put_us(out, f->of[TP_TFPROF_CPU_US]);
	tp_sink_puts(out, ", accelerator: ");
	tp_tfprof_put_us(out, f->of[TP_TFPROF_ACCELERATOR_US]);
	tp_sink_puts(out, ", total: ");
	tp_tfprof_put_us(out, f->of[TP_TFPROF_US]);
}

/* Lines so far, as one report. */
static void
report(const struct checking *c, struct tp_sink *lines)
{
	struct tp_slice text = tp_arena_copy(c->arena, tp_sink_bytes(lines));

	*tp_buf_new(c->reports, struct tp_slice) =
		(struct tp_slice){text.ptr, text.len != 0 ? text.len - 1 : 0};
}

static void
report_types(const struct checking *c, const struct tp_tfprof_view *view)
{
	struct tp_sink *lines = tp_sink_memory();
	double all_us = (double)view->rows[0].total.of[TP_TFPROF_US] + 1e-10;

	for (uint32_t i = 1; i < view->count && i <= c->options->most; i++) {
		const struct tp_tfprof_row *row = &view->rows[i];

		tp_sink_printf(lines, "top %u operation type: %.*s", i, TP_ARG(row->name));
		put_times(lines, &row->own);
		tp_sink_printf(lines, " (%.2f%%)\n", 100.0 * (double)row->own.of[TP_TFPROF_US] / all_us);
	}
	if (view->count > 1)
		report(c, lines);
	tp_sink_close(lines);
}

/* Of scopes the original says what they take themselves: mostly nothing. */
static void
report_scopes(const struct checking *c, const struct tp_tfprof_view *view)
{
	struct tp_sink *lines = tp_sink_memory();
	uint32_t count = 0;

	for (uint32_t i = 1; i < view->count && count < c->options->most; i++) {
		const struct tp_tfprof_row *row = &view->rows[i];

		if (row->depth != 1)
			continue;
		tp_sink_printf(lines, "top %u graph node: %.*s", ++count, TP_ARG(row->name));
		put_times(lines, &row->own);
		tp_sink_puts(lines, "\n");
	}
	if (count != 0)
		report(c, lines);
	tp_sink_close(lines);
}

/* Children of a row, and where the next one of its parent is. */
static uint32_t
children_of(const struct tp_tfprof_view *view, uint32_t at)
{
	uint32_t count = 0;

	for (uint32_t i = at + 1; i < view->count && view->rows[i].depth > view->rows[at].depth; i++)
		count += view->rows[i].parent == at;
	return count;
}

/* Four levels at most are gone down. */
static void
put_lines(const struct checking *c, const struct tp_tfprof_view *view, uint32_t at, int depth,
	struct tp_sink *out)
{
	int64_t left = c->options->most;

	if (depth > DEEPEST || children_of(view, at) <= 1)
		return;
	for (uint32_t i = at + 1; left > 0 && i < view->count; i++) {
		const struct tp_tfprof_row *row = &view->rows[i];

		if (row->depth <= view->rows[at].depth)
			break;
		if (row->parent != at)
			continue;
		left--;
		if (row->total.of[TP_TFPROF_US] < c->options->min_line_us)
			continue;
		tp_sink_printf(out, "%*s%.*s", depth * 2, "", TP_ARG(row->name));
		put_times(out, &row->total);
		tp_sink_puts(out, "\n");
		put_lines(c, view, i, depth + 1, out);
	}
}

/* From the first line on that calls several: those of libraries mostly call one. */
static void
report_code(const struct checking *c, const struct tp_tfprof_view *view)
{
	struct tp_sink *lines = tp_sink_memory();
	uint32_t at = 0;

	while (children_of(view, at) == 1)
		at++;
	if (children_of(view, at) != 0) {
		put_lines(c, view, at, 0, lines);
		report(c, lines);
	}
	tp_sink_close(lines);
}

static enum tp_status
look(const struct checking *c, enum tp_tfprof_kind kind, int64_t max_depth, int64_t min_us,
	void (*say)(const struct checking *c, const struct tp_tfprof_view *view), struct tp_err *err)
{
	struct tp_tfprof_line line;
	struct tp_tfprof_view view;

	tp_tfprof_line_open(&line);
	line.view.max_depth = max_depth;
	line.view.min[TP_TFPROF_US] = min_us;
	line.view.order = TP_TFPROF_US;
	enum tp_status status = tp_tfprof_view(c->run->tfprof, kind, &line.view, c->arena, &view, err);

	if (status == TP_OK)
		say(c, &view);
	tp_tfprof_line_close(&line);
	return status;
}

enum tp_status
tp_tfprof_check_expensive(const struct tp_tfprof_run *run, const struct tp_tfprof_advice_options *o,
	struct tp_arena *arena, struct tp_buf *reports, struct tp_err *err)
{
	const struct checking c = {run, o, arena, reports};
	enum tp_status status = TP_OK;

	if (run->tfprof->step_count == 0)
		fputs("Missing RunMetadata info. Skip ExpensiveOperationChecker\n"
			  "Missing run_meta for ExpensiveOperationChecker\n",
			run->messages);
	else
		status = look(&c, TP_TFPROF_OP, o->most, 1, report_types, err);
	if (status == TP_OK)
		status = look(&c, TP_TFPROF_SCOPE, 100, o->min_scope_us, report_scopes, err);
	if (status != TP_OK)
		return status;
	if (!run->tfprof->has_trace) {
		fputs("Missing op_log (code traces) for ExpensiveOperationChecker\n", run->messages);
		return TP_OK;
	}
	return look(&c, TP_TFPROF_CODE, 100, 1, report_code, err);
}
