/* Families of the segments in which kernels repeat: those that are alike, and what they are called. */
#ifndef TP_ANALYZE_TORCH_KERNEL_FAMILIES_H
#define TP_ANALYZE_TORCH_KERNEL_FAMILIES_H

#include "analyze/torch_steps/torch_kernel_look.h"
#include "analyze/torch_steps/torch_kernel_units.h"

/* Those that occur most often first. look: by family, that of the kind that made it. */
struct tp_kernel_families {
	uint32_t count;
	const struct tp_kernel_look *look[TP_TORCH_FAMILIES];
};

/* Fills in the family of each segment of s. In scratch. */
struct tp_kernel_families tp_kernel_families_of(
	const struct tp_kernel_search *m, const struct tp_kernel_stream *s, uint32_t *of_segment);

/* Names the families of out, which are those of f; median_ps: by family, how long they take. */
void tp_kernel_families_name(const struct tp_kernel_search *m, struct tp_torch_iterations *out,
	const struct tp_kernel_families *f, const double *median_ps);

#endif
