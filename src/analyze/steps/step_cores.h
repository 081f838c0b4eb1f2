/* Steps of TPU cores: over the cores of one host or of all. */
#ifndef TP_ANALYZE_STEP_CORES_H
#define TP_ANALYZE_STEP_CORES_H

#include "analyze/steps/steps.h"

/* The TPU page's figures of a step over some cores. */
void tp_step_tpu_parts(
	const struct tp_step_cell *cells, size_t count, double parts[static TP_TPU_PART_COUNT]);

/* Counts idle time as infeed, where no operation receives input, as long as the host's step of the same number waited for
 * input or sent it (step_host_input.c): sets input_of_host if any was, shows_input if such a step had input at all. Cells:
 * [step × out->timelines + core]. */
void tp_steps_take_host_input(const struct tp_pass_ctx *ctx, struct tp_steps *out,
	const struct tp_slice *names, size_t step_count, struct tp_step_cell *cells);

/* A step over some cores, without what compares them with others: tpu_ps. */
struct tp_step tp_step_over_cores(
	const struct tp_step_cell *cells, size_t count, struct tp_slice name);

/* Fills in hosts from cells, where their source has not. */
void tp_steps_split_hosts(struct tp_steps *s, struct tp_arena *keep);

#endif
