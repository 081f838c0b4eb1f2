/* The padding fit: how much of the time of convolutions and dots goes to padding that the layout in tiles adds. */
#ifndef TP_ANALYZE_PADDING_H
#define TP_ANALYZE_PADDING_H

#include "analyze/core/ctx.h"
#include "analyze/ops/padding_fit.h"
#include "report/doc.h"

struct tp_precomputed_op;

enum tp_padding_state {
	TP_PADDING_NO_HLO,     /* layouts are not known */
	TP_PADDING_UNTILED,    /* the device lays arrays out without tiles, so nothing is padded */
	TP_PADDING_NO_PRODUCT, /* tiles, but no convolution or dot among what was measured */
	TP_PADDING_JUDGED,
};

/* An operation that is a convolution or dot, or a fusion with some. */
struct tp_padding_fit {
	size_t op;                     /* index in tp_ops.ops */
	int64_t self_ps;               /* of that operation */
	struct tp_product_fit product; /* the one that fits worst */
	uint32_t products;             /* how many it holds */
	double matrix_share;           /* of the matrix unit at most; NaN: size of the unit not known */
	double lost_ps;                /* self time × (1 − fit); 0 where the fit is not known */
	bool moved_known;
	uint64_t lost_bytes; /* padding in HBM of its operands and result, over all occurrences */
};

/* Another operation whose result is padded by much. */
struct tp_padded_buffer {
	size_t op;
	struct tp_slice shape;        /* of a tuple the array with the most padding */
	uint64_t bytes, padded_bytes; /* of that array */
};

/* A program whose HLO could not be read. */
struct tp_padding_damage {
	struct tp_slice program, reason;
};

struct tp_padding {
	enum tp_padding_state state;
	const struct tp_ops *ops;
	struct tp_padding_fit *fits; /* by time lost, descending, then self time, then name */
	size_t count;
	size_t unknown;                   /* fits that are not known */
	const uint32_t *fit_of_op;        /* by index in tp_ops.ops: index in fits, or TP_NONE */
	struct tp_padded_buffer *buffers; /* by padding in bytes, descending */
	size_t buffer_count;
	struct tp_padding_damage *damaged;
	size_t damaged_count;
	double lost_ps;
};

/* struct tp_padding; skipped where no operation was measured */
extern const struct tp_pass tp_pass_padding;

/* The same from what an op profile keeps of each operation; by operation. */
void tp_padding_precomputed(const struct tp_pass_ctx *ctx, const struct tp_ops *o,
	const struct tp_precomputed_op *const *precomputed, struct tp_padding *out);

/* The fit of the operation with this index in tp_ops.ops; NULL: none. */
const struct tp_padding_fit *tp_padding_of(const struct tp_padding *p, size_t op);

/* Why there is nothing to judge; empty when there is. */
struct tp_slice tp_padding_reason(const struct tp_padding *p);

/* What it says (padding_present.c). */
void tp_padding_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_padding_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* The part of the section on operations that speaks of padding; in it sizes with which the operations that lose most would fit
 * (padding_options.c). */
void tp_padding_section(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, const char *source);
void tp_padding_options(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, struct tp_block *section);

/* Fills in what the finding says of the worst operation: what was seen, what to do with which sizes; nothing without one. */
void tp_padding_advise(const struct tp_pass_ctx *ctx, const struct tp_padding *p,
	struct tp_doc *doc, struct tp_finding *finding);

#endif
