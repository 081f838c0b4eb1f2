/* Sections from what the profiler worked out itself, where the profile holds no events to work it out from. */
#ifndef TP_ANALYZE_PRECOMPUTED_H
#define TP_ANALYZE_PRECOMPUTED_H

#include "analyze/core/ctx.h"
#include "base/number.h"
#include "model/precomputed.h"

#include <stdbool.h>

struct tp_block;
struct tp_precomputed;

/* What tool files give; NULL when there are none, or when events are there, whose figures win. */
const struct tp_precomputed *tp_precomputed(const struct tp_pass_ctx *ctx);

/* A metric that is missing, by its id: the value from this field of the file. */
void tp_precomputed_fill(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const char *id,
	struct tp_value value, const char *field, struct tp_slice file);

/* The section on operations, where no operation was recorded. */
void tp_ops_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* The section on kernels, where none was recorded but some are given. */
void tp_kernels_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* "Precomputed by the profiler (`vm.overview_page.pb`)." at the end of a section. */
void tp_precomputed_source(const struct tp_pass_ctx *ctx, struct tp_doc *doc,
	struct tp_block *section, const char *id, struct tp_slice file);

/* The mean step of the tool that tells of steps; NAN: none does. */
double tp_precomputed_mean_ms(const struct tp_precomputed *g);

/* The mean step of a pod viewer: a step is as long as on the core where it is longest. */
double tp_precomputed_pod_mean_ms(const struct tp_precomputed_pod *pod);

/* Whether what tells of a pod is of another capture than the rest: tool files that were put together need not be of one. */
bool tp_precomputed_differ(const struct tp_precomputed *g);

/* Says so in a section. Nothing where they are of one. */
void tp_precomputed_captures(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section, const char *id);

#endif
