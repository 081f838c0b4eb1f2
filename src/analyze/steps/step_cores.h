/* TPU cores: where their steps begin and end, by the core's Steps line or inferred from its program runs, and what a step is
 * over the cores of one host or of all. */
#ifndef TP_ANALYZE_STEP_CORES_H
#define TP_ANALYZE_STEP_CORES_H

#include "analyze/steps/steps.h"
#include "model/profile.h"

struct tp_step_mark {
	struct tp_slice name;
	int64_t start_ps, duration_ps;           /* by the chip's clock */
	int64_t host_start_ps, host_duration_ps; /* by the host's */
	bool unended; /* inferred, and nothing shows when it ended but its own runs */
};

struct tp_marked_core {
	uint32_t device, host;
	const struct tp_line *ops;
	const int64_t *self_ps;     /* of each of ops */
	struct tp_step_mark *marks; /* in order of start */
	uint32_t mark_count;
};

struct tp_marked_cores {
	struct tp_marked_core *cores;
	uint32_t count;
};

/* The cores whose Steps line holds events. Memory from ctx->scratch. */
struct tp_marked_cores tp_marks_of_steps_lines(const struct tp_pass_ctx *ctx);

/* The cores whose program runs repeat (step_infer_tpu.c); sets what out says of inference. None, with the reason, when they
 * do not repeat evenly enough. Names live in ctx->keep, the rest in ctx->scratch. */
struct tp_marked_cores tp_marks_of_program_runs(
	const struct tp_pass_ctx *ctx, struct tp_steps *out, struct tp_slice *reason);

/* By device the index of its first line of a kind that holds events; TP_NONE: it has none. */
const uint32_t *tp_first_lines(
	const struct tp_profile *p, enum tp_line_kind kind, struct tp_arena *scratch);

/* All cores that ran operations, without marks. */
struct tp_marked_cores tp_cores_with_ops(const struct tp_pass_ctx *ctx);

/* Charges the operations of cores to their cells, [step × core count + core]. step_of_mark: by core, then by mark; TP_NONE: of
 * no step. Whether any receives input. */
bool tp_charge_ops(const struct tp_pass_ctx *ctx, const struct tp_marked_cores *on,
	const uint32_t *const *step_of_mark, struct tp_step_cell *cells);

/* The TPU page's figures of a step over some cores. */
void tp_step_tpu_parts(
	const struct tp_step_cell *cells, size_t count, double parts[static TP_TPU_PART_COUNT]);

/* A step over some cores, without what compares them with others: tpu_ps. */
struct tp_step tp_step_over_cores(
	const struct tp_step_cell *cells, size_t count, struct tp_slice name);

#endif
