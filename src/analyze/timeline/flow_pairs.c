/* The pairs of events that arrows are drawn between: both are kept in full. */
#include "analyze/timeline/flows.h"

void
tp_flow_add(
	struct tp_flows *f, enum tp_flow_kind kind, struct tp_flow_end from, struct tp_flow_end to)
{
	f->all[kind]++;
	if (tp_timeline_keeps(f->t, &f->t->lines[from.line], from.event) &&
		tp_timeline_keeps(f->t, &f->t->lines[to.line], to.event))
		TP_PUSH(&f->pairs[kind], struct tp_flow_pair, from, to);
}
