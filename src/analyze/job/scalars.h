/* Scalars of event files over the whole run, and how steadily it went: by tag and by run. */
#ifndef TP_ANALYZE_SCALARS_H
#define TP_ANALYZE_SCALARS_H

#include "analyze/pass.h"

#include <stdint.h>

struct tp_event_run;
struct tp_event_series;

/* One tag of one run. */
struct tp_scalar {
	const struct tp_event_series *series;
	uint32_t run;                  /* index in runs */
	uint64_t points, not_finite;   /* NaN or infinite among them */
	int64_t first_step, last_step; /* of the points as written */
	int64_t least_step, most_step;
	double first_wall_s, last_wall_s; /* since 1970 */
	double first, last;               /* values as written, NaN and infinite ones too */
	double least, most;               /* of the finite values; NaN: there are none */
	int64_t least_at, most_at;        /* steps of these */
};

/* How a run went from point to point of the tag that was written most often. */
struct tp_scalar_pace {
	const struct tp_event_series
		*series;        /* that tag's; NULL: no tag has two points at different steps */
	uint64_t intervals; /* between points whose step and wall time both grow */
	double step_s;      /* median wall time a step; NaN: none */
	double
		in_steps_s; /* of wall time; an interval of more than TP_PACE_GAP × the median counts as its steps × the median */
	double gap_s, longest_gap_s; /* the rest of such intervals */
	uint32_t gaps;
	int64_t longest_gap_step;          /* after which */
	double wall_s;                     /* from the first record to the last */
	uint32_t backwards;                /* intervals in which steps go on and the clock does not */
	double window_from_s, window_to_s; /* wall time of the profile; NaN: not known */
	double window_from_step, window_to_step; /* steps in which it lies; NaN: in none */
};
enum { TP_PACE_GAP = 5 };

struct tp_scalar_run {
	const struct tp_event_run *run;
	struct tp_slice name; /* folder relative to what all runs share; "." the folder itself */
	struct tp_scalar_pace pace;
};

struct tp_scalars {
	const struct tp_scalar_run *runs; /* by folder */
	uint32_t run_count, main;         /* main: the run with the most points */
	const struct tp_scalar
		*scalars; /* what people look at first, first: loss, accuracy, learning rate, speed */
	uint32_t scalar_count;
	uint64_t points, records, damaged, purged;
	int64_t last_step; /* of all points */
};

/* struct tp_scalars */
extern const struct tp_pass tp_pass_scalars;

/* The pace of a run (scalars_pace.c). */
void tp_scalars_pace(
	const struct tp_pass_ctx *ctx, const struct tp_event_run *run, struct tp_scalar_pace *pace);

/* What it says (scalars_present.c). */
enum tp_status tp_scalars_present(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc, struct tp_err *err);

/* Small curves of the first tags, on one axis of steps (scalars_chart.c). */
void tp_scalars_chart(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section);

#endif
