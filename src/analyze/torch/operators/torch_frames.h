/* Call stacks of Python as a tree of frames, rebuilt from the calls of functions that traces record. */
#ifndef TP_ANALYZE_TORCH_FRAMES_H
#define TP_ANALYZE_TORCH_FRAMES_H

#include "analyze/torch_steps/torch_correlation.h"
#include "base/buf.h"
#include "base/map.h"

#include <stdint.h>

struct tp_arena;

struct tp_torch_frames {
	struct tp_buf found; /* of struct tp_torch_frame */
	struct tp_map calls; /* (caller, function, line) → frame */
};

/* The frame of each Python function of a trace, by index in t->pythons; in scratch. Frames that are not there yet are added. */
const uint32_t *tp_torch_frames_add(struct tp_torch_frames *f, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *scratch);

#endif
