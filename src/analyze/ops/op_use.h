/* How much of a device's limits an operation used, which limit it came nearest to, and what time it wasted; its names in words. */
#ifndef TP_ANALYZE_OP_USE_H
#define TP_ANALYZE_OP_USE_H

#include "analyze/ops/ops.h"

/* Estimates and clocks are off by some per cent; beyond this share of a peak a use means something else, and is missing: of an
 * operation, that asynchronous copies start in one and end in another, so that their bytes are not moved in their own time; of a
 * whole program, that its costs or the peak are wrong. */
#define TP_MORE_THAN_POSSIBLE 1.25
#define TP_IMPOSSIBLE "more than 125 % of the peak: the profile's costs or the peak are wrong"

/* What all that a device did is of what it could have done at its peak. */
struct tp_value tp_use_of_peak(double amount, double at_peak, struct tp_slice no_peak);

/* Of one device, a second; 0: not known, or not the same on all devices. */
struct tp_op_peaks {
	double of[TP_PEAK_SHARED + 1]; /* by enum tp_peak_kind */
};
struct tp_op_peaks tp_op_peaks(const struct tp_pass_ctx *ctx);

/* "compute", "HBM", "CMEM read" …: what a kind of peak limits. */
struct tp_slice tp_op_limit(enum tp_peak_kind kind);

/* The share of a peak over the operation's self time, of SHARED with all its bytes; missing when costs or peak are not known, or
 * when the costs cannot have been paid in that time. */
struct tp_value tp_op_use(
	const struct tp_op_total *t, enum tp_peak_kind kind, const struct tp_op_peaks *peaks);

/* What it did of a kind a second, over its whole time; missing for the same reasons. And of another amount; peak 0: none tells
 * whether that can be. */
struct tp_value tp_op_rate(
	const struct tp_op_total *t, enum tp_peak_kind kind, const struct tp_op_peaks *peaks);
struct tp_value tp_op_rate_of(
	const struct tp_op_total *t, uint64_t amount, enum tp_unit unit, double peak);

/* Of a framework operation; missing where that is TP_OP_NO_TYPE. */
struct tp_value tp_op_type(struct tp_slice type);

/* What of busy time a time is. */
struct tp_value tp_op_busy_share(const struct tp_ops *o, int64_t time_ps);

/* How often it ran; a part of a time that is summed over that. */
struct tp_value tp_op_occurrences(const struct tp_op_total *t);
struct tp_value tp_op_each(const struct tp_ops *o, const struct tp_op_total *t, int64_t sum_ps);

/* FLOPs over all bytes. */
struct tp_value tp_op_intensity(const struct tp_op_total *t);

/* Self time × (1 − the larger use of FLOPS and HBM), in ps; NaN when neither is known. Sets has_overrun. */
double tp_op_find_waste(struct tp_op_total *t, const struct tp_op_peaks *peaks);
struct tp_value tp_op_wasted(const struct tp_op_total *t);

/* The limit of which most is used. use: how much, may be NULL. */
struct tp_value tp_op_bound_by(
	const struct tp_op_total *t, const struct tp_op_peaks *peaks, struct tp_value *use);

/* What a use of this much is judged as, where it took noteworthy time; undecided above the peak, where the bytes count more than memory
 * moves. See the section's "About these figures". */
#define TP_OP_USE_GOOD 0.50
#define TP_OP_USE_POOR 0.25
enum tp_judge tp_op_judge(const struct tp_op_total *t, struct tp_value use, int64_t busy_ps);

/* A name that fits into a sentence. */
struct tp_slice tp_op_short_name(const struct tp_pass_ctx *ctx, struct tp_slice name);

/* "jit(f)/add:Add" as it is, "jit(f)/add:", whose type is not stated, without the colon. */
struct tp_slice tp_op_framework_text(struct tp_slice framework);

/* "jit_f/fusion.12": what its row in a table is called. */
struct tp_slice tp_op_row_name(const struct tp_pass_ctx *ctx, const struct tp_op_total *t);

#endif
