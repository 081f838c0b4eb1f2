/* Row by row, children behind all else of their parent; what is 0 or empty is not written. Nothing is indented, for rows may be
 * as deep as there are nodes. */
#include "tfprof/json.h"

#include "base/buf.h"
#include "io/sink.h"
#include "model/tfprof_outputs.h"
#include "render/json_writer.h"
#include "tfprof/checkpoint.h"

struct json {
	const struct tp_tfprof *tfprof;
	const struct tp_tfprof_view *view;
	int64_t step;
	const struct tp_checkpoint *checkpoint;
	struct tp_sink *out;
	struct tp_tfprof_outputs *outputs;
};

static const char *const figure_names[TP_TFPROF_FIGURES] = {
	[TP_TFPROF_RUNS] = "run_count",
	[TP_TFPROF_US] = "exec_micros",
	[TP_TFPROF_ACCELERATOR_US] = "accelerator_exec_micros",
	[TP_TFPROF_CPU_US] = "cpu_exec_micros",
	[TP_TFPROF_REQUESTED_BYTES] = "requested_bytes",
	[TP_TFPROF_PEAK_BYTES] = "peak_bytes",
	[TP_TFPROF_RESIDUAL_BYTES] = "residual_bytes",
	[TP_TFPROF_OUTPUT_BYTES] = "output_bytes",
	[TP_TFPROF_PARAMETERS] = "parameters",
	[TP_TFPROF_FLOAT_OPS] = "float_ops",
};

/* Numbers of 64 bits are strings in the JSON of protobuf. */
static void
put_figure(const struct json *j, const char *prefix, const char *name, int64_t figure)
{
	if (figure != 0)
		tp_sink_printf(j->out, ", \"%s%s\": \"%lld\"", prefix, name, (long long)figure);
}

static void
put_figures(const struct json *j, const char *prefix, const struct tp_tfprof_figures *f, bool runs)
{
	for (unsigned i = runs ? 0 : TP_TFPROF_RUNS + 1; i < TP_TFPROF_FIGURES; i++)
		put_figure(j, prefix, figure_names[i], f->of[i]);
}

static void
put_shape(const struct json *j, const int64_t *dims, size_t count)
{
	if (count == 0) {
		tp_sink_puts(j->out, "{\"unknown_rank\": true}");
		return;
	}
	tp_sink_puts(j->out, "{\"dim\": [");
	for (size_t i = 0; i < count; i++) {
		tp_sink_puts(j->out, i != 0 ? ", {" : "{");
		if (dims[i] != 0)
			tp_sink_printf(j->out, "\"size\": \"%lld\"", (long long)dims[i]);
		tp_sink_puts(j->out, "}");
	}
	tp_sink_puts(j->out, "]}");
}

static void
put_inputs(const struct json *j, const struct tp_tfprof_node *node)
{
	struct tp_buf inputs = {0}, dims = {0};

	tp_tfprof_inputs(j->tfprof, node, &inputs);
	const struct tp_tfprof_input *input = inputs.data;

	for (size_t i = 0; i < inputs.count; i++) {
		tp_tfprof_input_shape(j->outputs, &input[i], &dims);
		tp_sink_printf(
			j->out, "%s\"%d\": ", i != 0 ? ", " : ", \"input_shapes\": {", input[i].place);
		put_shape(j, dims.data, dims.count);
	}
	if (inputs.count != 0)
		tp_sink_puts(j->out, "}");
	tp_buf_free(&inputs);
	tp_buf_free(&dims);
}

static void
put_name(const struct json *j, struct tp_slice name)
{
	tp_sink_puts(j->out, "{\"name\": ");
	tp_json_put_string(j->out, name);
}

static void
put_node(const struct json *j, const struct tp_tfprof_node *node)
{
	if (node->device.len != 0) {
		tp_sink_puts(j->out, ", \"devices\": [");
		tp_json_put_string(j->out, node->device);
		tp_sink_puts(j->out, "]");
	}
	put_inputs(j, node);
}

/* The nodes of a type or of a line, each for itself. */
static void
put_members(const struct json *j, const struct tp_tfprof_row *row)
{
	for (uint32_t i = 0; i < row->member_count; i++) {
		const struct tp_tfprof_node *node =
			&j->tfprof->nodes[j->view->members[row->first_member + i]];
		struct tp_tfprof_figures f;

		tp_sink_puts(j->out, i != 0 ? ",\n" : ", \"graph_nodes\": [\n");
		tp_tfprof_figures(node, j->step, &f);
		put_name(j, node->name);
		put_figures(j, "", &f, true);
		put_figures(j, "total_", &f, true);
		put_figure(j, "", "total_definition_count", 1);
		put_node(j, node);
		tp_sink_puts(j->out, "}");
	}
	if (row->member_count != 0)
		tp_sink_puts(j->out, "]");
}

static void
put_row(const struct json *j, const struct tp_tfprof_row *row)
{
	bool nodes = j->view->kind == TP_TFPROF_SCOPE || j->view->kind == TP_TFPROF_GRAPH;

	put_name(j, row->name);
	put_figures(j, "", &row->own, nodes);
	put_figures(j, "total_", &row->total, nodes);
	if (nodes)
		put_figure(j, "", "total_definition_count", row->definitions);
	if (row->node != TP_MAP_NONE)
		put_node(j, &j->tfprof->nodes[row->node]);
	const struct tp_variable *v = nodes ? tp_checkpoint_find(j->checkpoint, row->name) : NULL;

	if (v != NULL)
		tp_variable_put_json(v, j->out);
	if (!nodes)
		put_members(j, row);
}

void
tp_tfprof_put_json(const struct tp_tfprof *t, const struct tp_tfprof_view *view, int64_t step,
	const struct tp_checkpoint *checkpoint, struct tp_sink *out)
{
	struct tp_tfprof_outputs outputs;
	const struct json j = {t, view, step, checkpoint, out, &outputs};
	uint32_t open = 0;

	tp_tfprof_outputs_open(t, &outputs);

	/* A step that was not traced: the empty message. */
	if (view->count == 0)
		tp_sink_puts(out, "{");
	for (uint32_t i = 0; i < view->count; i++) {
		uint32_t depth = view->rows[i].depth;

		for (; i != 0 && open >= depth; open--)
			tp_sink_puts(out, open == depth ? "}" : "}]");
		if (i != 0)
			tp_sink_puts(out, depth > view->rows[i - 1].depth ? ", \"children\": [\n" : ",\n");
		put_row(&j, &view->rows[i]);
		open = depth;
	}
	for (; open != 0; open--)
		tp_sink_puts(out, "}]");
	tp_sink_puts(out, "}\n");
	tp_tfprof_outputs_close(&outputs);
}
