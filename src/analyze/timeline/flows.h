/* Flows: pairs of events of which one leads to the other, collected by kind and packed as the arrows of a timeline. */
#ifndef TP_ANALYZE_TIMELINE_FLOWS_H
#define TP_ANALYZE_TIMELINE_FLOWS_H

#include "analyze/timeline/timeline.h"
#include "base/buf.h"

enum tp_flow_kind {
	TP_FLOW_LAUNCH,
	TP_FLOW_BACKWARD,
	TP_FLOW_HANDED,
	TP_FLOW_ASYNC,
	TP_FLOW_SEND,
	TP_FLOW_INFEED,
	TP_FLOW_KINDS
};

/* An event: its line by its place in t->lines, and its number. */
struct tp_flow_end {
	uint32_t line, event;
};

struct tp_flow_pair {
	struct tp_flow_end from, to;
};

struct tp_flows {
	const struct tp_pass_ctx *ctx;
	const struct tp_timeline_found *t;
	const uint32_t *place_of_line; /* in t->lines, by number of the line in the profile; TP_NONE */
	struct tp_buf pairs[TP_FLOW_KINDS]; /* struct tp_flow_pair, both kept in full */
	uint64_t all[TP_FLOW_KINDS];
};

/* One more, which is kept where both its ends are. */
void tp_flow_add(
	struct tp_flows *f, enum tp_flow_kind kind, struct tp_flow_end from, struct tp_flow_end to);

/* Those of XLA's profiles, and those of PyTorch's traces (flows_torch.c). */
void tp_flows_of_xla(struct tp_flows *f);
void tp_flows_of_torch(struct tp_flows *f);

/* Of them those that no tag or number of an event tells: of XLA asynchronous operations, transfers and infeeds; of PyTorch forward to
 * backward. */
void tp_flows_worked_out(struct tp_flows *f);
void tp_flows_backward(struct tp_flows *f);

#endif
