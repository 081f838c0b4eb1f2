/* The verdict on PyTorch steps: what bounds them, from findings and from the roles that their time falls into. */
#ifndef TP_ANALYZE_VERDICT_TORCH_H
#define TP_ANALYZE_VERDICT_TORCH_H

#include "analyze/judge/verdict_finding.h"

struct tp_steps;
struct tp_torch;

/* Those of findings. */
TP_VERDICT_OF_FINDING(tp_verdict_data_loader);
TP_VERDICT_OF_FINDING(tp_verdict_communication);
TP_VERDICT_OF_FINDING(tp_verdict_late_worker);
TP_VERDICT_OF_FINDING(tp_verdict_host);
TP_VERDICT_OF_FINDING(tp_verdict_queued);
TP_VERDICT_OF_FINDING(tp_verdict_setup);

/* Where no finding has one: kernels, copies, or a run on the CPU. */
struct tp_verdict_text tp_verdict_of_torch(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s);

/* Where no trace holds a step: what there is, and how to capture more. */
struct tp_verdict_text tp_verdict_without_torch_steps(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* More of a step than all that was recorded of it is in no operator, call or kernel (verdict_torch_unrecorded.c). */
bool tp_torch_mostly_unrecorded(const struct tp_steps *s);
/* The verdict of that; without a name where it is not so. */
struct tp_verdict_text tp_verdict_torch_unrecorded(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s);

/* Whether any trace could show what a device does. */
bool tp_torch_shows_device(const struct tp_steps *s);

/* Whether any trace holds functions of Python. */
bool tp_torch_python_recorded(const struct tp_torch *torch);

#endif
