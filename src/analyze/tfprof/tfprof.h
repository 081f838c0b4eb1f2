/* The section on dumps of tfprof: what is shown, and of which dump. */
#ifndef TP_ANALYZE_TFPROF_H
#define TP_ANALYZE_TFPROF_H

#include "analyze/core/ctx.h"
#include "analyze/tfprof/tfprof_advice.h"
#include "analyze/tfprof/tfprof_view.h"

struct tp_block;
struct tp_doc;

/* A dump of the run, and what its nodes take in all. */
struct tp_tfprof_dump {
	const struct tp_tfprof *tfprof;
	struct tp_tfprof_figures total; /* as the op view has it */
	uint32_t nodes_run;
};

struct tp_tfprof_section {
	const struct tp_tfprof *tfprof; /* that is told about */
	struct tp_tfprof_dump *dumps;   /* in the order of the files */
	uint32_t dump_count, chosen;
	struct tp_tfprof_figures *by_step; /* of the one told about */
	struct tp_tfprof_view ops, scopes, parameters, code;
	bool has_trained, has_code;
	struct tp_tfprof_advice advice;
	/* TPR-TFPROF-001: the first step against the median of the others; NaN: there are no three. */
	double first_us, others_us;
	int64_t batch_norm_us; /* in nodes of batch normalisation that is not one operation */
	int64_t nhwc_us;       /* in nodes on a GPU with the channels last */
};

/* struct tp_tfprof_section */
extern const struct tp_pass tp_pass_tfprof;

void tp_tfprof_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* Its parts: operations and dumps (tfprof_tables.c); trees (tfprof_trees.c); lines of code (tfprof_flame.c); advice
 * (tfprof_checkers.c). */
void tp_tfprof_tables(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_trees(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_flame(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_checkers(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);

/* The row of the op view that takes most time; NULL: none takes any. */
static inline const struct tp_tfprof_row *
tp_tfprof_top(const struct tp_tfprof_section *s)
{
	return s->ops.count > 1 && s->ops.rows[1].own.of[TP_TFPROF_US] > 0 ? &s->ops.rows[1] : NULL;
}

#endif
