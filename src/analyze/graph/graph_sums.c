/* Sums by scope, by operation and by device. */
#include "analyze/graph/graph.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/graph.h"
#include "model/profile.h"

#include <stdlib.h>

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

struct tp_slice
tp_graph_no_elements(const struct tp_graph_view *v, const struct tp_graph_sums *s)
{
	if (v->of_layers)
		return TP_S("a Keras model does not list its variables");
	if (s->unknown_shapes == s->variables && s->variables != 0)
		return TP_S("no variable's shape is known");
	return TP_S("");
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

TP_ORDER(
	by_nodes, struct tp_graph_group, TP_DOWN(sums.nodes), TP_DOWN(sums.library_nodes), TP_UP(name));

/* Nodes by a column of strings; those that are equally common in the order of their first node. */
static struct tp_graph_group *
group(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, const uint32_t *column,
	uint32_t *count)
{
	struct tp_buf groups = {0};
	struct tp_map at;

	tp_map_init(&at, ctx->scratch);
	for (uint32_t i = 0; i < v->graph->node_count; i++) {
		uint32_t index;

		if (tp_map_number(&at, column[i], &index))
			TP_PUSH(&groups, struct tp_graph_group, .name = column[i]);
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

void
tp_graph_sum_up(const struct tp_pass_ctx *ctx, struct tp_graph_view *v)
{
	sum_scopes(ctx, v);
	v->ops = group(ctx, v, v->graph->op, &v->op_count);
	v->devices = group(ctx, v, v->graph->device, &v->device_count);
	if (v->placed != NULL)
		v->places = group(ctx, v, v->placed, &v->place_count);
	count_edges(v);
}
