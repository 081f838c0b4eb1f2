/* Which events are kept in full, and the pairs of them that arrows are drawn between. */
#include "analyze/timeline/flows.h"

bool
tp_timeline_keeps(
	const struct tp_timeline_found *t, const struct tp_timeline_line *line, uint32_t event)
{
	uint64_t at_ps;

	if (line->whole || !line->in_spans)
		return line->whole;
	at_ps = tp_timeline_place(line, event).from_ps;
	for (size_t i = 0; i < t->span_count; i++) {
		if (at_ps >= t->spans[i].from_ps && at_ps < t->spans[i].to_ps)
			return true;
	}
	return false;
}

void
tp_flow_add(
	struct tp_flows *f, enum tp_flow_kind kind, struct tp_flow_end from, struct tp_flow_end to)
{
	f->all[kind]++;
	if (tp_timeline_keeps(f->t, &f->t->lines[from.line], from.event) &&
		tp_timeline_keeps(f->t, &f->t->lines[to.line], to.event))
		TP_PUSH(&f->pairs[kind], struct tp_flow_pair, from, to);
}
