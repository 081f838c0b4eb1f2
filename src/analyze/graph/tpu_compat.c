/* Judging the nodes of a graph, and sums by kind and by scope. */
#include "analyze/graph/tpu_compat.h"
#include "analyze/core/pass.h"

#include "analyze/graph/graph.h"
#include "analyze/graph/tpu_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/graph.h"
#include "model/profile.h"

#include <stdlib.h>

/* Functions that only the host runs: nothing calls them but the input pipeline and nodes that are placed elsewhere, be it by way
 * of other functions. What calls a function decides where its nodes run, as far as they do not say it themselves. */

enum { NOT_REACHED = TP_TPU_CLASS_COUNT };

/* Calls in lists by the function in which they stand, and functions that are reached and not yet gone on from. */
struct walk {
	const struct tp_graph *g;
	const uint8_t *by;      /* by call, as given */
	uint32_t *first, *next; /* by function, by call: a call, or TP_NONE */
	uint32_t *queue, queued, done;
	uint8_t *reached; /* by function */
};

static void
list_calls(struct walk *w, struct tp_arena *arena)
{
	const struct tp_graph *g = w->g;

	w->first = tp_new_array(arena, uint32_t, g->function_count);
	w->next = tp_new_array(arena, uint32_t, g->call_count);
	memset(w->first, 0xff, g->function_count * sizeof *w->first);
	for (uint32_t i = 0; i < g->call_count; i++) {
		if (!tp_graph_in_library(g, g->calls[i].node))
			continue;
		uint32_t *first = &w->first[tp_graph_function_of(g, g->calls[i].node)];

		w->next[i] = *first;
		*first = i;
	}
}

static void
start(struct walk *w)
{
	memset(w->reached, NOT_REACHED, w->g->function_count);
	w->queued = w->done = 0;
}

static void
reach(struct walk *w, uint32_t function, uint8_t class)
{
	if (w->reached[function] != NOT_REACHED)
		return;
	w->reached[function] = class;
	w->queue[w->queued++] = function;
}

/* What is reached calls others: by the host's nodes as well (host), or by the others alone. */
static void
go_on(struct walk *w, bool host)
{
	while (w->done < w->queued) {
		uint32_t function = w->queue[w->done++];

		for (uint32_t i = w->first[function]; i != TP_NONE; i = w->next[i]) {
			if (host || w->by[i] == TP_TPU_COMPATIBLE)
				reach(w, w->g->calls[i].function, w->reached[function]);
		}
	}
}

/* From what the host's nodes call, wherever these stand. */
static void
reach_from_host(struct walk *w)
{
	start(w);
	for (uint32_t i = 0; i < w->g->call_count; i++) {
		if (w->by[i] != TP_TPU_COMPATIBLE)
			reach(w, w->g->calls[i].function, w->by[i]);
	}
	go_on(w, true);
}

/* From what other nodes of the graph call, and from functions that may be called by whoever has the graph. */
static void
reach_from_others(struct walk *w, struct tp_arena *arena)
{
	const struct tp_graph *g = w->g;
	bool *called = tp_new_array(arena, bool, g->function_count);

	start(w);
	for (uint32_t i = 0; i < g->call_count; i++) {
		called[g->calls[i].function] = true;
		if (w->by[i] == TP_TPU_COMPATIBLE && !tp_graph_in_library(g, g->calls[i].node))
			reach(w, g->calls[i].function, TP_TPU_COMPATIBLE);
	}
	for (uint32_t f = 0; f < g->function_count; f++) {
		if (!called[f] || g->functions[f].of_object)
			reach(w, f, TP_TPU_COMPATIBLE);
	}
	go_on(w, false);
}

/* by: by call of the graph, tp_tpu_called of the node that calls. Returns by function: the class of those that call it when all are
 * the host's, one after the other; else TP_TPU_COMPATIBLE, as for a function that nothing calls. */
static uint8_t *
functions_of_host(const struct tp_graph *g, const uint8_t *by, struct tp_arena *arena)
{
	uint8_t *host = tp_new_array(arena, uint8_t, g->function_count);
	uint8_t *others = tp_new_array(arena, uint8_t, g->function_count);
	struct walk w = {.g = g,
		.by = by,
		.queue = tp_new_array(arena, uint32_t, g->function_count),
		.reached = host};

	list_calls(&w, arena);
	reach_from_host(&w);
	w.reached = others;
	reach_from_others(&w, arena);
	for (uint32_t f = 0; f < g->function_count; f++) {
		if (host[f] == NOT_REACHED || others[f] != NOT_REACHED)
			host[f] = TP_TPU_COMPATIBLE;
	}
	return host;
}

struct judging {
	const struct tp_pass_ctx *ctx;
	const struct tp_profile *p;
	const struct tp_graph *graph;
	struct tp_tpu_compat *out;
	bool *saver;             /* by scope */
	const uint8_t *host;     /* by function: functions_of_host; NULL: not yet known */
	struct tp_map functions; /* name, a string of the profile → any number */
	struct tp_map known;     /* operation and class → kind */
	struct tp_buf kinds;     /* of struct tp_tpu_kind */
};

static struct tp_slice
op_of(const struct judging *j, uint32_t node)
{
	return tp_string(&j->p->strings, j->graph->op[node]);
}

/* The scope that the name of a node has: one that is the scope of others stands in itself. */
static uint32_t
scope_by_name(const struct judging *j, uint32_t node)
{
	const struct tp_graph_scopes *s = j->out->scopes;
	struct tp_slice name = tp_string(&j->p->strings, j->graph->node[node]);
	uint32_t scope = s->scope[node], slashes = 0;

	for (size_t i = 0; i < name.len; i++)
		slashes += name.ptr[i] == '/';
	return s->scopes[scope].depth > slashes ? s->scopes[scope].parent : scope;
}

/* What is within a saver's scope belongs to it too; a parent comes before its children. */
static void
find_savers(struct judging *j)
{
	const struct tp_graph_scopes *s = j->out->scopes;

	j->saver = tp_new_array(j->ctx->scratch, bool, s->count);
	for (uint32_t i = 0; i < j->graph->node_count; i++) {
		uint32_t scope = scope_by_name(j, i);

		if (!j->saver[scope])
			j->saver[scope] = tp_tpu_is_saver(s->scopes[scope].name, op_of(j, i));
	}
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t parent = s->scopes[i].parent;

		j->saver[i] = j->saver[i] || (parent != TP_NONE && j->saver[parent]);
	}
}

static struct tp_tpu_node
node_at(const struct judging *j, uint32_t i)
{
	const struct tp_graph *g = j->graph;

	return (struct tp_tpu_node){
		.name = tp_string(&j->p->strings, g->node[i]),
		.op = op_of(j, i),
		.device = tp_string(&j->p->strings, g->device[i]),
		.in_function = tp_graph_in_library(g, i),
		.outside = g->outside[i],
		.in_saver = j->saver[j->out->scopes->scope[i]],
		.host = j->host != NULL && tp_graph_in_library(g, i)
			? (enum tp_tpu_class)j->host[tp_graph_function_of(g, i)]
			: TP_TPU_COMPATIBLE,
		.calls = tp_map_get(&j->functions, g->op[i]) != TP_MAP_NONE,
	};
}

static void
find_functions_of_host(struct judging *j)
{
	uint8_t *by = tp_new_array(j->ctx->scratch, uint8_t, j->graph->call_count);

	for (uint32_t i = 0; i < j->graph->call_count; i++) {
		struct tp_tpu_node node = node_at(j, j->graph->calls[i].node);

		if (!j->out->devices_asked)
			node.device = TP_S("");
		by[i] = (uint8_t)tp_tpu_called(&node, j->out->list);
	}
	j->host = functions_of_host(j->graph, by, j->ctx->scratch);
}

static void
count_kind(struct judging *j, uint32_t node, enum tp_tpu_class class)
{
	uint32_t i;

	if (tp_map_number(&j->known, tp_hash_pair(j->graph->op[node], class), &i))
		TP_PUSH(&j->kinds, struct tp_tpu_kind, .op = op_of(j, node), .class = class,
			.reason = tp_tpu_reason(op_of(j, node), j->out->list, j->ctx->keep));
	((struct tp_tpu_kind *)j->kinds.data)[i].nodes++;
}

/* Returns whether either rule marks it. */
static bool
judge(struct judging *j, uint32_t i)
{
	struct tp_tpu_compat *out = j->out;
	struct tp_tpu_node node = node_at(j, i);
	bool valid = tp_tpu_valid(&node, out->list);

	out->for_tpu = out->for_tpu || tp_tpu_is_for_tpu(&node);
	if (!out->devices_asked)
		node.device = TP_S("");
	enum tp_tpu_class class = tp_tpu_class_of(&node, out->list);
	struct tp_tpu_sums *sums = &out->sums[out->scopes->scope[i]];

	out->class[i] = (uint8_t) class;
	out->nodes[class]++;
	out->valid += valid && i < j->graph->main_count;
	sums->compatible += class == TP_TPU_COMPATIBLE;
	sums->incompatible += class == TP_TPU_INCOMPATIBLE;
	if (valid && class != TP_TPU_INCOMPATIBLE)
		return false;
	count_kind(j, i, class);
	return true;
}

TP_ORDER(incompatible_first, struct tp_tpu_kind,
	(b->class == TP_TPU_INCOMPATIBLE) - (a->class == TP_TPU_INCOMPATIBLE), TP_DOWN(nodes),
	tp_slice_cmp(a->op, b->op), TP_UP(class));

static void
judge_all(struct judging *j)
{
	struct tp_tpu_compat *out = j->out;
	uint32_t bad = 0, others = 0;
	bool *marked = tp_new_array(j->ctx->scratch, bool, j->graph->node_count);

	for (uint32_t i = 0; i < j->graph->node_count; i++) {
		marked[i] = judge(j, i);
		out->marked_count += marked[i];
	}
	others = out->nodes[TP_TPU_INCOMPATIBLE];
	out->marked = tp_new_array(j->ctx->keep, uint32_t, out->marked_count);
	for (uint32_t i = 0; i < j->graph->node_count; i++) {
		if (marked[i])
			out->marked[out->class[i] == TP_TPU_INCOMPATIBLE ? bad++ : others++] = i;
	}
}

/* A dump of tfprof or an op log says it of the nodes of a graph in another file. */
static void
find_sources(struct judging *j)
{
	struct tp_tpu_compat *out = j->out;
	const struct tp_graph *g = j->graph;
	struct tp_map named;

	tp_map_init(&named, j->ctx->scratch);
	out->source = tp_new_array(j->ctx->keep, uint32_t, out->marked_count);
	for (uint32_t m = 0; m < out->marked_count; m++) {
		if (!tp_graph_in_library(g, out->marked[m]))
			tp_map_put(&named, g->node[out->marked[m]], m);
	}
	for (const struct tp_graph *o = j->p->graphs; o != NULL; o = o->next) {
		for (uint32_t i = 0; i < o->main_count; i++) {
			uint32_t m = o->source[i] != 0 ? tp_map_get(&named, o->node[i]) : TP_MAP_NONE;

			if (m != TP_MAP_NONE && o->op[i] == g->op[out->marked[m]])
				out->source[m] = o->source[i];
		}
	}
}

static void
sum_scopes(struct tp_tpu_compat *c)
{
	for (uint32_t i = c->scopes->count; i-- > 0;) {
		uint32_t parent = c->scopes->scopes[i].parent;

		if (parent == TP_NONE)
			continue;
		c->sums[parent].compatible += c->sums[i].compatible;
		c->sums[parent].incompatible += c->sums[i].incompatible;
	}
}

static bool
has_tpu(const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_graph_view *view = tp_result(ctx, &tp_pass_graph);
	const struct tp_graph *g = view->graph;
	struct tp_tpu_compat *out = tp_new(ctx->keep, struct tp_tpu_compat);
	struct judging j = {.ctx = ctx, .p = ctx->profile, .graph = g, .out = out};

	if (view->of_layers)
		return tp_fail(err, TP_ABSENT, why_layers);
	*out = (struct tp_tpu_compat){
		.graph = g,
		.view = view,
		.list = ctx->options->tpu_list,
		.devices_asked = g->from == TP_GRAPH_FROM_DEF || g->from == TP_GRAPH_FROM_META,
		.for_tpu = has_tpu(ctx->profile),
		.class = tp_new_array(ctx->keep, uint8_t, g->node_count),
		.scopes = &view->scopes,
	};
	out->sums = tp_new_array(ctx->keep, struct tp_tpu_sums, out->scopes->count);
	tp_map_init(&j.functions, ctx->scratch);
	tp_map_init(&j.known, ctx->scratch);
	for (uint32_t f = 0; f < g->function_count; f++)
		tp_map_put(&j.functions, g->functions[f].name, f);
	find_savers(&j);
	find_functions_of_host(&j);
	judge_all(&j);
	find_sources(&j);
	sum_scopes(out);
	out->judged = out->nodes[TP_TPU_COMPATIBLE] + out->nodes[TP_TPU_INCOMPATIBLE];
	out->kind_count = j.kinds.count;
	out->kinds = tp_buf_settle(&j.kinds, sizeof *out->kinds, ctx->keep);
	qsort(out->kinds, out->kind_count, sizeof *out->kinds, incompatible_first);
	*result = out;
	return TP_OK;
}

const struct tp_pass tp_pass_tpu_compat = {
	.name = "tpu-compatibility",
	.title = "TPU compatibility",
	.summary = "which operations of a TensorFlow graph a TPU runs, by scope: an estimate",
	.needs_all = TP_HAS_GRAPH,
	.after = TP_AFTER(&tp_pass_graph),
	.place = TP_PLACE_TPU,
	.analyze = analyze,
	.metrics = tp_tpu_metrics,
	.present = tp_tpu_present,
	.lacks_nothing = "the graph pass says what is missing",
};
