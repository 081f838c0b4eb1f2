/* Which events of a line are in no group yet: found by the end they must not pass. */
#ifndef TP_ANALYZE_STEP_UNGROUPED_H
#define TP_ANALYZE_STEP_UNGROUPED_H

#include <stdint.h>

struct tp_arena;
struct tp_group_column;
struct tp_line;

/* Events of a line that are in no group yet, as a tree of least ends: node 1 is the whole line, node i has children 2i and
 * 2i + 1, leaf i is node leaves + i. Threads nest, so going through the events in order is quicker; but where damaged or
 * hostile data overlap, each would be passed once for every other, so after many passes in vain the tree takes over. */
struct tp_ungrouped {
	uint64_t passed;       /* events gone by in vain */
	uint32_t leaves;       /* 0: no tree yet */
	int64_t *least_end_ps; /* INT64_MAX: none left */
};

/* The first event from `from` on that is in no group and lies before end_ps; TP_NONE when there is none. */
uint32_t tp_ungrouped_next(struct tp_ungrouped *u, const struct tp_line *line,
	const struct tp_group_column *of, uint32_t from, int64_t end_ps, struct tp_arena *scratch);

/* The event is in a group now. */
void tp_ungrouped_take(struct tp_ungrouped *u, uint32_t event);

#endif
