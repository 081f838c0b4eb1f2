/* The two charts of steps, which the first screen and the section on steps share. */
#ifndef TP_ANALYZE_STEP_CHARTS_H
#define TP_ANALYZE_STEP_CHARTS_H

#include <stdbool.h>

struct tp_block;
struct tp_doc;
struct tp_pass_ctx;
struct tp_step;
struct tp_steps;

/* One bar: the classes of the mean step. */
void tp_step_stack(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id);

/* A column a step, with p50 and p95 and the slowest step outlined; with a legend it is a section's own, larger chart. With very many steps a column is the slowest of several
 * in a row. */
void tp_step_strip(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id, bool legend);

/* Two bars: the median step and the slowest, by class. */
void tp_step_pair(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	const struct tp_step *const pair[static 2], struct tp_doc *doc, struct tp_block *parent,
	const char *id);

#endif
