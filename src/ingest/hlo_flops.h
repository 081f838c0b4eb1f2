/* What the matrix products of an HLO module compute, by their shapes. XLA states no costs of a GPU's kernels, but the program that it
 * compiled is in the profile. */
#ifndef TP_INGEST_HLO_FLOPS_H
#define TP_INGEST_HLO_FLOPS_H

#include "model/hlo.h"

/* Of one run of an instruction: of a dot or convolution, of a fusion all that is fused, of a custom call what the library computes. */
struct tp_hlo_products {
	uint64_t flops; /* a multiply-add counts 2; the largest number where it does not fit */
	uint32_t type;  /* of the operands of the largest product, in xla.PrimitiveType */
	bool library;   /* cuBLAS or cuDNN do it, whose kernels have names of their own */
	bool unknown;   /* it is a product, but not to be read here */
};

/* By instruction of the module; in arena. Formulas: 2 × elements of the result × the contracted sizes; of a convolution 2 × elements of
 * the output × sizes of its window × input features of the kernel (as HloCostAnalysis, padding counted). */
const struct tp_hlo_products *tp_hlo_products_of(
	const struct tp_hlo_module *m, struct tp_arena *arena);

/* "bf16", "f32"; empty: not known. */
struct tp_slice tp_hlo_products_type(const struct tp_hlo_products *products);

#endif
