/* What PyTorch traces say of themselves, for the section on the environment. */
#ifndef TP_ANALYZE_ENVIRONMENT_TORCH_H
#define TP_ANALYZE_ENVIRONMENT_TORCH_H

#include "analyze/pass.h"

/* "2.2 or later": the versions of torch that write events of this form; several with commas. The profile holds traces. */
struct tp_slice tp_torch_versions(const struct tp_pass_ctx *ctx);

/* "shapes, memory; not stacks, FLOPs": what was asked of the profiler, of any of the traces. */
struct tp_slice tp_torch_asked(const struct tp_pass_ctx *ctx);

/* Of a run of PyTorch that launched kernels none of which was recorded: its GPU as the trace describes it, "GPU" where it does
 * not. Empty: of any other run. */
struct tp_slice tp_torch_unrecorded_gpu(const struct tp_profile *p);

/* A table of workers and their spans. */
void tp_torch_span_table(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
