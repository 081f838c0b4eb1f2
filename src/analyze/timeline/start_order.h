/* Lines whose events are in order by one clock of a device, and not by the clock of all. */
#ifndef TP_ANALYZE_TIMELINE_START_ORDER_H
#define TP_ANALYZE_TIMELINE_START_ORDER_H

struct tp_arena;
struct tp_profile;

/* The profile with the events of all lines in order of start by the host's clock, the longer first; the profile itself where they are, which
 * is nearly always: two clocks may disagree where one of them was set. Times by a chip's clock are left out of lines that were not. */
const struct tp_profile *tp_timeline_start_order(
	const struct tp_profile *p, struct tp_arena *arena);

#endif
