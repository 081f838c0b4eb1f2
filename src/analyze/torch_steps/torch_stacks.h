/* Call stacks of Python, rebuilt from the calls of functions that a trace records (with_stack=True): a tree of frames, in which
 * every stack is the way from a frame to the root. */
#ifndef TP_ANALYZE_TORCH_STACKS_H
#define TP_ANALYZE_TORCH_STACKS_H

#include "base/map.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_arena;
struct tp_pass_ctx;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;

/* Of deeper stacks so many frames of either end are looked at. */
enum { TP_TORCH_STACK_END = 256 };

struct tp_torch_frame {
	uint32_t caller; /* frame; TP_NONE: the outermost */
	uint32_t depth;  /* 1: the outermost */
	/* frame of the same stack at depth TP_TORCH_STACK_END; itself, where it is no deeper */
	uint32_t outer;
	uint32_t op;          /* of the profile: its name, "model.py(12): forward" */
	uint32_t called_from; /* string: "train.py:34", a line of the caller; 0: not recorded */
};

struct tp_torch_stacks {
	struct tp_torch_frame *frames;
	uint32_t count;
};

struct tp_torch_stacks_draft;

struct tp_torch_stacks_draft *tp_torch_stacks_draft(struct tp_arena *scratch);

/* The frame of each Python function of a trace, by index in t->pythons; in scratch. */
uint32_t *tp_torch_stacks_add(struct tp_torch_stacks_draft *d, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *scratch);

const struct tp_torch_stacks *tp_torch_stacks_finish(
	struct tp_torch_stacks_draft *d, struct tp_arena *keep);

#endif
