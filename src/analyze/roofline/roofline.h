/* The roofline: how near each operation, the average step and the whole program come to what the device could do. */
#ifndef TP_ANALYZE_ROOFLINE_H
#define TP_ANALYZE_ROOFLINE_H

#include "analyze/ops/op_use.h"

/* Some work, and what it reached of each limit. */
struct tp_roof {
	double amount[TP_OP_LIMITS]; /* FLOP, bytes */
	double time_ps;              /* of one device; of several their sum */
	double rate[TP_OP_LIMITS];   /* a second; NaN: no time */
	double share[TP_OP_LIMITS];  /* of the peak; NaN: not known */
	double intensity;            /* FLOP a byte of HBM; NaN: no bytes */
	double efficiency;           /* the largest share; NaN: of no limit is it known and above 0 */
	enum tp_peak_kind bound;     /* that limit; TP_PEAK_COUNT: none */
	bool impossible;             /* more than the peaks allow in its time: it runs asynchronously */
};

struct tp_roof_op {
	const struct tp_op_total *op;
	struct tp_roof at; /* over total time, as xprof does: operations nested in it included */
};

struct tp_roofline {
	double peak[TP_OP_LIMITS]; /* that all devices with operations share; 0: not known */
	struct tp_roof program;    /* innermost operations over all device time, idle included */
	bool has_feeds;
	/* the same without infeed and outfeed, in which a core waits for the host */
	struct tp_roof unfed;
	bool has_step;
	struct tp_roof step; /* the same of complete steps, over their length */
	/* … over the time of these operations alone; without steps, of the whole capture */
	struct tp_roof operations;
	size_t step_count;
	bool steps_inferred;
	struct tp_roof_op *ops; /* that state costs, by self time, descending */
	size_t count;
};

/* struct tp_roofline */
extern const struct tp_pass tp_pass_roofline;

/* Fills in rates, shares and so on from amounts, time and the peaks. */
void tp_roof_find(struct tp_roof *roof, const double peak[static TP_OP_LIMITS]);

/* What it says: headline figures, the section (roofline_present.c) and its chart (roofline_chart.c). */
void tp_roofline_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_roofline_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);
void tp_roofline_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc);
void tp_roofline_chart(const struct tp_pass_ctx *ctx, const struct tp_roofline *r,
	struct tp_doc *doc, struct tp_block *section);

#endif
