/* Live buffers: what devices held when a memory profile was saved, and which lines of the program asked for it. */
#ifndef TP_ANALYZE_LIVE_BUFFERS_H
#define TP_ANALYZE_LIVE_BUFFERS_H

#include "analyze/core/ctx.h"

#include <stdint.h>

struct tp_doc;
struct tp_block;
struct tp_live;
struct tp_live_line;
struct tp_live_sample;

/* What is held on one device, of one kind. */
struct tp_live_total {
	struct tp_slice kind;   /* "buffer", "executable" */
	struct tp_slice device; /* empty: on none */
	uint64_t stacks, count, bytes;
};

/* One stack: the sample, and the line that it is known by. */
struct tp_live_stack {
	const struct tp_live_sample *sample;
	/* the innermost that is not a library's, else the innermost; NULL: no frame */
	const struct tp_live_line *line;
	const struct tp_live_line *innermost; /* NULL: no frame */
	struct tp_slice text; /* its calls, the innermost first; of endless ones the first */
};

/* A node of the tree of calls: the calls that lead to it have the same bytes, and are not told apart. */
struct tp_live_node {
	const struct tp_live_line *line; /* of the innermost of its calls; NULL: what has no frame */
	uint64_t count, bytes;           /* of all below it */
	uint32_t calls;                  /* that are one here */
	uint32_t depth;
};

/* A profile of live buffers. */
struct tp_live_file {
	const struct tp_live *live;
	struct tp_slice name;
	uint64_t buffers, executables, bytes;
	struct tp_live_total *totals; /* by bytes, then count, descending */
	size_t total_count;
	struct tp_live_stack *stacks; /* likewise; of many the first */
	size_t stack_count;
	uint64_t other_stacks, other_count, other_bytes; /* the rest */
	struct tp_live_node *nodes; /* parents first; among siblings by bytes, then count, descending */
	size_t node_count;
	size_t nodes_left_out; /* too deep, or too many */
};

struct tp_live_buffers {
	struct tp_live_file *files; /* by bytes, descending, then name */
	size_t count;
};

/* struct tp_live_buffers; skipped where the run has no memory profile */
extern const struct tp_pass tp_pass_live_buffers;

/* "model.py:42", empty: neither is said; and "init", "(no name)". Made in ctx->keep. */
struct tp_slice tp_live_where(const struct tp_pass_ctx *ctx, const struct tp_live_line *line);
struct tp_slice tp_live_function(const struct tp_pass_ctx *ctx, const struct tp_live_line *line);

/* What it says (live_present.c). */
void tp_live_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
