/* Operations, devices, variables, functions and other graphs, as tables. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/path.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

enum {
	MOST_ROWS = 1000,
	VARIABLES_OPEN = 10,
	DEVICES_OPEN = 12,
	GRAPHS_OPEN = 8,
	FUNCTIONS_OPEN = 8
};

#define GROUP_TABLE(key_of_name, title_of_name)                                                    \
	{                                                                                              \
		TP_COLUMN(key_of_name, title_of_name, .code = true),                                       \
			TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true,                                      \
				TP_COUNT_FIELD(struct tp_graph_group, sums.nodes)),                                \
			TP_SHARE_COLUMN("share", "Of the graph", .bar = true),                                 \
			TP_COUNT_COLUMN("in_functions", "In functions"),                                       \
			TP_COLUMN(                                                                             \
				"time_us", "Time per step", .unit = TP_UNIT_US, .decimals = TP_DECIMALS_BY_SIZE),  \
			TP_BYTES_COLUMN("requested_bytes", "Requested memory"),                                \
	}
static const struct tp_column op_columns[] = GROUP_TABLE("operation", "Operation");
static const struct tp_column device_columns[] = GROUP_TABLE("device", "Device");
struct group_cells {
	struct tp_cell name, nodes, share, in_functions, time, bytes;
};
TP_CELLS_ARE_COLUMNS(struct group_cells, op_columns);

/* A table of the nodes that have something in common; nothing: what those have that do not say it. */
static void
groups(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v,
	const struct tp_graph_group *all, uint32_t count, struct tp_slice nothing,
	struct tp_draft *draft, size_t open, struct tp_slice caption)
{
	struct tp_value no_time = tp_missing(TP_S("no file says what ran"));

	for (uint32_t i = 0; i < count && i < MOST_ROWS; i++) {
		const struct tp_graph_sums *s = &all[i].sums;
		struct tp_slice name = tp_string(&ctx->profile->strings, all[i].name);
		struct group_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, &all[i]);

		cells->name.value = tp_text_value(name.len != 0 ? name : nothing);
		cells->share.value = tp_share(s->nodes, v->all.nodes, TP_S("the graph has no nodes"));
		cells->in_functions.value = v->graph->function_count != 0
			? tp_count(s->library_nodes)
			: tp_missing(TP_S("the graph has no functions"));
		cells->time.value = v->run != NULL ? tp_integer((int64_t)s->us, TP_UNIT_US) : no_time;
		cells->bytes.value = v->run != NULL ? tp_bytes(s->requested_bytes) : no_time;
	}
	struct tp_table *table = tp_draft_finish(draft, open);

	table->caption = caption;
	tp_table_drop_missing(draft->doc, table, TP_COLUMN_OF(struct group_cells, in_functions));
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/operations", op_columns);

	groups(ctx, v, v->ops, v->op_count, TP_S("no operation named"), &draft, ctx->options->top,
		TP_S("Operations by number of nodes"));
	tp_say_left_out(ctx, doc, section, "graph/more-operations", v->op_count, MOST_ROWS, "more kind",
		"more kinds");
}

static void
devices(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	bool placed = tp_graph_of_step(v->graph), ran = v->graph->from == TP_GRAPH_FROM_TFPROF;

	if (v->of_layers)
		return;
	if (v->device_count == 1 && tp_string(&ctx->profile->strings, v->devices[0].name).len == 0) {
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "graph/no-device",
			TP_SAY0(doc, "No node requests a device."));
		return;
	}
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/devices", device_columns);

	groups(ctx, v, v->devices, v->device_count, ran ? TP_S("not recorded") : TP_S("none requested"),
		&draft, DEVICES_OPEN,
		ran          ? TP_S("Devices on which nodes ran")
			: placed ? TP_S("Devices on which a step placed the nodes")
					 : TP_S("Requested devices"));
	tp_say_left_out(ctx, doc, section, "graph/more-devices", v->device_count, MOST_ROWS,
		"more device", "more devices");
}

/* Where a step had the nodes, whatever they ask for. */
static void
places(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	if (v->placed == NULL)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/places", device_columns);

	groups(ctx, v, v->places, v->place_count, TP_S("in no recorded step"), &draft, DEVICES_OPEN,
		TP_S("Devices on which recorded steps placed the nodes"));
	tp_say_left_out(ctx, doc, section, "graph/more-places", v->place_count, MOST_ROWS,
		"more device", "more devices");
}

static const struct tp_column function_columns[] = {
	TP_COLUMN("function", "Function", .code = true),
	TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true),
	TP_COUNT_COLUMN("calls", "Calls in the graph", TP_COUNT_FIELD(struct tp_graph_callee, calls)),
	TP_COUNT_COLUMN("calls_in_functions", "In functions",
		TP_COUNT_FIELD(struct tp_graph_callee, calls_in_functions)),
	TP_COLUMN("note", "Here"),
};
struct function_cells {
	struct tp_cell function, nodes, calls, calls_in_functions, note;
};
TP_CELLS_ARE_COLUMNS(struct function_cells, function_columns);

static struct tp_slice
called(const struct tp_graph_callee *f, bool of_object)
{
	if (of_object)
		return TP_S("belongs to a saved-model object");
	if (f->reached)
		return f->calls != 0 ? TP_S("called") : TP_S("called through others");
	return f->calls_in_functions != 0 ? TP_S("called by functions that are never called")
									  : TP_S("never called");
}

TP_ORDER_POINTERS(by_nodes, struct tp_graph_function, TP_DOWN(count), TP_AS_THEY_STAND);

static void
functions(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_graph *g = v->graph;
	const struct tp_graph_function **all =
		tp_new_array(ctx->scratch, const struct tp_graph_function *, g->function_count);

	if (g->function_count == 0)
		return;
	for (uint32_t f = 0; f < g->function_count; f++)
		all[f] = &g->functions[f];
	qsort(all, g->function_count, sizeof *all, by_nodes);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/functions", function_columns);

	for (uint32_t i = 0; i < g->function_count && i < MOST_ROWS; i++) {
		const struct tp_graph_callee *f = &v->functions[all[i] - g->functions];
		struct tp_slice name = tp_string(&ctx->profile->strings, all[i]->name);
		struct function_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, f);

		cells->function.value = tp_text_value(name.len != 0 ? name : TP_S("(no name)"));
		cells->nodes.value = tp_count(all[i]->count);
		cells->note.value = tp_text_value(called(f, all[i]->of_object));
	}
	tp_draft_finish(&draft, FUNCTIONS_OPEN)->caption =
		TP_S("Library functions, and how many nodes name them");
	tp_say_left_out(ctx, doc, section, "graph/more-functions", g->function_count, MOST_ROWS,
		"smaller function", "smaller functions");
}

static const struct tp_column variable_columns[] = {
	TP_COLUMN("variable", "Variable", .code = true),
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COLUMN("type", "Type"),
	TP_COUNT_COLUMN("elements", "Elements", .sorted = true),
	TP_BYTES_COLUMN("bytes", "Memory"),
	TP_COLUMN("trained", "Trained"),
};
struct variable_cells {
	struct tp_cell variable, operation, type, elements, bytes, trained;
};
TP_CELLS_ARE_COLUMNS(struct variable_cells, variable_columns);

struct variable {
	int64_t elements;
	uint32_t node;
};

TP_ORDER(by_elements, struct variable, TP_DOWN(elements), TP_UP(node));

static void
variable_row(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v,
	const struct variable *variable, struct tp_draft *draft)
{
	const struct tp_graph *g = v->graph;
	const struct tp_strings *strings = &ctx->profile->strings;
	uint32_t node = variable->node;
	struct tp_slice name = tp_string(strings, g->node[node]);
	struct tp_slice type = tp_graph_type_name(g->type[node]);
	struct tp_value unknown = tp_missing(TP_S("its shape is unknown"));
	unsigned size = tp_graph_type_bytes(g->type[node]);
	struct variable_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, NULL);

	cells->variable.value = tp_text_value(name);
	cells->operation.value = tp_text_value(tp_string(strings, g->op[node]));
	cells->type.value = tp_say_text(type, "its type is not recorded");
	cells->elements.value =
		variable->elements >= 0 ? tp_count((uint64_t)variable->elements) : unknown;
	cells->bytes.value = variable->elements < 0 ? unknown
		: size == 0                             ? tp_missing(TP_S("its type has no fixed size"))
												: tp_bytes((uint64_t)variable->elements * size);
	cells->trained.value = v->trained == NULL
		? tp_missing(TP_S("no file says which variables are trained"))
		: tp_text_value(v->trained[node] ? TP_S("yes") : TP_S("no"));
}

static void
variables(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_graph *g = v->graph;
	struct variable *all = tp_new_array(ctx->scratch, struct variable, v->all.variables);
	size_t count = 0;

	if (v->all.variables == 0)
		return;
	for (uint32_t i = 0; i < g->main_count; i++) {
		if (g->elements[i] != TP_GRAPH_NO_VARIABLE)
			all[count++] = (struct variable){g->elements[i], i};
	}
	qsort(all, count, sizeof *all, by_elements);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/variables", variable_columns);

	for (size_t i = 0; i < count && i < MOST_ROWS; i++)
		variable_row(ctx, v, &all[i], &draft);
	struct tp_table *table = tp_draft_finish(&draft, VARIABLES_OPEN);

	table->caption = TP_S("Variables, largest first, including optimiser variables");
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct variable_cells, trained));
	tp_say_left_out(ctx, doc, section, "graph/more-variables", count, MOST_ROWS, "more variable",
		"more variables");
}

static const struct tp_column graph_columns[] = {
	TP_COUNT_COLUMN("number", "No."),
	TP_COLUMN("graph", "Graph", .code = true, TP_TEXT_FIELD(struct tp_graph, name)),
	TP_COLUMN("folder", "In", .code = true),
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("nodes", "Nodes", TP_COUNT_FIELD(struct tp_graph, main_count)),
	TP_COUNT_COLUMN("variables", "Variables"),
	TP_COUNT_COLUMN("functions", "Functions", TP_COUNT_FIELD(struct tp_graph, function_count)),
	TP_COUNT_COLUMN("step", "Step", TP_COUNT_FIELD(struct tp_graph, step)),
	TP_COLUMN("version", "TensorFlow",
		TP_TEXT_FIELD(struct tp_graph, version, .missing = "the file does not say")),
	TP_COLUMN("note", "Here"),
};
struct graph_cells {
	struct tp_cell number, graph, folder, kind, nodes, variables, functions, step, version, note;
};
TP_CELLS_ARE_COLUMNS(struct graph_cells, graph_columns);

static struct tp_slice
note_of(const struct tp_graph_view *v, const struct tp_graph *g, uint32_t number)
{
	if (g == v->graph)
		return TP_S("this graph");
	if (g == v->run_from)
		return TP_S("says what ran");
	if (v->tells_places[number - 1])
		return TP_S("says where its nodes ran");
	return tp_graph_same(g, v->graph) ? TP_S("the same nodes") : TP_S("other nodes: not reported");
}

static struct tp_value
variables_of(const struct tp_graph *g)
{
	uint32_t count = 0;

	if (g->from == TP_GRAPH_FROM_KERAS)
		return tp_missing(TP_S("a Keras model does not list its variables"));
	for (uint32_t i = 0; i < g->main_count; i++)
		count += g->elements[i] != TP_GRAPH_NO_VARIABLE;
	return tp_count(count);
}

static void
graphs(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	static const char *const kinds[] = {
		[TP_GRAPH_FROM_DEF] = "graph",
		[TP_GRAPH_FROM_META] = "meta graph",
		[TP_GRAPH_FROM_RUN] = "function that ran",
		[TP_GRAPH_FROM_TFPROF] = "tfprof dump",
		[TP_GRAPH_FROM_PARTS] = "what devices received for a step",
		[TP_GRAPH_FROM_STATS] = "what ran in a step",
		[TP_GRAPH_FROM_KERAS] = "Keras layers",
	};

	uint32_t number = 0;

	if (ctx->profile->graphs->next == NULL)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/graphs", graph_columns);

	for (const struct tp_graph *g = ctx->profile->graphs; g != NULL; g = g->next) {
		struct graph_cells *cells = tp_draft_row_of(&draft, g->name, TP_ROW_NORMAL, 0, g);

		cells->number.value = tp_count(++number);
		cells->folder.value = tp_text_value(tp_path_name(g->folder));
		cells->folder.full = g->folder;
		cells->kind.value = tp_text_value(tp_slice_of(kinds[g->from]));
		cells->variables.value = variables_of(g);
		cells->note.value = tp_text_value(note_of(v, g, number));
	}
	tp_draft_finish(&draft, GRAPHS_OPEN)->caption =
		TP_S("Graphs in the run's files; --graph 2 reports on the second");
}

void
tp_graph_tables(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	operations(ctx, v, doc, section);
	devices(ctx, v, doc, section);
	places(ctx, v, doc, section);
	functions(ctx, v, doc, section);
	variables(ctx, v, doc, section);
	graphs(ctx, v, doc, section);
}
