/* The parts of the report on padding. */
#ifndef TP_ANALYZE_PADDING_PRESENT_H
#define TP_ANALYZE_PADDING_PRESENT_H

#include "analyze/ops/padding.h"

struct tp_block;
struct tp_op_total;

/* All tables and the picture, in their order. */
void tp_padding_tables(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, struct tp_block *section);

/* The worst array's place in its tiles; nothing when nothing is lost. */
void tp_padding_picture(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, struct tp_block *section);

/* Sizes with which the operations that lose most would fit. */
void tp_padding_options(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, struct tp_block *section);

/* Each dimension of the operations that lose most. */
void tp_padding_dimensions(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, struct tp_block *section);

/* A fit as a value; missing where there are no tiles. */
struct tp_value tp_padding_fit_value(double fit);

/* "jit_f/fusion.12": what rows are called. */
struct tp_slice tp_padding_row_name(const struct tp_pass_ctx *ctx, const struct tp_op_total *t);

#endif
