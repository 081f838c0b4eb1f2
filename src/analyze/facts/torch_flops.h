/* What an operator of PyTorch computes, by its name and the sizes of its inputs. */
#ifndef TP_ANALYZE_TORCH_FLOPS_H
#define TP_ANALYZE_TORCH_FLOPS_H

#include "base/slice.h"

#include <stddef.h>
#include <stdint.h>

/* FLOP of one call by its name, input shapes and concrete inputs, as the trace has them; 0: not known. */
uint64_t tp_torch_flops(struct tp_slice name, struct tp_slice shapes, struct tp_slice inputs);

/* The same in two steps: the formula of a name, then its figure. */
enum { TP_TORCH_NO_FORMULA = 255 };
size_t tp_torch_formula(struct tp_slice name);
uint64_t tp_torch_flops_by(size_t formula, struct tp_slice shapes, struct tp_slice inputs);

#endif
