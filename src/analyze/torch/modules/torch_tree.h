/* Spans of a PyTorch trace as a tree: calls of modules, hooks of Lightning or ranges of a thread, those of one name below the
 * same caller as one node. Times are picoseconds. */
#ifndef TP_ANALYZE_TORCH_TREE_H
#define TP_ANALYZE_TORCH_TREE_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_torch_correlation;
struct tp_torch_trace;

struct tp_torch_node {
	struct tp_slice name;
	uint32_t key;            /* of its name, in the spans' names */
	uint32_t parent;         /* TP_NONE: nothing calls it */
	uint32_t depth;          /* 0: the outermost */
	uint32_t first, count;   /* its children are nodes order[first …] */
	uint32_t calls;          /* 0: only its parts are called (a ModuleList) */
	uint32_t operators;      /* outermost ones in it that are in no node below it */
	int64_t host_ps;         /* Σ durations of its calls */
	int64_t host_self_ps;    /* less those of operators and of nodes directly below it */
	int64_t nested_ps;       /* Σ durations of the nodes directly below it */
	int64_t device_ps;       /* device work that was launched in it, Σ durations … */
	int64_t device_self_ps;  /* … and in no node below it */
	uint32_t backward_calls; /* autograd functions of its own operators … */
	int64_t backward_self_ps, backward_device_self_ps; /* … and what they took, host and device */
	int64_t backward_ps, backward_device_ps;           /* with those of nodes below it */
};

struct tp_torch_tree {
	struct tp_torch_node *nodes; /* parents before their children */
	uint32_t count;
	/* children of each node by first call; the outermost are its first root_count */
	uint32_t *order;
	uint32_t root_count;
	/* calls that are deeper than the tree goes: they count as their caller's own time */
	uint32_t folded;
	int64_t host_ps, device_ps; /* of the outermost */
	uint32_t backward_lost;     /* autograd functions whose forward operator is not told */
};

/* No node is deeper. */
enum { TP_TORCH_TREE_DEEPEST = 48 };

/* Which events are spans. */
struct tp_torch_spans {
	/* Which of the names the span has; 0: the event is none. */
	uint32_t (*key)(const struct tp_torch_spans *spans, uint32_t event);
	const struct tp_slice *names; /* by key */
	const struct tp_torch_trace *t;
	const struct tp_torch_correlation *links;
	const uint32_t *key_of_op; /* by operation of the profile, for key() */
	/* likewise: it only marks a range, and is no operator whatever its category */
	const bool *mark_of_op;
	bool python;    /* spans are Python functions, and functions tell what is in which */
	uint32_t lane;  /* the main thread; it goes first; TP_NONE: none does */
	bool lane_only; /* and the others are left out */
};

/* Room for one number an event, enough for the longest trace. */
struct tp_torch_tree_room {
	uint32_t *node, *operator_node;
};

/* The tree, without backward figures; nodes and order in keep. Afterwards room->node tells the innermost node that each event
 * of a host thread is in, or TP_NONE. */
struct tp_torch_tree tp_torch_tree(const struct tp_torch_spans *spans,
	struct tp_torch_tree_room *room, struct tp_arena *keep, struct tp_arena *scratch);

/* Puts modules that are never called themselves, as a ModuleList, between those that are, by the dotted names that Lightning's
 * profiler gives: "layers" above "layers.0". */
void tp_torch_containers(
	struct tp_torch_tree *tree, struct tp_arena *keep, struct tp_arena *scratch);

/* The time that shares are of: the device's where there is any, else the host's. */
int64_t tp_torch_tree_ps(const struct tp_torch_tree *tree);
int64_t tp_torch_node_ps(const struct tp_torch_tree *tree, const struct tp_torch_node *node);

/* The same without what nodes below it took. */
int64_t tp_torch_node_own_ps(const struct tp_torch_tree *tree, const struct tp_torch_node *node);

#endif
