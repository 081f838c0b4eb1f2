/* How much of the communication of a step is waiting. */
#ifndef TP_ANALYZE_PAGE_WAITING_H
#define TP_ANALYZE_PAGE_WAITING_H

struct tp_doc;
struct tp_pass;
struct tp_pass_ctx;

/* Of a mean step, of what the bar of classes draws as collectives: waiting for other cores or workers, at most; NaN: not known, as where
 * one that all wait for may not be in the report. A core that
 * the same collective waits for may wait, too, so it may be less. */
double tp_waiting_in_collectives_ps(const struct tp_pass_ctx *ctx);

/* Likewise, of what it draws as sends and receives of cores: all of the receives, which end once the sender has sent. */
double tp_waiting_in_receives_ps(const struct tp_pass_ctx *ctx);

void tp_waiting_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* Of steps: their charts show the waiting of each. */
extern const struct tp_pass tp_pass_waiting;

#endif
