/* The events of the profile as outputs that other tools open ask for them. */
#ifndef TP_ANALYZE_RUN_EVENTS_H
#define TP_ANALYZE_RUN_EVENTS_H

#include "analyze/core/ctx.h"
#include "base/map.h"
#include "report/run_events.h"

struct tp_line;
struct tp_profile;
struct tp_torch_trace;
struct tp_track_flow;

/* A line, and what makes its times those of all. */
struct tp_run_line {
	const struct tp_line *line;
	uint32_t number; /* in the profile */
	int64_t shift_ps;
	const struct tp_torch_trace *torch; /* whose lane it is; NULL: none */
	uint32_t first;                     /* … and its first event there */
};

/* Arrows of traces of any program, by where they come from and by where they lead to. */
struct tp_run_arrows {
	const struct tp_track_flow *flows;
	uint32_t count;
	const uint32_t *by_source; /* numbers of flows; these stand by target */
};

/* An end of a flow that no tag or number of the event tells. */
struct tp_run_link_end {
	uint32_t track, event;
	uint32_t pair; /* the same of both ends, among those of a kind */
	uint8_t kind;  /* enum tp_flow_kind */
	bool leaves;
};

/* One of several events that share what led to them. */
struct tp_run_target {
	uint64_t id; /* tp_run_link */
	uint32_t track, event;
};

struct tp_run_window {
	int64_t from_ps, to_ps;
};

enum tp_run_counter_kind { TP_RUN_TRACK, TP_RUN_TORCH_MEMORY, TP_RUN_ALLOCATOR };

struct tp_run_counter_of {
	enum tp_run_counter_kind kind;
	int64_t shift_ps;
	const void *from; /* struct tp_track_counter, struct tp_torch_trace */
	int16_t device_type, device_id;
	bool reserved;
	uint32_t host, allocator;
	int64_t ordinal;
};

struct tp_run_of {
	const struct tp_profile *profile;
	const struct tp_run_line *lines; /* by track */
	const struct tp_run_counter_of *counters;
	const struct tp_run_arrows *arrows; /* one for each file that has tracks */
	size_t arrow_count;
	const struct tp_run_link_end *links; /* by track, then event */
	const size_t *links_from;            /* by track: its first; one more: where all end */
	const struct tp_run_target *targets; /* by id, track, event */
	size_t target_count;
	struct tp_run_window windows[TP_TIMELINE_WINDOWS];
	size_t window_count;           /* 0: all is asked for */
	const double *late_of_host_ps; /* what its clock is corrected by */
};

/* What makes times of hosts those of all, and what clocks of PyTorch's traces are late by. */
struct tp_run_clock {
	const int64_t *shift_of_host_ps;
	const double *late_of_trace_ps;
};

/* Ids of flows by what the link is of; those of different kinds differ. */
enum tp_run_link_kind {
	TP_RUN_LAUNCH = 1,
	TP_RUN_PRODUCER = 2,
	TP_RUN_ARROW = 3,
	TP_RUN_LINK = 4,
	TP_RUN_TARGET = 5
};
static inline uint64_t
tp_run_link(enum tp_run_link_kind kind, uint64_t scope, int64_t number)
{
	return tp_hash_pair(tp_hash_pair(kind, scope), (uint64_t)number);
}

/* For struct tp_run_events (run_flows.c, run_targets.c, run_links.c, run_arguments.c, run_counters.c). */
void tp_run_flows(const struct tp_run_events *e, size_t track, uint64_t number,
	void (*put)(void *with, uint64_t id, bool leaves), void *with);
void tp_run_find_arrows(const struct tp_pass_ctx *ctx, struct tp_run_of *of);
void tp_run_find_targets(const struct tp_pass_ctx *ctx, struct tp_run_of *of, size_t tracks);
size_t tp_run_first_target(const struct tp_run_of *of, uint64_t id);
void tp_run_find_links(const struct tp_pass_ctx *ctx, struct tp_run_of *of, size_t tracks);
void tp_run_arguments(const struct tp_run_events *e, size_t track, uint64_t number,
	void (*put)(void *with, const struct tp_run_argument *argument), void *with);
bool tp_run_point(
	const struct tp_run_events *e, size_t counter, uint64_t number, struct tp_run_point *out);
void tp_run_find_counters(const struct tp_pass_ctx *ctx, const struct tp_run_clock *clock,
	struct tp_run_of *of, struct tp_run_events *out);

/* What each trace of PyTorch's clock is late by, 0 where it is not known, and what is said of that (run_clocks.c). */
void tp_run_find_clocks(const struct tp_pass_ctx *ctx, double *late_ps, struct tp_run_events *out);

/* Whether a time is in a part that is asked for. */
static inline bool
tp_run_is_wanted(const struct tp_run_of *of, int64_t from_ps, int64_t to_ps)
{
	for (size_t i = 0; i < of->window_count; i++) {
		if (from_ps < of->windows[i].to_ps && to_ps >= of->windows[i].from_ps)
			return true;
	}
	return of->window_count == 0;
}

extern const struct tp_pass tp_pass_run_events;

#endif
