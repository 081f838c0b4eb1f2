/* The operations of events in a column: 2 bytes for each, 4 where an index of the line needs that. Beside it stands which operations
 * there are: most lines have few, and many questions about a line of millions of events are about its operations alone. */
#ifndef TP_MODEL_OP_COLUMN_H
#define TP_MODEL_OP_COLUMN_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_arena;

struct tp_op_column {
	const uint16_t *narrow; /* NULL: it is … */
	const uint32_t *wide;   /* … this */
	const uint32_t
		*met; /* its operations, in the order in which they come first; NULL: it has too many */
	uint32_t met_count;
	/* of every TP_MET_EVENTS events which operations are among them, by tp_met_bit; NULL where met is, and of few events */
	const uint64_t *met_in;
};

enum { TP_MET_EVENTS = 64 };

static inline uint32_t
tp_op_column_at(const struct tp_op_column *c, uint32_t event)
{
	return c->narrow != NULL ? c->narrow[event] : c->wide[event];
}

/* The operations that a column of so many events has, in the order in which they come first: as many items as this, and what each is. Where
 * an operation has few events, it may be there more than once. */
static inline uint32_t
tp_op_column_met_count(const struct tp_op_column *c, uint32_t events)
{
	return c->met != NULL ? c->met_count : events;
}

static inline uint32_t
tp_op_column_met(const struct tp_op_column *c, uint32_t item)
{
	return c->met != NULL ? c->met[item] : tp_op_column_at(c, item);
}

/* The bit of a number that stands for an operation, by its place in met: the last ones share some. */
static inline uint64_t
tp_met_bit(uint32_t item)
{
	enum { OWN = 48, SHARED = 64 - OWN };

	return UINT64_C(1) << (item < OWN ? item : OWN + item % SHARED);
}

/* The bits of those operations that are not 0 in a table by operation. */
uint64_t tp_op_column_bits(const struct tp_op_column *c, const uint8_t *of_op);

/* Whether any event of those from a multiple of TP_MET_EVENTS on that this one is among may be of such an operation. */
static inline bool
tp_op_column_may_have(const struct tp_op_column *c, uint64_t bits, uint32_t event)
{
	return c->met_in == NULL || (c->met_in[event / TP_MET_EVENTS] & bits) != 0;
}

/* The first event from this one on that may be of such an operation; `events`: none is. */
static inline uint32_t
tp_op_column_next(const struct tp_op_column *c, uint64_t bits, uint32_t event, uint32_t events)
{
	while (event < events && event % TP_MET_EVENTS == 0 && !tp_op_column_may_have(c, bits, event))
		event = events - event > TP_MET_EVENTS ? event + TP_MET_EVENTS : events;
	return event;
}

/* The events from number `first` on, as a column of their own; the memory is shared. */
struct tp_op_column tp_op_column_from(const struct tp_op_column *c, uint32_t first);

/* A narrow column of a plain one. */
struct tp_op_column tp_ops_of(const uint32_t *op, uint32_t count, struct tp_arena *arena);

/* A column that grows. */
struct tp_op_draft {
	struct tp_buf narrow, wide;
	struct tp_buf met, met_in; /* as in a column */
	struct tp_buf bit_of;      /* by operation: uint64_t; 0: it was not met */
	bool is_wide;
};

/* Zeroed it is empty. */
void tp_ops_add(struct tp_op_draft *d, const uint32_t *op, uint32_t count);

/* Notes which operations are met: all calls but the last with a multiple of TP_MET_EVENTS. Without it the column does not know. */
void tp_ops_meet(struct tp_op_draft *d, const uint32_t *op, uint32_t count);

/* Makes room for so many events in all. */
void tp_ops_reserve(struct tp_op_draft *d, size_t events);

/* What was added so far; holds until more is. */
struct tp_op_column tp_ops_so_far(const struct tp_op_draft *d);

/* The column for an arena; the draft is empty then. */
struct tp_op_column tp_ops_give(struct tp_op_draft *d, struct tp_arena *arena);

void tp_ops_free(struct tp_op_draft *d);

#endif
