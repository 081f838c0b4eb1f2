/* Steps of single hosts, before they are joined. Events are put into groups, by markers or by calls that repeat; groups whose
 * work runs later are followed to it; and each is swept by priority. */
#ifndef TP_ANALYZE_STEP_HOSTS_H
#define TP_ANALYZE_STEP_HOSTS_H

#include "analyze/core/intervals.h"
#include "analyze/core/sweep.h"
#include "analyze/steps/step_infer.h"
#include "analyze/steps/steps.h"
#include "base/buf.h"
#include "base/map.h"

/* What operations' names say, worked out once an operation instead of once an event. */
struct tp_host_op {
	bool marker, wrapper;
	enum tp_event_type type, type_correlated;
};
const struct tp_host_op *tp_read_host_names(
	const struct tp_profile *p, bool has_device, struct tp_arena *scratch);

/* A host whose steps are looked for. */
struct tp_marking_host {
	const struct tp_profile *p;
	uint32_t host;
	bool has_device;
	const struct tp_host_op *ops;
	struct tp_arena *scratch;
	bool without_work;          /* steps without any are wanted as well */
	struct tp_windows *windows; /* that steps are inferred from; NULL: they are marked */
};

/* Groups: which step each event belongs to (step_groups.c). */
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
	const struct tp_marking_host *h, struct tp_groups *out, struct tp_arena *scratch);

/* A group for each window of a host's main thread: what begins in it there, with what is nested in it and what that causes
 * elsewhere, by the same flows. */
void tp_group_windows(const struct tp_marking_host *h, struct tp_groups *out);

/* Calls on the main thread of a host that marks no steps (step_infer_host.c). */
struct tp_window {
	uint32_t event; /* the call that it begins with, on the line */
	int64_t start_ps, end_ps;
	int64_t number;
	bool numbered; /* the call says its step number */
};

struct tp_windows {
	uint32_t line; /* of the profile: the main thread */
	struct tp_window *list;
	uint32_t count;
	struct tp_slice name; /* of the calls: "PjitFunction(train_step)" */
	struct tp_repetition repetition;
};

/* False when the host shows no main thread, or nothing on it is called three times. Memory from scratch. */
bool tp_infer_windows(
	const struct tp_profile *p, uint32_t host, struct tp_windows *out, struct tp_arena *scratch);

/* Runs of programs on a host itself, XLA on the CPU (step_runs.c). */
struct tp_host_runs {
	struct tp_run *runs; /* from the first operation to the last; kind: index into program_ids */
	uint32_t count;
	uint64_t *program_ids;
	uint32_t program_count;
	/* by line, then by event: its own run, or that of the first operation nested in it; TP_NONE: none; NULL: no operation of
	 * the line says its run */
	uint32_t **of_event;
};

/* Operations with the same program and run id are one run. Memory from scratch. */
struct tp_host_runs tp_host_runs_of(
	const struct tp_profile *p, uint32_t host, struct tp_arena *scratch);

/* Steps whose markers or calls only launch work, followed to when that runs (step_follow.c). */
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
 * of groups, TP_NONE: none. */
bool tp_follow_launches(const struct tp_marking_host *h, const struct tp_groups *groups,
	const uint32_t *window_of_group, struct tp_windows *w, struct tp_followed *out);

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

/* What the events of groups say, and where their markers are (step_markers.c). */
struct tp_buf tp_take_lines(
	const struct tp_marking_host *h, const struct tp_groups *found, struct tp_step_group *groups);

/* Adds the steps of groups to a buffer, in order of start; returns how many groups had a marker. Frees what was noted. */
size_t tp_sweep_groups(const struct tp_marking_host *h, struct tp_buf *noted,
	struct tp_step_group *groups, int32_t count, struct tp_buf *steps);

/* What ran while a step lasted, whatever step it was for (step_elsewhere.c). */
struct tp_elsewhere {
	struct tp_cover any; /* by any event that says that something runs */
	/* by work of the device: streams of GPUs; without these, operations of XLA */
	struct tp_cover work;
};

/* Of a host whose steps last from each start to its end. An event that spans a whole step wraps it (a loop, a thread that
 * waits), the call that a window begins with stands for it, and a Python function says where a thread is: none of these
 * covers anything. On a host with GPUs only their work does. */
struct tp_elsewhere tp_what_ran(
	const struct tp_marking_host *h, struct tp_interval *steps, size_t count);

/* Unites the intervals in place; the cover points to them. The rest is from scratch. */
struct tp_cover tp_cover_united(
	struct tp_interval *intervals, size_t count, struct tp_arena *scratch);

/* A step of one host. */
struct tp_host_step {
	struct tp_slice name;
	int64_t number, start_ps, end_ps;
	bool numbered;
	bool asks_input; /* some event of it asks for a batch */
	/* some event of it fetches input or sends it to a device, even if other work hides it */
	bool has_input;
	int32_t group;
	uint32_t host;
	double time_ps, class_ps[TP_CLASS_COUNT];
	double to_device_ps; /* of class input wait: copies to the device */
	double work_ps;      /* while the device worked, for whatever step: GPUs, or XLA on the CPU */
};

/* Add the steps of a host to a buffer of struct tp_host_step, in order of start: those that it marks, or those that its
 * windows are taken for (both may be moved to where the work is). Return how many had a mark; those without any work in them
 * are added only where the host says so. followed: NULL where steps stay with their markers. */
size_t tp_marked_steps_of_host(
	const struct tp_marking_host *h, struct tp_followed *followed, struct tp_buf *steps);
size_t tp_inferred_steps_of_host(const struct tp_marking_host *h, struct tp_buf *steps);

/* The same of a host whose events are not there, but a summary of them (step_given.c): its steps, marked or inferred from its windows, of which
 * there are none where its steps are marked. */
void tp_given_steps_of_host(const struct tp_profile *p, uint32_t host, struct tp_buf *steps);
struct tp_windows tp_given_windows(const struct tp_profile *p, uint32_t host);
void tp_given_launched(const struct tp_profile *p, uint32_t host, struct tp_launched *out);

/* Whether work of GPUs was recorded on a host. */
bool tp_host_has_gpu_work(const struct tp_profile *p, uint32_t host);

/* What is said of a host whose markers only launch work. */
struct tp_launched tp_launched_of(
	const struct tp_profile *p, uint32_t host, const struct tp_followed *f);

/* By number and host (tp_hash_pair) the index of a step; of several with the same the first. */
struct tp_map tp_host_steps_by_number(
	const struct tp_host_step *all, size_t count, struct tp_arena *scratch);

#endif
