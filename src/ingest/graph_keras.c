/* Reading model.to_json() of Keras. A layer has its class, its name, and the layers whose outputs it was called on; a model
 * within a model is a layer with layers. Nothing is said of variables, and little of shapes. */
#include "ingest/graph_draft.h"

#include "base/arena.h"
#include "ingest/reader.h"
#include "model/build.h"

#include <jansson.h>

/* DEEPEST: models within models, and lists within an argument. MOST_INPUTS: of those of a model beyond so many nothing is
 * said. */
enum { DEEPEST = 32, MOST_INPUTS = 1024, LARGEST = 64 << 20 };

struct model {
	const struct model *outer; /* NULL: it stands in none */
	const json_t *itself, *layers, *config;
	const char *before; /* the layer before it where layers stand in a row; NULL: none */
	struct tp_slice prefix;
	int depth;
};

struct reading {
	struct tp_graph_draft *d;
	struct tp_map models; /* hash of a model's path → index in json */
	struct tp_buf json;   /* const json_t * of models */
};

static const json_t *
layers_of(const json_t *layer)
{
	const json_t *config = json_object_get(layer, "config");

	/* A Sequential of Keras before 2.2.3 is nothing but its layers. */
	return json_is_array(config) ? config : json_object_get(config, "layers");
}

static const char *
name_of(const json_t *layer)
{
	const char *name = json_string_value(json_object_get(layer, "name"));

	return name != NULL
		? name
		: json_string_value(json_object_get(json_object_get(layer, "config"), "name"));
}

static struct tp_slice
path_of(const struct reading *r, struct tp_slice prefix, const char *name)
{
	return tp_arena_printf(r->d->scratch, "%.*s%s", TP_ARG(prefix), name);
}

static struct model
model_of(const struct reading *r, const struct model *outer, const json_t *layer)
{
	const char *name = name_of(layer);
	struct tp_slice prefix = outer != NULL ? outer->prefix : TP_S("");

	if (name != NULL)
		prefix = tp_arena_printf(r->d->scratch, "%.*s%s/", TP_ARG(prefix), name);
	return (struct model){
		.outer = outer,
		.itself = layer,
		.layers = layers_of(layer),
		.config = json_object_get(layer, "config"),
		.prefix = prefix,
		.depth = outer != NULL ? outer->depth + 1 : 0,
	};
}

/* Whether a layer of m is to be read as a model with layers of its own. */
static bool
is_model(const struct model *m, const json_t *layer)
{
	return json_is_array(layers_of(layer)) && m->depth < DEEPEST && name_of(layer) != NULL;
}

static void
note_models(struct reading *r, const struct model *m)
{
	const json_t *layer;
	size_t i;

	json_array_foreach((json_t *)m->layers, i, layer)
	{
		if (!is_model(m, layer))
			continue;
		struct model inner = model_of(r, m, layer);

		tp_map_put(&r->models, tp_hash_bytes(path_of(r, m->prefix, name_of(layer))),
			(uint32_t)r->json.count);
		*(const json_t **)tp_buf_add(&r->json, sizeof layer) = layer;
		note_models(r, &inner);
	}
}

/* "input_layers" and "output_layers" are ["name", 0, 0], or several of these: the nth, else the last. */
static const json_t *
end_of(const json_t *ends, size_t nth)
{
	size_t count = json_array_size(ends);

	if (!json_is_array(json_array_get(ends, 0)))
		return ends;
	return json_array_get(ends, nth < count ? nth : count - 1);
}

/* A layer of m as an input of the node in hand; of a model the layer that gives this output of it. */
static void
push_input(const struct reading *r, const struct model *m, const char *name, size_t output)
{
	struct tp_slice path = path_of(r, m->prefix, name);

	for (;;) {
		uint32_t at = tp_map_get(&r->models, tp_hash_bytes(path));

		if (at == TP_MAP_NONE)
			break;
		const json_t *model = ((const json_t **)r->json.data)[at], *layers = layers_of(model);
		const json_t *end =
			end_of(json_object_get(json_object_get(model, "config"), "output_layers"), output);
		const char *last = json_string_value(json_array_get(end, 0));

		output = (size_t)json_integer_value(json_array_get(end, 2));
		if (last == NULL)
			last = name_of(json_array_get(layers, json_array_size(layers) - 1));
		if (last == NULL)
			return;
		path = tp_arena_printf(r->d->scratch, "%.*s/%s", TP_ARG(path), last);
	}
	tp_draft_input_named(r->d, path, output < 1 << 20 ? (uint32_t)output : 0);
}

/* Which tensors of a call are wanted: the nth, or SIZE_MAX: all. */
struct call {
	const struct model *in; /* where the call stands */
	size_t wanted, seen;
};

static void
take(const struct reading *r, struct call *c, const json_t *history)
{
	const char *name = json_string_value(json_array_get(history, 0));

	if (name != NULL && (c->wanted == SIZE_MAX || c->wanted == c->seen))
		push_input(r, c->in, name, (size_t)json_integer_value(json_array_get(history, 2)));
	c->seen++;
}

/* Of Keras 3: {"class_name": "__keras_tensor__", "config": {"keras_history": ["name", call, output]}}, anywhere in the
 * arguments. Of Keras before: ["name", call, output, {other arguments}]. */
static void
walk_call(const struct reading *r, struct call *c, const json_t *value, int depth)
{
	const char *class = json_string_value(json_object_get(value, "class_name")), *key;
	json_t *one;
	size_t i;

	if (depth == DEEPEST)
		return;
	if (class != NULL && strcmp(class, "__keras_tensor__") == 0) {
		take(r, c, json_object_get(json_object_get(value, "config"), "keras_history"));
		return;
	}
	if (json_is_string(json_array_get(value, 0)) && json_is_integer(json_array_get(value, 1)) &&
		json_is_integer(json_array_get(value, 2))) {
		take(r, c, value);
		walk_call(r, c, json_array_get(value, 3), depth + 1);
		return;
	}
	json_array_foreach((json_t *)value, i, one) walk_call(r, c, one, depth + 1);
	json_object_foreach((json_t *)value, key, one) walk_call(r, c, one, depth + 1);
}

/* The layers on which this one was called; false: it does not say so, for it stands in a row. */
static bool
push_calls(const struct reading *r, const struct model *m, const json_t *layer, size_t wanted)
{
	const json_t *calls = json_object_get(layer, "inbound_nodes"), *one;
	size_t i;

	json_array_foreach((json_t *)calls, i, one)
		walk_call(r, &(struct call){.in = m, .wanted = wanted}, one, 0);
	return json_is_array(calls);
}

/* The nth tensor on which a model was called. */
static void
push_outer(const struct reading *r, const struct model *m, size_t nth)
{
	while (m->outer != NULL && !push_calls(r, m->outer, m->itself, nth)) {
		if (m->before != NULL) {
			push_input(r, m->outer, m->before, 0);
			return;
		}
		m = m->outer;
		nth = 0;
	}
}

/* Which input of the model a layer is; SIZE_MAX: none. */
static size_t
input_number(const struct model *m, const char *name)
{
	const json_t *inputs = json_object_get(m->config, "input_layers");
	size_t count = json_is_array(json_array_get(inputs, 0)) ? json_array_size(inputs) : 1;

	for (size_t i = 0; i < count && i < MOST_INPUTS; i++) {
		const char *here = json_string_value(json_array_get(end_of(inputs, i), 0));

		if (here != NULL && strcmp(here, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static void
push_inputs(const struct reading *r, const struct model *m, const json_t *layer, const char *before)
{
	if (push_calls(r, m, layer, SIZE_MAX)) {
		size_t number = input_number(m, name_of(layer));

		if (number != SIZE_MAX)
			push_outer(r, m, number);
	} else if (before != NULL) {
		push_input(r, m, before, 0);
	} else {
		push_outer(r, m, 0);
	}
}

static void
read_model(const struct reading *r, const struct model *m)
{
	const char *before = NULL;
	const json_t *layer;
	size_t i;

	json_array_foreach((json_t *)m->layers, i, layer)
	{
		const char *class = json_string_value(json_object_get(layer, "class_name"));
		const char *name = name_of(layer);

		if (name == NULL)
			continue;
		if (is_model(m, layer)) {
			struct model inner = model_of(r, m, layer);

			inner.before = before;
			read_model(r, &inner);
		} else if (tp_draft_node(r->d, path_of(r, m->prefix, name), tp_slice_of(class), TP_S("")) !=
			NULL) {
			push_inputs(r, m, layer, before);
		}
		before = name;
	}
}

bool
tp_graph_keras_read(struct tp_graph_draft *d, struct tp_slice text)
{
	json_t *json = text.len < LARGEST ? json_loadb(text.ptr, text.len, JSON_ALLOW_NUL, NULL) : NULL;
	struct reading r = {.d = d};
	struct model m = model_of(&r, NULL, json);
	bool is_model = json_is_array(m.layers);

	d->graph->from = TP_GRAPH_FROM_KERAS;
	tp_map_init(&r.models, d->scratch);
	note_models(&r, &m);
	read_model(&r, &m);
	tp_buf_free(&r.json);
	json_decref(json);
	return is_model;
}
