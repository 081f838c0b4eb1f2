/* The steps of PyTorch traces: when each began and ended, and the roles that its time falls into. */
#ifndef TP_ANALYZE_TORCH_STEPS_H
#define TP_ANALYZE_TORCH_STEPS_H

#include "analyze/core/ctx.h"
#include "analyze/torch_steps/torch_role.h"

#include <stdint.h>

struct tp_torch_step {
	struct tp_slice name;                 /* "7" of ProfilerStep#7 */
	int64_t start_ps, end_ps;             /* until the end of the device work that it launched */
	int64_t host_start_ps, host_end_ps;   /* as the host marked it */
	int64_t role_ps[TP_TORCH_ROLE_COUNT]; /* sum to end − start */
	uint32_t work_count;                  /* pieces of device work that it launched */
};

/* Of one trace. */
struct tp_torch_trace_steps {
	struct tp_torch_step *steps;
	uint32_t count;
	uint32_t seen;       /* marks in the trace */
	uint32_t trimmed;    /* last ones, left out because their device work is missing or cut off */
	bool marked;         /* ProfilerStep marks them; else there is one, "0", of the whole trace */
	bool on_device;      /* calls inside them launched device work: their ends are its ends */
	uint32_t unrecorded; /* kernels launched of which the trace holds none (torch_unrecorded.h) */
	bool role_known[TP_TORCH_ROLE_COUNT]; /* could have been recorded: 0 is then a figure */
	double sum_ps, role_sum_ps[TP_TORCH_ROLE_COUNT];   /* of all steps */
	double mean_ps, role_mean_ps[TP_TORCH_ROLE_COUNT]; /* NaN: no step */
	struct tp_torch_roles roles;                       /* of the whole trace */
};

struct tp_torch_stepped {
	struct tp_torch_trace_steps *traces; /* by trace */
};

/* struct tp_torch_stepped */
extern const struct tp_pass tp_pass_torch_steps;

#endif
