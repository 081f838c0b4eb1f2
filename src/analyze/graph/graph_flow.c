/* What is drawn of a graph: its topmost scopes, a large one by its parts, and how much flows between them. */
#include "analyze/graph/graph.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/doc.h"

#include <stdlib.h>

enum { MOST_PARTS = 24, FEW_PARTS = 12, MOST_FLOWS = 120 };
/* A scope with more than this share of all nodes is drawn by its parts, as long as there are few. */
static const double large_share = .4;

struct drawing {
	const struct tp_pass_ctx *ctx;
	struct tp_graph_view *v;
	uint32_t *part;                             /* by node: index of its part + 1; 0: none yet */
	struct tp_graph_part parts[MOST_PARTS + 1]; /* the last: the rest */
	uint32_t count;
	bool *opened; /* by scope: drawn by its parts */
};

/* Candidates: scopes (node TP_NONE) and lone nodes. */
struct candidate {
	uint32_t scope, node;
	uint32_t nodes;
	uint32_t number; /* in the order of the graph */
};

static bool
is_open(const struct drawing *d, uint32_t scope)
{
	return scope == 0 || d->opened[scope];
}

/* A scope of the backward pass as TensorFlow names it: tf.gradients "gradients" and "gradients_1", a tf.GradientTape
 * "gradient_tape". Its parts mirror those of the forward pass and each reads its counterpart: drawn one by one, their
 * arrows cross the whole drawing. */
static bool
is_backward(struct tp_slice name)
{
	return tp_slice_eq(name, TP_S("gradients")) || tp_slice_starts(name, TP_S("gradients_")) ||
		tp_slice_eq(name, TP_S("gradient_tape"));
}

/* Of the scopes that would be drawn the one with the most nodes; the backward pass stays one. */
static uint32_t
largest(const struct drawing *d, uint32_t *count)
{
	const struct tp_graph_scopes *s = &d->v->scopes;
	uint32_t best = TP_NONE;

	*count = 0;
	for (uint32_t i = 1; i < s->count; i++) {
		uint32_t parent = s->scopes[i].parent;

		if (parent == TP_NONE || !is_open(d, parent) || d->opened[i])
			continue;
		(*count)++;
		if (is_backward(s->scopes[i].name))
			continue;
		if (best == TP_NONE || s->scopes[i].nodes > s->scopes[best].nodes)
			best = i;
	}
	return best;
}

static void
open_large_scopes(struct drawing *d)
{
	const struct tp_graph_scopes *s = &d->v->scopes;
	uint32_t count;

	d->opened = tp_new_array(d->ctx->scratch, bool, s->count);
	for (;;) {
		uint32_t scope = largest(d, &count);

		if (scope == TP_NONE || count >= FEW_PARTS || s->scopes[scope].first == TP_NONE ||
			s->scopes[scope].nodes < large_share * d->v->all.nodes)
			return;
		d->opened[scope] = true;
	}
}

/* The scope that a node is drawn with; TP_NONE: it stands in none, or directly in one that is drawn by its parts. */
static uint32_t
drawn_scope(const struct drawing *d, uint32_t node)
{
	const struct tp_graph_scopes *s = &d->v->scopes;
	uint32_t scope = s->scope[node];

	if (is_open(d, scope))
		return TP_NONE;
	while (!is_open(d, s->scopes[scope].parent))
		scope = s->scopes[scope].parent;
	return scope;
}

TP_ORDER(by_size, struct candidate, TP_DOWN(nodes), TP_UP(number));

TP_ORDER(by_number, struct candidate, TP_UP(number));

static struct candidate *
candidates(const struct drawing *d, uint32_t *count)
{
	const struct tp_graph *g = d->v->graph;
	struct candidate *all = tp_new_array(d->ctx->scratch, struct candidate, g->main_count);
	struct tp_map known;

	tp_map_init(&known, d->ctx->scratch);
	*count = 0;
	for (uint32_t i = 0; i < g->main_count; i++) {
		uint32_t scope = drawn_scope(d, i);

		if (scope == TP_NONE) {
			all[*count] = (struct candidate){TP_NONE, i, 1, *count};
			(*count)++;
		} else if (tp_map_get(&known, scope) == TP_MAP_NONE) {
			tp_map_put(&known, scope, *count);
			all[*count] =
				(struct candidate){scope, TP_NONE, d->v->scopes.scopes[scope].nodes, *count};
			(*count)++;
		}
	}
	return all;
}

static void
choose_parts(struct drawing *d)
{
	uint32_t count, shown;
	struct candidate *all = candidates(d, &count);
	const struct tp_strings *strings = &d->ctx->profile->strings;

	qsort(all, count, sizeof *all, by_size);
	shown = count <= MOST_PARTS ? count : MOST_PARTS - 1;
	qsort(all, shown, sizeof *all, by_number);
	for (uint32_t i = 0; i < shown; i++)
		d->parts[d->count++] = (struct tp_graph_part){.scope = all[i].scope,
			.name = all[i].scope != TP_NONE
				? tp_graph_scope_path(&d->v->scopes, all[i].scope, d->ctx->keep)
				: tp_string(strings, d->v->graph->node[all[i].node])};
	for (uint32_t i = 0; i < shown; i++) {
		if (all[i].node != TP_NONE)
			d->part[all[i].node] = i + 1;
	}
	d->v->folded = count - shown;
	if (count > shown)
		d->parts[d->count++] = (struct tp_graph_part){.scope = TP_NONE, .rest = true};
}

static void
place_nodes(struct drawing *d)
{
	const struct tp_graph *g = d->v->graph;
	uint32_t *of_scope = tp_new_array(d->ctx->scratch, uint32_t, d->v->scopes.count);

	for (uint32_t i = 0; i < d->count; i++) {
		if (d->parts[i].scope != TP_NONE)
			of_scope[d->parts[i].scope] = i + 1;
	}
	for (uint32_t i = 0; i < g->main_count; i++) {
		uint32_t scope = drawn_scope(d, i);

		if (d->part[i] == 0 && scope != TP_NONE)
			d->part[i] = of_scope[scope];
		if (d->part[i] == 0)
			d->part[i] = d->count; /* the rest is last */
		tp_graph_add(d->v, i, &d->parts[d->part[i] - 1].sums);
	}
}

static void
add_flow(struct drawing *d, struct tp_graph_flow *flows, uint32_t node, uint32_t input)
{
	const struct tp_graph *g = d->v->graph;
	const struct tp_graph_input *in = &g->inputs[input];
	uint32_t to = d->part[node] - 1, from;
	int64_t elements;

	if (in->node == TP_NONE || in->node >= g->main_count)
		return;
	from = d->part[in->node] - 1;
	struct tp_graph_flow *f = &flows[from * d->count + to];

	if (in->output == TP_GRAPH_CONTROL) {
		f->control++;
		return;
	}
	f->tensors++;
	uint32_t shape = g->shape_first[in->node] + in->output;

	if (in->output < g->shape_first[in->node + 1] - g->shape_first[in->node] &&
		tp_graph_elements(g, &g->shapes[shape], &elements)) {
		f->sized++;
		tp_graph_sum(&f->elements, (uint64_t)elements);
	}
}

TP_ORDER(
	by_tensors, struct tp_graph_flow, TP_DOWN(tensors), TP_DOWN(control), TP_UP(from), TP_UP(to));

static void
sum_flows(struct drawing *d)
{
	const struct tp_graph *g = d->v->graph;
	struct tp_graph_flow *flows =
		tp_new_array(d->ctx->keep, struct tp_graph_flow, (size_t)d->count * d->count);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < g->main_count; i++) {
		for (uint32_t k = g->input_first[i]; k < g->input_first[i + 1]; k++)
			add_flow(d, flows, i, k);
	}
	for (uint32_t from = 0; from < d->count; from++) {
		for (uint32_t to = 0; to < d->count; to++) {
			struct tp_graph_flow f = flows[from * d->count + to];

			f.from = from;
			f.to = to;
			if (from != to && f.tensors + f.control != 0)
				flows[kept++] = f;
		}
	}
	qsort(flows, kept, sizeof *flows, by_tensors);
	d->v->flows = flows;
	d->v->flow_count = kept < MOST_FLOWS ? kept : MOST_FLOWS;
	d->v->flows_left_out = kept - d->v->flow_count;
}

void
tp_graph_flow(const struct tp_pass_ctx *ctx, struct tp_graph_view *v)
{
	struct drawing *d = tp_new(ctx->scratch, struct drawing);

	*d = (struct drawing){
		.ctx = ctx, .v = v, .part = tp_new_array(ctx->scratch, uint32_t, v->graph->node_count)};
	open_large_scopes(d);
	choose_parts(d);
	place_nodes(d);
	sum_flows(d);
	v->parts = tp_new_array(ctx->keep, struct tp_graph_part, d->count);
	memcpy(v->parts, d->parts, d->count * sizeof *v->parts);
	v->part_count = d->count;
}
