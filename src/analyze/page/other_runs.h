/* The other runs of a log directory, which this report is not about. */
#ifndef TP_ANALYZE_OTHER_RUNS_H
#define TP_ANALYZE_OTHER_RUNS_H

#include "analyze/core/ctx.h"

struct tp_text;

struct tp_other_run {
	struct tp_slice name;  /* as --run takes it */
	struct tp_slice holds; /* "2 XLA profiles, 1 event file" */
	size_t number;         /* likewise, counted from the newest */
};

struct tp_other_runs {
	const struct tp_other_run *runs; /* newest first; those that a page should hold */
	size_t count;
	size_t all;    /* runs of the log directory, this one among them */
	size_t number; /* of this one */
};

/* "newest of 4 runs", with a link to them; false: there is no other. */
bool tp_other_runs_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *out);

/* A table of them, and how to choose one. */
void tp_other_runs_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

#endif
