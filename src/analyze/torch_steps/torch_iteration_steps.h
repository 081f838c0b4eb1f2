/* Steps of a trace from its iterations: until the device work that each launched has ended. */
#ifndef TP_ANALYZE_TORCH_ITERATION_STEPS_H
#define TP_ANALYZE_TORCH_ITERATION_STEPS_H

#include <stdbool.h>

struct tp_arena;
struct tp_profile;
struct tp_torch_correlation;
struct tp_torch_trace;
struct tp_torch_trace_steps;

/* Fills in steps and all that is told of iterations; false: none were found, or not surely enough. wish as of
 * tp_torch_iterations_of: with one the order of kernels is not looked at. */
bool tp_torch_iteration_steps(const struct tp_profile *p, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, const char *wish, struct tp_torch_trace_steps *out,
	struct tp_arena *keep, struct tp_arena *scratch);

/* The same of an inference engine's own annotations alone, which may stand beside marks of steps; NULL: there are none. */
const struct tp_torch_trace_steps *tp_torch_engine_steps(const struct tp_profile *p,
	const struct tp_torch_trace *t, const struct tp_torch_correlation *links, struct tp_arena *keep,
	struct tp_arena *scratch);

#endif
