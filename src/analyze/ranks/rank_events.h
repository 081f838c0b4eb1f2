/* What a summary keeps of event files (proto/rank.proto). */
#ifndef TP_ANALYZE_RANK_EVENTS_H
#define TP_ANALYZE_RANK_EVENTS_H

#include "rank.pb-c.h"

#include <stddef.h>

struct tp_arena;
struct tp_event_run;

/* Those of a folder, with at most so many points of each scalar. step_s: wall time a step; NaN: not known. */
Tp__Rank *tp_rank_of_events(
	const struct tp_event_run *run, double step_s, size_t most, struct tp_arena *arena);

#endif
