/* The input pipeline: how long steps wait for input, what the host does to produce it, and which stage of it is slow. */
#ifndef TP_ANALYZE_INPUT_PIPELINE_H
#define TP_ANALYZE_INPUT_PIPELINE_H

#include "analyze/core/ctx.h"
#include "analyze/input/input_ops.h"
#include "analyze/input/tf_data.h"

struct tp_block;
struct tp_doc;
struct tp_section;
struct tp_steps;

struct tp_input_pipeline {
	struct tp_input_ops ops;
	struct tp_input_breakdown all;
	struct tp_input_breakdown *hosts; /* as ops.hosts */
	/* Parts of the self time of class preprocessing that are none: Python generators, and stages that only wait for a
	 * thread of theirs. */
	int64_t generator_ps, waiting_ps;
	struct tp_tf_data tf;
	const struct tp_stage *slowest; /* of all pipelines: the most waited for; NULL: no calls */
};

/* struct tp_input_pipeline; never skipped */
extern const struct tp_pass tp_pass_input;

struct tp_input_class_info {
	const char *key;          /* "advanced_read" */
	const char *metric;       /* id */
	const char *label, *name; /* "Reading in advance"; name: the same within a sentence */
	const char *how;          /* what it is */
	const char *helps;        /* where it is much */
};
const struct tp_input_class_info *tp_input_class_info(enum tp_input_class class);

/* What a stage does, in a few words, and what helps when it is the slow one (markup). */
const char *tp_stage_label(const struct tp_stage *stage);
const char *tp_stage_advice(const struct tp_stage *stage);

/* The section (input_present.c), what it says first (input_say.c), and its parts (input_steps.c, input_host.c, input_stages.c). */
void tp_input_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
/* Fills in key figure, judgement, answer and what follows from it; steps: NULL where there are none. */
void tp_input_say(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	const struct tp_steps *steps, struct tp_doc *doc, struct tp_section *s);
/* Nothing where no step waits. */
void tp_input_steps(const struct tp_pass_ctx *ctx, const struct tp_steps *steps, struct tp_doc *doc,
	struct tp_block *section);
void tp_input_host(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	struct tp_doc *doc, struct tp_block *section);
void tp_input_stages(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	struct tp_doc *doc, struct tp_block *section);

#endif
