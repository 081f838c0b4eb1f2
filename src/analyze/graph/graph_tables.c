/* Operations, devices, variables, functions and other graphs, as tables. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "analyze/graph/graph_columns.h"
#include "analyze/graph/graph_words.h"
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

/* A table of the nodes that have something in common; nothing: what those have that do not say it. */
static void
groups(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v,
	const struct tp_graph_group *all, uint32_t count, struct tp_slice nothing,
	struct tp_draft *draft, size_t open, struct tp_slice caption)
{
	struct tp_value no_time = tp_missing(TP_S(why_nothing_ran));

	for (uint32_t i = 0; i < count && i < MOST_ROWS; i++) {
		const struct tp_graph_sums *s = &all[i].sums;
		struct tp_slice name = tp_string(&ctx->profile->strings, all[i].name);
		struct group_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, &all[i]);

		cells->name.value = tp_text_value(name.len != 0 ? name : nothing);
		cells->share.value = tp_share(s->nodes, v->all.nodes, TP_S(why_no_nodes));
		cells->in_functions.value = v->graph->function_count != 0
			? tp_count(s->library_nodes)
			: tp_missing(TP_S(why_no_functions));
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

	groups(ctx, v, v->ops, v->op_count, TP_S(text_no_operation), &draft, ctx->options->top,
		TP_S(caption_operations));
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
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_BODY, "graph/no-device", TP_SAY0(doc, text_no_device));
		return;
	}
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "graph/devices", device_columns);

	groups(ctx, v, v->devices, v->device_count,
		ran ? TP_S(text_not_recorded) : TP_S(text_none_requested), &draft, DEVICES_OPEN,
		ran          ? TP_S(caption_devices_ran)
			: placed ? TP_S(caption_devices_placed)
					 : TP_S(caption_devices_requested));
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

	groups(ctx, v, v->places, v->place_count, TP_S(text_in_no_step), &draft, DEVICES_OPEN,
		TP_S(caption_places));
	tp_say_left_out(ctx, doc, section, "graph/more-places", v->place_count, MOST_ROWS,
		"more device", "more devices");
}

static struct tp_slice
called(const struct tp_graph_callee *f, bool of_object)
{
	if (of_object)
		return TP_S(text_called_of_object);
	if (f->reached)
		return f->calls != 0 ? TP_S("called") : TP_S(text_called_through);
	return f->calls_in_functions != 0 ? TP_S(text_called_by_uncalled) : TP_S(text_never_called);
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

		cells->function.value = tp_text_value(name.len != 0 ? name : TP_S(text_no_name));
		cells->nodes.value = tp_count(all[i]->count);
		cells->note.value = tp_text_value(called(f, all[i]->of_object));
	}
	tp_draft_finish(&draft, FUNCTIONS_OPEN)->caption = TP_S(caption_functions);
	tp_say_left_out(ctx, doc, section, "graph/more-functions", g->function_count, MOST_ROWS,
		"smaller function", "smaller functions");
}

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
	struct tp_value unknown = tp_missing(TP_S(why_unknown_shape));
	unsigned size = tp_graph_type_bytes(g->type[node]);
	struct variable_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, NULL);

	cells->variable.value = tp_text_value(name);
	cells->operation.value = tp_text_value(tp_string(strings, g->op[node]));
	cells->type.value = tp_say_text(type, why_no_type);
	cells->elements.value =
		variable->elements >= 0 ? tp_count((uint64_t)variable->elements) : unknown;
	cells->bytes.value = variable->elements < 0 ? unknown
		: size == 0                             ? tp_missing(TP_S(why_no_size))
												: tp_bytes((uint64_t)variable->elements * size);
	cells->trained.value = v->trained == NULL
		? tp_missing(TP_S(why_not_told_trained))
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

	table->caption = TP_S(caption_variables);
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct variable_cells, trained));
	tp_say_left_out(ctx, doc, section, "graph/more-variables", count, MOST_ROWS, "more variable",
		"more variables");
}

static struct tp_slice
note_of(const struct tp_graph_view *v, const struct tp_graph *g, uint32_t number)
{
	if (g == v->graph)
		return TP_S(text_this_graph);
	if (g == v->run_from)
		return TP_S(text_says_ran);
	if (v->tells_places[number - 1])
		return TP_S(text_says_where);
	return tp_graph_same(g, v->graph) ? TP_S(text_same_nodes) : TP_S(text_other_nodes);
}

static struct tp_value
variables_of(const struct tp_graph *g)
{
	uint32_t count = 0;

	if (g->from == TP_GRAPH_FROM_KERAS)
		return tp_missing(TP_S(why_keras));
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
	tp_draft_finish(&draft, GRAPHS_OPEN)->caption = TP_S(caption_graphs);
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
