/* Words that the sections on PyTorch share. */
#ifndef TP_ANALYZE_TORCH_SAY_H
#define TP_ANALYZE_TORCH_SAY_H

#include "analyze/core/ctx.h"
#include "report/doc.h"
#include "report/scope.h"

struct tp_torch_trace;

/* The scope of a figure of one worker and span: its name and its number. */
struct tp_scope tp_torch_scope(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t);

/* "rank0, span 2"; the span only where a worker has several; nothing but "the trace" where there is one trace alone. */
struct tp_slice tp_torch_who(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t);

/* What tables are over: "all workers and spans", "all spans of rank0" or "the trace". */
struct tp_slice tp_torch_all(const struct tp_pass_ctx *ctx);

#endif
