/* A graph while it is read: nodes are pushed one after the other, and get their columns at the end. */
#ifndef TP_INGEST_GRAPH_DRAFT_H
#define TP_INGEST_GRAPH_DRAFT_H

#include "base/buf.h"
#include "base/map.h"
#include "model/graph.h"

struct tp_builder;
struct tp_source;

/* Beyond so many the rest of a graph is left out: no real graph comes near, and a few bytes of a file can ask for a node. */
enum {
	TP_GRAPH_MOST_NODES = 1 << 22,
	TP_GRAPH_MOST_INPUTS = 1 << 24,
	TP_GRAPH_MOST_GRAPHS = 256,
	TP_GRAPH_MOST_STEPS = 16, /* among them: of steps that ran, but for those of functions */
};

struct tp_graph_draft {
	struct tp_builder *out;
	struct tp_arena *scratch; /* its own */
	struct tp_graph *graph;   /* what is known of it besides nodes */
	const char *path;
	struct tp_strings *strings;
	bool copy; /* texts do not outlive the reading */
	bool full; /* nodes or inputs were left out */
	struct tp_buf nodes, inputs, shapes, dims, functions, calls, of_objects;
	struct tp_map named; /* (function, name) → node */
};

struct tp_graph_draft_node {
	uint32_t name, op, device, source, first_input, first_shape;
	uint8_t type;
	bool trained, outside;
	int64_t elements;
};

/* Where a graph is found. copy: texts that are pushed do not last. */
struct tp_graph_place {
	const struct tp_source *in;
	struct tp_slice name; /* of the graph; empty: the file's */
	int64_t step;
	bool copy;
};
void tp_draft_open(
	struct tp_graph_draft *d, struct tp_builder *out, const struct tp_graph_place *place);

/* A node, and after it its inputs and its outputs' shapes. NULL when it is left out: then nothing of it is to be pushed.
 * Writable until the next. */
struct tp_graph_draft_node *tp_draft_node(
	struct tp_graph_draft *d, struct tp_slice name, struct tp_slice op, struct tp_slice device);

/* "name", "name:1", "name:output:0" in functions, "^name". */
void tp_draft_input(struct tp_graph_draft *d, struct tp_slice text);

/* The same, taken apart; output may be TP_GRAPH_CONTROL. */
void tp_draft_input_named(struct tp_graph_draft *d, struct tp_slice name, uint32_t output);

/* An output's shape: first all its dimensions, then the shape itself; rank may be TP_GRAPH_UNKNOWN_RANK. */
void tp_draft_dim(struct tp_graph_draft *d, int64_t size);
void tp_draft_shape(struct tp_graph_draft *d, uint32_t rank);

/* The node in hand names what may be a function. */
void tp_draft_call(struct tp_graph_draft *d, struct tp_slice function);

/* Marks the function of this name, if there is one. */
void tp_draft_of_object(struct tp_graph_draft *d, struct tp_slice function);

/* From here on nodes are of this function. */
void tp_draft_function(struct tp_graph_draft *d, struct tp_slice name);

/* Finds what the inputs name, makes the columns and adds the graph to the profile: NULL when it has no node, is one too many,
 * or was there before. Frees the draft. The caller fills what is not said in nodes. */
struct tp_graph *tp_draft_close(struct tp_graph_draft *d);

/* Pushes the layers of a model's JSON, of Keras 3 or before: each named by the models that it is in. False: it is no such
 * JSON. Texts are to be copied
 * (graph_keras.c). */
bool tp_graph_keras_read(struct tp_graph_draft *d, struct tp_slice json);

#endif
