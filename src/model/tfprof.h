/* What tfprof knows of a graph: its nodes with what they did in each step that was traced. A dump (ProfileProto of
 * tensorflow/core/profiler/tfprof_log.proto) is kept as it is; of a node only what every view asks for is taken out of it, the
 * rest when it is asked for. */
#ifndef TP_MODEL_TFPROF_H
#define TP_MODEL_TFPROF_H

#include "base/err.h"
#include "base/map.h"
#include "base/slice.h"
#include "codec/pb_wire.h"

#include <stdint.h>

struct tp_arena;
struct tp_buf;

/* Of a node, or summed over several. */
enum tp_tfprof_figure {
	TP_TFPROF_RUNS,
	TP_TFPROF_US, /* on accelerators and on the CPU */
	TP_TFPROF_ACCELERATOR_US,
	TP_TFPROF_CPU_US,
	TP_TFPROF_REQUESTED_BYTES,
	TP_TFPROF_PEAK_BYTES,
	TP_TFPROF_RESIDUAL_BYTES,
	TP_TFPROF_OUTPUT_BYTES,
	TP_TFPROF_PARAMETERS,
	TP_TFPROF_FLOAT_OPS,
	TP_TFPROF_FIGURES,
};

struct tp_tfprof_figures {
	int64_t of[TP_TFPROF_FIGURES];
};

/* Adds each; a sum that is no int64 any more stays at the nearest that is one. */
void tp_tfprof_add(struct tp_tfprof_figures *sum, const struct tp_tfprof_figures *more);

struct tp_tfprof_node {
	struct tp_slice name, op;
	struct tp_slice device; /* where it ran: ".../device:gpu:0"; empty: in no step */
	struct tp_slice message;
	int64_t id;
	const struct tp_tfprof_figures *figures; /* NULL: they are worked out of the message */
};

struct tp_tfprof {
	struct tp_slice name, folder; /* of the file */
	uint32_t input;               /* index of the file among the profile's inputs */
	int64_t step;                 /* that its name says, "profile_100"; -1: none */

	struct tp_tfprof_node *nodes; /* bytewise by name, each name once */
	uint32_t node_count;
	int64_t *steps; /* that were traced, ascending */
	uint32_t step_count;
	bool has_trace;     /* it says where nodes were made */
	bool built;         /* of a graph and its runs, not read from a dump */
	bool lacks_graph;   /* built of runs alone: the op of a node is its name; no shapes */
	bool lacks_counts;  /* built without an op log, which has the float operations */
	bool misses_stream; /* nodes ran on a GPU, but nothing was recorded of its streams */
	uint32_t lost;      /* nodes without a name, cut off, or with a name that was there before */

	uint32_t *by_id;      /* indices of nodes, by their ids */
	struct tp_map number; /* of a text of call stacks → index in texts */
	struct tp_slice *texts;
	struct tp_tfprof *next;
};

/* Fills t from the bytes of a dump, which live as long. TP_ERR_FORMAT: they hold no node. */
enum tp_status tp_tfprof_read(
	struct tp_slice bytes, struct tp_arena *arena, struct tp_tfprof *t, struct tp_err *err);

/* Copies what a dump holds from this place on, up to room; fewer bytes: it ends there. */
struct tp_tfprof_feed {
	size_t (*read)(void *with, uint64_t at, void *to, size_t room);
	void *with;
};

/* The same of a dump that is never in memory as a whole, for who only asks of nodes what they are called, where they ran, their
 * figures in this step (-1: the mean) and, where types is set, their types: all else of them is empty. Nodes are in the order of the
 * file, and texts are left out. */
enum tp_status tp_tfprof_read_figures(const struct tp_tfprof_feed *feed, int64_t step, bool types,
	struct tp_arena *arena, struct tp_tfprof *t, struct tp_err *err);

/* The node with this id; TP_MAP_NONE: there is none. */
uint32_t tp_tfprof_find_id(const struct tp_tfprof *t, int64_t id);

/* Negative steps, as the functions below take them, stand for a mean over steps: over all; or over those after the first, which also
 * builds kernels, where there are three and more. steps: ascending, each once. */
#define TP_TFPROF_ALL_STEPS (-1)
int64_t tp_tfprof_steady(const int64_t *steps, uint32_t count);

/* Steps, int64_t in the buf, ascending and each once. */
void tp_tfprof_order_steps(struct tp_buf *steps);

/* Whether a figure of `step` counts what a node did in the step of this number. */
bool tp_tfprof_counts(int64_t step, int64_t number);

/* What a node did in a step, 0 where it did not run in it; of a mean over steps: that of those in which it ran, each figure cut to a
 * whole number. */
void tp_tfprof_figures(
	const struct tp_tfprof_node *node, int64_t step, struct tp_tfprof_figures *out);

/* What all nodes did in each of the steps, as many as t->step_count; and what one did, added to sums without TP_TFPROF_US. */
void tp_tfprof_by_step(const struct tp_tfprof *t, struct tp_tfprof_figures *sums);
void tp_tfprof_node_by_step(
	const struct tp_tfprof *t, const struct tp_tfprof_node *node, struct tp_tfprof_figures *sums);

/* The types of a node, in any order: its operation, its device, and what a log gave it. */
struct tp_tfprof_types {
	struct tp_pb message;
};
struct tp_tfprof_types tp_tfprof_types(const struct tp_tfprof_node *node);
bool tp_tfprof_next_type(struct tp_tfprof_types *types, struct tp_slice *type);

/* What a node takes, control inputs among it, in order: the struct's buf of tp_tfprof_input. */
struct tp_tfprof_input {
	int32_t place;
	uint32_t node;  /* index; TP_MAP_NONE: the dump does not hold it */
	int32_t output; /* of that node; -1: not said */
};
void tp_tfprof_inputs(
	const struct tp_tfprof *t, const struct tp_tfprof_node *node, struct tp_buf *inputs);

/* Dimensions, int64_t in the buf; none: unknown. tfprof has scalars as [1]. */
void tp_tfprof_shape(const struct tp_tfprof_node *node, struct tp_buf *dims);

/* The call stack in which a node was made, the outermost frame first. */
struct tp_tfprof_frame {
	uint64_t file_id, function_id; /* of the texts */
	struct tp_slice file, function;
	int32_t line, function_line; /* function_line: where the function begins */
};
struct tp_tfprof_frames {
	const struct tp_tfprof *tfprof;
	struct tp_pb trace;
};
struct tp_tfprof_frames tp_tfprof_frames(
	const struct tp_tfprof *t, const struct tp_tfprof_node *node);
bool tp_tfprof_next_frame(struct tp_tfprof_frames *frames, struct tp_tfprof_frame *frame);

/* A text attribute of the node; empty: it has none of this name. */
struct tp_slice tp_tfprof_text_attribute(const struct tp_tfprof_node *node, struct tp_slice name);

/* Likewise a type (tensorflow.DataType; 0: there is none) and a switch. */
unsigned tp_tfprof_type_attribute(const struct tp_tfprof_node *node, struct tp_slice name);
bool tp_tfprof_flag_attribute(
	const struct tp_tfprof_node *node, struct tp_slice name, bool otherwise);

/* Whether it ran in any step. */
bool tp_tfprof_ran(const struct tp_tfprof_node *node);

/* Whether a device is one of the kind that tfprof calls accelerator. */
static inline bool
tp_tfprof_on_gpu(struct tp_slice device)
{
	return tp_slice_has(device, TP_S("gpu"));
}

#endif
