/* Short names of kernels, for people. */
#ifndef TP_ANALYZE_KERNEL_NAME_H
#define TP_ANALYZE_KERNEL_NAME_H

#include "base/slice.h"

struct tp_arena;
struct tp_cell;
struct tp_table;

/* "void tensorflow::functor::FillPhiloxRandomKernelLaunch<…>(…)" → "FillPhiloxRandomKernelLaunch": without return type,
 * scopes, template arguments and parameters. Where the name alone says little because the work is in an argument, that is
 * added: "EigenMetaKernel<scalar_product_op>"; or it is the name: "cutlass::Kernel2<cutlass_80_tensorop_…>(…)" →
 * "cutlass_80_tensorop_…". A name that is none of C++ stays as it is. */
struct tp_slice tp_kernel_short_name(struct tp_slice kernel, struct tp_arena *arena);

/* What tells different kernels of one short name apart: of each the words, as few as it takes, "half, float", in arena or of its name. All are
 * empty where no few words do. */
void tp_kernel_differences(const struct tp_slice *names, size_t count, struct tp_slice *differences,
	struct tp_arena *arena);

/* What tables and the timeline show of an operation's name: short of a kernel that has one of C++, else all of it. */
struct tp_slice tp_kernel_shown(struct tp_slice name, struct tp_arena *arena);

/* The name of an operation: short and whole of a kernel that has one of C++. */
void tp_kernel_put_name(struct tp_slice name, struct tp_arena *arena, struct tp_cell *cell);

/* Different kernels of one short name in a column of such names: what tells them apart is added. */
void tp_kernel_tell_rows_apart(struct tp_table *table, size_t column, struct tp_arena *arena);

#endif
