/* FLOP of XLA's kernels in a step. */
#ifndef TP_ANALYZE_KERNEL_FLOPS_H
#define TP_ANALYZE_KERNEL_FLOPS_H

struct tp_profile;
struct tp_steps;

/* FLOP of the matrix products of a step on all GPUs, the mean over steps: of kernels that begin in them, by the program's HLO; 0: not
 * known. */
double tp_kernel_flops_of_step(const struct tp_profile *p, const struct tp_steps *s);

#endif
