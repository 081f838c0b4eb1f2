/* What the section on steps is made of. */
#ifndef TP_ANALYZE_STEPS_SECTION_H
#define TP_ANALYZE_STEPS_SECTION_H

#include "analyze/steps/steps.h"

void tp_steps_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_steps_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_steps_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

void tp_step_class_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_step_tpu_tables(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section);
void tp_step_torch_tables(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_step_each_table(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section);
void tp_step_slowest_say(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	struct tp_doc *doc, struct tp_block *section);

/* What the slowest step did beside a usual one, for s->explained; NULL: there are too few. */
const struct tp_step_slowest *tp_step_slowest_find(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s);

/* The chart of the two that it compares. */
#define TP_STEP_SLOWEST_CHART "steps/slowest/classes"

/* What a part is called, in metric ids and in words, and how it is taken over cores. */
struct tp_tpu_part_info {
	const char *id, *label, *how;
};
const struct tp_tpu_part_info *tp_tpu_part_info(enum tp_tpu_part part);

#endif
