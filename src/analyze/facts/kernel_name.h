/* Short names of kernels, for people. */
#ifndef TP_ANALYZE_KERNEL_NAME_H
#define TP_ANALYZE_KERNEL_NAME_H

#include "base/slice.h"

struct tp_arena;

/* "void tensorflow::functor::FillPhiloxRandomKernelLaunch<…>(…)" → "FillPhiloxRandomKernelLaunch": without return type,
 * scopes, template arguments and parameters. Where the name alone says little because the work is in an argument, that is
 * added: "EigenMetaKernel<scalar_product_op>"; or it is the name: "cutlass::Kernel2<cutlass_80_tensorop_…>(…)" →
 * "cutlass_80_tensorop_…". A name that is none of C++ stays as it is. */
struct tp_slice tp_kernel_short_name(struct tp_slice kernel, struct tp_arena *arena);

/* The function with its template arguments, "elementwise_kernel<4, FillFunctor<int>>", which tell kernels of one short name apart; the
 * whole name where it has none. */
struct tp_slice tp_kernel_typed_name(struct tp_slice kernel);

#endif
