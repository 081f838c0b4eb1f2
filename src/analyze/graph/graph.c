/* Which graph is spoken of, and what other files add to it: what ran, what is trained, where it was; which functions are called.
 * Headline figures are of that graph. */
#include "analyze/graph/graph.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/graph/graph_words.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/graph.h"
#include "model/profile.h"

#include <stdlib.h>

/* Of the nodes of a dump so many must be of the graph that it is to tell about. */
static const double nodes_in_common = .9;
/* TensorFlow folds nodes and adds others before a step: half of the smaller graph is enough to know it again. */
static const double nodes_of_step_in_common = .5;

/* By string: the node of this name in the graph itself. */
static struct tp_map
nodes_by_name(const struct tp_graph *g, struct tp_arena *scratch)
{
	struct tp_map map;

	tp_map_init(&map, scratch);
	for (uint32_t i = 0; i < g->main_count; i++)
		tp_map_put(&map, g->node[i], i);
	return map;
}

static uint32_t
common(const struct tp_map *nodes, const struct tp_graph *other)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < other->main_count; i++)
		count += tp_map_get(nodes, other->node[i]) != TP_MAP_NONE;
	return count;
}

/* The later dump says how the graph runs now; of one step the one that measured more. */
static bool
tells_rather(const struct tp_graph *d, const struct tp_graph *than)
{
	if (than == NULL)
		return true;
	return d->step != than->step ? d->step > than->step : d->run_steps > than->run_steps;
}

/* What ran is of the latest dump whose nodes are this graph's. */
static void
find_run(const struct tp_pass_ctx *ctx, struct tp_graph_view *v, const struct tp_map *nodes)
{
	const struct tp_graph *g = v->graph, *from = g->run != NULL ? g : NULL;

	for (const struct tp_graph *d = ctx->profile->graphs; d != NULL && g->run == NULL;
		 d = d->next) {
		if (d->run != NULL && tells_rather(d, from) &&
			common(nodes, d) >= nodes_in_common * d->main_count)
			from = d;
	}
	v->run_from = from;
	if (from == NULL)
		return;
	v->run = tp_new_array(ctx->keep, const struct tp_graph_run *, g->node_count);
	for (uint32_t i = 0; i < from->main_count; i++) {
		uint32_t node = tp_map_get(nodes, from->node[i]);

		if (node != TP_MAP_NONE && from->run[i].steps != 0)
			v->run[node] = &from->run[i];
	}
}

/* The same graph in another file may say more: a MetaGraphDef has the collection of trained variables, a GraphDef has not. */
static void
find_trained(const struct tp_pass_ctx *ctx, struct tp_graph_view *v, const struct tp_map *nodes)
{
	const struct tp_graph *g = v->graph;

	if (g->trained_known) {
		v->trained = g->trained;
		return;
	}
	for (const struct tp_graph *o = ctx->profile->graphs; o != NULL; o = o->next) {
		if (!o->trained_known || common(nodes, o) < nodes_in_common * o->main_count)
			continue;
		bool *trained = tp_new_array(ctx->keep, bool, g->node_count);

		for (uint32_t i = 0; i < o->main_count; i++) {
			uint32_t node = tp_map_get(nodes, o->node[i]);

			if (node != TP_MAP_NONE)
				trained[node] = o->trained[i];
		}
		v->trained = trained;
		return;
	}
}

/* What ran by statistics has bodies of functions in it, which may have the names of other nodes: there the operation must be
 * the same too. */
static bool
is_same(const struct tp_graph *g, uint32_t node, const struct tp_graph *o, uint32_t other)
{
	return o->from == TP_GRAPH_FROM_PARTS || g->op[node] == o->op[other];
}

static bool
tells_places(const struct tp_graph *o)
{
	return o->from == TP_GRAPH_FROM_TFPROF || tp_graph_of_step(o);
}

static uint32_t
same_nodes(const struct tp_graph *g, const struct tp_graph *o, const struct tp_map *nodes)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < o->main_count; i++) {
		uint32_t node = tp_map_get(nodes, o->node[i]);

		count += node != TP_MAP_NONE && is_same(g, node, o, i);
	}
	return count;
}

/* Whether one graph tells where the nodes of another were. */
static bool
is_of(const struct tp_graph *g, const struct tp_graph *o, const struct tp_map *nodes)
{
	uint32_t smaller = o->main_count < g->main_count ? o->main_count : g->main_count;

	if (!tells_places(o))
		return false;
	if (g->from == TP_GRAPH_FROM_RUN)
		return g->next == o && tp_graph_parts_of(g, o);
	return same_nodes(g, o, nodes) >= nodes_of_step_in_common * smaller;
}

/* Where nodes are not placed yet: where this graph has them. */
static void
place(const struct tp_graph *g, const struct tp_graph *o, const struct tp_map *nodes,
	uint32_t *placed)
{
	for (uint32_t i = 0; i < o->main_count; i++) {
		uint32_t node = tp_map_get(nodes, o->node[i]);

		if (node != TP_MAP_NONE && placed[node] == 0 && is_same(g, node, o, i))
			placed[node] = o->device[i];
	}
}

/* On which device a step had the nodes: RunMetadata and dumps of tfprof name it, by node. */
static void
find_places(const struct tp_pass_ctx *ctx, struct tp_graph_view *v, const struct tp_map *nodes)
{
	const struct tp_graph *g = v->graph;
	uint32_t *placed, number = 0;

	if (tells_places(g) || v->of_layers)
		return;
	placed = tp_new_array(ctx->keep, uint32_t, g->node_count);
	for (const struct tp_graph *o = ctx->profile->graphs; o != NULL; o = o->next, number++) {
		v->tells_places[number] = is_of(g, o, nodes);
		if (!v->tells_places[number])
			continue;
		place(g, o, nodes, placed);
		v->placed = placed;
	}
}

struct reaching {
	struct tp_graph_callee *functions;
	uint32_t *queue, queued;
};

static void
reach(struct reaching *r, uint32_t function)
{
	if (!r->functions[function].reached)
		r->queue[r->queued++] = function;
	r->functions[function].reached = true;
}

static void
mark_scopes(const struct tp_pass_ctx *ctx, struct tp_graph_view *v)
{
	uint32_t function = 0;

	v->uncalled = tp_new_array(ctx->keep, bool, v->scopes.count);
	for (uint32_t i = 1; i < v->scopes.count; i++) {
		if (v->scopes.scopes[i].parent == TP_NONE)
			v->uncalled[i] = !v->functions[function++].reached;
	}
}

/* Who calls the functions of its library: nodes that name them, as what they call, as a body or as a branch. Calls within a function
 * are in a list, from one to the next. */
static void
find_calls(const struct tp_pass_ctx *ctx, struct tp_graph_view *v)
{
	const struct tp_graph *g = v->graph;
	uint32_t *first = tp_new_array(ctx->scratch, uint32_t, g->function_count);
	uint32_t *next = tp_new_array(ctx->scratch, uint32_t, g->call_count);
	struct reaching r = {tp_new_array(ctx->keep, struct tp_graph_callee, g->function_count),
		tp_new_array(ctx->scratch, uint32_t, g->function_count), 0};

	memset(first, 0xff, g->function_count * sizeof *first);
	for (uint32_t f = 0; f < g->function_count; f++) {
		if (g->functions[f].of_object)
			reach(&r, f);
	}
	for (uint32_t i = 0; i < g->call_count; i++) {
		const struct tp_graph_call *call = &g->calls[i];

		if (tp_graph_in_library(g, call->node)) {
			uint32_t *head = &first[tp_graph_function_of(g, call->node)];

			r.functions[call->function].calls_in_functions++;
			next[i] = *head;
			*head = i;
		} else {
			r.functions[call->function].calls++;
			reach(&r, call->function);
		}
	}
	for (uint32_t q = 0; q < r.queued; q++) {
		for (uint32_t i = first[r.queue[q]]; i != TP_NONE; i = next[i])
			reach(&r, g->calls[i].function);
	}
	v->functions = r.functions;
	v->unreached = g->function_count - r.queued;
	mark_scopes(ctx, v);
}

/* Graphs with other nodes than this one's, each once; what steps ran only where nothing else is known. */
static uint32_t
others(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v)
{
	bool steps = tp_graph_of_step(v->graph);
	uint32_t count = 0;

	for (const struct tp_graph *g = ctx->profile->graphs; g != NULL; g = g->next) {
		bool seen = tp_graph_same(g, v->graph);

		for (const struct tp_graph *e = ctx->profile->graphs; e != g && !seen; e = e->next)
			seen = tp_graph_same(e, g);
		count += !seen && (steps || !tp_graph_of_step(g));
	}
	return count;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_graph_view *v = tp_new(ctx->keep, struct tp_graph_view);
	struct tp_map nodes;

	for (const struct tp_graph *g = ctx->profile->graphs; g != NULL; g = g->next)
		v->graph_count++;
	v->graph = ctx->options->graph == 0 ? tp_graph_chosen(ctx->profile)
										: tp_graph_nth(ctx->profile, ctx->options->graph);
	if (v->graph == NULL)
		return tp_fail(err, TP_ERR_USAGE, "--graph %zu: the run has %u TensorFlow %s",
			ctx->options->graph, v->graph_count, tp_plural(v->graph_count, "graph", "graphs"));
	v->of_layers = v->graph->from == TP_GRAPH_FROM_KERAS;
	v->tells_places = tp_new_array(ctx->keep, bool, v->graph_count);
	nodes = nodes_by_name(v->graph, ctx->scratch);
	find_run(ctx, v, &nodes);
	find_trained(ctx, v, &nodes);
	find_places(ctx, v, &nodes);
	v->scopes = tp_graph_scopes(ctx->profile, v->graph, ctx->keep);
	tp_graph_sum_up(ctx, v);
	find_calls(ctx, v);
	v->other_count = others(ctx, v);
	tp_graph_flow(ctx, v);
	*result = v;
	return TP_OK;
}

/* Name scopes of the graph itself, those of functions left aside. */
static uint32_t
scope_count(const struct tp_graph_view *v)
{
	uint32_t count = 0;

	/* Those of the graph stand before its functions. */
	while (count + 1 < v->scopes.count && v->scopes.scopes[count + 1].parent != TP_NONE)
		count++;
	return count;
}

static void
node_metrics(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	tp_say_metric(doc, "graph.nodes", "Nodes of the graph", tp_say_count(v->all.nodes, none),
		"nodes of the reported graph (of several graphs, the one with the most nodes); library "
		"functions and repeated names are not counted");
	tp_say_metric(doc, "graph.kinds", "Kinds of operations", tp_say_count(v->op_count, none),
		"distinct operations of its nodes and its functions' nodes");
	tp_say_metric(doc, "graph.edges", "Edges with data", tp_say_count(v->edges, none),
		"inputs of the graph's own nodes that are outputs of others; a tfprof dump does not "
		"separate control inputs, so they are included");
	tp_say_metric(doc, "graph.control_edges", "Control edges",
		v->graph->from == TP_GRAPH_FROM_TFPROF
			? tp_missing(TP_S("a tfprof dump does not separate them from data"))
			: tp_say_count(v->control_edges, none),
		"inputs of the graph's own nodes that only impose order");
	tp_say_metric(doc, "graph.scopes", "Name scopes", tp_say_count(scope_count(v), none),
		"distinct prefixes of node names up to a slash, functions excluded");
	tp_say_metric(doc, "graph.functions", "Functions of its library",
		tp_say_count(v->graph->function_count, none), "those the graph carries");
	tp_say_metric(doc, "graph.function_nodes", "Nodes of its functions",
		tp_say_count(v->all.library_nodes, none), "nodes in functions of its library");
	tp_say_metric(doc, "graph.functions_uncalled", "Functions that are never called",
		tp_say_count(v->unreached, none),
		"library functions that no node of the graph, no called function and no saved-model object "
		"names");
	tp_say_metric(doc, "graph.others", "Other graphs in the run",
		tp_say_count(v->other_count, none),
		"graphs with other nodes; one in several files counts once");
}

static void
variable_metrics(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	struct tp_slice no_shape = none.len != 0 ? none : tp_graph_no_elements(v, &v->all);
	struct tp_slice untold = none.len == 0 && !v->of_layers && v->trained == NULL
		? TP_S(why_not_told_trained)
		: no_shape;

	tp_say_metric(doc, "graph.variables", "Variables",
		tp_say_count(v->all.variables, v->of_layers ? no_shape : none),
		"nodes VarHandleOp, VariableV2 and Variable");
	tp_doc_metric(doc, TP_S("graph.variable_elements"), "Elements of variables",
		tp_say_count(v->all.elements, no_shape),
		TP_S("Σ of the products of their shapes, including optimiser variables; variables of "
			 "unknown shape are left out"),
		v->all.unknown_shapes != 0 ? tp_arena_printf(doc->arena, "%u of %u variables",
										 v->all.variables - v->all.unknown_shapes, v->all.variables)
								   : TP_S(""));
	tp_say_metric(doc, "graph.variable_bytes", "Memory of variables",
		no_shape.len == 0 ? tp_bytes(v->all.bytes) : tp_missing(no_shape),
		"elements × size of the type, where both are known");
	tp_say_metric(doc, "graph.parameters", "Trained parameters",
		tp_say_count(v->all.trained, untold),
		"elements of the variables in the collection trainable_variables, from a MetaGraphDef, an "
		"op log or a tfprof dump");
}

static struct tp_slice
steps_of(const struct tp_graph *run, struct tp_arena *arena)
{
	if (run->leaves_first)
		return tp_arena_printf(arena, "%u of %u steps", run->run_steps - 1, run->run_steps);
	return tp_arena_printf(
		arena, "%u %s", run->run_steps, tp_plural(run->run_steps, "step", "steps"));
}

static void
run_metrics(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	const struct tp_graph *from = v->run_from;
	struct tp_value missing = tp_missing(none.len != 0 ? none : TP_S(why_no_dump));
	uint64_t us = v->all.us, bytes = v->all.requested_bytes;

	if (from != NULL) {
		tp_graph_sum(&us, from->not_in_graph_us);
		tp_graph_sum(&bytes, from->not_in_graph_bytes);
	}
	tp_doc_metric(doc, TP_S("graph.time_us"), "Time of the graph per step",
		from != NULL ? tp_integer((int64_t)us, TP_UNIT_US) : missing,
		TP_S(
			"Σ over nodes of accelerator and CPU time, as in tfprof: each node's mean over the "
			"steps in which it ran, of three and more without the first, truncated to whole microseconds; "
			"includes nodes known only from the run"),
		from != NULL ? steps_of(from, doc->arena) : TP_S(""));
	tp_say_metric(doc, "graph.requested_bytes", "Memory requested by the graph per step",
		from != NULL ? tp_bytes(bytes) : missing,
		"Σ over nodes of requested bytes, each node's mean over the steps in which it ran; includes nodes known only from the run");
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct tp_graph no_graph;
	static const struct tp_graph_view nothing = {.graph = &no_graph};
	const struct tp_graph_view *v = result != NULL ? result : &nothing;
	struct tp_slice none = tp_skipped_itself(ctx);

	node_metrics(v, none, doc);
	variable_metrics(v, none, doc);
	run_metrics(v, none, doc);
}

const struct tp_pass tp_pass_graph = {
	.name = "graph",
	.title = "Graph",
	.summary = "the TensorFlow graph by name scope: operations, variables, devices, data flow",
	.needs_all = TP_HAS_GRAPH,
	.place = TP_PLACE_GRAPH,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_graph_present,
	.lacks = TP_LACKS({"graph", "The program as a graph, by name scope", TP_LACK_TIMED,
		.tensorflow = "Write it to the log directory: `tf.keras.callbacks.TensorBoard(LOGDIR, "
					  "write_graph=True)`, or `tf.summary.trace_on(graph=True)` and "
					  "`tf.summary.trace_export`."}),
};
