/* Parts of the section on method: what the profile does not hold, which peaks were used, where other tools say something else. */
#ifndef TP_ANALYZE_METHOD_H
#define TP_ANALYZE_METHOD_H

#include "analyze/core/ctx.h"
#include "report/draft.h"

/* What the report does not tell because the profile does not hold it, and how the next capture does: below the heading "Not in
 * this profile, and how to capture it", shut when it is long. Nothing where there is none of it (lacks.c). */
void tp_lacks_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* How many such things there are. */
size_t tp_lacks_count(const struct tp_pass_ctx *ctx);

/* The peaks that were used, as a fold (peaks_present.c). */
void tp_peaks_present(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* Where events and tool files do not agree (precomputed_compare.c). */
void tp_precomputed_differences(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* A fold with the figures that can concern this profile and differ on purpose from those of xprof, and why: a reader who holds
 * both must know which to trust (differences.c). */
void tp_differences_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* The same of PyTorch's profiler plugin (differences_torch.c). */
void tp_differences_torch_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

struct tp_difference {
	const char *figure, *theirs, *ours, *why;
};

/* The fold with a table of the four columns, still without rows; and a row of it (differences.c). */
struct tp_draft tp_difference_table(struct tp_doc *doc, struct tp_block *section, const char *title,
	const struct tp_column four[static 4]);
void tp_difference_row(struct tp_draft *draft, const struct tp_difference *d);

#endif
