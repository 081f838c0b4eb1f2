/* The steps of PyTorch traces: when each began and ended, and the roles that its time falls into. */
#ifndef TP_ANALYZE_TORCH_STEPS_H
#define TP_ANALYZE_TORCH_STEPS_H

#include "analyze/core/ctx.h"
#include "analyze/torch_steps/torch_iterations.h"
#include "analyze/torch_steps/torch_role.h"

#include <stdint.h>

struct tp_arena;
struct tp_torch_trace;

struct tp_torch_step {
	struct tp_slice name;                 /* "7" of ProfilerStep#7 */
	int64_t start_ps, end_ps;             /* until the end of the device work that it launched */
	int64_t host_start_ps, host_end_ps;   /* as the host marked it */
	int64_t role_ps[TP_TORCH_ROLE_COUNT]; /* sum to end − start */
	int64_t host_ps[TP_TORCH_HOST_PARTS]; /* sum to roles Runtime, CPU Exec and Other */
	/* of copies and fills: a collective runs as well, and no kernel computes, so that the collective is exposed */
	int64_t copy_beside_collective_ps;
	uint32_t work_count; /* pieces of device work that it launched */
	/* Of iterations (torch_iterations.h) alone: */
	uint32_t family;
	uint32_t parts;     /* annotations that it is made of */
	bool unmarked;      /* no annotation: between two, with the kernels of another that has one */
	int64_t work_ps[2]; /* from the first of its device work to the last; both 0: none */
	struct tp_iteration_name says; /* of unmarked ones: what the other says */
};

/* Iterations of one thread, stream or device, where others than the steps are of it have some too. */
struct tp_torch_lane_steps {
	uint32_t lane; /* TP_NONE: of all of a device */
	const struct tp_torch_step *steps;
	uint32_t count;
	/* By event, which of the steps a piece of device work is of; TP_NONE: none */
	const uint32_t *step_of_work;
};

/* Of one trace. */
struct tp_torch_trace_steps {
	struct tp_torch_step *steps;
	uint32_t count;
	uint32_t seen;    /* marks in the trace */
	uint32_t trimmed; /* last ones, left out because their device work is missing or cut off */
	bool
		marked; /* ProfilerStep marks them; else iterations are found, or there is one, "0", of the whole trace */
	enum tp_torch_from from;
	struct tp_torch_iterations iterations;   /* where from says so */
	const struct tp_torch_lane_steps *lanes; /* likewise: the first is that of the steps */
	uint32_t lane_count;
	const struct tp_torch_trace_steps *
		engine; /* where ProfilerStep marks steps: the iterations that an inference engine names; NULL: none */
	uint32_t unmarked; /* steps without an annotation */
	double confidence; /* that iterations are the steps: covered × regular × enough × separated */
	double covered;    /* device work, without any what the thread does, within them, of all */
	double regular;    /* 1 − median distance from the median of their family, over that */
	bool on_device;    /* calls inside them launched device work: their ends are its ends */
	uint32_t unrecorded; /* kernels launched of which the trace holds none (torch_unrecorded.h) */
	bool role_known[TP_TORCH_ROLE_COUNT]; /* could have been recorded: 0 is then a figure */
	bool host_divided; /* whether host_ps tells what is queued and set up; else it holds roles */
	double sum_ps, role_sum_ps[TP_TORCH_ROLE_COUNT];   /* of all steps */
	double mean_ps, role_mean_ps[TP_TORCH_ROLE_COUNT]; /* NaN: no step */
	struct tp_torch_roles roles;                       /* of the whole trace */
	/* Of a summary, which has no intervals: three for each step, as proto/rank.proto has them; else NULL. */
	const int64_t *covered_ps;
};

/* Whether iterations are those of an inference engine. */
static inline bool
tp_torch_steps_serve(const struct tp_torch_trace_steps *s)
{
	for (uint32_t f = 0; f < s->iterations.family_count; f++) {
		if (tp_iteration_serves(s->iterations.families[f].phase))
			return true;
	}
	return false;
}

/* The steps that a summary keeps of a trace (torch_steps_given.c). */
void tp_torch_steps_given(
	const struct tp_torch_trace *t, struct tp_torch_trace_steps *out, struct tp_arena *keep);

struct tp_torch_stepped {
	struct tp_torch_trace_steps *traces; /* by trace */
};

/* The iterations of an inference engine in a trace: its steps, or beside them; NULL: there are none. */
static inline const struct tp_torch_trace_steps *
tp_torch_serving_of(const struct tp_torch_stepped *stepped, uint32_t trace)
{
	const struct tp_torch_trace_steps *s = &stepped->traces[trace];

	return tp_torch_steps_serve(s) ? s : s->engine;
}

/* struct tp_torch_stepped */
extern const struct tp_pass tp_pass_torch_steps;

#endif
