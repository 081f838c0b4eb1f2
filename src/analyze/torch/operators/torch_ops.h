/* Operators of PyTorch over all workers and spans: by name, by name and input shapes, by call stack. */
#ifndef TP_ANALYZE_TORCH_OPS_H
#define TP_ANALYZE_TORCH_OPS_H

#include "analyze/core/ctx.h"
#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch_steps/torch_correlation.h"

#include <stdint.h>

struct tp_cell;

struct tp_torch_op_row {
	struct tp_slice name;
	struct tp_slice shapes; /* of the inputs: "[[64,3,7,7],[]]"; of rows by shape */
	bool has_shapes;
	struct tp_torch_op_sums sums;
	int64_t key_ps; /* by which rows are ordered */
	uint32_t found; /* in which order they were met */
};

/* Call stacks of Python, rebuilt from the calls of functions that a trace records (with_stack=True): a tree of frames, in which
 * every stack is the way from a frame to the root. Of deeper stacks so many frames of either end are looked at. */
enum { TP_TORCH_STACK_END = 256 };

struct tp_torch_frame {
	uint32_t caller; /* frame; TP_NONE: the outermost */
	uint32_t depth;  /* 1: the outermost */
	/* frame of the same stack at depth TP_TORCH_STACK_END; itself, where it is no deeper */
	uint32_t outer;
	uint32_t op;          /* of the profile: its name, "model.py(12): forward" */
	uint32_t called_from; /* string: "train.py:34", a line of the caller; 0: not recorded */
};

/* Calls of an operator from one place. */
struct tp_torch_op_stack {
	uint32_t row;       /* in by_name */
	uint32_t stack;     /* frame; TP_NONE: none recorded */
	uint32_t old_stack; /* string: "Call stack" as old versions wrote it; 0: none */
	struct tp_torch_op_sums sums;
	int64_t key_ps; /* as of rows */
	uint32_t found;
};

/* Of one trace. */
struct tp_torch_op_trace {
	const struct tp_torch_op_call *calls; /* by index in t->operators */
	struct tp_torch_op_sums sums;         /* totals are no sums of all: not worked out */
	uint32_t names;                       /* different ones */
	uint32_t top; /* row in by_name with the most self time; TP_NONE: no operator */
	int64_t top_ps;
};

/* Why no FLOP are known. */
enum tp_torch_no_flop {
	TP_TORCH_NO_SHAPES, /* input shapes were not recorded */
	TP_TORCH_NO_OPERATORS,
	TP_TORCH_NO_PRODUCTS,     /* no matmul, convolution or attention */
	TP_TORCH_NO_USE_OF_SHAPES /* there are such, and their shapes are missing, odd or not understood */
};

struct tp_torch_ops {
	const struct tp_torch_op_row *by_name,
		*by_shape; /* by self time (device, else host), descending */
	uint32_t name_count, shape_count;
	const struct tp_torch_op_stack *stacks; /* by row, then self time, descending; with a stack */
	uint32_t stack_count;
	const struct tp_torch_frame *frames;
	const struct tp_torch_op_trace *traces; /* by trace */
	struct tp_torch_op_sums sums;           /* likewise */
	bool on_device;                         /* an operator launched device work that took time */
	bool has_shapes, has_stacks;
	enum tp_torch_no_flop no_flop; /* where sums.flops is 0 */
	uint64_t step_flops;           /* of calls that begin in steps of traces with device work … */
	double step_peak_ps;           /* … Σ time of these steps × GPUs */
	double peak_flop_per_s;        /* of a GPU; 0: not known */
	struct tp_slice no_peak;       /* why */
	struct tp_torch_device_work work;
	int64_t unlisted_ps; /* of operators that the list leaves out */
};

/* The time that rows are ordered by. */
static inline int64_t
tp_torch_op_key_ps(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s)
{
	return o->on_device ? s->device_self_ps : s->host_self_ps;
}

/* What shares are of: all device work; without any of an operator, the host time of operators. */
static inline int64_t
tp_torch_op_whole_ps(const struct tp_torch_ops *o)
{
	return o->on_device ? o->work.ps : o->sums.host_self_ps;
}

/* Whether an event is an operator that the list of operators holds: all but the wrappers that old versions wrote as operators
 * too: steps of optimizers, DataLoader's waits, forward of (Distributed)DataParallel. */
bool tp_torch_op_is_listed(
	const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event);

/* What one call adds to the sums of its row. */
struct tp_torch_op_sums tp_torch_op_sums_of(
	const struct tp_torch_trace *t, const struct tp_torch_op_call *c, uint64_t flops);

/* struct tp_torch_ops */
extern const struct tp_pass tp_pass_torch_ops;

/* Headline figures (torch_ops_flops.c) and the section (torch_ops_present.c). */
void tp_torch_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_torch_ops_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
/* Input shapes of a row, cut where they are long. */
void tp_torch_op_shapes_cell(
	const struct tp_pass_ctx *ctx, const struct tp_torch_op_row *row, struct tp_cell *cell);
/* What operators compute, and how fast (torch_ops_flops.c). */
void tp_torch_ops_flops_present(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o,
	struct tp_doc *doc, struct tp_block *section);
void tp_torch_ops_stacks_present(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o,
	struct tp_doc *doc, struct tp_block *section);

#endif
