/* TPU cores: where their steps begin and end, by the core's Steps line or inferred from its program runs, and what a step is
 * over the cores of one host or of all. */
#ifndef TP_ANALYZE_STEP_CORES_H
#define TP_ANALYZE_STEP_CORES_H

#include "analyze/steps/step_infer.h"
#include "analyze/steps/steps.h"
#include "model/profile.h"

struct tp_self_times;

struct tp_step_mark {
	struct tp_slice name;
	int64_t start_ps, duration_ps;           /* by the chip's clock */
	int64_t host_start_ps, host_duration_ps; /* by the host's */
	bool unended;    /* inferred, and nothing shows when it ended but its own runs */
	int64_t work_ps; /* inferred: until its own runs have ended */
	/* of a core that is given: what its operations sum up to (TP_RANK_SUMS numbers); NULL: that is not known of these times */
	const int64_t *sums;
};

struct tp_marked_core {
	uint32_t device, host;
	const struct tp_line *ops;
	/* of ops; NULL: it is given, and ops are those that meet other cores' alone */
	const struct tp_self_times *self;
	struct tp_step_mark *marks; /* in order of start */
	uint32_t mark_count;
	bool receives_input; /* an operation does (tp_charge_ops) */
};

struct tp_marked_cores {
	struct tp_marked_core *cores;
	uint32_t count;
};

/* The cores whose Steps line holds events. Memory from ctx->scratch. host: of which; TP_NONE: of all, here and below. */
struct tp_marked_cores tp_marks_of_steps_lines(const struct tp_pass_ctx *ctx, uint32_t host);

/* The cores whose program runs repeat (step_infer_tpu.c); sets what out says of inference. None, with the reason, when they
 * do not repeat evenly enough. Names live in ctx->keep, the rest in ctx->scratch. */
struct tp_marked_cores tp_marks_of_program_runs(
	const struct tp_pass_ctx *ctx, uint32_t host, struct tp_steps *out, struct tp_slice *reason);

/* The runs of one core, on the chip's clock, and what they are by the host's. */
struct tp_core_runs {
	struct tp_run *runs;
	int64_t (*host)[2]; /* start, end */
	uint32_t count;
};

/* The runs of each core that steps are inferred from: of programs, whose names are their kinds, or (by_ops) those that show in the sequence of
 * operations, whose programs are. */
struct tp_core_runs *tp_runs_of_cores(const struct tp_pass_ctx *ctx,
	const struct tp_marked_cores *on, bool by_ops, struct tp_strings *kinds);

/* By device the index of its first line of a kind that holds events; TP_NONE: it has none. */
const uint32_t *tp_first_lines(
	const struct tp_profile *p, enum tp_line_kind kind, struct tp_arena *scratch);

/* All cores that ran operations, without marks. */
struct tp_marked_cores tp_cores_with_ops(const struct tp_pass_ctx *ctx, uint32_t host);

/* Of a core that is given (step_given.c). */
void tp_given_marks(
	const struct tp_pass_ctx *ctx, struct tp_marked_core *core, struct tp_arena *scratch);
struct tp_core_runs tp_given_runs(const struct tp_pass_ctx *ctx, const struct tp_marked_core *core,
	bool by_ops, struct tp_strings *kinds);
/* Sets the sums of marks that are inferred anew: those of the same times on the core by itself. */
void tp_given_sums(const struct tp_pass_ctx *ctx, struct tp_marked_core *core);
/* Adds them to a step's cell. */
void tp_given_charge(const int64_t *sums, struct tp_step_cell *cell);

/* Charges the operations of cores to their cells, [step × core count + core], and says of each core whether it receives input.
 * step_of_mark: by core, then by mark; TP_NONE: of no step. Whether any receives input. */
bool tp_charge_ops(const struct tp_pass_ctx *ctx, const struct tp_marked_cores *on,
	const uint32_t *const *step_of_mark, struct tp_step_cell *cells);

/* The TPU page's figures of a step over some cores. */
void tp_step_tpu_parts(
	const struct tp_step_cell *cells, size_t count, double parts[static TP_TPU_PART_COUNT]);

/* A step over some cores, without what compares them with others: tpu_ps. */
struct tp_step tp_step_over_cores(
	const struct tp_step_cell *cells, size_t count, struct tp_slice name);

#endif
