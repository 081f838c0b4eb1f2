/* The iterations of one thread or stream: each range of a level by itself, or the parts of a training step put together. */
#ifndef TP_ANALYZE_TORCH_ITERATION_PARTS_H
#define TP_ANALYZE_TORCH_ITERATION_PARTS_H

#include "analyze/torch_steps/torch_iterations.h"

struct tp_iteration_search;

/* Of that lane; count is 0 where nothing repeats. Families are numbers of the search. */
struct tp_torch_engine tp_iteration_engine(struct tp_iteration_search *s, uint32_t lane);

#endif
