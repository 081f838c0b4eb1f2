/* What a verdict and a finding say of communication that no computation hides: PyTorch's workers (TPR-COMM-002). */
#ifndef TP_ANALYZE_EXPOSED_COMM_H
#define TP_ANALYZE_EXPOSED_COMM_H

#include "analyze/judge/verdict.h"

struct tp_finding;
struct tp_finding_result;

struct tp_verdict_text tp_exposed_comm_verdict(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r);
void tp_exposed_comm_particulars(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding);

#endif
