/* The section on dumps of tfprof: what is shown, and of which dump. */
#ifndef TP_ANALYZE_TFPROF_H
#define TP_ANALYZE_TFPROF_H

#include "analyze/core/ctx.h"
#include "analyze/tfprof/tfprof_advice.h"
#include "analyze/tfprof/tfprof_rates.h"
#include "analyze/tfprof/tfprof_view.h"

struct tp_block;
struct tp_buf;
struct tp_doc;
struct tp_draft;
struct tp_text;

/* A dump of the run, and what its nodes take in all. */
struct tp_tfprof_dump {
	const struct tp_tfprof *tfprof;
	int64_t steps;                  /* which of them figures are of: tp_tfprof_steady */
	struct tp_tfprof_figures total; /* as the op view has it */
	uint32_t nodes_run;             /* in any step */
};

/* Why figures of steps are missing. */
#define TP_TFPROF_NO_STEP "the dump holds no step that ran"

/* Why it is unknown how long nodes ran on a GPU. */
#define TP_TFPROF_NO_STREAM                                                                        \
	"nothing was recorded of the GPU's streams, and the host's time is that of launching"

/* Why other figures are. */
#define TP_TFPROF_NO_COUNTS                                                                        \
	"an op log of tfprof (tfprof_log) beside the graph has the counts, and none was read"
#define TP_TFPROF_NO_SHAPES "the graph has the shapes, and none was read beside the RunMetadata"

struct tp_tfprof_section {
	const struct tp_tfprof *tfprof; /* that is told about */
	struct tp_tfprof_dump *dumps;   /* in the order of the files */
	uint32_t dump_count, chosen;
	struct tp_tfprof_figures *by_step; /* of the one told about */
	struct tp_tfprof_view ops, scopes, parameters, code;
	bool has_trained, has_code;
	struct tp_tfprof_advice advice;
	/* Of the first step, which no other figure counts; NaN: there are too few to leave one out. */
	double first_us;
	int64_t batch_norm_us;        /* in nodes of batch normalisation that is not one operation */
	int64_t nhwc_us;              /* in nodes on a GPU with the channels last */
	struct tp_tfprof_rate *rates; /* of the rows of ops */
	struct tp_tfprof_slow slow;   /* TPR-TFPROF-006 */
	uint32_t *slot_of;            /* of each node: tp_tfprof_slots */
	struct tp_slice untimed;      /* devices that nodes ran on without a time, by commas */
};

/* struct tp_tfprof_section */
extern const struct tp_pass tp_pass_tfprof;

void tp_tfprof_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* s may be NULL. Whether the run has neither steps nor operations of a profile, so that the first screen draws those of a dump; and what it draws. */
bool tp_tfprof_leads(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s);
void tp_tfprof_where(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *summary);
/* For the run line, two items: "dump `profile_9`, 1 of 2", "steps 0, 3, 6, 9". Returns how many. */
size_t tp_tfprof_say_dump(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_text *list);

/* A column a step by type of operation, steps between that were not traced as gaps; with a legend it is larger. Nothing of one step. */
void tp_tfprof_strip(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *parent, const char *id, bool legend);

/* Its parts: operations and dumps (tfprof_tables.c); operations by shape (tfprof_shapes.c); scopes (tfprof_trees.c), and
 * parameters in them (tfprof_parameters.c); lines of code (tfprof_flame.c); advice (tfprof_checkers.c); where it
 * differs from the original (tfprof_differences.c). */
void tp_tfprof_tables(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_shapes(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_parameters(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_scopes(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_flame(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);
void tp_tfprof_checkers(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section);

void tp_tfprof_differences(struct tp_doc *doc, struct tp_block *section);

/* "3 × 3 × 16 × 32" of int64_t; empty: of none. */
struct tp_slice tp_tfprof_dims_text(const struct tp_buf *dims, struct tp_arena *arena);

/* Float operations; missing where there are none because nobody counted them. */
struct tp_value tp_tfprof_count_value(const struct tp_tfprof_section *s, int64_t float_ops);

/* Float operations per second; missing where there are none, or no time. */
struct tp_value tp_tfprof_rate_value(
	const struct tp_tfprof_section *s, int64_t float_ops, int64_t us);

/* Of trees: from which total on rows are shown, so that there are not too many, for a row has no more than the one that it is in;
 * the last part of a row's name; and the end of the table. */
int64_t tp_tfprof_least_shown(const struct tp_pass_ctx *ctx, const int64_t *totals, uint32_t count);
struct tp_slice tp_tfprof_label(const struct tp_tfprof_row *row);
void tp_tfprof_finish_tree(const struct tp_pass_ctx *ctx, struct tp_draft *draft,
	const char *caption, uint32_t left_out, struct tp_block *section, const char *more);

/* Which steps figures are of. */
static inline const char *
tp_tfprof_per_step(const struct tp_tfprof_section *s)
{
	return s->dumps[s->chosen].steps == TP_TFPROF_ALL_STEPS ? "per step"
															: "per step after the first";
}

/* The row of the op view that takes most time; NULL: none takes any. */
static inline const struct tp_tfprof_row *
tp_tfprof_top(const struct tp_tfprof_section *s)
{
	return s->ops.count > 1 && s->ops.rows[1].own.of[TP_TFPROF_US] > 0 ? &s->ops.rows[1] : NULL;
}

#endif
