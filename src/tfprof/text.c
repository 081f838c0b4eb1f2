/* Rows of the trees: "conv1/DW (3x3x3x16, 432/432 params)", what a row has itself before what is in it all together. */
#include "tfprof/text.h"

#include "base/buf.h"
#include "io/sink.h"
#include "model/tfprof_outputs.h"
#include "tfprof/checkpoint.h"
#include "tfprof/words.h"

typedef void put_figure(struct tp_sink *out, int64_t figure);

/* What a row has itself, "--" where that does not count, before all of it. */
static void
put_pair(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row,
	enum tp_tfprof_figure which, put_figure *put)
{
	if (row->accounted)
		put(x->out, row->own.of[which]);
	else
		tp_sink_puts(x->out, "--");
	tp_sink_puts(x->out, "/");
	put(x->out, row->total.of[which]);
}

struct cell {
	enum tp_tfprof_select select;
	enum tp_tfprof_figure which;
	put_figure *put;
	const char *unit;
};

static const struct cell counts[] = {
	{TP_SELECT_PARAMS, TP_TFPROF_PARAMETERS, tp_tfprof_put_count, " params"},
	{TP_SELECT_FLOAT_OPS, TP_TFPROF_FLOAT_OPS, tp_tfprof_put_count, " flops"},
};
static const struct cell measured[] = {
	{TP_SELECT_BYTES, TP_TFPROF_REQUESTED_BYTES, tp_tfprof_put_bytes, ""},
	{TP_SELECT_PEAK_BYTES, TP_TFPROF_PEAK_BYTES, tp_tfprof_put_bytes, ""},
	{TP_SELECT_RESIDUAL_BYTES, TP_TFPROF_RESIDUAL_BYTES, tp_tfprof_put_bytes, ""},
	{TP_SELECT_OUTPUT_BYTES, TP_TFPROF_OUTPUT_BYTES, tp_tfprof_put_bytes, ""},
	{TP_SELECT_MICROS, TP_TFPROF_US, tp_tfprof_put_us, ""},
	{TP_SELECT_ACCELERATOR_MICROS, TP_TFPROF_ACCELERATOR_US, tp_tfprof_put_us, ""},
	{TP_SELECT_CPU_MICROS, TP_TFPROF_CPU_US, tp_tfprof_put_us, ""},
};

static void
put_shape_of(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row, bool *first)
{
	struct tp_buf dims = {0};

	if (row->node != TP_MAP_NONE)
		tp_tfprof_shape(&x->tfprof->nodes[row->node], &dims);
	if (dims.count != 0) {
		tp_tfprof_put_comma(x->out, first);
		tp_tfprof_put_shape(x->out, dims.data, dims.count);
	}
	tp_buf_free(&dims);
}

static void
put_cells(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row, const struct cell *cells,
	size_t count, bool *first)
{
	for (size_t i = 0; i < count; i++) {
		const struct cell *c = &cells[i];
		bool part = c->select == TP_SELECT_ACCELERATOR_MICROS || c->select == TP_SELECT_CPU_MICROS;

		/* Parts of the time stand beside it, too. */
		if (!tp_tfprof_selects(x->line, c->select) &&
			!(part && tp_tfprof_selects(x->line, TP_SELECT_MICROS)))
			continue;
		if (c->select == TP_SELECT_PARAMS && x->view->kind != TP_TFPROF_CODE)
			put_shape_of(x, row, first);
		tp_tfprof_put_comma(x->out, first);
		put_pair(x, row, c->which, c->put);
		tp_sink_puts(x->out, c->unit);
	}
}

#define PUT(text, row, cells, first)                                                               \
	put_cells((text), (row), (cells), sizeof(cells) / sizeof *(cells), (first))

/* "0:16x24x24x3|1:unknown" */
static void
put_inputs(const struct tp_tfprof_text *x, const struct tp_tfprof_node *node)
{
	struct tp_buf inputs = {0}, dims = {0};

	tp_tfprof_inputs(x->tfprof, node, &inputs);
	const struct tp_tfprof_input *input = inputs.data;

	for (size_t i = 0; i < inputs.count; i++) {
		tp_tfprof_input_shape(x->outputs, &input[i], &dims);
		tp_sink_printf(x->out, "%s%d:", i != 0 ? "|" : "", input[i].place);
		if (dims.count == 0)
			tp_sink_puts(x->out, "unknown");
		tp_tfprof_put_shape(x->out, dims.data, dims.count);
	}
	tp_buf_free(&inputs);
	tp_buf_free(&dims);
}

/* How often a node ran and how often it is defined: once. */
static void
put_occurrence(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row)
{
	put_pair(x, row, TP_TFPROF_RUNS, tp_tfprof_put_count);
	tp_sink_puts(x->out, row->accounted ? "|1/" : "|--/");
	tp_tfprof_put_count(x->out, row->definitions);
}

static void
put_node_rest(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row, bool *first)
{
	const struct tp_tfprof_node *node =
		row->node != TP_MAP_NONE ? &x->tfprof->nodes[row->node] : NULL;

	if (tp_tfprof_selects(x->line, TP_SELECT_DEVICE) && node != NULL && node->device.len != 0) {
		tp_tfprof_put_comma(x->out, first);
		tp_sink_put(x->out, node->device);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_OP_TYPES)) {
		tp_tfprof_put_comma(x->out, first);
		if (node != NULL)
			tp_tfprof_put_names(x, TP_TFPROF_TYPES, &row->node, 1);
		else
			tp_sink_puts(
				x->out, x->view->kind == TP_TFPROF_SCOPE ? TP_TFPROF_SCOPE_TYPE : "_TFGraphParent");
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_OCCURRENCE)) {
		tp_tfprof_put_comma(x->out, first);
		put_occurrence(x, row);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_INPUT_SHAPES)) {
		tp_tfprof_put_comma(x->out, first);
		if (node != NULL)
			put_inputs(x, node);
	}
}

static void
put_code_rest(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row, bool *first)
{
	const uint32_t *members = x->view->members + row->first_member;

	if (tp_tfprof_selects(x->line, TP_SELECT_DEVICE) && row->member_count != 0) {
		tp_tfprof_put_comma(x->out, first);
		tp_tfprof_put_names(x, TP_TFPROF_DEVICES, members, row->member_count);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_OP_TYPES)) {
		tp_tfprof_put_comma(x->out, first);
		tp_tfprof_put_names(x, TP_TFPROF_TYPES, members, row->member_count);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_OCCURRENCE)) {
		tp_tfprof_put_comma(x->out, first);
		tp_sink_puts(x->out, "occurrence N/A in code view");
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_INPUT_SHAPES)) {
		tp_tfprof_put_comma(x->out, first);
		tp_sink_puts(x->out, "input_shapes N/A in code view");
	}
}

static void
put_row(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row)
{
	bool first = true;

	for (uint32_t i = 0; i < row->depth; i++)
		tp_sink_puts(x->out, "  ");
	tp_sink_put(x->out, row->name);
	tp_sink_puts(x->out, " (");
	if (x->view->kind == TP_TFPROF_CODE) {
		PUT(x, row, measured, &first);
		PUT(x, row, counts, &first);
		put_code_rest(x, row, &first);
	} else {
		PUT(x, row, counts, &first);
		PUT(x, row, measured, &first);
		put_node_rest(x, row, &first);
	}
	tp_sink_puts(x->out, ")\n");
	if (x->view->kind != TP_TFPROF_CODE && tp_tfprof_selects(x->line, TP_SELECT_TENSOR_VALUE)) {
		const struct tp_variable *v = tp_checkpoint_find(x->checkpoint, row->name);

		if (v != NULL)
			tp_variable_put_text(v, x->out);
	}
}

void
tp_tfprof_put_text(const struct tp_tfprof_text *text)
{
	struct tp_tfprof_outputs outputs;
	struct tp_tfprof_text with = *text;
	const struct tp_tfprof_text *x = &with;
	bool op = x->view->kind == TP_TFPROF_OP;

	tp_tfprof_outputs_open(x->tfprof, &outputs);
	with.outputs = &outputs;
	tp_tfprof_put_head(x->tfprof, x->line, x->view->kind, x->out);
	for (uint32_t i = op ? 1 : 0; i < x->view->count; i++) {
		if (op)
			tp_tfprof_put_op(x, &x->view->rows[i]);
		else
			put_row(x, &x->view->rows[i]);
	}
	tp_tfprof_outputs_close(&outputs);
}
