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

/* How much of the run was read: "1 of 2 workers", or "4 of at least 8 cores" (read_part.c). */
struct tp_read_part {
	const char *what; /* NULL: no file tells of more than was read */
	uint64_t read, all;
	bool at_least; /* there may be more than `all` */
};
struct tp_read_part tp_read_part_of(const struct tp_pass_ctx *ctx);

/* After all passes registered theirs: metrics that are missing, but that a tool file gives (precomputed_figures.c). */
void tp_precomputed_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc);
/* Where events and tool files do not agree. */
void tp_precomputed_differences(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* A fold with the figures that can concern this profile and differ on purpose from those of xprof, and why: a reader who holds
 * both must know which to trust (differences.c). */
void tp_differences_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* The same of PyTorch's profiler plugin (differences_torch.c). */
void tp_differences_torch_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* A fold with the compiled programs (environment_programs.c); none where there are none. */
void tp_programs_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

struct tp_difference {
	const char *figure, *theirs, *ours, *why;
	unsigned concerns; /* what the profile must be or hold, as bits of the list's own */
};

/* A list of differences from one tool. */
struct tp_differences {
	const char *title, *caption;
	const struct tp_column *columns; /* four: figure, theirs, ours, why */
	const struct tp_difference *list;
	size_t count;
	bool all_must_hold; /* of what a line concerns; else any */
};

/* Both end with this: the fold with the lines that concern a profile of which `concerns` holds (differences.c). */
void tp_differences_fold(struct tp_doc *doc, struct tp_block *section,
	const struct tp_differences *d, unsigned concerns);

#endif
