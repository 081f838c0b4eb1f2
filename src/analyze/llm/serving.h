/* Iterations of inference engines: what each kind takes, how many tokens they make, how long the device waits between them, what is
 * replayed from CUDA graphs and what is launched kernel by kernel. */
#ifndef TP_ANALYZE_SERVING_H
#define TP_ANALYZE_SERVING_H

#include "analyze/core/ctx.h"
#include "analyze/core/stats.h"
#include "analyze/torch_steps/torch_iterations.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_doc;
struct tp_block;

/* Kinds of iterations, whatever an engine calls them. */
enum tp_serving_kind {
	TP_SERVING_PREFILL,
	TP_SERVING_DECODE,
	TP_SERVING_MIXED,
	TP_SERVING_OTHER,
	TP_SERVING_KINDS
};

struct tp_serving_kind_info {
	const char *key, *label; /* "decode", "Decode" */
};
const struct tp_serving_kind_info *tp_serving_kind_info(enum tp_serving_kind kind);

enum tp_serving_kind tp_serving_kind_of(enum tp_iteration_phase phase);

/* One iteration of one engine. */
struct tp_serving_iteration {
	enum tp_serving_kind kind;
	uint32_t trace, engine; /* which of those of all traces */
	double time_ps;         /* from its start until its device work has ended */
	double busy_ps;         /* of that with device work of its own; NaN: none was recorded */
	double gap_ps; /* from its last device work to the first of the next; NaN: there is no next */
	double copy_ps, collective_ps; /* of busy, where nothing else runs */
	uint32_t launches, graphs;     /* calls that launch kernels; of these graphs */
	double graph_ps, work_ps;      /* Σ durations of device work in graphs, and of all */
	bool unmarked;                 /* no annotation says it: its kernels do */
	struct tp_iteration_name says;
	int64_t start_ps, end_ps;
};

/* Σ over iterations of a kind. */
struct tp_serving_sum {
	uint32_t count, unmarked;
	struct tp_stats time, busy, gap;
	double time_ps, gap_sum_ps, busy_sum_ps;
	double graph_ps, work_ps;
	uint32_t with_graph; /* iterations that launch at least one */
	double launches;     /* mean of those that launch no graph */
	/* requests in one of them: least, most; −1: names do not say */
	int64_t requests_min, requests_max;
	int64_t tokens_in, tokens_out; /* Σ, of those that say so; −1: none does */
	int64_t decoded;               /* of tokens_out, of requests that are decoded; likewise */
	uint32_t tokens_told;          /* iterations whose name says all of its tokens */
	struct tp_slice pattern;       /* of the annotation; empty: kernels */
	bool guessed;                  /* its length says which kind it is, no name */
};

struct tp_serving {
	const struct tp_serving_iteration *iterations; /* by trace, engine, then time */
	uint32_t count, engines, traces;
	struct tp_serving_sum kinds[TP_SERVING_KINDS], all;
	const char *engine; /* "vLLM"; NULL: none that is known */
	bool of_kernels;    /* the order of kernels shows iterations, not annotations */
	double confidence;  /* of the least sure trace */
	double window_ps;   /* Σ over engines: from the first iteration to the end of the last */
	double idle_ps;     /* of the window: gaps between iterations … */
	double inside_ps;   /* … and time inside of them without device work of their own */
	/* Tokens made by all engines that are not ranks of one model; NaN: names do not say. */
	double tokens_out, tokens_in, seconds;
	double
		decode_tokens; /* computed for requests that are decoded; of tokens_out all that no prompt makes, but for drafted ones */
	bool drafted;      /* a draft guesses tokens: an iteration may make several for a request */
	struct tp_slice no_tokens; /* why not */
	struct tp_stats
		per_token; /* time from a token of a request to its next: decode and mixed, gap included */
	const struct tp_serving_kernels *kernels;
};

/* struct tp_serving; skipped where no iteration is of an inference engine */
extern const struct tp_pass tp_pass_serving;

void tp_serving_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_serving_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* The parts of that section, each in a file of its own. */
void tp_serving_tables(const struct tp_pass_ctx *ctx, const struct tp_serving *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_serving_kernel_tables(const struct tp_pass_ctx *ctx, const struct tp_serving *s,
	struct tp_doc *doc, struct tp_block *section);

#endif
