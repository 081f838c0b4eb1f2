/* Which step each event of a host belongs to. */
#ifndef TP_ANALYZE_STEP_GROUPS_H
#define TP_ANALYZE_STEP_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_group_column;
struct tp_profile;

struct tp_groups {
	/* by line of the profile; NULL: no event of the line is in any */
	struct tp_group_column **of_event;
	int32_t count; /* groups are numbered from 0, in order of their roots */
};

/* Groups as the profiler wrote them (group_id), where it did. Otherwise: every root event (_r) that is in no group starts
 * one, in order of level and start; what is nested in it on its thread belongs to it, and so does what consumes (_ct, _c)
 * what a member produces (_pt, _p), with all that is nested there. Events on GPU streams follow the host event that
 * launched them (correlation_id). Source of the rule: group_events.cc of XLA. Arrays live in scratch. */
void tp_group_events(
	const struct tp_profile *p, uint32_t host, struct tp_groups *out, struct tp_arena *scratch);

struct tp_windows;

/* A group for each window of a host's main thread: what begins in it there, with what is nested in it and what that causes
 * elsewhere, by the same flows. */
void tp_group_windows(const struct tp_profile *p, uint32_t host, const struct tp_windows *windows,
	struct tp_groups *out, struct tp_arena *scratch);

#endif
