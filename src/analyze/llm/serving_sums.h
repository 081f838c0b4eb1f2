/* Figures over iterations: sums by kind, tokens, and what an engine's time from the first to the last is. */
#ifndef TP_ANALYZE_SERVING_SUMS_H
#define TP_ANALYZE_SERVING_SUMS_H

#include "analyze/llm/serving.h"

struct tp_arena;

/* Fills in kinds and all, of iterations. */
void tp_serving_sum_up(struct tp_serving *s, struct tp_arena *scratch);

/* Then, once it is known where iterations are from: tokens, the window and its parts, and the time of a token. */
void tp_serving_find_rates(struct tp_serving *s, struct tp_arena *scratch);

#endif
