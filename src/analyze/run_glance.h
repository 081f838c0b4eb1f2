/* Runs of a log directory side by side: the few figures by which they are told apart. */
#ifndef TP_ANALYZE_RUN_GLANCE_H
#define TP_ANALYZE_RUN_GLANCE_H

#include "analyze/pass.h"
#include "base/number.h"

struct tp_run_glance {
	struct tp_slice name;
	struct tp_value workers, spans, steps, step_ms,
		input_share; /* missing where the run does not give it */
};

/* The figures of a document whose metrics stand; texts live as long as it does. */
struct tp_run_glance tp_run_glance_of(
	const struct tp_profile *p, const struct tp_doc *doc, struct tp_slice name);

/* A table of this run and ctx->options->others; nothing when there are none. */
void tp_run_glance_table(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
