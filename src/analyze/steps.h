/* Steps: how long each training step took and into which classes its time falls. */
#ifndef TP_ANALYZE_STEPS_H
#define TP_ANALYZE_STEPS_H

#include "analyze/pass.h"
#include "analyze/stats.h"
#include "analyze/time_class.h"

#include <stdint.h>

/* The TPU page's own figures (minimum, maximum or mean over cores; together they may exceed the step). */
enum tp_tpu_part {
	TP_TPU_COMPUTE, /* minimum over cores of what is not infeed, outfeed, host transfer or idle; holds all-reduce */
	TP_TPU_INFEED,  /* maximum over cores */
	TP_TPU_OUTFEED, /* mean over cores */
	TP_TPU_IDLE,
	TP_TPU_ALL_REDUCE_COMPUTE, /* of the core with the longest: what the fastest core needs for the same collective */
	TP_TPU_ALL_REDUCE_SYNC, /* … and its wait for the others */
	TP_TPU_PART_COUNT
};

struct tp_step {
	struct tp_slice name; /* as the marker says it: "4231", "train 7" */
	double time_ps;       /* the longest over cores and hosts */
	double class_ps
		[TP_CLASS_COUNT]; /* mean over cores (hosts where there is no core); the parts sum to time_ps */
	double copy_ps; /* of class compute: moving and formatting data; zero unless tp_steps.tpu */
	double tpu_ps[TP_TPU_PART_COUNT]; /* zero unless tp_steps.tpu */
	double input_ps; /* waiting for input: on a TPU the longest over cores, else class input wait */
	double output_ps; /* likewise */
};

struct tp_steps {
	bool
		tpu; /* from the Steps lines of TPU cores; else from step markers by sweeping over events */
	struct tp_step *steps; /* that enter the statistics, in order */
	size_t count;
	size_t seen;          /* markers of different steps that the profile holds */
	size_t trimmed;       /* first and last, left out because they may be cut off */
	size_t incomplete;    /* not on every core, or without any work */
	size_t timelines;     /* cores (hosts) that the means go over */
	bool gpu;             /* the sweep saw device events */
	struct tp_stats time; /* of time_ps */
	double class_mean_ps[TP_CLASS_COUNT];
	double copy_mean_ps;
	double tpu_mean_ps[TP_TPU_PART_COUNT];
	double input_share, output_share; /* Σ waiting / Σ step time */
	size_t slowest;                   /* index */
};

/* Whether the first or last step is so much shorter than the median that the capture may have cut it. */
bool tp_steps_cut(const struct tp_steps *s);

/* Whether waiting for input would be seen: on a host without a device only if it ever was, for then nothing but input
 * iterators shows it. */
bool tp_steps_show_input(const struct tp_steps *s);

/* struct tp_steps; skipped with the reason when the profile holds no usable step markers */
extern const struct tp_pass tp_pass_steps;

/* What it says (steps_present.c). */
void tp_steps_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
enum tp_status tp_steps_present(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc, struct tp_err *err);

/* Fill in steps from one source; false when it has none. Memory from ctx->keep. reason: why, when none. */
bool tp_steps_from_tpu(
	const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason);
bool tp_steps_from_markers(
	const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason);

/* What charts and tables show: the classes, with compute as arithmetic and copies. */
struct tp_step_part {
	const char *key, *label;
	enum tp_hue hue;
	int tint;
};
enum { TP_STEP_PART_COUNT = TP_CLASS_COUNT + 1 };
struct tp_step_part tp_step_part(size_t part); /* in stacking order, below TP_STEP_PART_COUNT */
double tp_step_part_ps(const struct tp_step *step, size_t part);
double tp_step_part_mean_ps(const struct tp_steps *steps, size_t part);

/* Thresholds of the peer's input-bound classification (op_stats_to_input_pipeline_analysis.cc). */
#define TP_INPUT_HIGH_SHARE 0.20
#define TP_INPUT_MODERATE_SHARE 0.05
#define TP_OTHER_SHARE 0.03

enum tp_input_verdict {
	TP_INPUT_UNKNOWN,
	TP_INPUT_NONE,
	TP_INPUT_POTENTIAL, /* too much of the step is covered by no event to say */
	TP_INPUT_MODERATE,
	TP_INPUT_HIGH,
};
enum tp_input_verdict tp_input_verdict(const struct tp_steps *s); /* s may be NULL */
const char *tp_input_verdict_name(enum tp_input_verdict v); /* as in the metric input.verdict */

/* Steps with more than this many lose their first and last (the peer's rule). */
enum { TP_STEPS_TRIM_ABOVE = 5 };

#endif
