/* The iterations of a trace that no ProfilerStep marks: where each began and ended, and which family it is of. From annotations of the
 * program: the family that repeats outermost, once digits are masked. Several families side by side are alternatives (prefill and
 * decode), each an iteration; or the parts of a training step (forward, backward, optimizer, microbatch by microbatch), which is
 * then from the first part to the last. Where a capture has no annotations, from the order of kernels (torch_repeats.h). */
#ifndef TP_ANALYZE_TORCH_ITERATIONS_H
#define TP_ANALYZE_TORCH_ITERATIONS_H

#include "analyze/torch_steps/torch_iteration_name.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;

enum tp_torch_from {
	TP_TORCH_FROM_NOTHING,     /* the trace is one step */
	TP_TORCH_FROM_MARKS,       /* ProfilerStep */
	TP_TORCH_FROM_ANNOTATIONS, /* of the host, or of the GPU where it alone has them */
	TP_TORCH_FROM_KERNELS,     /* their order repeats */
};

struct tp_torch_family {
	struct tp_slice name;    /* "Decode"; "train_#" */
	struct tp_slice pattern; /* "execute_context_#(#)_generation_#(#)"; empty: of kernels */
	const char *engine;      /* NULL: none that is known */
	enum tp_iteration_phase phase;
	uint32_t count; /* iterations; of a part how often it runs within them */
	bool part;      /* of a training step, not an iteration itself */
	bool guessed;   /* no name says its phase: its length does */
};

/* The largest number of families that are told apart; what is rarer counts for the last. */
enum { TP_TORCH_FAMILIES = 16 };

struct tp_torch_iteration {
	int64_t start_ps, end_ps; /* on the host's thread, or the device's stream */
	uint32_t family;
	uint32_t event; /* the annotation, of several the first; TP_NONE: none */
	uint32_t parts; /* annotations that it is made of */
	struct tp_iteration_name says;
};

/* Those of one thread or stream, one after the other. */
struct tp_torch_engine {
	uint32_t lane; /* TP_NONE: of all of a device */
	struct tp_torch_iteration *list;
	uint32_t count, seen; /* seen: with those that the capture cuts */
	/* By event, which iteration a piece of device work is in; NULL: the calls that launched it say so. */
	const uint32_t *of_work;
};

struct tp_torch_iterations {
	enum tp_torch_from from;
	bool on_device;                        /* times are those of device work */
	const struct tp_torch_engine *engines; /* the one with most first */
	uint32_t engine_count;
	struct tp_torch_family families[TP_TORCH_FAMILIES];
	uint32_t family_count;
	/* Shares that the confidence is the product of, beside how much device work lies within and how even the lengths are. */
	double enough,
		separated; /* 1 − 1 / count; how well gaps fit to where iterations begin (of kernels, else 1) */
	bool chosen;          /* by the user: no confidence is asked for */
	bool named;           /* an engine's names, which are iterations by themselves */
	const char *no_phase; /* of kernels: why prefill is not told from decode; NULL: it is */
};

/* Below this what was found is not taken for steps; as of steps that are inferred (step_infer.h). */
#define TP_TORCH_SURE 0.5

/* The same of what the order of kernels alone shows: a few kernels in a row are soon like a few others. */
#define TP_TORCH_KERNELS_SURE 0.7

/* wish: the user's regular expression for names of annotations; NULL: none. */
struct tp_torch_iterations tp_torch_iterations_of(const struct tp_profile *p,
	const struct tp_torch_trace *t, const char *wish, struct tp_arena *keep,
	struct tp_arena *scratch);

#endif
