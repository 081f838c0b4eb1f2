/* What the hosts of a run say about themselves, each thing once. */
#ifndef TP_ANALYZE_FACTS_H
#define TP_ANALYZE_FACTS_H

#include "analyze/core/ctx.h"
#include "base/slice.h"

struct tp_said {
	struct tp_slice key;   /* as the profile has it: "jaxlib_version" */
	struct tp_slice label; /* "jaxlib" */
	struct tp_slice value; /* where hosts differ: the first few, and how many more */
	struct tp_slice where;
};

/* In the order in which they are first said; memory from ctx->keep. Returns how many. */
size_t tp_facts_said(const struct tp_pass_ctx *ctx, const struct tp_said **out);

#endif
