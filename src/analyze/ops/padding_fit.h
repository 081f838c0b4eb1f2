/* How well the arrays of one convolution or dot fill the tiles that they lie in, and the matrix unit. */
#ifndef TP_ANALYZE_PADDING_FIT_H
#define TP_ANALYZE_PADDING_FIT_H

#include "model/hlo.h"

enum tp_dim_meaning {
	TP_DIM_BATCH,
	TP_DIM_FEATURE,
	TP_DIM_INPUT_FEATURE,
	TP_DIM_OUTPUT_FEATURE,
	TP_DIM_SPATIAL,
	TP_DIM_CONTRACTING,
	TP_DIM_ROWS,    /* of a dot: what of the left operand is not contracted */
	TP_DIM_COLUMNS, /* likewise of the right one */
	TP_DIM_NONE,    /* the tile has more dimensions than the array */
};
extern const char *const tp_dim_meaning_names[TP_DIM_NONE + 1]; /* "input feature" */

struct tp_fit_dim {
	enum tp_dim_meaning meaning;
	enum tp_axis axis;
	uint64_t size, padded;
	uint64_t multiple; /* whole multiples of it need no padding */
};

struct tp_fit_shape {
	struct tp_slice text;          /* with layout */
	const struct tp_fit_dim *dims; /* minor to major */
	uint32_t count;
	/* elements / padded elements; NaN: the layout has no tiles, or there is no element */
	double fit;
};

enum tp_fit_role { TP_FIT_OUTPUT, TP_FIT_LHS, TP_FIT_RHS, TP_FIT_ROLES };
extern const char *const tp_fit_role_names[TP_FIT_ROLES];

struct tp_product_fit {
	struct tp_slice name; /* of the convolution or dot */
	bool convolution;
	/* A convolution that computes the gradient of a kernel: likely, as its window is larger than its result and the
	 * framework's name says so. What HLO calls its batch and feature are the features and the batch of the layer. */
	bool kernel_gradient;
	struct tp_fit_shape shapes[TP_FIT_ROLES];
	enum tp_fit_role worst;
	double fit; /* of the worst shape; NaN: of none is it known */
	/* What the product has to offer to a matrix unit: how many terms a result sums (of a convolution over the window too), and
	 * rows (batch and positions) and columns (output features) of the result. */
	uint64_t contracted, rows, columns;
};

/* Whether this instruction is a convolution or dot that can be judged. */
bool tp_is_product(const struct tp_hlo_instruction *i);

/* The fit alone, without copying anything; NaN when it is not known. */
double tp_product_fit(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i);

/* Everything about it; texts and dimensions in arena. */
void tp_product_judge(const struct tp_hlo_module *m, const struct tp_hlo_instruction *i,
	struct tp_arena *arena, struct tp_product_fit *out);

/* The largest share of a matrix unit of side × side that this product can keep busy, however it is arranged: the terms of
 * a sum along one side, the better fitting of rows and columns along the other. NaN when side is 0. */
double tp_matrix_unit_share(const struct tp_product_fit *p, unsigned side);

/* Multipliers along a side of the matrix unit of this device ("TPU v5 lite"); 0: not known. */
unsigned tp_matrix_unit_side(struct tp_slice device_type);

/* "batch 16 → 128, feature 3 → 8": the dimensions that are padded, as the layer calls them; empty when none is. sizes_only:
 * "batch 128, feature 8", the smallest sizes not below today's that need no padding. */
struct tp_slice tp_fit_dims_text(
	const struct tp_product_fit *p, enum tp_fit_role role, bool sizes_only, struct tp_arena *arena);

/* The meaning of a dimension for the layer: in a kernel's gradient batch and features trade places. */
enum tp_dim_meaning tp_layer_meaning(
	const struct tp_product_fit *p, enum tp_fit_role role, enum tp_dim_meaning meaning);

#endif
