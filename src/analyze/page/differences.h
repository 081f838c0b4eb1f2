/* Where our figures differ from those of xprof on purpose, and why: a reader who holds both must know which to trust. */
#ifndef TP_ANALYZE_DIFFERENCES_H
#define TP_ANALYZE_DIFFERENCES_H

#include "analyze/core/ctx.h"
#include "report/draft.h"

struct tp_difference {
	const char *figure, *theirs, *ours, *why;
};

/* The fold with a table of the four columns, still without rows; and a row of it. */
struct tp_draft tp_difference_table(struct tp_doc *doc, struct tp_block *section, const char *title,
	const struct tp_column four[static 4]);
void tp_difference_row(struct tp_draft *draft, const struct tp_difference *d);

/* A fold with those that can concern this profile. */
void tp_differences_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* The same of PyTorch's profiler plugin (differences_torch.c). */
void tp_differences_torch_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
