/* What PyTorch traces say of themselves, for the section on the environment. */
#ifndef TP_ANALYZE_ENVIRONMENT_TORCH_H
#define TP_ANALYZE_ENVIRONMENT_TORCH_H

#include "analyze/core/ctx.h"

/* "2.2 or later": the versions of torch that write events of this form; several with commas. The profile holds traces. */
struct tp_slice tp_torch_versions(const struct tp_pass_ctx *ctx);

/* "shapes, memory; not stacks, FLOPs": what was asked of the profiler, of any of the traces. */
struct tp_slice tp_torch_asked(const struct tp_pass_ctx *ctx);

/* A table of workers and their spans. */
void tp_torch_span_table(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
