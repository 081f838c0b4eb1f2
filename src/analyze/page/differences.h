/* Where our figures differ from those of xprof on purpose, and why: a reader who holds both must know which to trust. */
#ifndef TP_ANALYZE_DIFFERENCES_H
#define TP_ANALYZE_DIFFERENCES_H

#include "analyze/core/ctx.h"

struct tp_draft;

struct tp_difference {
	const char *figure, *theirs, *ours, *why;
};

/* Its row in a table of these four columns. */
void tp_difference_row(struct tp_draft *draft, const struct tp_difference *d);

/* A fold with those that can concern this profile. */
void tp_differences_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* The same of PyTorch's profiler plugin (differences_torch.c). */
void tp_differences_torch_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
