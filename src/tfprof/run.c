/* What each kind of output makes of a view. */
#include "tfprof/run.h"

#include "base/arena.h"
#include "io/sink.h"
#include "tfprof/advise.h"
#include "tfprof/json.h"
#include "tfprof/pprof.h"
#include "tfprof/text.h"
#include "tfprof/timeline.h"

static enum tp_status
write_text(const struct tp_tfprof_run *run, const struct tp_tfprof_view *view,
	const struct tp_tfprof_line *line, const char *path, struct tp_err *err)
{
	struct tp_sink *out = tp_sink_open(path, err);

	if (out == NULL)
		return err->status;
	tp_tfprof_put_text(
		&(struct tp_tfprof_text){run->tfprof, view, line, run->checkpoint, out, NULL});
	enum tp_status status = tp_sink_commit(out, err);

	tp_sink_close(out);
	return status;
}

static enum tp_status
write_json(const struct tp_tfprof_run *run, const struct tp_tfprof_view *view, int64_t step,
	bool values, struct tp_err *err)
{
	struct tp_sink *out = tp_sink_open("-", err);

	if (out == NULL)
		return err->status;
	tp_tfprof_put_json(run->tfprof, view, step, values ? run->checkpoint : NULL, out);
	enum tp_status status = tp_sink_commit(out, err);

	tp_sink_close(out);
	return status;
}

static enum tp_status
put_out(const struct tp_tfprof_run *run, const struct tp_tfprof_view *view,
	const struct tp_tfprof_line *line, struct tp_err *err)
{
	switch (line->output) {
	case TP_TFPROF_TO_STDOUT:
		return run->json ? TP_OK : write_text(run, view, line, "-", err);
	case TP_TFPROF_TO_FILE:
		return write_text(run, view, line, line->outfile, err);
	case TP_TFPROF_TO_TIMELINE:
		return tp_tfprof_write_timeline(run->tfprof, view, line, run->json, err);
	case TP_TFPROF_TO_PPROF:
		return tp_tfprof_write_pprof(run->tfprof, view, line, run->json, err);
	case TP_TFPROF_TO_NONE:
	case TP_TFPROF_OUTPUTS:
		break;
	}
	return TP_OK;
}

/* What the view has no such output for; then its answer is the bare root. */
static enum tp_status
refuse(enum tp_tfprof_kind kind, const struct tp_tfprof_line *line, struct tp_err *err)
{
	if (line->output == TP_TFPROF_TO_PPROF && kind != TP_TFPROF_CODE)
		return tp_fail(err, TP_ABSENT, "Only 'code' view supports pprof output now.");
	if (line->output == TP_TFPROF_TO_PPROF)
		return tp_tfprof_pprof_refuses(line, err);
	if (line->output == TP_TFPROF_TO_TIMELINE && kind == TP_TFPROF_OP)
		return tp_fail(err, TP_ABSENT,
			"op view doesn't support timeline yet. Consider graph/scope/code view.");
	return TP_OK;
}

/* The graph's timeline without a step: one file for each. */
static enum tp_status
run_each_step(const struct tp_tfprof_run *run, struct tp_tfprof_line *line, struct tp_err *err)
{
	enum tp_status status = TP_OK;
	struct tp_tfprof_view view = {.kind = TP_TFPROF_GRAPH};

	for (uint32_t i = 0; i < run->tfprof->step_count && status == TP_OK; i++) {
		struct tp_arena *arena = tp_arena_new();

		line->view.step = run->tfprof->steps[i];
		status = tp_tfprof_view(run->tfprof, TP_TFPROF_GRAPH, &line->view, arena, &view, err);
		if (status == TP_OK)
			status = put_out(run, &view, line, err);
		tp_arena_free(arena);
	}
	line->view.step = -1;
	view = (struct tp_tfprof_view){.kind = TP_TFPROF_GRAPH};
	return status == TP_OK && run->json ? write_json(run, &view, -1, false, err) : status;
}

static enum tp_status
run_view(const struct tp_tfprof_run *run, enum tp_tfprof_kind kind, struct tp_tfprof_line *line,
	struct tp_arena *arena, struct tp_err *err)
{
	struct tp_tfprof_row root = {.name = TP_S(TP_TFPROF_ROOT), .node = TP_MAP_NONE};
	struct tp_tfprof_view view = {.kind = kind, .rows = &root, .count = 1};
	enum tp_status status = refuse(kind, line, err);

	if (status == TP_OK && kind == TP_TFPROF_GRAPH && line->output == TP_TFPROF_TO_TIMELINE &&
		line->view.step < 0)
		return run_each_step(run, line, err);
	if (status == TP_OK)
		status = tp_tfprof_view(run->tfprof, kind, &line->view, arena, &view, err);

	if (status == TP_OK && view.unaccounted != 0)
		fprintf(run->messages, "%u gradient nodes not accounted\n", view.unaccounted);
	if (status == TP_OK && kind == TP_TFPROF_CODE && line->view.displayed_only)
		fputs("Note: code view ignores account_displayed_op_only\n", run->messages);
	if (status == TP_OK)
		status = put_out(run, &view, line, err);
	if (run->json && (status == TP_OK || status == TP_ABSENT)) {
		struct tp_err failed;

		if (write_json(run, &view, line->view.step, tp_tfprof_selects(line, TP_SELECT_TENSOR_VALUE),
				&failed) != TP_OK) {
			*err = failed;
			return failed.status;
		}
	}
	return status;
}

enum tp_status
tp_tfprof_run(const struct tp_tfprof_run *run, enum tp_tfprof_command command,
	struct tp_tfprof_line *line, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	enum tp_status status = TP_OK;

	if (command <= TP_TFPROF_DO_CODE)
		status = run_view(run, (enum tp_tfprof_kind)command, line, arena, err);
	else if (command == TP_TFPROF_DO_ADVISE)
		status = tp_tfprof_write_advice(run, arena, err);
	tp_arena_free(arena);
	return status;
}
