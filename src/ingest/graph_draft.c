/* Pushing nodes, finding what their inputs name, and laying out the columns. */
#include "ingest/graph_draft.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/path.h"
#include "ingest/reader.h"
#include "model/build.h"

/* An input as it is written, and the function (0: the graph itself) in which it is to be found. */
struct named_input {
	uint32_t name, output;
};

static uint32_t
keep(struct tp_graph_draft *d, struct tp_slice text)
{
	return d->copy ? tp_intern_copy(d->strings, text) : tp_intern(d->strings, text);
}

static uint64_t
key_of(const struct tp_graph_draft *d, uint32_t name)
{
	return tp_hash_pair(d->functions.count, name);
}

void
tp_draft_open(struct tp_graph_draft *d, struct tp_builder *out, const struct tp_graph_place *place)
{
	struct tp_slice path = tp_slice_of(place->in->path);

	*d = (struct tp_graph_draft){.out = out,
		.scratch = tp_arena_new(),
		.strings = &tp_builder_profile(out)->strings,
		.path = place->in->path,
		.copy = place->copy};
	d->graph = tp_new(d->scratch, struct tp_graph);
	d->graph->name = place->name.len != 0 ? place->name : tp_path_name(path);
	d->graph->folder = tp_path_folder(path);
	d->graph->input = place->in->input;
	d->graph->step = place->step;
	tp_map_init(&d->named, d->scratch);
}

struct tp_graph_draft_node *
tp_draft_node(
	struct tp_graph_draft *d, struct tp_slice name, struct tp_slice op, struct tp_slice device)
{
	uint32_t id = keep(d, name);

	if (tp_map_get(&d->named, key_of(d, id)) != TP_MAP_NONE) {
		d->graph->duplicates++;
		return NULL;
	}
	if (d->nodes.count == TP_GRAPH_MOST_NODES) {
		d->full = true;
		return NULL;
	}
	tp_map_put(&d->named, key_of(d, id), (uint32_t)d->nodes.count);
	struct tp_graph_draft_node *node = tp_buf_add(&d->nodes, sizeof *node);

	*node = (struct tp_graph_draft_node){
		.name = id,
		.op = keep(d, op),
		.device = keep(d, device),
		.first_input = (uint32_t)d->inputs.count,
		.first_shape = (uint32_t)d->shapes.count,
		.elements = TP_GRAPH_NO_VARIABLE,
	};
	return node;
}

/* 7 of "7"; false for what is no number. */
static bool
number_of(struct tp_slice digits, uint32_t *out)
{
	uint32_t number = 0;

	for (size_t i = 0; i < digits.len; i++) {
		if (digits.ptr[i] < '0' || digits.ptr[i] > '9' || number > 1u << 24)
			return false;
		number = number * 10 + (uint32_t)(digits.ptr[i] - '0');
	}
	*out = number;
	return digits.len != 0;
}

void
tp_draft_input_named(struct tp_graph_draft *d, struct tp_slice name, uint32_t output)
{
	if (d->inputs.count == TP_GRAPH_MOST_INPUTS) {
		d->full = true;
		return;
	}
	TP_PUSH(&d->inputs, struct named_input, keep(d, name), output);
}

void
tp_draft_input(struct tp_graph_draft *d, struct tp_slice text)
{
	bool control = text.len != 0 && *text.ptr == '^';
	struct tp_slice name = control ? tp_slice_from(text, 1) : text;
	const char *colon = name.len != 0 ? memchr(name.ptr, ':', name.len) : NULL;
	uint32_t output = 0;

	if (colon != NULL) {
		const char *last = memrchr(name.ptr, ':', name.len);

		number_of(tp_slice_from(name, (size_t)(last - name.ptr) + 1), &output);
		name.len = (size_t)(colon - name.ptr);
	}
	tp_draft_input_named(d, name, control ? TP_GRAPH_CONTROL : output);
}

void
tp_draft_dim(struct tp_graph_draft *d, int64_t size)
{
	if (d->dims.count < TP_GRAPH_MOST_INPUTS)
		*tp_buf_new(&d->dims, int64_t) = size < 0 ? -1 : size;
}

void
tp_draft_shape(struct tp_graph_draft *d, uint32_t rank)
{
	bool known = rank != TP_GRAPH_UNKNOWN_RANK && rank <= d->dims.count;

	if (d->shapes.count == TP_GRAPH_MOST_INPUTS)
		return;
	TP_PUSH(&d->shapes, struct tp_graph_shape, (uint32_t)(d->dims.count - (known ? rank : 0)),
		known ? rank : TP_GRAPH_UNKNOWN_RANK);
}

static void
add_call(struct tp_graph_draft *d, uint32_t node, uint32_t function)
{
	if (d->calls.count < TP_GRAPH_MOST_INPUTS)
		TP_PUSH(&d->calls, struct tp_graph_call, node, function);
}

void
tp_draft_call(struct tp_graph_draft *d, struct tp_slice function)
{
	if (d->nodes.count != 0)
		add_call(d, (uint32_t)d->nodes.count - 1, keep(d, function));
}

void
tp_draft_of_object(struct tp_graph_draft *d, struct tp_slice function)
{
	*tp_buf_new(&d->of_objects, uint32_t) = keep(d, function);
}

static void
end_function(struct tp_graph_draft *d)
{
	struct tp_graph_function *all = d->functions.data;

	if (d->functions.count == 0)
		d->graph->main_count = (uint32_t)d->nodes.count;
	else
		all[d->functions.count - 1].count =
			(uint32_t)d->nodes.count - all[d->functions.count - 1].first;
}

void
tp_draft_function(struct tp_graph_draft *d, struct tp_slice name)
{
	if (d->functions.count == TP_GRAPH_MOST_NODES) {
		d->full = true;
		return;
	}
	end_function(d);
	TP_PUSH(&d->functions, struct tp_graph_function, .name = keep(d, name),
		.first = (uint32_t)d->nodes.count);
}

static void
lay_out(struct tp_graph_draft *d, struct tp_arena *arena)
{
	struct tp_graph *g = d->graph;
	const struct tp_graph_draft_node *from = d->nodes.data;
	uint32_t count = g->node_count = (uint32_t)d->nodes.count;

	g->node = tp_new_array(arena, uint32_t, count);
	g->op = tp_new_array(arena, uint32_t, count);
	g->device = tp_new_array(arena, uint32_t, count);
	g->source = tp_new_array(arena, uint32_t, count);
	g->type = tp_new_array(arena, uint8_t, count);
	g->elements = tp_new_array(arena, int64_t, count);
	g->trained = tp_new_array(arena, bool, count);
	g->outside = tp_new_array(arena, bool, count);
	g->input_first = tp_new_array(arena, uint32_t, count + 1);
	g->shape_first = tp_new_array(arena, uint32_t, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		g->node[i] = from[i].name;
		g->op[i] = from[i].op;
		g->device[i] = from[i].device;
		g->source[i] = from[i].source;
		g->type[i] = from[i].type;
		g->elements[i] = from[i].elements;
		g->trained[i] = from[i].trained;
		g->outside[i] = from[i].outside;
		g->input_first[i] = from[i].first_input;
		g->shape_first[i] = from[i].first_shape;
	}
	g->input_first[count] = (uint32_t)d->inputs.count;
	g->shape_first[count] = (uint32_t)d->shapes.count;
	g->shapes = tp_buf_settle(&d->shapes, sizeof *g->shapes, arena);
	g->dims = tp_buf_settle(&d->dims, sizeof *g->dims, arena);
	g->function_count = (uint32_t)d->functions.count;
	g->functions = tp_buf_settle(&d->functions, sizeof *g->functions, arena);
}

/* Which function a node is of, counted from 1; 0: the graph itself. `from`: that of a node before it. */
static uint32_t
function_of(const struct tp_graph *g, uint32_t node, uint32_t from)
{
	while (from < g->function_count && g->functions[from].first <= node)
		from++;
	return from;
}

static void
find_inputs(struct tp_graph_draft *d, struct tp_arena *arena)
{
	struct tp_graph *g = d->graph;
	const struct named_input *from = d->inputs.data;
	uint32_t function = 0;

	g->input_count = (uint32_t)d->inputs.count;
	g->inputs = tp_new_array(arena, struct tp_graph_input, g->input_count);
	for (uint32_t i = 0; i < g->node_count; i++) {
		function = function_of(g, i, function);
		for (uint32_t k = g->input_first[i]; k < g->input_first[i + 1]; k++) {
			g->inputs[k].node = tp_map_get(&d->named, tp_hash_pair(function, from[k].name));
			g->inputs[k].output = from[k].output;
			g->missing += g->inputs[k].node == TP_MAP_NONE && function == 0;
		}
	}
}

/* Functions that attributes name, and those of old that are operations. Calls hold names until now. */
static void
find_calls(struct tp_graph_draft *d, struct tp_arena *arena)
{
	struct tp_graph *g = d->graph;
	struct tp_map functions;

	tp_map_init(&functions, d->scratch);
	for (uint32_t f = 0; f < g->function_count; f++)
		tp_map_put(&functions, g->functions[f].name, f);
	for (uint32_t i = 0; i < g->node_count && g->function_count != 0; i++) {
		if (tp_map_get(&functions, g->op[i]) != TP_MAP_NONE)
			add_call(d, i, g->op[i]);
	}
	for (size_t i = 0; i < d->of_objects.count; i++) {
		uint32_t function = tp_map_get(&functions, ((uint32_t *)d->of_objects.data)[i]);

		if (function != TP_MAP_NONE)
			g->functions[function].of_object = true;
	}
	uint32_t count = (uint32_t)d->calls.count;

	g->calls = tp_buf_settle(&d->calls, sizeof *g->calls, arena);
	for (uint32_t i = 0; i < count; i++) {
		struct tp_graph_call call = g->calls[i];

		call.function = tp_map_get(&functions, call.function);
		if (call.function != TP_MAP_NONE)
			g->calls[g->call_count++] = call;
	}
}

/* The same whatever the order of nodes, for that differs between formats, and whatever is known of their inputs. */
static uint64_t
identity_of(const struct tp_graph_draft *d)
{
	const struct tp_graph_draft_node *nodes = d->nodes.data;
	const struct tp_graph_function *functions = d->functions.data;
	size_t count = d->functions.count != 0 ? functions[0].first : d->nodes.count;
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all += tp_hash_pair(nodes[i].name, nodes[i].op);
	return all;
}

static void
tell(const struct tp_graph_draft *d)
{
	struct tp_diags *diags = &tp_builder_profile(d->out)->diags;

	if (d->full)
		tp_diag_at(diags, TP_DIAG_WARNING, d->path, TP_NO_OFFSET,
			"a graph with more than %d nodes or %d inputs: the rest is left out",
			TP_GRAPH_MOST_NODES, TP_GRAPH_MOST_INPUTS);
	if (d->graph->duplicates != 0)
		tp_diag_at(diags, TP_DIAG_NOTE, d->path, TP_NO_OFFSET,
			"%u %s an earlier node's name: left out", d->graph->duplicates,
			tp_plural(d->graph->duplicates, "node of the graph has", "nodes of the graph have"));
	if (d->graph->missing != 0 && !tp_graph_of_step(d->graph))
		tp_diag_at(diags, TP_DIAG_NOTE, d->path, TP_NO_OFFSET, "%u %s no node of it",
			d->graph->missing,
			tp_plural(d->graph->missing, "input of the graph names", "inputs of the graph name"));
}

/* An event file has the same graph again after every restart, and a step's as often as one was recorded: a later one says no
 * more. */
static bool
was_there(const struct tp_graph *g, const struct tp_graph *graph, size_t nodes)
{
	return g->identity == graph->identity && g->from == graph->from &&
		(g->step == graph->step || tp_graph_of_step(g)) && g->node_count == nodes &&
		g->input == graph->input;
}

/* What ran may differ from step to step: of the first kinds of steps it is kept. That of a function goes with the function. */
static bool
has_room(const struct tp_graph_draft *d)
{
	struct tp_profile *p = tp_builder_profile(d->out);
	const struct tp_graph *last = NULL;
	uint32_t count = 0, steps = 0;

	for (const struct tp_graph *g = p->graphs; g != NULL; g = g->next) {
		if (was_there(g, d->graph, d->nodes.count))
			return false;
		count++;
		steps += tp_graph_of_step(g) && (last == NULL || !tp_graph_parts_of(last, g));
		last = g;
	}
	if (tp_graph_of_step(d->graph) && steps >= TP_GRAPH_MOST_STEPS &&
		(last == NULL || !tp_graph_parts_of(last, d->graph)))
		return false;
	if (count == TP_GRAPH_MOST_GRAPHS)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, d->path, TP_NO_OFFSET,
			"more than %d graphs: this one is left out", TP_GRAPH_MOST_GRAPHS);
	return count < TP_GRAPH_MOST_GRAPHS;
}

static struct tp_graph *
keep_graph(struct tp_graph_draft *d)
{
	struct tp_profile *p = tp_builder_profile(d->out);

	if (d->nodes.count == 0)
		return NULL;
	d->graph->identity = identity_of(d);
	if (!has_room(d))
		return NULL;
	end_function(d);
	lay_out(d, p->arena);
	find_inputs(d, p->arena);
	find_calls(d, p->arena);
	tell(d);
	struct tp_graph *kept = tp_build_next(d->out, graphs);

	*kept = *d->graph;
	return kept;
}

struct tp_graph *
tp_draft_close(struct tp_graph_draft *d)
{
	struct tp_graph *kept = keep_graph(d);

	tp_buf_free(&d->nodes);
	tp_buf_free(&d->inputs);
	tp_buf_free(&d->shapes);
	tp_buf_free(&d->dims);
	tp_buf_free(&d->functions);
	tp_buf_free(&d->calls);
	tp_buf_free(&d->of_objects);
	tp_arena_free(d->scratch);
	return kept;
}
