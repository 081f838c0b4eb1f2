/* Steps whose markers or calls only launch work: followed to when that work runs. */
#ifndef TP_ANALYZE_STEP_FOLLOW_H
#define TP_ANALYZE_STEP_FOLLOW_H

#include "analyze/steps/step_runs.h"
#include "analyze/steps/steps.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_groups;
struct tp_profile;
struct tp_windows;

struct tp_followed {
	enum tp_step_timing timing;
	uint64_t program_id; /* TP_TIMED_BY_RUN: whose runs begin steps */
	double inside_ps,
		outside_ps;           /* work while windows lasted, and at other times since the first */
	struct tp_host_runs runs; /* TP_TIMED_BY_RUN */
	const uint32_t *window_of_run; /* likewise; TP_NONE: it belongs to no step */
};

/* Moves windows to where the work that they launch runs, when more of it runs after its window than in it; false: they stay
 * as they are. Work is that of GPU streams where the host has any, else operations of XLA. window_of_group:
 * of groups, TP_NONE: none. Memory from scratch. */
bool tp_follow_launches(const struct tp_profile *p, uint32_t host, bool has_device,
	const struct tp_groups *groups, const uint32_t *window_of_group, struct tp_windows *w,
	struct tp_followed *out, struct tp_arena *scratch);

#endif
