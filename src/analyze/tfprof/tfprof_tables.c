/* Operations by type, and the dumps of the run. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_columns.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/path.h"
#include "model/profile.h"
#include "model/tfprof_fields.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 1000, DUMPS_OPEN = 8 };

enum { OP_COLUMNS = sizeof op_columns / sizeof *op_columns };

/* What tfprof has no count of is told by ours. */
static void
float_operations(const struct tp_tfprof_section *s, uint32_t row, struct op_cells *cells)
{
	const struct tp_tfprof_rate *rate = &s->rates[row];
	const struct tp_tfprof_figures *own = &s->ops.rows[row].own;

	cells->float_ops.value =
		tp_tfprof_count_value(s, tp_tfprof_plus(own->of[TP_TFPROF_FLOAT_OPS], rate->uncounted));
	cells->rate.value = rate->uncounted != 0
		? tp_tfprof_rate_value(s, tp_tfprof_plus(rate->uncounted, rate->float_ops),
			  tp_tfprof_rated_us(s->tfprof, own))
		: tp_tfprof_rate_value(s, rate->float_ops, rate->us);
}

/* What a dump that holds no step cannot know. */
static void
forget_steps(struct op_cells *cells)
{
	struct tp_cell *of_steps[] = {&cells->time, &cells->share, &cells->accelerator, &cells->cpu,
		&cells->requested, &cells->peak, &cells->residual, &cells->output, &cells->runs};

	for (size_t i = 0; i < sizeof of_steps / sizeof *of_steps; i++)
		of_steps[i]->value = tp_missing(TP_S(TP_TFPROF_NO_STEP));
}

struct counted {
	uint32_t row;
	int64_t float_ops;
};

TP_ORDER(by_float_ops, struct counted, TP_DOWN(float_ops), TP_UP(row));

/* The rows as they stand, longest first; where no step ran by what they count. */
static const struct counted *
in_order(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s)
{
	struct counted *rows = tp_new_array(ctx->scratch, struct counted, s->ops.count);

	for (uint32_t i = 0; i < s->ops.count; i++)
		rows[i] = (struct counted){
			i, tp_tfprof_plus(s->ops.rows[i].own.of[TP_TFPROF_FLOAT_OPS], s->rates[i].uncounted)};
	if (s->tfprof->step_count == 0 && s->ops.count > 1)
		qsort(rows + 1, s->ops.count - 1, sizeof *rows, by_float_ops);
	return rows;
}

/* Without a graph, whose nodes have types, each node is a row. */
static struct tp_draft
open_operations(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section, bool by_node)
{
	struct tp_column *heads = tp_new_array(ctx->keep, struct tp_column, OP_COLUMNS);

	memcpy(heads, op_columns, sizeof op_columns);
	if (by_node)
		heads[TP_COLUMN_OF(struct op_cells, operation)].title = TP_S("Node");
	return tp_draft_table(doc, section, "tfprof/operations", heads,
		by_node ? TP_COLUMN_OF(struct op_cells, nodes) : OP_COLUMNS);
}

static struct tp_slice
caption_of(const struct tp_tfprof_section *s)
{
	if (s->tfprof->step_count == 0)
		return TP_S(caption_operations_graph);
	return s->tfprof->lacks_graph ? TP_S(caption_operations_by_node) : TP_S(caption_operations);
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_block *section)
{
	bool by_node = s->tfprof->lacks_graph;
	struct tp_draft draft = open_operations(ctx, doc, section, by_node);
	double all_us = (double)s->ops.rows[0].total.of[TP_TFPROF_US];
	bool on_accelerator = s->ops.rows[0].total.of[TP_TFPROF_ACCELERATOR_US] != 0;
	bool ran = s->tfprof->step_count != 0;
	const struct counted *order = in_order(ctx, s);

	for (uint32_t i = 1; i < s->ops.count && i <= MOST_ROWS; i++) {
		const struct tp_tfprof_row *row = &s->ops.rows[order[i].row];
		struct op_cells *cells = tp_draft_row_of(&draft, row->name, TP_ROW_NORMAL, 0, row);

		cells->share.value =
			tp_share((double)row->own.of[TP_TFPROF_US], all_us, TP_S(why_no_operation_time));
		cells->accelerator.value = on_accelerator
			? tp_integer(row->own.of[TP_TFPROF_ACCELERATOR_US], TP_UNIT_US)
			: tp_missing(TP_S(why_no_accelerator_time));
		float_operations(s, order[i].row, cells);
		if (!ran)
			forget_steps(cells);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = caption_of(s);
	tp_say_left_out(ctx, doc, section, "tfprof/more-operations", s->ops.count - 1, MOST_ROWS,
		by_node ? "more node" : "more type", by_node ? "more nodes" : "more types");
}

struct point {
	double step, ms;
};

TP_ORDER(by_step, struct point, TP_UP(step));

/* Of points in the order of steps; no curve of a single one. */
static void
add_curve(const struct tp_pass_ctx *ctx, const char *label, struct tp_buf *points,
	struct tp_curve *list, struct tp_curves *curves)
{
	double *xs = tp_new_array(ctx->keep, double, points->count);
	double *ys = tp_new_array(ctx->keep, double, points->count);
	struct point *p = points->data;

	if (points->count < 2)
		return;
	qsort(p, points->count, sizeof *p, by_step);
	for (size_t i = 0; i < points->count; i++) {
		xs[i] = p[i].step;
		ys[i] = p[i].ms;
	}
	list[curves->curve_count++] = (struct tp_curve){.label = tp_slice_of(label),
		.xs = xs,
		.ys = ys,
		.count = points->count,
		.points = points->count};
	curves->low = fmin(curves->low, xs[0]);
	curves->high = fmax(curves->high, xs[points->count - 1]);
}

/* What dumps of the same folder have in the mean, by the step at which they were written. */
static void
curve(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_buf points = {0};
	struct tp_curves *curves = tp_new(ctx->keep, struct tp_curves);
	struct tp_curve *list = tp_new(ctx->keep, struct tp_curve);

	*curves = (struct tp_curves){.curves = list,
		.x_title = TP_S("step"),
		.low = INFINITY,
		.high = -INFINITY,
		.window_from = NAN,
		.window_to = NAN};
	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct tp_tfprof *t = s->dumps[i].tfprof;

		if (t->step >= 0 && t->step_count != 0 && tp_slice_eq(t->folder, s->tfprof->folder))
			*tp_buf_new(&points, struct point) =
				(struct point){(double)t->step, (double)s->dumps[i].total.of[TP_TFPROF_US] / 1e3};
	}
	add_curve(ctx, "mean of a dump, ms", &points, list, curves);
	tp_buf_free(&points);
	if (curves->curve_count == 0 || curves->low >= curves->high)
		return;
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("tfprof/by-dump"))->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = TP_S(text_dumps_alt),
		.unit = TP_UNIT_NONE, /* of the axis, which is of steps */
		.curves = curves,
	};
}

static void
dumps(const struct tp_tfprof_section *s, struct tp_doc *doc, struct tp_block *section)
{
	if (s->dump_count < 2)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tfprof/dumps", dump_columns);

	for (uint32_t i = 0; i < s->dump_count; i++) {
		const struct tp_tfprof *t = s->dumps[i].tfprof;
		struct dump_cells *cells = tp_draft_row_of(&draft, t->name, TP_ROW_NORMAL, 0, &s->dumps[i]);

		cells->dump.value = tp_text_value(t->name);
		cells->folder.value = tp_text_value(tp_path_name(t->folder));
		cells->folder.full = t->folder;
		cells->step.value =
			t->step >= 0 ? tp_count((uint64_t)t->step) : tp_missing(TP_S(why_not_in_name));
		cells->steps.value = tp_count(t->step_count);
		cells->nodes.value = tp_count(t->node_count);
		if (t->step_count == 0)
			cells->nodes_run.value = cells->time.value = cells->requested.value =
				tp_missing(TP_S(TP_TFPROF_NO_STEP));
		cells->note.value = tp_text_value(i == s->chosen ? TP_S("this section") : TP_S(""));
	}
	tp_draft_finish(&draft, DUMPS_OPEN)->caption = TP_S(caption_dumps);
}

void
tp_tfprof_tables(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section)
{
	if (!tp_tfprof_leads(ctx, s))
		tp_tfprof_strip(ctx, s, doc, section, "tfprof/steps", true);
	curve(ctx, s, doc, section);
	operations(ctx, s, doc, section);
	tp_tfprof_shapes(ctx, s, doc, section);
	dumps(s, doc, section);
}
