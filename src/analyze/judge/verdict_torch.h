/* The verdict on PyTorch steps: what bounds them, from findings and from the roles that their time falls into. */
#ifndef TP_ANALYZE_VERDICT_TORCH_H
#define TP_ANALYZE_VERDICT_TORCH_H

#include "analyze/judge/verdict.h"

struct tp_finding_result;
struct tp_steps;
struct tp_torch;

/* Where no finding has one: kernels, copies, or a run on the CPU. pageable: what the check of pageable copies came to, or NULL. */
struct tp_verdict_text tp_verdict_of_torch(const struct tp_pass_ctx *ctx, struct tp_doc *doc,
	const struct tp_steps *s, const struct tp_finding_result *pageable);

/* Where no trace holds a step: what there is, and how to capture more. */
struct tp_verdict_text tp_verdict_without_torch_steps(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* More of a step than all that was recorded of it is in no operator, call or kernel. */
bool tp_torch_mostly_unrecorded(const struct tp_steps *s);
/* The verdict of that; without a name where it is not so. */
struct tp_verdict_text tp_verdict_torch_unrecorded(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s);

/* Whether any trace holds functions of Python. */
bool tp_torch_python_recorded(const struct tp_torch *torch);

#endif
