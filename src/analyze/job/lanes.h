/* Lanes of a job's sessions and gaps, for charts of the whole run. */
#ifndef TP_ANALYZE_JOB_LANES_H
#define TP_ANALYZE_JOB_LANES_H

#include "analyze/job/end_to_end.h"
#include "report/doc.h"

struct tp_profile;

/* A lane of periods, which are sorted by their begin and put into the axis. Of more than can be told apart, neighbours are drawn as
 * one that says how many they are. */
struct tp_lane tp_job_lane(const struct tp_pass_ctx *ctx, const char *label,
	struct tp_period *periods, size_t count, double low, double high);

/* One lane for each phase from first to last that there was; times since 1970. Returns how many; lanes: room for TP_PHASE_COUNT. */
size_t tp_job_phase_lanes(const struct tp_pass_ctx *ctx, const struct tp_e2e *e,
	enum tp_phase first, enum tp_phase last, double low, double high, struct tp_lane *lanes);

/* When the profile was taken, by the clocks of its hosts, since 1970; NaN: not known. */
void tp_run_window(const struct tp_profile *p, double *from_s, double *to_s);

/* "profile, 1.00 s" */
struct tp_slice tp_run_window_label(const struct tp_pass_ctx *ctx, double from_s, double to_s);

struct tp_phase_look {
	const char *name;
	enum tp_hue hue;
	int tint;
};
extern const struct tp_phase_look tp_phase_looks[TP_PHASE_COUNT];

/* The name of one span: "training 2". */
struct tp_slice tp_e2e_span_name(const struct tp_pass_ctx *ctx, const struct tp_e2e_span *span);

#endif
