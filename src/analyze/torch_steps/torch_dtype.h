/* Sizes of the element types that PyTorch traces name. */
#ifndef TP_ANALYZE_TORCH_DTYPE_H
#define TP_ANALYZE_TORCH_DTYPE_H

#include "base/slice.h"

#include <stdint.h>

/* Bytes of one element: of the C++ names of "Input type" ("float", "c10::BFloat16", "long int") and of the names of dtype
 * ("Float", "BFloat16", "Long"). 0: not a type of tensor elements, or one that is not known. */
uint32_t tp_torch_element_bytes(struct tp_slice type);

/* Σ of elements × size over the tensors of an operator, from its "Input Dims" and "Input type" as compact JSON. Tensors in
 * lists count; what is no tensor does not. -1: no tensor of a known type is told. */
int64_t tp_torch_shapes_bytes(struct tp_slice shapes, struct tp_slice types);

#endif
