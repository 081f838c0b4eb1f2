/* What kinds of iterations look like that no annotation names: which kernels of attention run, and how much each kernel works on. By that
 * prefill is told from decode where the host takes as long for both. */
#ifndef TP_ANALYZE_TORCH_KERNEL_LOOK_H
#define TP_ANALYZE_TORCH_KERNEL_LOOK_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_iterations;
struct tp_torch_trace;

/* All launches of a kernel in one iteration. */
struct tp_kernel_launches {
	uint32_t kind, op; /* op: of the profile */
	uint32_t count;
	double threads; /* of all of them: grid × block; 0: not recorded */
};

/* Of one kind of iteration, by its first. */
struct tp_kernel_look {
	const struct tp_kernel_launches *launches; /* by op */
	size_t count;
	uint64_t attention;     /* equal where the same kernels of attention run; 0: none does */
	bool decodes, prefills; /* their names say so */
};

/* Kernels of the first iteration of each kind, gathered in any order. */
struct tp_kernel_looks {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	struct tp_kernel_launches *all;
	size_t count, room;
};

void tp_kernel_looks_add(struct tp_kernel_looks *looks, uint32_t kind, uint32_t event);

/* By kind. Takes what was added. In arena. */
struct tp_kernel_look *tp_kernel_looks_of(
	struct tp_kernel_looks *looks, uint32_t kinds, struct tp_arena *arena);

/* How much more a works on than b: the ratio of threads of a launch, summed over the kernels that both have, as norms and elementwise
 * kernels launch so many for each token; NaN: they have none in common, or shapes are not recorded. */
double tp_kernel_look_ratio(const struct tp_kernel_look *a, const struct tp_kernel_look *b);

/* Whether kinds may be one family: they attend alike, and work on about as much. */
bool tp_kernel_looks_alike(const struct tp_kernel_look *a, const struct tp_kernel_look *b);

/* Says which families are prefill, decode or both, as far as that shows: by the names of their attention, else by how much they work on
 * beside the family that runs most often, else by how long they take. look: by family. */
void tp_kernel_looks_name(struct tp_torch_iterations *out, const struct tp_kernel_look *const *look,
	const double *median_ps);

#endif
