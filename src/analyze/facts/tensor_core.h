/* Matrix units of GPUs: which kernels used them, and which operations could. */
#ifndef TP_ANALYZE_TENSOR_CORE_H
#define TP_ANALYZE_TENSOR_CORE_H

#include "base/slice.h"

enum tp_tensor_core {
	TP_TENSOR_CORE_NOT_USED,
	TP_TENSOR_CORE_USED,
	TP_TENSOR_CORE_NOT_TOLD, /* a compiler chose, and did not write it into the kernel's name */
};

/* Whether a kernel used tensor cores (NVIDIA) or matrix cores (AMD), by its name. */
enum tp_tensor_core tp_kernel_tensor_core(struct tp_slice kernel);

/* Whether an operation of this name and type could use them: products and convolutions. Names of TensorFlow ("layer/MatMul",
 * type "MatMul"), of JAX primitives ("jit(f)/dot_general") and of HLO instructions ("gemm_fusion_dot.5"); the type may be
 * empty. */
bool tp_op_tensor_core_eligible(struct tp_slice op, struct tp_slice type);

/* The same of an einsum, by its equation: products of two operands ("ab,bc->ac"). */
bool tp_einsum_tensor_core_eligible(struct tp_slice equation);

#endif
