/* On which device a step had the nodes of a graph: RunMetadata and dumps of tfprof name it, by node. */
#include "analyze/graph/graph.h"

#include "base/arena.h"
#include "base/map.h"
#include "model/graph.h"
#include "model/profile.h"

/* TensorFlow folds nodes and adds others before a step: half of the smaller graph is enough to know it again. */
static const double nodes_in_common = .5;

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
common(const struct tp_graph *g, const struct tp_graph *o, const struct tp_map *nodes)
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
	return common(g, o, nodes) >= nodes_in_common * smaller;
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

void
tp_graph_place(const struct tp_pass_ctx *ctx, struct tp_graph_view *v, const struct tp_map *nodes)
{
	const struct tp_graph *g = v->graph;
	uint32_t *placed, number = 0;

	if (tells_places(g) || tp_graph_of_layers(v))
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
