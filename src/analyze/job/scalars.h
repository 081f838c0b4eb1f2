/* Scalars of event files over the whole run, and how steadily it went: by tag and by run. */
#ifndef TP_ANALYZE_SCALARS_H
#define TP_ANALYZE_SCALARS_H

#include "analyze/core/ctx.h"
#include "model/points.h"
#include "report/doc.h"

#include <stdbool.h>
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
	int64_t not_finite_at;            /* the lowest step of those that are not finite */
};

/* Where the wall time of a run went; the parts sum to it. */
enum tp_pace_part {
	TP_PACE_STEPS,
	TP_PACE_AGAIN, /* steps that a restart did again */
	TP_PACE_RESTART,
	TP_PACE_EVAL,
	TP_PACE_SAVE,
	TP_PACE_GAP, /* nothing in the files says why */
	TP_PACE_BEFORE,
	TP_PACE_AFTER,
	TP_PACE_PARTS
};

struct tp_pace_part_info {
	const char *key;   /* in metric ids: events.<key>_s */
	const char *label; /* "steps" */
	const char *how;   /* what it is and how it is known */
	enum tp_hue hue;
	int tint;
};
extern const struct tp_pace_part_info tp_pace_parts[TP_PACE_PARTS];

/* Time between points that steps do not cover: an interval of more than TP_PACE_GAP_FACTOR times the usual, or one with a restart, counts as
 * its steps × the median, at its end. */
struct tp_pace_gap {
	double from_s, to_s; /* since 1970 */
	int64_t after_step;
	enum tp_pace_part cause; /* RESTART, EVAL, SAVE, GAP */
	double again_s;          /* RESTART: of its time, what was work and is void */
};
enum { TP_PACE_GAP_FACTOR = 5 };

struct tp_pace_restart {
	double at_s;         /* of its mark; without one: of the first point whose step goes back */
	double lost_until_s; /* the latest point that it makes void; NaN: it makes none so */
};

/* How a run went from point to point of the tag that was written most often. */
struct tp_scalar_pace {
	const struct tp_event_series *series; /* that tag's; NULL: no tag has two points, or … */
	bool thinned;                         /* … a summary keeps some of them alone, or … */
	bool evaluation;                      /* … they are of evaluations, which are no steps */
	uint64_t intervals;                   /* between points whose step and wall time both grow */
	double step_s;                        /* median wall time a step; NaN: none */
	double in_steps_s; /* of wall time; what two programs cover at once counts once */
	double gap_s;
	struct tp_pace_gap *gap_list; /* by time */
	uint32_t gap_count;
	const struct tp_pace_restart *restarts; /* by time */
	size_t restart_count;
	double part_s[TP_PACE_PARTS];       /* of the main run alone */
	double wall_s;                      /* from the first record to the last */
	double first_point_s, last_point_s; /* of that tag; NaN: none */
	uint32_t backwards;                 /* intervals in which steps go on and the clock does not */
	uint32_t overlaps;                  /* intervals in which both go back: two programs wrote */
	uint32_t turns;                     /* intervals in which steps alone go back, without a mark */
	double window_from_s, window_to_s;  /* wall time of the profile; NaN: not known */
	double window_from_step, window_to_step; /* steps in which it lies; NaN: in none */
};

struct tp_scalar_run {
	const struct tp_event_run *run;
	struct tp_slice name; /* folder relative to what all runs share; "." the folder itself */
	bool evaluation;      /* by the name of its folder */
	struct tp_scalar_pace pace;
};

struct tp_scalars {
	struct tp_scalar_run *runs; /* by folder */
	uint32_t run_count, main;   /* main: the run with the most points; evaluations last */
	/* what people look at first, first: loss, accuracy, learning rate, speed */
	const struct tp_scalar *scalars;
	uint32_t scalar_count;
	uint64_t points, records, damaged, purged;
	int64_t last_step; /* of all points */
};

/* What the points of a series come to. */
struct tp_scalar tp_scalar_of(const struct tp_event_series *series, uint32_t run);

/* struct tp_scalars */
extern const struct tp_pass tp_pass_scalars;

/* The pace of a run, but for causes and parts (scalars_pace.c). */
void tp_scalars_pace(const struct tp_pass_ctx *ctx, const struct tp_event_run *run, bool evaluation,
	struct tp_scalar_pace *pace);

/* From a point to the next. */
struct tp_pace_interval {
	double steps, from_s, to_s;
	int64_t from_step, to_step;
};

/* A walk over the points of a series, from {.points = tp_points_walk(…)}. */
struct tp_pace_walk {
	struct tp_points_walk points;
	uint64_t behind; /* points */
	int64_t step;
	double wall_s;
};
bool tp_pace_next(struct tp_pace_walk *w, struct tp_pace_interval *out);

/* Why it is not known how the wall time was spent; empty: it is. */
struct tp_slice tp_pace_unknown(const struct tp_scalar_pace *pace);
struct tp_value tp_pace_goodput(const struct tp_scalar_pace *pace);

/* Seconds from the first record to the last. */
struct tp_value tp_pace_wall(const struct tp_scalar_pace *pace);

/* Why the gaps of the main run are there, and the parts of its wall time (scalars_parts.c). */
void tp_scalars_parts(const struct tp_pass_ctx *ctx, const struct tp_scalars *s);

/* What it says (scalars_present.c). */
void tp_scalars_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* "0.0123", as many digits as its precision needs: a text, for scalars have no unit and no usual size. */
struct tp_slice tp_scalars_digits(const struct tp_pass_ctx *ctx, double value);

/* Whether there are several runs that make steps; the main one is told of then by its name. */
bool tp_scalars_several(const struct tp_scalars *s);

/* Where wall time went, gaps and marks of the main run (scalars_time.c); hyperparameters and values that are no scalars
 * (scalars_others.c). */
void tp_scalars_time(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section);
void tp_scalars_others(const struct tp_pass_ctx *ctx, const struct tp_scalars *s,
	struct tp_doc *doc, struct tp_block *section);

/* Curves of the tags (scalars_chart.c). */
void tp_scalars_chart(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section);

/* One axis that all charts over it share. */
struct tp_scalar_axis {
	bool wall; /* else steps */
	double low, high;
	struct tp_slice key;         /* in ids: "" of wall time, "-by-step" */
	struct tp_slice words;       /* "wall time" */
	const struct tp_lane *lanes; /* NULL: none */
	size_t lane_count;
	const struct tp_moment *moments;
	size_t moment_count;
	double window_from, window_to; /* NaN: none */
	struct tp_slice window_label;
};

/* Marks on an axis, whose ends are known, what there is of sessions, gaps, restarts and the profile's window (scalars_marks.c). Wall
 * time is widened to the sessions of the job. */
void tp_scalar_mark(
	const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_scalar_axis *axis);

#endif
