/* What kernels do, by their names: kernels of two kinds of hardware, or of two libraries, have no name in common, but they do the same. */
#ifndef TP_ANALYZE_KERNEL_FAMILY_H
#define TP_ANALYZE_KERNEL_FAMILY_H

#include "base/slice.h"

/* "Attention", "GEMM", "Elementwise" …, of a name as tp_kernel_short_name gives it; "Other" where the name does not tell. */
struct tp_slice tp_kernel_family(struct tp_slice short_name);

/* The same with the whole name at hand, which is asked where the short one tells nothing: what composable kernels (ck_tile::kentry) and
 * rocPRIM (trampoline_kernel) do stands in their template arguments alone. */
struct tp_slice tp_kernel_family_in(struct tp_slice short_name, struct tp_slice name);

#endif
