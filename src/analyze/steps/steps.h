/* Steps: how long each training step took and into which classes its time falls. */
#ifndef TP_ANALYZE_STEPS_H
#define TP_ANALYZE_STEPS_H

#include "analyze/core/ctx.h"
#include "analyze/core/limits.h"
#include "analyze/core/stats.h"
#include "analyze/core/time_class.h"
#include "analyze/steps/step_infer.h"
#include "analyze/steps/step_source.h"

#include <stdbool.h>
#include <stdint.h>

/* The TPU page's own figures (minimum, maximum or mean over cores; together they may exceed the step). */
enum tp_tpu_part {
	TP_TPU_COMPUTE, /* minimum over cores of what is not infeed, outfeed, host transfer or idle; holds all-reduce */
	TP_TPU_INFEED,  /* maximum over cores */
	TP_TPU_OUTFEED, /* mean over cores */
	TP_TPU_IDLE,
	TP_TPU_ALL_REDUCE_COMPUTE, /* of the core with the longest: what the fastest core needs for the same collective */
	TP_TPU_ALL_REDUCE_SYNC, /* … and its wait for the others */
	TP_TPU_SPARSE_CORE,     /* waiting for it, of the core that waits longest */
	TP_TPU_HOST_TRANSFER,   /* sends to and receives from the host: maximum over cores */
	TP_TPU_PART_COUNT
};

/* One step on one core of a TPU. */
struct tp_step_cell {
	bool there;
	bool unended;                  /* inferred, and nothing shows when it ended but its own runs */
	int64_t start_ps, duration_ps; /* by the chip's clock */
	int64_t host_start_ps, host_duration_ps;    /* by the host's */
	uint32_t op_count;                          /* operations that begin in it */
	double class_ps[TP_CLASS_COUNT];            /* self time of operations; idle not in it */
	double copy_ps;                             /* of class compute */
	double matrix_ps;                           /* likewise: convolutions and dots */
	double recv_ps;                             /* of class send_recv: receives */
	double sparse_infeed_ps, sparse_outfeed_ps; /* of those classes: from and to the SparseCore */
	double busy_ps;                             /* of all classes */
	/* the longest marker of this step on the core's host: xprof's step of a core */
	double host_ps;
	double collective_compute_ps, collective_total_ps; /* collectives that carry an id */
};

struct tp_arena;
struct tp_profile;
struct tp_step_slowest;

struct tp_step_core {
	uint32_t device, host; /* of the profile */
};

struct tp_step {
	struct tp_slice name; /* as the marker says it: "4231", "train 7" */
	double time_ps;       /* the longest over cores and hosts */
	double class_ps
		[TP_CLASS_COUNT]; /* mean over cores (hosts where there is no core); the parts sum to time_ps */
	double copy_ps;       /* of class compute: moving and formatting data */
	double tpu_ps[TP_TPU_PART_COUNT]; /* zero unless of cores */
	double input_ps; /* waiting for input: on a TPU the longest over cores, else class input wait */
	double output_ps;    /* likewise */
	double to_device_ps; /* of input_ps: copies to the device; NaN on a TPU: not told */
	double idle_ps; /* while the device did not work (GPUs; XLA on the CPU): mean over hosts; on a
					 * TPU of the core that is idle longest; NaN: not known */
	double input_share_min, input_share_mean, input_share_max; /* over cores (hosts) */
	uint32_t waits_most; /* the core that waits longest; of hosts, that with the largest share */
	bool unended;        /* inferred, and nothing shows when it ended but its own runs */
	bool open_start, open_end; /* began before the capture, went on after it */
	uint32_t slowest; /* the core (host of the profile, where there is none) with the longest */
	int64_t start_ps, end_ps; /* there, by the host's clock */
	/* PyTorch: how long the host's own range of it is there, which ends before its device work does; else 0 */
	double mark_ps;
};

/* A core (host of the profile, where there is none) that has fewer steps than there are. */
struct tp_step_lack {
	uint32_t timeline;
	size_t has;
};

/* Statistics over some of the steps. */
struct tp_step_stats {
	size_t count;
	struct tp_stats time;
	struct tp_stats tpu[TP_TPU_PART_COUNT];
	struct tp_stats worst_input; /* share of the core (host) that waits longest for input */
};

/* What the trace of one worker and span has of the steps. */
struct tp_trace_steps {
	uint32_t *
		step; /* by step of the trace: index into tp_steps.steps; TP_NONE: not every worker has it */
	double weight; /* of each of them in the mean over the workers of the step; 0: none is in one */
};

/* From when to when a marked step lasts. */
enum tp_step_timing {
	TP_TIMED_BY_MARKER, /* as long as its marker */
	TP_TIMED_BY_START,  /* from the start of its marker to that of the next */
	TP_TIMED_BY_WORK,   /* from the first work that its marker launched to that of the next */
	TP_TIMED_BY_RUN,    /* likewise, where only the order of runs says which marker launched them */
};

/* Of markers that only launch work, which runs when they are over. */
struct tp_launched {
	enum tp_step_timing timing;
	/* TP_TIMED_BY_RUN: whose runs begin steps; empty: its name is not known */
	struct tp_slice program;
	double inside_ps, outside_ps; /* work while the marker that launched it lasted, and later */
};

struct tp_steps {
	const struct tp_step_source *source; /* where they come from */
	struct tp_step *steps;               /* that enter the statistics, in order */
	size_t count;
	size_t seen;       /* markers of different steps that the profile holds */
	size_t trimmed;    /* first and last, left out because they may be cut off */
	size_t incomplete; /* not on every core, or without any work */
	size_t timelines;  /* cores (hosts) that the means go over */
	size_t jobs;       /* of workers: whose steps are no steps of each other; 0: all are of one */
	/* the tool file that they are from, instead of events; else empty */
	struct tp_slice precomputed_from;
	/* classes that are told apart besides those that the source always does, 1 << enum tp_class */
	unsigned classes;
	bool inferred;                 /* nothing marks steps: they are what repeats */
	struct tp_slice inferred_from; /* the program or function whose runs begin steps: "jit_f" */
	/* what runs after every so many of these, on a TPU; empty: nothing */
	struct tp_slice inferred_group;
	struct tp_repetition repetition;  /* how sure that is */
	const struct tp_step_core *cores; /* timelines of them; NULL unless of cores */
	/* [step × timelines + core]; NULL unless of the cores of all hosts */
	const struct tp_step_cell *cells;
	/* no operation receives input: idle counts as infeed as long as the host's step had to do with it */
	bool input_of_host;
	/* some event receives, fetches or sends input. Else waiting for it cannot be seen, and input.wait_share is missing,
	 * never 0: source->input_unseen */
	bool shows_input;
	bool input_asked;  /* most steps ask for a batch: then waiting for it is recorded, all of it */
	double idle_share; /* Σ idle_ps / Σ step time; NaN: not known */
	struct tp_launched launched;
	struct tp_stats time; /* of time_ps */
	double class_mean_ps[TP_CLASS_COUNT];
	double copy_mean_ps;
	struct tp_step_stats all; /* of steps */
	struct tp_step_stats
		whole;         /* of those that the capture does not cut; as all when it cuts none */
	size_t open_count; /* steps that it cuts */
	const struct tp_step_lack *lacking; /* those that lack some of the seen */
	size_t lacking_count;
	bool capture_known;               /* the profile says when its capture began and ended */
	uint64_t open_events;             /* that begin before or end after it */
	double input_share, output_share; /* Σ waiting / Σ step time */
	struct tp_limits input_limits;    /* from which shares on that is moderate and high */
	size_t slowest;                   /* index */
	const struct tp_step_slowest
		*explained; /* why it is; NULL: too few steps, or one host of several */
	uint32_t host;  /* whose steps these are, where they are one host's; else of the first */
	struct tp_steps *hosts; /* each host by itself, over the same steps; those that have steps */
	size_t host_count;
	const struct tp_trace_steps *traces; /* of workers of PyTorch, by trace; else NULL */
	/* from the end of a step to the start of the next, on the core (host) where it is longest; NaN: fewer than two steps */
	double gap_mean_ps;
	bool tells_programs;   /* steps of TPU cores that recorded runs of programs … */
	double program_gap_ps; /* … in a mean step: while no program runs on the core */
};

/* What a part of all time in which cores are busy is of a mean step, at most its compute. NaN: steps are not of cores. s may be
 * NULL. */
double tp_steps_part_of_busy_ps(const struct tp_steps *s, double part_ps, double busy_ps);

/* A difference of this share of the median step is not worth a word. */
#define TP_STEPS_EQUAL_SHARE 0.01
static inline bool
tp_steps_equal(const struct tp_steps *s)
{
	return s->time.max - s->time.min < TP_STEPS_EQUAL_SHARE * s->time.p50;
}

/* A step near the median and the slowest, which are explained beside each other; false: they are not. */
bool tp_step_slowest_pair(const struct tp_steps *s, size_t pair[static 2]);

/* The number that a step's name is; false when it is none. */
bool tp_step_number(struct tp_slice name, int64_t *number);

/* Whether a step lasts until the slowest of several hosts or workers ends; of cores it is the mean over them. */
static inline bool
tp_steps_end_with_slowest(const struct tp_steps *s)
{
	return s->cells == NULL && s->timelines > 1;
}

/* Whether a class of time is told apart; else it is missing, not 0. */
bool tp_steps_tell(const struct tp_steps *s, enum tp_class c);

/* The largest share of step time that waiting for input can be where nothing shows it: while the device works nothing waits
 * for input. NaN: waiting is recorded, or nothing bounds it. */
double tp_steps_most_input_share(const struct tp_steps *s);

/* Of a mean step, how long a host that computes itself does something else than run XLA operations: Python, their dispatch, or waiting. NaN: not
 * known. */
double tp_steps_outside_operations_ps(const struct tp_steps *s);

/* Whether the profiler recorded functions of Python, or was asked to. */
bool tp_steps_python_traced(const struct tp_profile *p);

/* How many events of a line begin before its host's capture or end after it; *capture_known: set where the profile says when that was. */
uint64_t tp_steps_open_events(const struct tp_profile *p, uint32_t line, bool *capture_known);

/* struct tp_steps; skipped with the reason when the profile holds no usable step markers */
extern const struct tp_pass tp_pass_steps;

/* "step", "steps", "inferred step", "inferred steps" */
const char *tp_steps_word(const struct tp_steps *s, size_t count);

/* "TPU:3", with its host where there are several; without cores the host's name. */
struct tp_slice tp_steps_timeline_name(
	const struct tp_pass_ctx *ctx, const struct tp_steps *s, uint32_t timeline);

/* "4 cores", "2 workers"; where workers are of different jobs, "3 captures". */
struct tp_value tp_steps_of_whom(const struct tp_pass_ctx *ctx, const struct tp_steps *s);

/* "0.98": of inferred steps, cut after two decimals, so that 0.999 is not shown as certain. */
struct tp_slice tp_steps_confidence(const struct tp_pass_ctx *ctx, const struct tp_steps *s);

/* "inferred from 100 runs of `jit_f`, confidence 0.98", for inferred steps alone. */
struct tp_text tp_steps_say_inferred(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s);

/* "from one run of `jit_f` to the next", for steps whose markers only launch their work. */
struct tp_text tp_steps_say_launched(struct tp_doc *doc, const struct tp_steps *s);

/* Thresholds of xprof's input-bound classification (op_stats_to_input_pipeline_analysis.cc). */
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

/* Whether the mean of all cores does not speak for the one with the most of a class: it is below the limit, or less by as much. */
bool tp_steps_uneven(double most_share, double mean_share, double limit);

/* Likewise of waiting for input, where that is told. */
bool tp_input_uneven(const struct tp_steps *s);

/* The id of the metric of waiting for input that is told: the mean step's, or where cores differ the worst core's. */
const char *tp_input_metric(const struct tp_steps *s);

#endif
