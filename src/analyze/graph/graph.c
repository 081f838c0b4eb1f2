/* Which graph is spoken of, what other files add to it, and sums by scope, by operation and by device. */
#include "analyze/graph/graph.h"
#include "analyze/core/pass.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/number.h"
#include "model/graph.h"
#include "model/profile.h"

#include <stdlib.h>

/* Of the nodes of a dump so many must be of the graph that it is to tell about. */
static const double nodes_in_common = .9;

static uint64_t
bytes_of(const struct tp_graph *g, uint32_t node)
{
	uint64_t bytes;

	return __builtin_mul_overflow(
			   (uint64_t)g->elements[node], tp_graph_type_bytes(g->type[node]), &bytes)
		? INT64_MAX
		: bytes;
}

void
tp_graph_add(const struct tp_graph_view *v, uint32_t node, struct tp_graph_sums *sums)
{
	const struct tp_graph *g = v->graph;
	int64_t elements = g->elements[node];

	if (tp_graph_in_library(g, node)) {
		sums->library_nodes++;
		return;
	}
	sums->nodes++;
	sums->variables += elements != TP_GRAPH_NO_VARIABLE;
	sums->unknown_shapes += elements == TP_GRAPH_UNKNOWN_SHAPE;
	if (elements > 0) {
		tp_graph_sum(&sums->elements, (uint64_t)elements);
		tp_graph_sum(&sums->bytes, bytes_of(g, node));
		if (v->trained != NULL && v->trained[node])
			tp_graph_sum(&sums->trained, (uint64_t)elements);
	}
	if (v->run != NULL && v->run[node] != NULL) {
		tp_graph_sum(&sums->us, tp_graph_step_us(v->run[node]));
		tp_graph_sum(&sums->requested_bytes, tp_graph_step_bytes(v->run[node]));
	}
}

bool
tp_graph_of_layers(const struct tp_graph_view *v)
{
	return v->graph->from == TP_GRAPH_FROM_KERAS;
}

struct tp_slice
tp_graph_no_elements(const struct tp_graph_view *v, const struct tp_graph_sums *s)
{
	if (tp_graph_of_layers(v))
		return TP_S("a model of Keras does not say its variables");
	if (s->unknown_shapes == s->variables && s->variables != 0)
		return TP_S("the shape of no variable is known");
	return TP_S("");
}

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

static void
sum_scopes(const struct tp_pass_ctx *ctx, struct tp_graph_view *v)
{
	const struct tp_graph *g = v->graph;
	struct tp_graph_sums *sums = tp_new_array(ctx->keep, struct tp_graph_sums, v->scopes.count);

	for (uint32_t i = 0; i < g->node_count; i++) {
		tp_graph_add(v, i, &sums[v->scopes.scope[i]]);
		tp_graph_add(v, i, &v->all);
	}
	/* Parents stand before their children. */
	for (uint32_t i = v->scopes.count; i-- > 1;) {
		uint32_t parent = v->scopes.scopes[i].parent;

		if (parent == TP_NONE)
			continue;
		sums[parent].nodes += sums[i].nodes;
		sums[parent].library_nodes += sums[i].library_nodes;
		sums[parent].variables += sums[i].variables;
		sums[parent].unknown_shapes += sums[i].unknown_shapes;
		tp_graph_sum(&sums[parent].elements, sums[i].elements);
		tp_graph_sum(&sums[parent].trained, sums[i].trained);
		tp_graph_sum(&sums[parent].bytes, sums[i].bytes);
		tp_graph_sum(&sums[parent].us, sums[i].us);
		tp_graph_sum(&sums[parent].requested_bytes, sums[i].requested_bytes);
	}
	v->sums = sums;
}

static int
by_nodes(const void *left, const void *right)
{
	const struct tp_graph_group *a = left, *b = right;

	if (a->sums.nodes != b->sums.nodes)
		return a->sums.nodes > b->sums.nodes ? -1 : 1;
	if (a->sums.library_nodes != b->sums.library_nodes)
		return a->sums.library_nodes > b->sums.library_nodes ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Nodes by a column of strings; those that are equally common in the order of their first node. */
static struct tp_graph_group *
group(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const uint32_t *column,
	uint32_t *count)
{
	struct tp_buf groups = {0};
	struct tp_map at;

	tp_map_init(&at, ctx->scratch);
	for (uint32_t i = 0; i < v->graph->node_count; i++) {
		uint32_t index = tp_map_get(&at, column[i]);

		if (index == TP_MAP_NONE) {
			index = (uint32_t)groups.count;
			tp_map_put(&at, column[i], index);
			((struct tp_graph_group *)tp_buf_add(&groups, sizeof(struct tp_graph_group)))->name =
				column[i];
		}
		tp_graph_add(v, i, &((struct tp_graph_group *)groups.data)[index].sums);
	}
	*count = (uint32_t)groups.count;
	struct tp_graph_group *all = tp_buf_settle(&groups, sizeof *all, ctx->keep);

	qsort(all, *count, sizeof *all, by_nodes);
	return all;
}

static void
count_edges(struct tp_graph_view *v)
{
	const struct tp_graph *g = v->graph;

	for (uint32_t i = 0; i < g->input_first[g->main_count]; i++) {
		if (g->inputs[i].node == TP_NONE)
			continue;
		v->edges += g->inputs[i].output != TP_GRAPH_CONTROL;
		v->control_edges += g->inputs[i].output == TP_GRAPH_CONTROL;
	}
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

static uint32_t
graph_count(const struct tp_pass_ctx *ctx)
{
	uint32_t count = 0;

	for (const struct tp_graph *g = ctx->profile->graphs; g != NULL; g = g->next)
		count++;
	return count;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_graph_view *v = tp_new(ctx->keep, struct tp_graph_view);
	struct tp_map nodes;

	v->graph_count = graph_count(ctx);
	v->graph = ctx->options->graph == 0 ? tp_graph_chosen(ctx->profile)
										: tp_graph_nth(ctx->profile, ctx->options->graph);
	if (v->graph == NULL)
		return tp_fail(err, TP_ERR_USAGE, "--graph %zu: the run has %u %s of TensorFlow",
			ctx->options->graph, v->graph_count, tp_plural(v->graph_count, "graph", "graphs"));
	v->tells_places = tp_new_array(ctx->keep, bool, v->graph_count);
	nodes = nodes_by_name(v->graph, ctx->scratch);
	find_run(ctx, v, &nodes);
	find_trained(ctx, v, &nodes);
	tp_graph_place(ctx, v, &nodes);
	v->scopes = tp_graph_scopes(ctx->profile, v->graph, ctx->keep);
	sum_scopes(ctx, v);
	tp_graph_calls(ctx, v);
	v->ops = group(ctx, v, v->graph->op, &v->op_count);
	v->devices = group(ctx, v, v->graph->device, &v->device_count);
	if (v->placed != NULL)
		v->places = group(ctx, v, v->placed, &v->place_count);
	v->other_count = others(ctx, v);
	count_edges(v);
	tp_graph_flow(ctx, v);
	*result = v;
	return TP_OK;
}

static const struct tp_lack lacks[] = {
	{"graph", "The program as a graph, by name scope", TP_LACK_TIMED,
		.tensorflow = "Write it into the log directory: `tf.keras.callbacks.TensorBoard(LOGDIR, "
					  "write_graph=True)`, or `tf.summary.trace_on(graph=True)` and "
					  "`tf.summary.trace_export`."},
	{0},
};

const struct tp_pass tp_pass_graph = {
	.name = "graph",
	.title = "Graph",
	.summary = "the TensorFlow graph by name scope: operations, variables, devices, what flows",
	.needs_all = TP_HAS_GRAPH,
	.place = TP_PLACE_GRAPH,
	.analyze = analyze,
	.metrics = tp_graph_metrics,
	.present = tp_graph_present,
	.lacks = lacks,
};
