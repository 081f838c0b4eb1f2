/* Who calls the functions of a graph's library: nodes that name them, as what they call, as a body or as a branch. */
#include "analyze/graph/graph.h"

#include "base/arena.h"
#include "base/order.h"
#include "model/graph.h"
#include "model/profile.h"

#include <stdlib.h>

TP_ORDER(by_caller, struct tp_graph_call, TP_UP(node));

/* From function to function; calls are those within functions, `node` their function. */
static void
reach(struct tp_graph_view *v, const struct tp_graph_call *calls, uint32_t count, uint32_t *queue,
	uint32_t queued)
{
	uint32_t function_count = v->graph->function_count;
	uint32_t *first = queue + function_count, at = 0;

	for (uint32_t f = 0; f <= function_count; f++) {
		while (at < count && calls[at].node < f)
			at++;
		first[f] = at;
	}
	for (uint32_t q = 0; q < queued; q++) {
		for (uint32_t i = first[queue[q]]; i < first[queue[q] + 1]; i++) {
			struct tp_graph_callee *to = &v->functions[calls[i].function];

			if (!to->reached)
				queue[queued++] = calls[i].function;
			to->reached = true;
		}
	}
	v->unreached = function_count - queued;
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

struct tp_slice
tp_graph_scope_label(const struct tp_pass_ctx *ctx, const struct tp_graph_view *v, uint32_t scope)
{
	const struct tp_graph_scope *s = &v->scopes.scopes[scope];

	if (scope == 0)
		return TP_S("the graph");
	if (s->parent == TP_NONE)
		return tp_arena_printf(ctx->keep, "function %.*s%s", TP_ARG(s->name),
			v->uncalled[scope] ? " (never called)" : "");
	return s->name.len != 0 ? s->name : TP_S("(no name)");
}

void
tp_graph_calls(const struct tp_pass_ctx *ctx, struct tp_graph_view *v)
{
	const struct tp_graph *g = v->graph;
	struct tp_graph_call *within = tp_new_array(ctx->scratch, struct tp_graph_call, g->call_count);
	uint32_t *queue = tp_new_array(ctx->scratch, uint32_t, 2 * (size_t)g->function_count + 1);
	uint32_t within_count = 0, queued = 0;

	v->functions = tp_new_array(ctx->keep, struct tp_graph_callee, g->function_count);
	for (uint32_t f = 0; f < g->function_count; f++) {
		v->functions[f].reached = g->functions[f].of_object;
		if (g->functions[f].of_object)
			queue[queued++] = f;
	}
	for (uint32_t i = 0; i < g->call_count; i++) {
		struct tp_graph_call call = g->calls[i];
		struct tp_graph_callee *to = &v->functions[call.function];

		if (tp_graph_in_library(g, call.node)) {
			to->calls_in_functions++;
			call.node = tp_graph_function_of(g, call.node);
			within[within_count++] = call;
			continue;
		}
		if (!to->reached)
			queue[queued++] = call.function;
		to->reached = true;
		to->calls++;
	}
	qsort(within, within_count, sizeof *within, by_caller);
	reach(v, within, within_count, queue, queued);
	mark_scopes(ctx, v);
}
