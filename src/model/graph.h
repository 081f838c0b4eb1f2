/* A graph of TensorFlow: operations, and what each of them reads. Nodes are columns; strings are ids in profile->strings. The
 * nodes of the graph itself come first, in the order of the file, then those of the functions of its library. */
#ifndef TP_MODEL_GRAPH_H
#define TP_MODEL_GRAPH_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_profile;

/* Where a graph is from, the surest first: what is known of its nodes depends on it. */
enum tp_graph_from {
	TP_GRAPH_FROM_DEF,    /* a GraphDef: *.pb, *.pbtxt, an event file */
	TP_GRAPH_FROM_META,   /* a MetaGraphDef: an event file, *.meta, saved_model.pb */
	TP_GRAPH_FROM_RUN,    /* of one function, within RunMetadata of an event file */
	TP_GRAPH_FROM_TFPROF, /* a dump of tfprof, which also says what ran; it has no functions, and control inputs are inputs there */
	TP_GRAPH_FROM_PARTS, /* what each device got of it for a step, within RunMetadata: changed by then, and placed */
	TP_GRAPH_FROM_STATS, /* what ran in a step by its statistics, within RunMetadata, bodies of functions among it */
	TP_GRAPH_FROM_KERAS, /* a model of Keras: layers, no operations; nothing is known of variables and devices */
};

/* output of a control input: it only says that one runs before the other. */
#define TP_GRAPH_CONTROL UINT32_MAX
/* elements of what is no variable, and of a variable of unknown shape; those of others are the product of their shape. */
enum { TP_GRAPH_NO_VARIABLE = -1, TP_GRAPH_UNKNOWN_SHAPE = -2 };
/* rank of an output of which nothing is known. */
#define TP_GRAPH_UNKNOWN_RANK UINT32_MAX

struct tp_graph_input {
	uint32_t node;   /* TP_NONE: an argument of the function, or not in the graph */
	uint32_t output; /* of that node, counted from 0; or TP_GRAPH_CONTROL */
};

/* The shape of an output: rank dimensions from `first` in graph->dims, each ≥ 0, or -1 when it is not known. */
struct tp_graph_shape {
	uint32_t first, rank;
};

struct tp_graph_function {
	uint32_t name;
	uint32_t first, count; /* its nodes */
	bool of_object;        /* a saved model's objects name it: who loads it calls it */
};

/* A node that names a function of the library: its operation, or one of its attributes, as a body or a branch. */
struct tp_graph_call {
	uint32_t node, function;
};

/* What tfprof measured of a node, summed over the steps that count; all 0: it did not run in any of them. */
struct tp_graph_run {
	uint64_t runs;
	uint64_t accelerator_us, cpu_us;
	uint64_t requested_bytes;
	uint32_t steps; /* in how many of them it ran */
};

struct tp_graph {
	enum tp_graph_from from;
	struct tp_slice name;   /* the file's, or the tag's in an event file */
	struct tp_slice folder; /* of the file */
	uint32_t input;         /* index of the file among the profile's inputs */
	int64_t step;           /* at which the event file has it, or of the dump; else 0 */
	uint64_t identity;      /* hash of its main nodes, within this profile alone: tp_graph_same */

	/* Columns. Nodes from main_count on are in the function library. */
	uint32_t node_count, main_count;
	uint32_t *node;    /* name, a string: unique in its graph or function */
	uint32_t *op;      /* operation, a string */
	uint32_t *device;  /* string: asked for or, of tfprof, where it ran; "": not said */
	uint32_t *source;  /* string: where it was made, "/a/train.py:17 (layer)"; "": not said */
	uint8_t *type;     /* tensorflow.DataType that it gives or holds; 0: not said */
	int64_t *elements; /* of a variable; else TP_GRAPH_NO_VARIABLE, TP_GRAPH_UNKNOWN_SHAPE */
	bool *outside;     /* marked to stay outside of what XLA compiles: _xla_outside_compilation */
	bool *trained;     /* a variable that training changes; see trained_known */
	/* Both have one more: what is of a node begins at its own and ends before the next one's. */
	uint32_t *input_first;    /* in inputs */
	uint32_t *shape_first;    /* in shapes, one an output; none: not recorded */
	struct tp_graph_run *run; /* NULL: no run is recorded */

	struct tp_graph_input *inputs;
	uint32_t input_count;
	struct tp_graph_shape *shapes;
	int64_t *dims;
	struct tp_graph_function *functions;
	uint32_t function_count;
	struct tp_graph_call *calls; /* in no order */
	uint32_t call_count;

	bool trained_known;      /* the file says which variables are trained */
	uint32_t run_steps;      /* of tfprof: steps that were traced */
	bool leaves_first;       /* figures are without the first of them: tp_tfprof_steady */
	uint32_t missing;        /* inputs of the main graph that name no node of it */
	uint32_t duplicates;     /* nodes with a name that was there before: left out */
	struct tp_slice version; /* of TensorFlow, "2.21.0"; empty: not said */
	/* Of tfprof: nodes that TensorFlow made on the way, left out of the columns, and what they took a step. */
	uint32_t not_in_graph;
	uint64_t not_in_graph_us, not_in_graph_bytes;
	struct tp_graph *next;
};

/* Whether a node stands in the function library, not in the graph itself. */
static inline bool
tp_graph_in_library(const struct tp_graph *g, uint32_t node)
{
	return node >= g->main_count;
}

/* Whether it is what a step ran of a graph, not one that a program made. */
static inline bool
tp_graph_of_step(const struct tp_graph *g)
{
	return g->from == TP_GRAPH_FROM_PARTS || g->from == TP_GRAPH_FROM_STATS;
}

/* Whether a graph is what devices got of the one before it, a function that ran: in RunMetadata they stand together. */
static inline bool
tp_graph_parts_of(const struct tp_graph *before, const struct tp_graph *g)
{
	return before->from == TP_GRAPH_FROM_RUN && g->from == TP_GRAPH_FROM_PARTS &&
		before->input == g->input && before->step == g->step && tp_slice_eq(before->name, g->name);
}

/* Whether two graphs have the same nodes, not counting functions, whatever is known of them. */
static inline bool
tp_graph_same(const struct tp_graph *a, const struct tp_graph *b)
{
	return a->identity == b->identity && a->main_count == b->main_count;
}

/* The function in which a node of the library stands. */
uint32_t tp_graph_function_of(const struct tp_graph *g, uint32_t node);

/* Size of an element of this DataType; 0: not known or not fixed (strings, resources). */
unsigned tp_graph_type_bytes(unsigned type);

/* "float32"; empty: not known. */
struct tp_slice tp_graph_type_name(unsigned type);

/* Elements of a shape; false: not all of it is known, or it is more than fits. */
bool tp_graph_elements(
	const struct tp_graph *g, const struct tp_graph_shape *shape, int64_t *elements);

/* Time and requested memory of a node in a step: as tfprof has them, the sum over the steps in which it ran by their number,
 * cut to whole microseconds and bytes. */
uint64_t tp_graph_step_us(const struct tp_graph_run *run);
uint64_t tp_graph_step_bytes(const struct tp_graph_run *run);

/* Of several graphs the one to speak of: not what was made of one for a step, nor layers, where there is another; with most
 * nodes; of those with equally many the surest, then the latest. NULL: there is none. */
const struct tp_graph *tp_graph_chosen(const struct tp_profile *p);

/* The nth, counted from 1; NULL: there are not so many. */
const struct tp_graph *tp_graph_nth(const struct tp_profile *p, size_t number);

#endif
