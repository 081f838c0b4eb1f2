/* The op profile: where device time goes, by operation and by category. */
#ifndef TP_ANALYZE_OPS_H
#define TP_ANALYZE_OPS_H

#include "analyze/core/ctx.h"
#include "analyze/facts/peaks.h"
#include "report/doc.h"

#include <stdint.h>

struct tp_buf;
struct tp_op;
struct tp_op_peaks;

/* FLOPs and the bytes of each memory: the first kinds of peak. */
enum { TP_OP_LIMITS = TP_PEAK_VMEM_WRITE + 1 };

/* An operation of a program, over all its occurrences on all devices; or several added up, then without op. */
struct tp_op_total {
	const struct tp_op *op;   /* of the first occurrence: names and shapes */
	struct tp_slice category; /* as shown; never empty */
	struct tp_slice program;  /* name; empty: not known */
	uint64_t program_id;
	bool has_program;
	uint64_t occurrences;
	int64_t self_ps, total_ps;
	int64_t min_ps, max_ps; /* shortest and longest occurrence, nested operations included */
	/* Where a profiler says what share of the peaks was used, instead of what they are: self time that all the work would take
	 * at the peak; NaN: not known. */
	bool uses_precomputed;
	double flops_at_peak_ps, hbm_at_peak_ps;
	double wasted_ps;            /* self time less what its busiest unit needed; NaN: not known */
	bool has_costs, has_overrun; /* costs are stated; they are more than the peak allows */
	bool
		has_flops; /* FLOP are known: costs are stated, or it is a GPU's kernel of a product that the HLO has */
	/* Σ over occurrences; a container's costs are those of its parts and not counted again. */
	uint64_t amount[TP_OP_LIMITS]; /* FLOPs, bytes of each memory: by enum tp_peak_kind */
	uint64_t model_flops, bytes;   /* bytes: of all memories */
	int64_t dma_stall_ps;          /* of total_ps */
	bool half;                     /* works on 16-bit floating-point numbers */
	bool left_out; /* no single operation, but those that a file leaves out of a group */
	enum tp_hue hue;
	uint32_t device; /* of the first occurrence; TP_NONE: host */
};

struct tp_category_total {
	struct tp_slice name;
	enum tp_hue hue;
	int64_t self_ps;
	size_t first, count; /* its operations in tp_ops.ops */
};

/* The type of a framework operation of which none is stated. */
#define TP_OP_NO_TYPE "Unknown"

/* Device operations that one operation of the framework became. */
struct tp_framework_total {
	/* "jit(f)/jit(main)/add"; the HLO name where there is no framework operation */
	struct tp_slice name;
	struct tp_slice type; /* "add", "Conv2D", or TP_OP_NO_TYPE */
	size_t members; /* of all operations of a type: how many there are; 0: it is one operation */
	struct tp_op_total sums; /* occurrences: of the operation that occurs most often */
};

struct tp_ops {
	struct tp_category_total *categories; /* by self time, descending, then name */
	size_t category_count;
	/* by category as above, within it by self time, descending, then name */
	struct tp_op_total *ops;
	size_t count;
	size_t top;                       /* index of the operation with the most self time */
	const struct tp_op_total *scoped; /* the same, but a GPU's kernels by what they worked on */
	size_t scoped_count;
	bool names_frameworks;                 /* at least one of them says what that was */
	struct tp_framework_total *frameworks; /* by self time, descending, then name */
	size_t framework_count;
	int64_t busy_ps; /* Σ self times */
	uint64_t flops, hbm_bytes;
	bool has_costs;     /* the profile states them for at least one operation */
	bool has_flops;     /* FLOP of at least one are known, stated or by the HLO */
	bool has_dma_stall; /* likewise */
	int64_t copy_ps;    /* moving and formatting data within the device's memory */
	int64_t compute_ps,
		half_ps; /* arithmetic (not copies, transfers, collectives), and the 16-bit part of it */
	bool half_known;      /* operand types are in the profile */
	bool half_by_kernels; /* of GPUs: by recorded operands, else by the kernel's name */
	bool on_host;         /* XLA:CPU */
	bool summed_up;       /* by a profiler: nothing is known of single occurrences */
	/* likewise; of times nothing but their shares is known: they are in parts of busy_ps */
	bool only_shares;
	double wasted_ps; /* Σ over operations of which it is known; NaN: of none */
	double flops_share,
		flops_busy_share; /* of the peak, over all and over busy time; NaN: unknown */
	double hbm_share, hbm_busy_share;
	bool flops_impossible,
		hbm_impossible; /* a share is not known because it is more than the peak allows */
};

/* struct tp_ops */
extern const struct tp_pass tp_pass_ops;

/* Registers and presents it. */
extern const struct tp_pass tp_pass_ops_section;

/* The operations of all lines that count, in order of first occurrence, with their costs; the caller frees the buffer of struct
 * tp_op_total. Fills in what o says of them all: on_host, half_known, has_dma_stall. (op_totals.c) */
struct tp_buf tp_op_totals(const struct tp_pass_ctx *ctx, struct tp_ops *o);

/* What the compiler estimated for one occurrence, by enum tp_peak_kind. */
void tp_op_costs(const struct tp_op *op, uint64_t amount[static TP_OP_LIMITS]);

/* Whether a text names 16-bit floating-point numbers: "bf16[128,8]". */
bool tp_op_names_half(struct tp_slice text);

/* Adds b's times, occurrences and costs to a, which then is no single operation. */
void tp_op_add(struct tp_op_total *a, const struct tp_op_total *b);

/* Groups operations, whatever they are from, by category, and sums them up; takes the buffer of struct tp_op_total. */
void tp_ops_group(const struct tp_pass_ctx *ctx, struct tp_buf *totals,
	const struct tp_op_peaks *peaks, struct tp_ops *o);

/* Whether it is the category of kernels whose HLO is not known, which says nothing of what they do (op_totals.c). */
bool tp_op_category_of_kernels(struct tp_slice category);

/* A time of these operations, or missing where only shares are known. */
struct tp_value tp_op_time(const struct tp_ops *o, struct tp_value time);

/* Bars of the longest categories, by share of busy time. */
void tp_ops_bars(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc,
	struct tp_block *parent, const char *id);

/* Whether the FLOP that are stated are clearly more than matrix units did by their counter, of metrics that are registered. */
bool tp_above_matrix_unit(const struct tp_doc *doc);

/* Headline figures (op_metrics.c). */
void tp_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
