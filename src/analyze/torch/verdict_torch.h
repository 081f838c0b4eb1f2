/* The verdict on PyTorch steps: what bounds them, from the roles that their time falls into. */
#ifndef TP_ANALYZE_VERDICT_TORCH_H
#define TP_ANALYZE_VERDICT_TORCH_H

#include "analyze/summary.h"

struct tp_steps;

struct tp_verdict_text tp_verdict_of_torch(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s);

/* Where no trace holds a step: what there is, and how to capture more. */
struct tp_verdict_text tp_verdict_without_torch_steps(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc);

#endif
