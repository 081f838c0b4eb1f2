/* The columns of a line that is being read: as narrow as its events by both clocks allow. */
#ifndef TP_MODEL_LINE_DRAFT_H
#define TP_MODEL_LINE_DRAFT_H

#include "model/line.h"
#include "model/second_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_line_columns;

/* Zeroed it is empty. */
struct tp_line_draft {
	struct tp_times_draft host, chip; /* without a second clock only host */
	struct tp_clock_draft second;     /* instead of host where … */
	bool follows;                     /* … the host's times follow from the chip's */
	bool host_unsorted;   /* by the host's clock one began before the one that stands before it */
	int64_t last_host_ps; /* by the host's clock: when the last event began */
	struct tp_op_draft ops;
};

/* Adds the events in the columns, of which there is one at least: all calls but the last have a multiple of TP_BLOCK_EVENTS. */
void tp_line_draft_add(struct tp_line_draft *d, const struct tp_line_columns *c);

/* Makes room for so many events in all. */
void tp_line_draft_reserve(struct tp_line_draft *d, bool chip, size_t events);

/* False: there may be more times than can be kept. */
bool tp_line_draft_may_grow(const struct tp_line_draft *d, uint32_t events);

/* A line of these columns, and no more of it: until more is added, or for an arena, the draft being empty then. */
struct tp_line tp_line_draft_so_far(struct tp_line_draft *d, bool chip);
struct tp_line tp_line_draft_give(struct tp_line_draft *d, bool chip, struct tp_arena *arena);

void tp_line_draft_free(struct tp_line_draft *d);

#endif
