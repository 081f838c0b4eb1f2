/* Groups of a host's events, each a step when it has a marker; windows that stand in for markers, or that these are followed
 * to. */
#ifndef TP_ANALYZE_STEP_REGROUP_H
#define TP_ANALYZE_STEP_REGROUP_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_followed;
struct tp_groups;
struct tp_host_op;
struct tp_profile;
struct tp_windows;

/* A host whose steps are looked for. */
struct tp_marking_host {
	const struct tp_profile *p;
	uint32_t host;
	bool has_device;
	const struct tp_host_op *ops;
	struct tp_arena *scratch;
	bool without_work;                /* steps without any are wanted as well */
	const struct tp_windows *windows; /* that steps are inferred from; NULL: they are marked */
};

struct tp_step_span {
	int64_t start_ps, end_ps;
	bool there;
};

/* One group of one host: a step, when it has a marker. */
struct tp_step_group {
	struct tp_step_span host_marker, device_marker, device_hull;
	struct tp_slice name; /* of the marker */
	int64_t number;
	bool numbered;
	size_t first, count; /* of its intervals, once they are sorted */
};

/* Windows of inferred steps stand in for markers. The call that a window begins with is no work of its own when it holds
 * others. */
void tp_set_windows(const struct tp_profile *p, const struct tp_windows *w,
	const struct tp_groups *found, struct tp_step_group *groups);

/* Asking for the next batch is part of the loop, also on a thread that no flow leads to: by time, then. So is all that the
 * host does (`all`), where steps are followed to when the device works. */
void tp_add_by_time(const struct tp_marking_host *h, const struct tp_windows *w, uint32_t line,
	bool all, struct tp_groups *found);

/* The markers of a host in order of start, and which group each is of. Empty when a device marks its steps itself. */
struct tp_windows tp_windows_of_markers(const struct tp_marking_host *h,
	const struct tp_step_group *groups, int32_t count, uint32_t **window_of_group);

/* Which window an event belongs to that is followed: operations of XLA and work of GPUs by what launched it, what the host
 * does by its time. Markers themselves belong to none. */
void tp_regroup(const struct tp_marking_host *h, const struct tp_followed *f,
	const uint32_t *window_of_group, const struct tp_windows *w, struct tp_groups *found);

/* The windows are the steps now. */
struct tp_step_group *tp_groups_of_windows(
	const struct tp_marking_host *h, const struct tp_windows *w);

#endif
