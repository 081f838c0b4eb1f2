/* The op profile: where device time goes, by operation and by category. */
#ifndef TP_ANALYZE_OPS_H
#define TP_ANALYZE_OPS_H

#include "analyze/pass.h"
#include "report/doc.h"

#include <stdint.h>

struct tp_op;

/* An operation of a program, over all its occurrences on all devices. */
struct tp_op_total {
	const struct tp_op *op;   /* of the first occurrence: names and shapes */
	struct tp_slice category; /* as shown; never empty */
	struct tp_slice program;  /* name; empty: not known */
	uint64_t occurrences;
	int64_t self_ps, total_ps;
	uint64_t flops,
		hbm_bytes; /* Σ over occurrences; a container's are those of its parts and not counted again */
	bool half;     /* works on 16-bit floating-point numbers */
	enum tp_hue hue;
	uint32_t device; /* of the first occurrence, for peaks; TP_NONE: host */
};

struct tp_category_total {
	struct tp_slice name;
	enum tp_hue hue;
	uint64_t occurrences;
	int64_t self_ps;
	uint64_t flops, hbm_bytes;
	size_t first, count; /* its operations in tp_ops.ops */
};

struct tp_ops {
	struct tp_category_total *categories; /* by self time, descending, then name */
	size_t category_count;
	struct tp_op_total
		*ops; /* by category as above, within it by self time, descending, then name */
	size_t count;
	size_t top;      /* index of the operation with the most self time */
	int64_t busy_ps; /* Σ self times */
	uint64_t flops, hbm_bytes;
	bool has_costs;  /* the profile states them for at least one operation */
	int64_t copy_ps; /* moving and formatting data within the device's memory */
	int64_t compute_ps,
		half_ps; /* arithmetic (not copies, transfers, collectives), and the 16-bit part of it */
	bool half_known; /* operand types are in the profile */
	bool on_host;    /* XLA:CPU */
	double flops_share,
		flops_busy_share; /* of the peak, over all and over busy time; NaN: unknown */
	double hbm_share, hbm_busy_share;
};

/* struct tp_ops */
extern const struct tp_pass tp_pass_ops;

/* Bars of the longest categories, by share of busy time. */
void tp_ops_bars(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc,
	struct tp_block *parent, const char *id);

/* What it says (ops_present.c). */
void tp_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
enum tp_status tp_ops_present(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc, struct tp_err *err);

#endif
