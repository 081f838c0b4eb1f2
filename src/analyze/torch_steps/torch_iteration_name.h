/* What the name of an annotation says: that it is an iteration of an inference engine, of which phase, with how many requests and
 * tokens; or which part of a training step it is; or that a library wrote it, not the program. */
#ifndef TP_ANALYZE_TORCH_ITERATION_NAME_H
#define TP_ANALYZE_TORCH_ITERATION_NAME_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;

enum tp_iteration_phase {
	TP_ITERATION_UNKNOWN,
	TP_ITERATION_PREFILL, /* prompts alone */
	TP_ITERATION_DECODE,  /* a token, or a few, for each request */
	TP_ITERATION_MIXED,   /* both in one */
	TP_ITERATION_FORWARD, /* of training, as the following */
	TP_ITERATION_BACKWARD,
	TP_ITERATION_OPTIMIZER,
};

/* Requests and tokens that are computed: -1 where the name does not say. */
struct tp_iteration_name {
	const char *engine; /* "vLLM"; NULL: none that is known */
	enum tp_iteration_phase phase;
	int64_t prompt_requests, prompt_tokens, decode_requests, decode_tokens;
	bool
		drafted; /* more than one for a request that is decoded, guesses of a draft: some may be rejected, which no name says */
};

struct tp_iteration_name tp_iteration_name(struct tp_slice name);

/* "Prefill", "Decode", "Mixed", "Forward", "Backward", "Optimizer"; NULL: unknown. */
const char *tp_iteration_phase_label(enum tp_iteration_phase phase);

static inline bool
tp_iteration_serves(enum tp_iteration_phase phase)
{
	return phase == TP_ITERATION_PREFILL || phase == TP_ITERATION_DECODE ||
		phase == TP_ITERATION_MIXED;
}

static inline bool
tp_iteration_trains(enum tp_iteration_phase phase)
{
	return phase == TP_ITERATION_FORWARD || phase == TP_ITERATION_BACKWARD ||
		phase == TP_ITERATION_OPTIMIZER;
}

/* Whether a library or the profiler wrote it: such ranges lie inside iterations, and are none. */
bool tp_annotation_of_library(struct tp_slice name);

/* Of those what marks a part of a training step all the same: the hooks of optimizers, the forward of DistributedDataParallel. */
bool tp_annotation_is_hook(struct tp_slice name);

/* The name with each run of digits as one "#". */
struct tp_slice tp_iteration_pattern(struct tp_slice name, struct tp_arena *keep);

#endif
