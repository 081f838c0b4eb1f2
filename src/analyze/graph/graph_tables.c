/* Operations, devices, variables, functions and other graphs, as tables. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "base/path.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

enum { MOST_ROWS = 1000, VARIABLES_OPEN = 10, DEVICES_OPEN = 12, GRAPHS_OPEN = 8 };

static void
left_out(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const char *id, size_t count, const char *one, const char *many)
{
	if (count > MOST_ROWS)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, id,
			TP_SAY(doc, "{} left out.", tp_say_number(ctx, count - MOST_ROWS, one, many)));
}

enum { NAME, NODES, SHARE, LIBRARY, TIME, BYTES, GROUP_COLUMNS };

#define GROUP_TABLE(key_of_name, title_of_name)                                                    \
	{                                                                                              \
		[NAME] = TP_COLUMN(key_of_name, title_of_name, .code = true),                              \
		[NODES] = TP_COUNT_COLUMN("nodes", "Nodes", .sorted = true),                               \
		[SHARE] = TP_SHARE_COLUMN("share", "Of the graph", .bar = true),                           \
		[LIBRARY] = TP_COUNT_COLUMN("in_functions", "In functions"),                               \
		[TIME] = TP_COLUMN(                                                                        \
			"time_us", "Time a step", .unit = TP_UNIT_US, .decimals = TP_DECIMALS_BY_SIZE),        \
		[BYTES] = TP_BYTES_COLUMN("requested_bytes", "Memory asked for"),                          \
	}

static const struct tp_column op_columns[] = GROUP_TABLE("operation", "Operation");
static const struct tp_column device_columns[] = GROUP_TABLE("device", "Device");

static void
groups(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v,
	const struct tp_graph_group *all, uint32_t count, struct tp_slice nothing,
	struct tp_draft *draft)
{
	struct tp_slice no_time = TP_S("no file says what ran");

	for (uint32_t i = 0; i < count && i < MOST_ROWS; i++) {
		const struct tp_graph_sums *s = &all[i].sums;
		struct tp_slice name = tp_string(&ctx->profile->strings, all[i].name);
		struct tp_cell *cell = tp_draft_row(draft, name, TP_ROW_NORMAL, 0);

		cell[NAME].value = tp_text_value(name.len != 0 ? name : nothing);
		cell[NODES].value = tp_count(s->nodes);
		cell[SHARE].value = tp_share(s->nodes, v->all.nodes, TP_S("the graph has no node"));
		cell[LIBRARY].value = v->graph->function_count != 0
			? tp_count(s->library_nodes)
			: tp_missing(TP_S("the graph has no function"));
		cell[TIME].value =
			v->run != NULL ? tp_integer((int64_t)s->us, TP_UNIT_US) : tp_missing(no_time);
		cell[BYTES].value = v->run != NULL ? tp_bytes(s->requested_bytes) : tp_missing(no_time);
	}
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft =
		tp_draft_table(doc, section, "graph/operations", op_columns, GROUP_COLUMNS);

	groups(ctx, v, v->ops, v->op_count, TP_S("no operation named"), &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = TP_S("Kinds of operations by how many nodes have them");
	tp_table_drop_missing(doc, table, LIBRARY);
	left_out(
		ctx, doc, section, "graph/more-operations", v->op_count, "more kind is", "more kinds are");
}

static void
devices(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	bool placed = tp_graph_of_step(v->graph), ran = v->graph->from == TP_GRAPH_FROM_TFPROF;

	if (tp_graph_of_layers(v))
		return;
	if (v->device_count == 1 && tp_string(&ctx->profile->strings, v->devices[0].name).len == 0) {
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "graph/no-device",
			TP_SAY0(doc, "No node says on which device it is to run."));
		return;
	}
	struct tp_draft draft =
		tp_draft_table(doc, section, "graph/devices", device_columns, GROUP_COLUMNS);

	groups(ctx, v, v->devices, v->device_count, ran ? TP_S("not said") : TP_S("none asked for"),
		&draft);
	struct tp_table *table = tp_draft_finish(&draft, DEVICES_OPEN);

	table->caption = ran ? TP_S("Devices on which nodes ran")
		: placed         ? TP_S("Devices on which a step had the nodes")
						 : TP_S("Devices that nodes ask for");
	tp_table_drop_missing(doc, table, LIBRARY);
	left_out(ctx, doc, section, "graph/more-devices", v->device_count, "more device is",
		"more devices are");
}

/* Where a step had the nodes, whatever they ask for. */
static void
places(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	if (v->placed == NULL)
		return;
	struct tp_draft draft =
		tp_draft_table(doc, section, "graph/places", device_columns, GROUP_COLUMNS);

	groups(ctx, v, v->places, v->place_count, TP_S("in no recorded step"), &draft);
	struct tp_table *table = tp_draft_finish(&draft, DEVICES_OPEN);

	table->caption = TP_S("Devices on which recorded steps had the nodes");
	tp_table_drop_missing(doc, table, LIBRARY);
	left_out(ctx, doc, section, "graph/more-places", v->place_count, "more device is",
		"more devices are");
}

static const struct tp_column variable_columns[] = {
	TP_COLUMN("variable", "Variable", .code = true),
	TP_COLUMN("operation", "Operation", .code = true),
	TP_COLUMN("type", "Type"),
	TP_COUNT_COLUMN("elements", "Elements", .sorted = true),
	TP_BYTES_COLUMN("bytes", "Memory"),
	TP_COLUMN("trained", "Trained"),
};
enum { VARIABLE_COLUMNS = sizeof variable_columns / sizeof *variable_columns };

struct variable {
	int64_t elements;
	uint32_t node;
};

static int
by_elements(const void *left, const void *right)
{
	const struct variable *a = left, *b = right;

	if (a->elements != b->elements)
		return a->elements > b->elements ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static void
variable_row(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v,
	const struct variable *variable, struct tp_draft *draft)
{
	const struct tp_graph *g = v->graph;
	const struct tp_strings *strings = &ctx->profile->strings;
	uint32_t node = variable->node;
	struct tp_slice name = tp_string(strings, g->node[node]);
	struct tp_slice type = tp_graph_type_name(g->type[node]);
	struct tp_slice unknown = TP_S("its shape is not known");
	unsigned size = tp_graph_type_bytes(g->type[node]);
	struct tp_cell *cell = tp_draft_row(draft, name, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(name);
	cell[1].value = tp_text_value(tp_string(strings, g->op[node]));
	cell[2].value = type.len != 0 ? tp_text_value(type) : tp_missing(TP_S("its type is not said"));
	cell[3].value =
		variable->elements >= 0 ? tp_count((uint64_t)variable->elements) : tp_missing(unknown);
	cell[4].value = variable->elements < 0 ? tp_missing(unknown)
		: size == 0                        ? tp_missing(TP_S("its type has no fixed size"))
										   : tp_bytes((uint64_t)variable->elements * size);
	cell[5].value = v->trained == NULL
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
	struct tp_draft draft =
		tp_draft_table(doc, section, "graph/variables", variable_columns, VARIABLE_COLUMNS);

	for (size_t i = 0; i < count && i < MOST_ROWS; i++)
		variable_row(ctx, v, &all[i], &draft);
	struct tp_table *table = tp_draft_finish(&draft, VARIABLES_OPEN);

	table->caption = TP_S("Variables, the largest first, those of optimizers among them");
	tp_table_drop_missing(doc, table, VARIABLE_COLUMNS - 1);
	left_out(
		ctx, doc, section, "graph/more-variables", count, "more variable is", "more variables are");
}

static const struct tp_column graph_columns[] = {
	TP_COUNT_COLUMN("number", "No."),
	TP_COLUMN("graph", "Graph", .code = true),
	TP_COLUMN("folder", "In", .code = true),
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("nodes", "Nodes"),
	TP_COUNT_COLUMN("variables", "Variables"),
	TP_COUNT_COLUMN("functions", "Functions"),
	TP_COUNT_COLUMN("step", "Step"),
	TP_COLUMN("version", "TensorFlow"),
	TP_COLUMN("note", "Here"),
};

static struct tp_slice
note_of(const struct tp_graph_view *v, const struct tp_graph *g, uint32_t number)
{
	if (g == v->graph)
		return TP_S("the one that is told about");
	if (g == v->run_from)
		return TP_S("says what ran of it");
	if (v->tells_places[number - 1])
		return TP_S("says where its nodes were");
	return tp_graph_same(g, v->graph) ? TP_S("the same nodes")
									  : TP_S("other nodes: not told about");
}

static struct tp_value
variables_of(const struct tp_graph *g)
{
	uint32_t count = 0;

	if (g->from == TP_GRAPH_FROM_KERAS)
		return tp_missing(TP_S("a model of Keras does not say its variables"));
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
		[TP_GRAPH_FROM_RUN] = "of a function that ran",
		[TP_GRAPH_FROM_TFPROF] = "dump of tfprof",
		[TP_GRAPH_FROM_PARTS] = "what devices got for a step",
		[TP_GRAPH_FROM_STATS] = "what ran in a step",
		[TP_GRAPH_FROM_KERAS] = "layers of Keras",
	};

	uint32_t number = 0;

	if (ctx->profile->graphs->next == NULL)
		return;
	struct tp_draft draft = tp_draft_table(
		doc, section, "graph/graphs", graph_columns, sizeof graph_columns / sizeof *graph_columns);

	for (const struct tp_graph *g = ctx->profile->graphs; g != NULL; g = g->next) {
		struct tp_cell *cell = tp_draft_row(&draft, g->name, TP_ROW_NORMAL, 0);

		cell[0].value = tp_count(++number);
		cell[1].value = tp_text_value(g->name);
		cell[2].value = tp_text_value(tp_path_name(g->folder));
		cell[2].full = g->folder;
		cell[3].value = tp_text_value(tp_slice_of(kinds[g->from]));
		cell[4].value = tp_count(g->main_count);
		cell[5].value = variables_of(g);
		cell[6].value = tp_count(g->function_count);
		cell[7].value = tp_integer(g->step, TP_UNIT_COUNT);
		cell[8].value = g->version.len != 0 ? tp_text_value(g->version)
											: tp_missing(TP_S("the file does not say it"));
		cell[9].value = tp_text_value(note_of(v, g, number));
	}
	struct tp_table *table = tp_draft_finish(&draft, GRAPHS_OPEN);

	table->caption = TP_S("Graphs that the run's files hold; --graph 2 tells about the second");
}

void
tp_graph_tables(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, struct tp_doc *doc,
	struct tp_block *section)
{
	operations(ctx, v, doc, section);
	devices(ctx, v, doc, section);
	places(ctx, v, doc, section);
	tp_graph_function_table(ctx, v, doc, section);
	variables(ctx, v, doc, section);
	graphs(ctx, v, doc, section);
}
