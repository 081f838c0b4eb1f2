/* Steps of a profile that marks none: what repeats on its timelines, and how sure that is. Pure: runs in, spans out. */
#ifndef TP_ANALYZE_STEP_INFER_H
#define TP_ANALYZE_STEP_INFER_H

#include "analyze/core/intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_pass_ctx;
struct tp_slice;
struct tp_steps;

/* One run of a program on a core, or one outermost call on a thread. */
struct tp_run {
	uint32_t kind; /* which program or function */
	int64_t start_ps, end_ps;
};

static inline void
tp_run_widen(struct tp_run *run, int64_t start_ps, int64_t end_ps)
{
	run->start_ps = tp_earlier(run->start_ps, start_ps);
	run->end_ps = tp_later(run->end_ps, end_ps);
}

/* In order of start; of equals by kind. */
void tp_runs_sort(struct tp_run *runs, size_t count);

/* One timeline, in order of start. */
struct tp_runs {
	const struct tp_run *runs;
	uint32_t count;
};

/* A step begins where a run of `kind` begins, and lasts until the next one begins, so that steps add up to the time that they
 * take, and a device that waits for its input shows it: the gap is part of the step. But it lasts only until its own runs
 * have ended
 * - where a run follows that does not belong to steps, such as of an evaluation: what runs between less than half of all
 *   pairs of neighbours does not belong, when it takes a tenth of a usual step or more,
 * - after the last, where nothing shows how long the gap is.
 *
 * The confidence is the product of four shares, each 1 when nothing speaks against it. */
struct tp_repetition {
	uint32_t kind;    /* what runs longest in all, of all that runs three times or more */
	uint32_t runs;    /* of it, on the timeline that has most */
	double gap_share; /* usual gap between the runs of a step and the next, of a usual step */
	double covered;   /* time of runs within steps over that of all runs */
	/* 1 − median distance of a step's length from the median length, over that length */
	double regular;
	double agreeing; /* runs of it over as many as there would be if each timeline had `runs` */
	double enough;   /* 1 − 1 / runs */
	uint32_t group;  /* another kind runs after every so many of them, 2 or more; 0: none does */
	uint32_t group_kind; /* which: perhaps that is what ends a step */
	double confidence;   /* their product */
};

/* Below this no steps are shown. */
#define TP_INFERENCE_THRESHOLD 0.5

enum { TP_INFERENCE_RUNS = 3 }; /* fewer are no repetition */

struct tp_inferred_step {
	uint32_t run; /* index of the run that it begins with */
	int64_t start_ps, end_ps;
	int64_t work_end_ps; /* when its own runs have ended */
	bool last;           /* no other follows on its timeline */
};

struct tp_inferred_steps {
	struct tp_inferred_step *steps;
	uint32_t count;
};

/* The steps of each timeline (an array as long as timelines), in scratch. NULL when nothing runs three times on any. */
struct tp_inferred_steps *tp_infer_steps(const struct tp_runs *timelines, size_t count,
	struct tp_repetition *out, struct tp_arena *scratch);

/* Takes what repeats for steps if that is sure enough: sets s->inferred; else the reason says why not. */
void tp_steps_infer(const struct tp_pass_ctx *ctx, struct tp_steps *s,
	const struct tp_repetition *found, struct tp_slice *reason);

#endif
