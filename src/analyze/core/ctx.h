/* What a pass is given: the profile, the user's options, arenas, and the results of passes that it comes after. */
#ifndef TP_ANALYZE_CTX_H
#define TP_ANALYZE_CTX_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_block;
struct tp_doc;
struct tp_merge_wish;
struct tp_user_limits;
struct tp_other_runs;
struct tp_profile;
struct tp_pass;
struct tp_pool;
struct tp_timeline;
struct tp_views;

/* Peaks that the user gives, for every device alike; 0: not given. */
struct tp_peak_wish {
	/* matrix products of any type; of one, which counts more */
	double flop_per_s, bf16_per_s, fp8_per_s, int8_per_s, tf32_per_s, fp32_per_s;
	double hbm_bytes_per_s, vmem_bytes_per_s, memory_bytes;
};

/* What a model computes, as the user says; 0: not given. */
struct tp_model_wish {
	double flops;           /* of one step of the whole job */
	double params;          /* that take part in matrix products */
	double tokens_per_step; /* of the whole job */
	double layers, hidden, seq;
	bool
		full_attention; /* each token attends to all of its sequence, not only to those before it */
};

/* An operation whose surroundings are wanted: "fusion.1", or "jit_f/fusion.1" of one program. */
struct tp_graph_wish {
	struct tp_slice op;
	unsigned width; /* steps in each direction */
};

/* So many are drawn at most. */
enum { TP_TIMELINE_WINDOWS = 4 };

/* What a timeline draws and keeps in full: a step by its name, or by which it is ("slowest", "median"), or a time. */
struct tp_timeline_wish {
	struct tp_slice step;  /* empty: a time */
	double from_s, to_s;   /* from the first event */
	struct tp_slice asked; /* "step:42" */
};

struct tp_pass_options {
	struct tp_pool *pool; /* for passes side by side; NULL: one after the other */
	size_t top;           /* rows of a table that stand open */
	const char
		*steps; /* names of annotations that are steps: a regular expression; NULL: not given */
	struct tp_peak_wish peak;
	struct tp_model_wish model;
	size_t hosts;      /* of the job, where the profile holds some of them alone; 0: it holds all */
	unsigned tpu_list; /* enum tp_tpu_list (tpu_ops.h), by which a graph is judged */
	const struct tp_merge_wish *merge; /* of summaries that are merged; NULL: of others */
	struct tp_views *views;            /* what can be chosen beside all of the run; NULL: nothing */
	const struct tp_other_runs *other_runs; /* of the log directory; NULL: there are none */
	size_t graph; /* which of TensorFlow, counted from 1; 0: the one that tells most */
	const struct tp_graph_wish *graphs;
	size_t graph_count;
	const struct tp_user_limits *limits; /* instead of the rules' own */
	size_t limit_count;
	bool no_timeline;
	bool short_of_memory; /* it did not suffice for the timeline */
	bool run_events;      /* an output asks for all of them */
	bool ranks;           /* an output keeps what summaries need of each host */
	uint64_t
		timeline_bytes; /* of an output that lets all of the capture be looked at; 0: only what is drawn */
	/* Told of the timeline as soon as it is made, while other passes run; NULL: nobody is. */
	void (*timeline_made)(void *with, struct tp_timeline *t);
	void *timeline_with;
	const struct tp_timeline_wish *windows;
	size_t window_count;         /* 0: the median and the slowest step */
	struct tp_slice limits_file; /* where they are from; empty: none are given */
};

struct tp_pass_ctx {
	const struct tp_profile *profile;
	unsigned facts;           /* enum tp_facts that the profile holds */
	struct tp_arena *keep;    /* lives as long as the document */
	struct tp_arena *scratch; /* forgotten after each analyze() and present() */
	const struct tp_pass_options *options;
	const struct tp_pass *const *passes; /* all that run; ends with NULL */
	const void *const *results;          /* by index in passes; through tp_result */
	const struct tp_slice *reasons;      /* why a pass was skipped; empty: it was not */
	struct tp_err *refusal; /* present() fills it when the user asked for what there is not */
	const struct tp_pass *analysing;  /* whose analyze() runs; NULL: all have run */
	const struct tp_pass *presenting; /* whose metrics() or present…() runs; NULL: none does */
};

/* The result of a pass that this one comes after; NULL when it was skipped. A build for debugging ends where analyze() asks for
 * another. */
const void *tp_result(const struct tp_pass_ctx *ctx, const struct tp_pass *pass);

/* Why it was skipped; empty when it was not. */
struct tp_slice tp_skipped(const struct tp_pass_ctx *ctx, const struct tp_pass *pass);

/* Why the pass was skipped whose metrics() or present_skipped() runs. */
struct tp_slice tp_skipped_itself(const struct tp_pass_ctx *ctx);

/* Whether the run holds a profile, not only event files, marks of sessions or graphs beside one. */
bool tp_has_profile(const struct tp_pass_ctx *ctx);

#endif
