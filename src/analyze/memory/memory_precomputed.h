/* Memory plans out of tool files: of some the file holds the HLO, which is read as that of a profile, of others the
 * profiler's own figures. */
#ifndef TP_ANALYZE_MEMORY_PRECOMPUTED_H
#define TP_ANALYZE_MEMORY_PRECOMPUTED_H

#include "analyze/memory/memory.h"

struct tp_precomputed_plan;

/* The plan that a program of the profile is from; NULL: it is from no tool file. */
const struct tp_precomputed_plan *tp_memory_precomputed_plan(
	const struct tp_pass_ctx *ctx, uint32_t program);
bool tp_memory_precomputed_without_id(const struct tp_pass_ctx *ctx, uint32_t program);

/* A plan without HLO as a module with one space. */
void tp_memory_from_precomputed(const struct tp_pass_ctx *ctx,
	const struct tp_precomputed_plan *plan, struct tp_memory_module *out);

/* What the section says of where its figures are from; false: from no tool file. */
bool tp_memory_precomputed_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section);

/* The peak of a plan in main memory, in bytes; NaN: it has none. */
double tp_memory_precomputed_peak(const struct tp_precomputed_plan *plan);

#endif
