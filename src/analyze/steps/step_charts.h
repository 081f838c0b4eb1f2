/* Charts of steps, which the first screen and the section on steps share, and the parts that these stack. */
#ifndef TP_ANALYZE_STEP_CHARTS_H
#define TP_ANALYZE_STEP_CHARTS_H

#include "analyze/steps/steps.h"

/* What charts and tables show: the classes, with compute as arithmetic and copies. */
struct tp_step_part {
	const char *key, *label;
	enum tp_hue hue;
	int tint;
};
enum { TP_STEP_PART_COUNT = TP_CLASS_COUNT + 1 };
struct tp_step_part tp_step_part(size_t part); /* in stacking order, below TP_STEP_PART_COUNT */
double tp_step_part_ps(const struct tp_step *step, size_t part);
double tp_step_part_mean_ps(const struct tp_steps *steps, size_t part);

/* How much of a mean step's communication is waiting, at most; not above 0, or NaN: not known. */
struct tp_step_waits {
	double collective_ps, receive_ps;
};

/* One bar: the classes of the mean step. */
void tp_step_stack(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	struct tp_step_waits waits, struct tp_doc *doc, struct tp_block *parent, const char *id);

/* A column a step, with p50 and p95 and the slowest step outlined; with a legend it is a section's own, larger chart. With very many steps a column is the slowest of several
 * in a row. */
void tp_step_strip(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id, bool legend);

/* The columns of a strip: for each the step that it shows, in ctx->scratch. */
size_t tp_step_columns(const struct tp_pass_ctx *ctx, const struct tp_steps *s, size_t **shown);

/* How much of a class was waiting in each step, at most (ps, by step): hatched in all charts of single steps that the document has
 * (step_unused.c). */
void tp_step_charts_unused(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	struct tp_doc *doc, enum tp_class c, const double *unused_ps);

/* Whether the bar of the mean step, which stands before all other charts, hatches a part of a class. */
bool tp_step_bar_hatches(struct tp_doc *doc, enum tp_class c);

/* Two bars: the median step and the slowest, by class. */
void tp_step_pair(const struct tp_pass_ctx *ctx, const struct tp_steps *s,
	const struct tp_step *const pair[static 2], struct tp_doc *doc, struct tp_block *parent,
	const char *id);

/* What of a class is waiting, in words that name it: a legend may have two of them. */
struct tp_slice tp_step_unused_waiting(enum tp_class c);

#endif
